// Prevents: an example that does not work. Every fenced block of the documentation, and every @example in the sources, is held
// against what it is about: code is compiled with the built packages the way a user's strict project would, commands against the
// scripts and the command line, addresses against the OpenAPI document, elements against their manifest, the rest is parsed.
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createProgram } from '../packages/cli/dist/program.js';
import { problemsOfEnv, problemsOfJson } from './doc-snippets/configuration.ts';
import { problemsOfCss } from './doc-snippets/css.ts';
import { type ElementFacts, readElements } from './doc-snippets/elements.ts';
import { readHtml } from './doc-snippets/html.ts';
import { type ProxyApi, readProxyApi } from './doc-snippets/proxy-api.ts';
import { problemsOfShell } from './doc-snippets/shell.ts';
import {
  problemsOfCsv,
  problemsOfHttp,
  problemsOfIni,
  problemsOfMermaid,
  problemsOfNginx,
  problemsOfPhp,
  problemsOfXml,
  problemsOfYaml,
} from './doc-snippets/structure.ts';
import {
  type Block,
  blocksOfMarkdown,
  blocksOfSource,
  type FoundBlocks,
  isSnippet,
  type Snippet,
} from './doc-snippets.ts';
import { type Problem, reportProblems } from './report-problems.ts';
import { runCommand } from './run-command.ts';
import { type Manifest, ROOT, readJson, readText, repositoryFiles, workspacePackages } from './workspace.ts';

const FOLDER = join(ROOT, '.innkeep/doc-snippets');

/** Frameworks that the documentation shows are dependencies of its tests. */
const FRAMEWORKS = 'tests/docs';

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
  // The typings of the elements extend these; from a linked package the compiler would look for them in the wrong place.
  paths: { react: ['./node_modules/@types/react'], vue: ['./node_modules/vue'] },
};

/** One run of a compiler each: JavaScript has no types to leave out, and single-file components have a compiler of their own. */
const PROJECTS: readonly {
  readonly name: string;
  readonly compiler: string;
  readonly config: object;
  readonly languages: readonly string[];
}[] = [
  {
    name: 'typescript',
    compiler: 'tsc',
    languages: ['ts', 'tsx'],
    config: { compilerOptions: COMPILER_OPTIONS, include: ['*.d.ts', '**/*.ts', '**/*.tsx'] },
  },
  {
    name: 'javascript',
    compiler: 'tsc',
    languages: ['js', 'jsx'],
    config: {
      compilerOptions: { ...COMPILER_OPTIONS, checkJs: true, noImplicitAny: false },
      include: ['*.d.ts', '**/*.js', '**/*.mjs', '**/*.jsx'],
    },
  },
  {
    name: 'vue',
    compiler: join(ROOT, FRAMEWORKS, 'node_modules/.bin/vue-tsc'),
    languages: ['vue'],
    config: { compilerOptions: COMPILER_OPTIONS, vueCompilerOptions: { strictTemplates: true }, include: ['**/*.vue'] },
  },
];

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
  readonly env: { get(name: string): string | undefined };
  serve(
    options: { port?: number; hostname?: string; onListen?: (address: { port: number }) => void },
    handler: (request: Request) => Response | Promise<Response>,
  ): void;
  readFile(path: string | URL): Promise<Uint8Array<ArrayBuffer>>;
};
`;

/** Where a snippet is written: one folder for each document, so that its files can import each other. */
export function pathOf({ file, line, language, title }: Snippet): string {
  return `${file.replaceAll('/', '__')}/${title ?? `${line}.${language}`}`;
}

/** Maps compiler errors back to the documents. `snippets` by where they were written. */
export function problemsOf(output: string, snippets: ReadonlyMap<string, Snippet>): readonly Problem[] {
  return [...output.matchAll(/^(\S+?)\((\d+),\d+\): error (TS\d+: .*(?:\n {2}.*)*)/gm)].map(
    ([, path = '', line = '', message = '']) => {
      const snippet = snippets.get(path.replace(/^.*doc-snippets[^/]*\//, ''));
      return { file: snippet?.file ?? path, line: Number(line), message };
    },
  );
}

/** What blocks are held against. */
export interface Facts {
  readonly elements: ElementFacts;
  readonly api: ProxyApi;
}

/** What is wrong with a block that no compiler reads, and the blocks inside it. */
export async function checkBlock(block: Block, facts: Facts): Promise<FoundBlocks> {
  if (block.language !== 'html') return { blocks: [], problems: await problemsOfBlock(block, facts) };
  const { problems, scripts, styles, data } = readHtml(block, facts.elements);
  const inner = await Promise.all([...styles, ...data].map((child) => problemsOfBlock(child, facts)));
  return { blocks: scripts, problems: [...problems, ...inner.flat()] };
}

async function problemsOfBlock(block: Block, { elements, api }: Facts): Promise<readonly Problem[]> {
  switch (block.language) {
    case 'css':
      return problemsOfCss(block, elements);
    case 'json':
    case 'jsonc':
      return problemsOfJson(block, api);
    case 'env':
      return problemsOfEnv(block);
    case 'sh':
      return problemsOfShell(block, { api, problemOfInnkeep });
    case 'http':
      return problemsOfHttp(block, api);
    case 'csv':
      return problemsOfCsv(block);
    case 'php':
      return problemsOfPhp(block);
    case 'xml':
      return problemsOfXml(block);
    case 'yaml':
      return problemsOfYaml(block);
    case 'nginx':
      return problemsOfNginx(block);
    case 'ini':
      return problemsOfIni(block);
    case 'mermaid':
      return problemsOfMermaid(block);
    default:
      // Compiled (ts, tsx, js, jsx, vue), or prose (text, md).
      return [];
  }
}

/** Parses a command line with the command's own definitions, and does nothing. */
async function problemOfInnkeep(words: readonly string[]): Promise<string | undefined> {
  let complaint = '';
  const program = createProgram({
    execute: async () => undefined,
    output: {
      writeOut: () => undefined,
      writeErr: (text) => {
        complaint += text;
      },
    },
  });
  await program.parseAsync(words, { from: 'user' }).catch(() => undefined);
  return complaint === '' ? undefined : `innkeep: ${complaint.split('\n')[0]}`;
}

/** All documentation of the repository that has code in it. */
function findAll(): FoundBlocks {
  const found = repositoryFiles().map((file): FoundBlocks => {
    if (file.endsWith('.md') && !file.endsWith('CHANGELOG.md')) return blocksOfMarkdown(file, readText(file));
    const [, folder, path] = /^(packages\/[^/]+)\/src\/(.+)(?<!\.test|\.test-d)\.ts$/.exec(file) ?? [];
    if (folder === undefined || path === undefined) return { blocks: [], problems: [] };
    return blocksOfSource(file, readText(file), `../../../${folder}/dist/${path}.js`);
  });
  return { blocks: found.flatMap(({ blocks }) => blocks), problems: found.flatMap(({ problems }) => problems) };
}

/** Lets a snippet import whatever some package of ours depends on, and our packages by name. */
function linkDependencies(folder: string): void {
  const links = new Map<string, string>();
  const frameworks = { folder: FRAMEWORKS, manifest: readJson(join(ROOT, FRAMEWORKS, 'package.json')) as Manifest };
  for (const { folder: home, manifest } of [frameworks, ...workspacePackages()]) {
    if (home !== FRAMEWORKS) links.set(manifest.name, join(ROOT, home));
    for (const name of Object.keys({ ...manifest.dependencies, ...manifest.devDependencies })) {
      const installed = join(ROOT, home, 'node_modules', name);
      if (!links.has(name) && existsSync(installed)) links.set(name, installed);
    }
  }
  for (const [name, target] of links) {
    const link = join(folder, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(target, link, 'junction');
  }
}

/**
 * Compiles snippets where they can import each other, our packages, and the frameworks.
 *
 * @param folder made anew, three levels below the root as the examples of the sources expect
 */
export async function compile(snippets: readonly Snippet[], folder: string = FOLDER): Promise<readonly Problem[]> {
  const byPath = new Map(snippets.map((snippet) => [pathOf(snippet), snippet]));
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  linkDependencies(folder);
  writeFileSync(join(folder, 'ambient.d.ts'), AMBIENT);
  for (const [path, { line, code }] of byPath) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    // Blank lines in front keep the code on the line it has in its document.
    writeFileSync(join(folder, path), `${'\n'.repeat(Math.max(line - 1, 0))}${code}\n`);
  }
  const problems: Problem[] = [];
  for (const { name, compiler, config, languages } of PROJECTS) {
    if (!snippets.some(({ language }) => languages.includes(language))) continue;
    const file = join(folder, `tsconfig.${name}.json`);
    writeFileSync(file, JSON.stringify(config));
    const { code, output } = await runCommand([compiler, '-p', file, '--pretty', 'false']);
    const found = problemsOf(output, byPath);
    problems.push(...found);
    if (code !== 0 && found.length === 0) problems.push({ file: `.innkeep/doc-snippets (${name})`, message: output });
  }
  return problems;
}

if (import.meta.main) {
  const { blocks, problems } = findAll();
  const facts = { elements: readElements(), api: readProxyApi() };
  const checked = await Promise.all(blocks.map((block) => checkBlock(block, facts)));
  const snippets = [...blocks, ...checked.flatMap((found) => found.blocks)].filter(isSnippet);
  const found = [...problems, ...checked.flatMap((result) => result.problems), ...(await compile(snippets))];
  reportProblems(
    found.toSorted((a, b) => a.file.localeCompare(b.file) || (a.line ?? 0) - (b.line ?? 0)),
    'Repair the example. A block that goes on from the one before: ```ts continues. A file that others import: ```ts title="path.ts". ' +
      'One that cannot be checked: ```ts no-check <reason>.',
    `${blocks.length} blocks, ${snippets.length} of them compiled`,
  );
}
