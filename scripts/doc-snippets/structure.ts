// Prevents: listings that are broken on their own terms: markup, messages, server configuration, PHP.
import { parseXml } from '@rgrove/parse-xml';
import { Engine } from 'php-parser';
import { parseDocument } from 'yaml';
import type { Block } from '../doc-snippets.ts';
import { lineAt, type Problem } from '../report-problems.ts';
import { isOurs, type ProxyApi } from './proxy-api.ts';

/** Well-formed, or not. */
export function problemsOfXml({ file, line, code }: Block): readonly Problem[] {
  try {
    parseXml(code);
    return [];
  } catch (error) {
    // The parser throws nothing but its own errors.
    const { message, line: at = 1 } = error as { message: string; line?: number };
    return [{ file, line: line + at - 1, message: `XML: ${message.split('\n')[0]}` }];
  }
}

/** Syntax alone; the quick starts run what they show. */
export function problemsOfPhp({ file, line, code }: Block): readonly Problem[] {
  const parser = new Engine({ parser: { php8: true, extractDoc: false, suppressErrors: false } });
  try {
    parser.parseCode(code, file);
    return [];
  } catch (error) {
    // The parser throws nothing but its own errors.
    const { message, lineNumber = 1 } = error as { message: string; lineNumber?: number };
    return [{ file, line: line + lineNumber - 1, message: `PHP: ${message}` }];
  }
}

/** Syntax alone. */
export function problemsOfYaml({ file, line, code }: Block): readonly Problem[] {
  return parseDocument(code).errors.map(({ message, pos: [offset] }) => ({
    file,
    line: line + lineAt(code, offset) - 1,
    message: `YAML: ${message.split('\n')[0]}`,
  }));
}

/** A request with a route that there is, or an answer with a status line; headers; a body that is what its type says. */
export function problemsOfHttp({ file, line, code }: Block, api: ProxyApi): readonly Problem[] {
  const [head = '', ...rest] = code.split(/\n\s*\n/);
  const [first = '', ...headers] = head.split('\n');
  const body = rest.length === 0 ? undefined : rest.join('\n\n');
  const problems: Problem[] = [];
  const complain = (at: number, message: string): void =>
    void problems.push({ file, line: line + at, message: `HTTP: ${message}` });
  const isHeader = (text: string): boolean => /^[\w-]+: \S/.test(text);
  for (const [at, header] of headers.entries()) if (!isHeader(header)) complain(at + 1, `“${header}” is no header`);
  const isJsonBody = body !== undefined && /^[[{]/.test(body.trim());
  if (isJsonBody && !isJson(body)) complain(headers.length + 2, 'the body is no JSON');
  const [, method, address] = /^([A-Z]+) (\S+)(?: HTTP\/[\d.]+)?$/.exec(first) ?? [];
  if (method !== undefined && address !== undefined) {
    const host = headers
      .find((header) => /^host:/i.test(header))
      ?.slice(5)
      .trim();
    // A call of the hotel's own server is its own affair.
    const isTheProxy = host === undefined || isOurs(`https://${host}/`);
    const problem = isTheProxy ? api.problemOfCall(method, address, body) : undefined;
    if (problem !== undefined) complain(0, problem);
  } else if (!/^HTTP\/[\d.]+ \d{3}\b/.test(first) && !isHeader(first))
    complain(0, 'starts with neither METHOD /path, HTTP/1.1 200, nor a header');
  else if (isJsonBody && isJson(body)) {
    const problem = api.problemOfResource(JSON.parse(body));
    if (problem !== undefined) complain(headers.length + 2, problem);
  }
  return problems;
}

/** Every row has as many cells as the first. */
export function problemsOfCsv({ file, line, code }: Block): readonly Problem[] {
  const cells = (row: string): number => row.replaceAll(/"(?:[^"]|"")*"/g, '').split(',').length;
  const rows = code.split('\n');
  return rows.flatMap((row, at) => {
    const [expected, found] = [cells(rows[0] ?? ''), cells(row)];
    return found === expected
      ? []
      : [{ file, line: line + at, message: `csv: ${found} cells, the first row has ${expected}` }];
  });
}

/** Every directive ends, every block closes. */
export function problemsOfNginx({ file, line, code }: Block): readonly Problem[] {
  const problems: Problem[] = [];
  let depth = 0;
  let directive = '';
  for (const [at, text] of code.split('\n').entries()) {
    for (const token of text.replace(/(^|\s)#.*$/, '').match(/"[^"]*"|'[^']*'|\$\{\w+\}|[;{}]|[^;{}"']+/g) ?? []) {
      if (token === '{') depth++;
      if (token === '}') depth--;
      if (token === '}' && (depth < 0 || directive.trim() !== ''))
        problems.push({ file, line: line + at, message: `nginx: “${directive.trim()}” does not end before }` });
      directive = [';', '{', '}'].includes(token) ? '' : directive + token;
    }
  }
  if (depth !== 0 || directive.trim() !== '')
    problems.push({
      file,
      line: line + code.split('\n').length - 1,
      message: 'nginx: a block or a directive does not end',
    });
  return problems;
}

/** Sections and settings, as in a unit of systemd. */
export function problemsOfIni({ file, line, code }: Block): readonly Problem[] {
  return code.split('\n').flatMap((text, at) => {
    const isFine =
      text.trim() === '' || /^\s*[#;]/.test(text) || /^\[[\w .-]+\]$/.test(text) || /^[\w.-]+\s*=/.test(text);
    return isFine ? [] : [{ file, line: line + at, message: `ini: “${text}” is neither a section nor a setting` }];
  });
}

const DIAGRAMS =
  /^(?:flowchart|graph|sequenceDiagram|stateDiagram(?:-v2)?|classDiagram|erDiagram|timeline|gantt|pie)\b/;

/** The kind of diagram, and brackets that close. Mermaid itself needs a browser. */
export function problemsOfMermaid({ file, line, code }: Block): readonly Problem[] {
  const problems: Problem[] = [];
  const lines = code.split('\n');
  const first = lines.find((text) => text.trim() !== '' && !text.trim().startsWith('%%')) ?? '';
  if (!DIAGRAMS.test(first.trim())) problems.push({ file, line, message: `mermaid: “${first}” is no kind of diagram` });
  for (const [at, text] of lines.entries()) {
    const bare = text.replaceAll(/"[^"]*"/g, '""').replace(/:.*$/, '');
    const isClosed = ['[]', '()', '{}'].every(
      ([open, close]) => bare.split(open ?? '').length === bare.split(close ?? '').length,
    );
    if (!isClosed && !/^\s*(?:state .*\{|class .*\{|\})\s*$/.test(bare))
      problems.push({ file, line: line + at, message: 'mermaid: a bracket does not close' });
  }
  return problems;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
