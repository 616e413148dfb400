// Prevents: a check of the documentation that skips a code block because it did not find it.
import { type Program, parseSync } from 'oxc-parser';
import { walk } from './module-imports.ts';
import { lineAt, type Problem } from './report-problems.ts';

/** Languages that a fenced block may be in, by every name they go by. */
const LANGUAGES = {
  ts: 'ts',
  typescript: 'ts',
  tsx: 'tsx',
  js: 'js',
  javascript: 'js',
  mjs: 'js',
  jsx: 'jsx',
  vue: 'vue',
  html: 'html',
  css: 'css',
  json: 'json',
  jsonc: 'jsonc',
  yaml: 'yaml',
  yml: 'yaml',
  xml: 'xml',
  sh: 'sh',
  bash: 'sh',
  shell: 'sh',
  php: 'php',
  env: 'env',
  dotenv: 'env',
  http: 'http',
  csv: 'csv',
  nginx: 'nginx',
  ini: 'ini',
  mermaid: 'mermaid',
  md: 'md',
  text: 'text',
  txt: 'text',
} as const;

/** One language under its one name. */
export type Language = (typeof LANGUAGES)[keyof typeof LANGUAGES];

/** A fenced block of a document, or of a comment in a source file. */
export interface Block {
  /** The document or source file it stands in. */
  readonly file: string;
  /** 1-based line of the code's first line. */
  readonly line: number;
  readonly language: Language;
  readonly code: string;
  /** File that the reader saves it as: `title="server.js"`. Blocks of one document import each other by it. */
  readonly title?: string;
}

/** A block whose code the compiler reads. */
export interface Snippet extends Block {
  readonly language: 'ts' | 'tsx' | 'js' | 'jsx' | 'vue';
}

/** Blocks of one file, and what is wrong with the way they are marked. */
export interface FoundBlocks {
  readonly blocks: readonly Block[];
  readonly problems: readonly Problem[];
}

/**
 * Code blocks of a Markdown text. After the language a block may say `continues` (it goes on where the file's previous block of
 * that language stopped), `title="path"` (what the reader saves it as), or `no-check` and a reason.
 */
export function blocksOfMarkdown(file: string, text: string): FoundBlocks {
  const blocks: Block[] = [];
  const problems: Problem[] = [];
  const lines = text.split('\n');
  for (let at = 0; at < lines.length; at++) {
    const [, indent = '', fence, info = ''] = /^(\s*)(`{3,}|~{3,})\s*(.*)$/.exec(lines[at] ?? '') ?? [];
    if (fence === undefined) continue;
    const first = at + 1;
    let last = first;
    while (last < lines.length && (lines[last] ?? '').trim() !== fence) last++;
    const code = lines.slice(first, last).map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line));
    const introduction = lines.slice(Math.max(0, at - 6), at).join('\n');
    at = last;

    const line = first + 1;
    const complain = (message: string): void => void problems.push({ file, line, message });
    if (last === lines.length) complain('is never closed');
    const mark = readInfo(info);
    if (typeof mark === 'string') complain(mark);
    else if (!mark.isUnchecked) {
      const { language, title, continues } = mark;
      const earlier = blocks.filter((block) =>
        title === undefined ? block.language === language : block.title === title,
      );
      if (continues && earlier.length === 0) complain('continues, but nothing of its kind stands before it');
      if (!continues && title !== undefined && earlier.length > 0)
        complain(`is a second ${title}; say continues, or name it otherwise`);
      if (title !== undefined && !introduction.includes(`\`${title}\``))
        complain(
          `says in its title what to save it as; the sentence before must say \`${title}\`, since not every reader sees titles`,
        );
      const block = { file, line, language, code: code.join('\n'), ...(title === undefined ? {} : { title }) };
      blocks.push(continues ? continued(block, earlier.at(-1)) : block);
    }
  }
  return { blocks, problems };
}

interface Mark {
  readonly language: Language;
  readonly title: string | undefined;
  readonly continues: boolean;
  readonly isUnchecked: boolean;
}

/** What stands behind the fence, or what is wrong with it. */
function readInfo(info: string): Mark | string {
  const [, name = '', rest = ''] = /^(\S*)\s*(.*)$/.exec(info) ?? [];
  const isKnown = (text: string): text is keyof typeof LANGUAGES => Object.hasOwn(LANGUAGES, text);
  const names = [...new Set(Object.values(LANGUAGES))].join(', ');
  if (name === '') return `has no language; one of ${names}`;
  if (!isKnown(name.toLowerCase())) return `is in ${name}, which nothing here checks; one of ${names}`;
  const language = LANGUAGES[name.toLowerCase() as keyof typeof LANGUAGES];
  if (rest.startsWith('no-check')) {
    if (rest.replace(/^no-check[:\s]*/, '').length < 8)
      return `no-check needs a reason: \`\`\`${name} no-check <why it cannot be checked>`;
    return { language, title: undefined, continues: false, isUnchecked: true };
  }
  const [, continues, title] = /^(continues)?\s*(?:title="([\w.@/[\]-]+)")?$/.exec(rest) ?? ['', '', ''];
  if (rest !== '' && !continues && !title) return `does not know the mark “${rest}”`;
  return { language, title: title || undefined, continues: continues !== undefined, isUnchecked: false };
}

/** The block with the code it continues in front, every line where it stands in the document. */
function continued(block: Block, previous: Block | undefined): Block {
  if (previous === undefined) return block;
  const gap = block.line - previous.line - previous.code.split('\n').length;
  return { ...block, line: previous.line, code: `${previous.code}${'\n'.repeat(gap + 1)}${block.code}` };
}

/**
 * Code blocks inside the TSDoc of a source file. `declarations` is the specifier of the file's built declarations: names that
 * the file exports and an example uses without importing them are imported from there, since a reader sees the two together.
 */
export function blocksOfSource(file: string, source: string, declarations: string): FoundBlocks {
  const { comments, module } = parseSync(file, source);
  const exported = module.staticExports.flatMap(({ entries }) =>
    entries.flatMap(({ exportName }) => exportName.name ?? []),
  );
  const blocks: Block[] = [];
  const problems: Problem[] = [];
  for (const { type, value, start } of comments) {
    if (type !== 'Block' || !value.startsWith('*') || !value.includes('```')) continue;
    const text = value
      .split('\n')
      .map((line) => line.replace(/^\s*\* ?/, ''))
      .join('\n');
    const found = blocksOfMarkdown(file, text);
    const offset = lineAt(source, start) - 1;
    problems.push(...found.problems.map((problem) => ({ ...problem, line: (problem.line ?? 1) + offset })));
    blocks.push(
      ...found.blocks.map((block) => withImports({ ...block, line: block.line + offset }, exported, declarations)),
    );
  }
  return { blocks, problems };
}

function withImports(block: Block, exported: readonly string[], declarations: string): Block {
  if (!isSnippet(block) || block.language === 'vue') return block;
  const { program } = parseSync(`example.${block.language}`, block.code);
  const { used, declared } = namesOf(program);
  const missing = exported.filter((name) => used.has(name) && !declared.has(name));
  if (missing.length === 0) return block;
  return {
    ...block,
    line: block.line - 1,
    code: `import { ${missing.join(', ')} } from '${declarations}';\n${block.code}`,
  };
}

/** Whether the compiler reads it. */
export function isSnippet(block: Block): block is Snippet {
  return ['ts', 'tsx', 'js', 'jsx', 'vue'].includes(block.language);
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
