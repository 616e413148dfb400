/** Rows for spreadsheets (RFC 4180). A cell that a spreadsheet would run as a formula is made text. Pure. */

/** Spreadsheets take these as the start of a formula, some after blanks and in their full-width forms too. */
const FORMULA = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/;
/** Where a spreadsheet with another separator would begin a cell with a formula, quoted or not. Linear: each tab or line starts over. */
const INNER_FORMULA = {
  ',': /(?:[;\t]|(?<!^'?)[\r\n])[^\S\t\r\n]*(?=[=+\-@＝＋－＠])/g,
  ';': /(?:[,;\t]|(?<!^'?)[\r\n])[^\S\t\r\n]*(?=[=+\-@＝＋－＠])/g,
} as const;

/** One row with its line end; null and undefined become empty cells. */
export function toCsvRow(
  cells: readonly (string | number | boolean | null | undefined)[],
  separator: ',' | ';' = ',',
): string {
  return `${cells.map((cell) => toCell(cell, separator)).join(separator)}\r\n`;
}

function toCell(cell: string | number | boolean | null | undefined, separator: ',' | ';'): string {
  if (typeof cell !== 'string') return `"${cell ?? ''}"`;
  const first = FORMULA.test(cell) ? `'${cell}` : cell;
  return `"${first.replace(INNER_FORMULA[separator], "$&'").replaceAll('"', '""')}"`;
}
