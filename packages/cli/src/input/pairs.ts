import { usageError } from '../failures/cli-error.ts';

/** Reads repeated `name=value` flags. A repeated name is refused: which one applies would be a guess. @throws `usage` */
export function parsePairs(words: readonly string[], option: string): Record<string, string> {
  const pairs = new Map<string, string>();
  for (const word of words) {
    const at = word.indexOf('=');
    if (at < 1) throw usageError(`${option}: “${word}” is not name=value.`);
    const name = word.slice(0, at);
    if (pairs.has(name)) throw usageError(`${option}: ${name} was given twice.`);
    pairs.set(name, word.slice(at + 1));
  }
  return Object.fromEntries(pairs);
}
