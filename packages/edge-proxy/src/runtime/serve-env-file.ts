/** Files in `.dev.vars` form: `NAME=value`, one to a line; a value may stand in single, double or back quotes. */
import { parseEnv } from 'node:util';

// Refuses what Node would read otherwise than it looks: it skips what is not an assignment, and ends a value at the first quote
// of its kind and at any #.
const LINE =
  /^(?:#.*|(?:export\s+)?[A-Za-z_]\w*\s*=\s*(?:(?:'[^']*'|"[^"]*"|`[^`]*`)(?:\s+#.*)?|(?:[^\s'"`#][^'"`#]*)?(?:(?<=\s)#.*)?|[^\s'"`#][^#]*))?$/s;

/**
 * The names and values of a file. Of lines with the same name the last counts.
 * @param onTwice told of each name that loses a value
 * @throws with the number of a line that is not NAME=value
 */
export function parseEnvFile(text: string, onTwice?: (name: string) => void): Record<string, string> {
  const values: Record<string, string> = {};
  for (const [index, line] of text.split(/\r\n|[\r\n]/).entries()) {
    if (!LINE.test(line.trim())) {
      throw new Error(
        `line ${index + 1} is not NAME=value: put a value with quotes or # into single quotes, and write an apostrophe inside JSON as \\u0027`,
      );
    }
    const assigned = parseEnv(line.trim());
    for (const name of Object.keys(assigned)) if (values[name]) onTwice?.(name);
    Object.assign(values, assigned);
  }
  return values;
}
