/** Text from elsewhere, safe to print: no control characters, only the letters of an escape sequence, one line. */
export function plainText(value: unknown): string {
  const text = value === null || value === undefined || value === '' ? '–' : String(value);
  return text.replace(/[\p{Cc}\u2028-\u202e\u2066-\u2069]+/gu, ' ');
}

/**
 * Whole outputs, safe to print: lines and tabs stay, and only the letters of an escape sequence. Bytes are read as UTF-8. One pass,
 * however large: Node's own search for sequences takes ten seconds for some texts of 200 kB.
 */
export function forTerminal(data: string | Uint8Array): string {
  const text = typeof data === 'string' ? data : new TextDecoder().decode(data);
  return text.replace(/(?!\r\n|[\t\n])[\p{Cc}\u2028-\u202e\u2066-\u2069]/gu, '\ufffd');
}
