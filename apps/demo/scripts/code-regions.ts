/** Finds the marked regions of a source file: `// #region NAME` to `// #endregion`, each on a line of its own. */

/** A region as it stands in its file, moved to the left margin. */
export interface CodeRegion {
  readonly name: string;
  /** Number of its first line of code. */
  readonly line: number;
  readonly code: string;
}

const START = /^\s*\/\/ #region ([a-z][a-z-]*)$/;
const END = /^\s*\/\/ #endregion$/;

/** The regions of a file. @throws Error when one begins inside another, ends twice, never ends, or is empty. */
export function codeRegions(source: string): CodeRegion[] {
  const regions: CodeRegion[] = [];
  let open: { name: string; line: number; lines: string[] } | undefined;
  for (const [index, text] of source.split('\n').entries()) {
    const name = START.exec(text)?.[1];
    if (name !== undefined) {
      if (open !== undefined) throw new Error(`region "${name}" begins inside region "${open.name}"`);
      open = { name, line: index + 2, lines: [] };
    } else if (END.test(text)) {
      if (open === undefined) throw new Error(`line ${index + 1} ends a region that never began`);
      regions.push(toRegion(open));
      open = undefined;
    } else {
      open?.lines.push(text);
    }
  }
  if (open !== undefined) throw new Error(`region "${open.name}" never ends`);
  return regions;
}

function toRegion({ name, line, lines }: { name: string; line: number; lines: readonly string[] }): CodeRegion {
  const filled = lines.filter((text) => text.trim() !== '');
  if (filled.length === 0) throw new Error(`region "${name}" is empty`);
  const margin = Math.min(...filled.map((text) => text.length - text.trimStart().length));
  return {
    name,
    line,
    code: lines
      .map((text) => text.slice(margin))
      .join('\n')
      .trimEnd(),
  };
}
