/** A transaction that is named, or a code that is only zeros. */
const HINT = /"transactionID"\s*:\s*(?!null|"\s*")\S|"returnCode"\s*:(?:[^\w,}]*0)+(?![\w.])/;

/** Whether a body that is no readable answer hints at an execution all the same: in a list, or before it is cut off. */
export function hintsAtExecution(body: string): boolean {
  // A JSON text within a text has its quotes escaped.
  return HINT.test(body.replaceAll('\\', ''));
}
