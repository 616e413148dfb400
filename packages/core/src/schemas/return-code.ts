import * as v from 'valibot';

/**
 * `returnCode` comes as text or as a number; it is always text here, and success is `'0'`. Other spellings of zero, such as
 * `00` or one with a control character, are refused: calling one a decline would invite a second charge.
 */
export const ReturnCodeSchema: v.GenericSchema<unknown, string> = v.pipe(
  v.union([v.string(), v.pipe(v.number(), v.integer())]),
  v.transform((code) => String(code).trim()),
  v.check((code) => code === '0' || Number(lettersAndDigits(code)) !== 0),
);

/** Whether a code that nobody has checked is a zero, in any spelling. */
export function saysZero(code: unknown): boolean {
  const text = typeof code === 'string' || typeof code === 'number' ? lettersAndDigits(`${code}`) : '';
  return text !== '' && Number(text) === 0;
}

function lettersAndDigits(code: string): string {
  return code.normalize('NFKC').replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** The one spelling of a code for comparing: `96`, `096`, ` 96` and one with a control character are the same code. */
export function comparableReturnCode(code: string): string {
  return code
    .normalize('NFKC')
    .replaceAll('\ufffd', '')
    .trim()
    .toUpperCase()
    .replace(/^0+(?=.)/, '');
}
