/** Files in `.dev.vars` form: `NAME=value`, one to a line; a value may stand in single, double or back quotes. */

const LINE = /^\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=\s*(.*?)\s*$/;

/** The names and values of a file. */
export function parseEnvFile(text: string): Record<string, string> {
  const values: Record<string, string> = {};
  for (const line of text.split(/\r?\n/)) {
    if (line.trim() === '' || line.trimStart().startsWith('#')) continue;
    const [, name, raw] = LINE.exec(line) ?? [];
    if (name !== undefined && raw !== undefined) values[name] = unquote(raw);
  }
  return values;
}

function unquote(raw: string): string {
  const quote = raw[0];
  const end = quote === "'" || quote === '"' || quote === '`' ? raw.lastIndexOf(quote) : -1;
  if (end > 0) {
    const inner = raw.slice(1, end);
    return quote === '"' ? inner.replaceAll('\\n', '\n').replaceAll('\\"', '"') : inner;
  }
  return raw.replace(/\s+#.*$/, '');
}
