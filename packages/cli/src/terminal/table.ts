import { plainText } from './plain-text.ts';

/** A column's head and how to read its cell. */
export type Column<Row> = readonly [head: string, cell: (row: Row) => unknown];

/** Rows under their heads, one line each. */
export function table<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): string {
  const lines = [columns.map(([head]) => head), ...rows.map((row) => columns.map(([, cell]) => plainText(cell(row))))];
  const widths = columns.map((_, index) => Math.max(...lines.map((line) => (line[index] ?? '').length)));
  return lines.map((line) => joined(line, widths)).join('');
}

/** Names and values, one pair a line. */
export function detailList(pairs: readonly (readonly [name: string, value: unknown])[]): string {
  const width = Math.max(...pairs.map(([name]) => name.length));
  return pairs.map(([name, value]) => `${name.padEnd(width)}  ${plainText(value)}\n`).join('');
}

function joined(cells: readonly string[], widths: readonly number[]): string {
  return `${cells
    .map((cell, index) => cell.padEnd(widths[index] ?? 0))
    .join('  ')
    .trimEnd()}\n`;
}
