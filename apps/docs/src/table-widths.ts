/** Widths of a table, in rem. */
export interface TableWidths {
  /** Width of each column; undefined where it takes its share of what is left. */
  readonly columns: readonly (number | undefined)[];
  /** What the table needs; where there is less room it scrolls. */
  readonly least: number;
}

/** A column whose longest text has no more characters is as wide as that; others wrap. */
const SHORT = 24;
/** Characters of a line that can still be read, in a column that wraps. */
const READABLE = 16;
/** Width of a character, in rem: of running text, and of code in its smaller size. */
const CHARACTER = 0.54;
/** Space around the text of a cell, in rem. */
const PADDING = 2;

/**
 * Widths from the texts of a table, row by row. A browser that has to find them by itself moves the columns about while the
 * rows of a long table arrive.
 */
export function tableWidths(rows: readonly (readonly string[])[]): TableWidths {
  const count = Math.max(0, ...rows.map((row) => row.length));
  const longest = Array.from({ length: count }, (_, column) =>
    Math.max(1, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const columns = longest.map((length) => (length <= SHORT ? widthOf(length) : undefined));
  const least = columns.reduce<number>((sum, width) => sum + (width ?? widthOf(READABLE)), 0);
  return { columns, least };
}

/** In whole quarters, so that many tables share a rule of the style sheet. */
function widthOf(characters: number): number {
  return Math.ceil((characters * CHARACTER + PADDING) * 4) / 4;
}
