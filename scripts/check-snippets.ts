// Prevents: an example that does not compile. TypeScript and JavaScript of the Markdown and of every @example in the sources is
// compiled against the built packages, the way a user's strict project would. Commands and configuration are run by tests/docs.
import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { visit } from 'unist-util-visit';
import { ROOT } from './launch.ts';

/** A fenced block of a document, or of a comment in a source file. */
export interface Block {
  readonly file: string;
  /** 1-based line of the code's first line. */
  readonly line: number;
  readonly language: string;
  readonly code: string;
  /** What the reader saves it as: `title="server.js"`. Blocks of one document import each other by it. */
  readonly title?: string;
}

const COMPILED = ['ts', 'tsx', 'js', 'jsx'];

/** Here our own packages are installed. */
const FOLDER = join(ROOT, 'tests/docs/.innkeep/snippets');

const COMPILER_OPTIONS = {
  target: 'es2022',
  module: 'esnext',
  moduleResolution: 'bundler',
  lib: ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable'],
  types: ['node'],
  jsx: 'react-jsx',
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  moduleDetection: 'force',
  allowJs: true,
  skipLibCheck: true,
  noEmit: true,
  // The typings of the elements extend React’s; from a linked package the compiler would look for them in the wrong place.
  paths: { react: [join(ROOT, 'tests/docs/node_modules/@types/react')] },
};

/** What the quick starts use of frameworks that only the outer ring installs; `tests/docs` runs them with the real ones. */
const FRAMEWORKS = `declare module 'vue' {
  export type DefineComponent = object;
}
declare module '@vitejs/plugin-vue' {
  export default function vue(options: object): { name: string };
}
declare module 'next/navigation' {
  export function notFound(): never;
}
declare module 'next/server' {
  export function connection(): Promise<void>;
  export class NextRequest extends Request {}
  export class NextResponse extends Response {
    static next(init?: { request?: { headers: Headers }; headers?: HeadersInit }): NextResponse;
  }
}
`;

/** Addresses that exist only on the reader's site or on a CDN, files that a bundler reads, and what Deno has that browsers have not. */
const AMBIENT = `declare module 'https://*';
declare module '/*';
declare module '*.css';
declare module '*.vue' {
  import type { DefineComponent } from 'vue';
  const component: DefineComponent;
  export default component;
}
declare const Deno: {
  readonly env: { get(name: string): string | undefined; toObject(): Record<string, string> };
  serve(
    options: { port?: number; hostname?: string; onListen?: (address: { port: number }) => void },
    handler: (request: Request) => Response | Promise<Response>,
  ): void;
  readFile(path: string | URL): Promise<Uint8Array<ArrayBuffer>>;
};
`;

/** Fenced blocks of a Markdown text. `continues` goes on from the block before, `no-check` and a reason leaves a block out. */
export function blocksOfMarkdown(file: string, text: string): readonly Block[] {
  const blocks: Block[] = [];
  visit(fromMarkdown(text), 'code', ({ lang, meta, value, position }) => {
    const language = lang ?? '';
    const line = (position?.start.line ?? 0) + 1;
    const title = /title="([^"]+)"/.exec(meta ?? '')?.[1];
    if (meta?.startsWith('no-check')) {
      if (meta.split(' ').length < 3) throw new Error(`${file}:${line} no-check needs a reason`);
      return;
    }
    const before = blocks.findLast((block) => block.language === language);
    if (!meta?.startsWith('continues') || before === undefined) {
      blocks.push({ file, line, language, code: value, ...(title === undefined ? {} : { title }) });
      return;
    }
    const gap = line - before.line - before.code.split('\n').length;
    blocks.push({ ...before, code: `${before.code}${'\n'.repeat(gap + 1)}${value}` });
  });
  return blocks;
}

/** Examples in the comments of a source. What the file exports needs no import there, since a reader sees the two together. */
function blocksOfSource(file: string, source: string): readonly Block[] {
  const exported = [
    ...source.matchAll(/^export (?:abstract |async )?(?:class|const|function|interface|type) (\w+)/gm),
  ].map((match) => match[1] ?? '');
  const built = join(ROOT, file.replace('/src/', '/dist/').replace(/\.ts$/, '.js'));
  return [...source.matchAll(/\/\*\*[\s\S]*?\*\//g)].flatMap(({ 0: comment, index }) => {
    const offset = source.slice(0, index).split('\n').length - 1;
    const text = comment.replaceAll(/^[ \t]*(?:\/\*\*|\*\/|\*) ?/gm, '');
    return blocksOfMarkdown(file, text).map((block) => {
      const brought = [...block.code.matchAll(/import[^;]*?from|(?:const|class|function|interface|type) \w+/g)].join(
        ' ',
      );
      const has = (text: string, name: string): boolean => new RegExp(`\\b${name}\\b`).test(text);
      const missing = exported.filter((name) => has(block.code, name) && !has(brought, name));
      const imports = missing.length === 0 ? '' : `import { ${missing.join(', ')} } from '${built}'; `;
      return { ...block, line: block.line + offset, code: `${imports}${block.code}` };
    });
  });
}

/** Compiles blocks where they can import each other. Answers what the compiler said, at the lines of the documents. */
export function compile(blocks: readonly Block[], folder: string = FOLDER): string {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'ambient.d.ts'), AMBIENT);
  writeFileSync(join(folder, 'frameworks.d.ts'), FRAMEWORKS);
  const sources = new Map<string, string>();
  for (const { file, line, language, code, title } of blocks) {
    const path = `${file.replaceAll('/', '__')}/${title ?? `${line}.${language}`}`;
    sources.set(path, file);
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    // Blank lines in front keep the code on the line it has in its document.
    writeFileSync(join(folder, path), `${'\n'.repeat(line - 1)}${code}\n`);
  }
  const outputs = [
    { include: ['**/*.ts', '**/*.tsx'], compilerOptions: COMPILER_OPTIONS },
    // JavaScript has no types to leave out.
    {
      include: ['*.d.ts', '**/*.js', '**/*.jsx'],
      compilerOptions: { ...COMPILER_OPTIONS, checkJs: true, noImplicitAny: false },
    },
  ].map((config) => {
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
    return spawnSync('tsc', ['-p', folder, '--pretty', 'false'], { cwd: folder, encoding: 'utf8' });
  });
  if (outputs.some(({ error }) => error !== undefined)) throw new Error('tsc did not run: start this through pnpm');
  return outputs
    .filter(({ status }) => status !== 0)
    .map(({ stdout }) => stdout)
    .join('')
    .replaceAll(/^([^\s(]+)\(/gm, (all, path: string) => (sources.has(path) ? `${sources.get(path)}(` : all));
}

if (import.meta.main) {
  const exclude = ['**/node_modules', '**/dist', '**/.*', 'apps/docs/site/content'];
  const blocks = [
    ...globSync('**/*.md', { cwd: ROOT, exclude }).map((file) => ({ file, of: blocksOfMarkdown })),
    ...globSync('packages/*/src/**/*.ts', { cwd: ROOT, exclude }).map((file) => ({ file, of: blocksOfSource })),
  ]
    .filter(({ file }) => !/CHANGELOG\.md$|\.test(-d)?\.ts$/.test(file))
    .flatMap(({ file, of }) => of(file, readFileSync(join(ROOT, file), 'utf8')))
    .filter(({ language }) => COMPILED.includes(language));
  const errors = compile(blocks);
  console.log(errors === '' ? `${blocks.length} snippets compile` : errors);
  process.exitCode = errors === '' && blocks.length > 0 ? 0 : 1;
}
