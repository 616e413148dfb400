import { stripVTControlCharacters } from 'node:util';

/** Text from elsewhere, safe to print: no escape sequences, no control characters, one line. */
export function plainText(value: unknown): string {
  const text = value === null || value === undefined || value === '' ? '–' : String(value);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what must not reach a terminal.
  return stripVTControlCharacters(text).replace(/[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]+/g, ' ');
}
