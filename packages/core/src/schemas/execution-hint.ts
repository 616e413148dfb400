/** A transaction that is named, or a code that is only zeros: in JSON, in quotes of either kind, in XML, or in a form. */
const TRANSACTION = /(?:["'<:]transactionID(?:["']:|>)|^[\w%.&=+*-]*\btransactionID=)(?!null|""|''|[[{<&])./;
const ZERO = /(?:["'<:]returnCode(?:["']:|>)|^[\w%.&=+*-]*\breturnCode=)(?:[^\w,}<&]*0)+(?![\w.])/;

/** Whether a body hints at an execution, in any form: a list, an object within another one, or a body that is cut off. */
export function hintsAtExecution(body: string): boolean {
  // A JSON text within a text has its quotes escaped; UTF-16 that was read as UTF-8 has a NUL beside each letter.
  const plain = body
    .replace(/\\+(?:u([\da-f]{4})|[bfnrt])?|[\s\p{Cc}]+/giu, (_, code) =>
      code ? String.fromCharCode(Number(`0x${code}`)) : '',
    )
    .normalize('NFKC');
  return TRANSACTION.test(plain) || ZERO.test(plain);
}
