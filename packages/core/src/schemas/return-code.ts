import * as v from 'valibot';

/**
 * `returnCode` comes as text or as a number; it is always text here, and success is `'0'`. Other spellings of zero, such as
 * `00`, are refused: calling one a decline would invite a second charge.
 */
export const ReturnCodeSchema: v.GenericSchema<unknown, string> = v.pipe(
  v.union([v.string(), v.pipe(v.number(), v.integer())]),
  v.transform((code) => String(code).trim()),
  v.check((code) => code === '0' || Number(code) !== 0),
);

/** Whether a code that nobody has checked is a zero, in any spelling. */
export function saysZero(code: unknown): boolean {
  return (typeof code === 'string' || typeof code === 'number') && `${code}`.trim() !== '' && Number(code) === 0;
}

/** The one spelling of a code for comparing: `96`, `096` and ` 96` are the same code. */
export function comparableReturnCode(code: string): string {
  return code
    .trim()
    .toUpperCase()
    .replace(/^0+(?=.)/, '');
}
