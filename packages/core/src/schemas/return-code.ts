import * as v from 'valibot';

/** A code as text: it comes as text or as a number. A record may have any code, so that an odd one does not hide its money. */
export const RecordedCodeSchema: v.GenericSchema<unknown, string> = v.pipe(
  v.union([v.string(), v.pipe(v.number(), v.integer())]),
  v.transform((code) => String(code).trim()),
  v.nonEmpty(),
);

/**
 * `returnCode` comes as text or as a number; it is always text here, and success is `'0'`. Other spellings of zero, such as
 * `00` or one with a control character, are refused: calling one a decline would invite a second charge.
 */
export const ReturnCodeSchema: v.GenericSchema<unknown, string> = v.pipe(
  RecordedCodeSchema,
  v.check((code) => code === '0' || namesError(code)),
);

/** Whether a code names an error: a zero in any spelling does not, and a blank does not. */
export function namesError(code: string): boolean {
  return Number(lettersAndDigits(code)) !== 0;
}

/** Whether an unchecked code is a zero, in any spelling. */
export function saysZero(code: unknown): boolean {
  const text = typeof code === 'string' || typeof code === 'number' ? lettersAndDigits(`${code}`) : '';
  return text !== '' && Number(text) === 0;
}

function lettersAndDigits(code: string): string {
  return code.normalize('NFKC').replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** The one spelling of a code for comparing: `96`, `096`, ` 96`, `96;` and one with a control character are the same code. */
export function comparableReturnCode(code: string): string {
  const sign = code.trim().startsWith('-') ? '-' : '';
  return (
    sign +
    lettersAndDigits(code)
      .toUpperCase()
      .replace(/^0+(?=.)/, '')
  );
}
