// Prevents: a check of the documentation that skips a code block because it did not find it.
import { type Program, parseSync } from 'oxc-parser';
import { walk } from './module-imports.ts';
import { lineAt, type Problem } from './report-problems.ts';

/** A piece of documentation that has to compile. */
export interface Snippet {
  /** The document or source file it stands in. */
  readonly file: string;
  /** 1-based line of the code's first line. */
  readonly line: number;
  readonly language: 'ts' | 'js';
  readonly code: string;
}

/** Snippets of one file, and what is wrong with the way they are marked. */
export interface FoundSnippets {
  readonly snippets: readonly Snippet[];
  readonly problems: readonly Problem[];
}

const LANGUAGES: Readonly<Record<string, Snippet['language'] | 'html'>> = {
  ts: 'ts',
  typescript: 'ts',
  js: 'js',
  javascript: 'js',
  mjs: 'js',
  html: 'html',
};

/**
 * Code blocks of a Markdown text. After the language a block may say `continues` (it goes on where the file's previous block of
 * that language stopped) or `no-check` and a reason.
 */
export function snippetsOfMarkdown(file: string, text: string): FoundSnippets {
  const snippets: Snippet[] = [];
  const problems: Problem[] = [];
  const lines = text.split('\n');
  for (let at = 0; at < lines.length; at++) {
    const [, indent = '', fence, info = ''] = /^(\s*)(`{3,}|~{3,})\s*(.*)$/.exec(lines[at] ?? '') ?? [];
    if (fence === undefined) continue;
    const first = at + 1;
    let last = first;
    while (last < lines.length && (lines[last] ?? '').trim() !== fence) last++;
    const code = lines.slice(first, last).map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line));
    at = last;

    const [, name = '', mark = ''] = /^(\S*)\s*(.*)$/.exec(info) ?? [];
    const language = LANGUAGES[name.toLowerCase()];
    if (language === undefined) continue;
    const line = first + 1;
    if (mark.startsWith('no-check')) {
      if (mark.replace(/^no-check[:\s]*/, '').length < 8)
        problems.push({ file, line, message: 'no-check needs a reason: ```ts no-check <why it cannot compile>' });
      continue;
    }
    if (mark !== '' && mark !== 'continues') problems.push({ file, line, message: `does not know the mark “${mark}”` });
    const own = { file, line, code: code.join('\n') };
    if (language === 'html') snippets.push(...scriptsOfHtml(own));
    else snippets.push(continued({ ...own, language }, mark === 'continues' ? snippets : []));
  }
  return { snippets, problems };
}

/** The snippet with the code it continues in front, every line where it stands in the document. */
function continued(snippet: Snippet, earlier: readonly Snippet[]): Snippet {
  const previous = earlier.findLast(({ language }) => language === snippet.language);
  if (previous === undefined) return snippet;
  const gap = snippet.line - previous.line - previous.code.split('\n').length;
  return { ...snippet, line: previous.line, code: `${previous.code}${'\n'.repeat(gap + 1)}${snippet.code}` };
}

/** The inline scripts of an HTML block. */
function scriptsOfHtml({ file, line, code }: Omit<Snippet, 'language'>): readonly Snippet[] {
  return [...code.matchAll(/<script\b([^>]*)>([\s\S]*?)<\/script>/gi)]
    .filter(
      ([, attributes = '', body = '']) =>
        !/\bsrc=|type=["'](?:importmap|application\/)/.test(attributes) && body.trim() !== '',
    )
    .map((match) => {
      const start = match.index + match[0].indexOf('>') + 1;
      return { file, line: line + lineAt(code, start) - 1, language: 'js', code: match[2] ?? '' };
    });
}

/**
 * Code blocks inside the TSDoc of a source file. `declarations` is the specifier of the file's built declarations: names that
 * the file exports and an example uses without importing them are imported from there, since a reader sees the two together.
 */
export function snippetsOfSource(file: string, source: string, declarations: string): FoundSnippets {
  const { comments, module } = parseSync(file, source);
  const exported = module.staticExports.flatMap(({ entries }) =>
    entries.flatMap(({ exportName }) => exportName.name ?? []),
  );
  const snippets: Snippet[] = [];
  const problems: Problem[] = [];
  for (const { type, value, start } of comments) {
    if (type !== 'Block' || !value.startsWith('*') || !value.includes('```')) continue;
    const text = value
      .split('\n')
      .map((line) => line.replace(/^\s*\* ?/, ''))
      .join('\n');
    const found = snippetsOfMarkdown(file, text);
    const offset = lineAt(source, start) - 1;
    problems.push(...found.problems.map((problem) => ({ ...problem, line: (problem.line ?? 1) + offset })));
    snippets.push(
      ...found.snippets.map((snippet) =>
        withImports({ ...snippet, line: snippet.line + offset }, exported, declarations),
      ),
    );
  }
  return { snippets, problems };
}

function withImports(snippet: Snippet, exported: readonly string[], declarations: string): Snippet {
  const { program } = parseSync('example.ts', snippet.code);
  const { used, declared } = namesOf(program);
  const missing = exported.filter((name) => used.has(name) && !declared.has(name));
  if (missing.length === 0) return snippet;
  return {
    ...snippet,
    line: snippet.line - 1,
    code: `import { ${missing.join(', ')} } from '${declarations}';\n${snippet.code}`,
  };
}

/** Names a program mentions, and names it imports or declares at its top. */
function namesOf(program: Program): { readonly used: ReadonlySet<string>; readonly declared: ReadonlySet<string> } {
  const used = new Set<string>();
  const declared = new Set<string>();
  walk(program, (node) => {
    if (node.type === 'Identifier' && typeof node.name === 'string') used.add(node.name);
  });
  for (const statement of program.body) {
    if (statement.type === 'ImportDeclaration') for (const { local } of statement.specifiers) declared.add(local.name);
    const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
    if (declaration?.type === 'VariableDeclaration') {
      for (const { id } of declaration.declarations) if (id.type === 'Identifier') declared.add(id.name);
    } else if (declaration !== null && 'id' in declaration && declaration.id?.type === 'Identifier')
      declared.add(declaration.id.name);
  }
  return { used, declared };
}
