import { stripVTControlCharacters } from 'node:util';

/** Text from elsewhere, safe to print: no escape sequences, no control characters, one line. */
export function plainText(value: unknown): string {
  const text = value === null || value === undefined || value === '' ? '–' : String(value);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what must not reach a terminal.
  return stripVTControlCharacters(text).replace(/[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]+/g, ' ');
}

/**
 * Whole outputs, safe to print: lines and tabs stay, and of an escape sequence only its letters. Bytes are read as UTF-8. One pass,
 * however large: Node's own search for sequences takes ten seconds for some texts of 200 kB.
 */
export function forTerminal(data: string | Uint8Array): string {
  const text = typeof data === 'string' ? data : new TextDecoder().decode(data);
  return text.replace(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what must not reach a terminal.
    /(?!\r\n)[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g,
    '\ufffd',
  );
}
