// Prevents: an example that does not compile. Every ts, js and html block of the documentation, and every @example in the
// sources, is compiled against the built packages the way a user's strict project would.
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type FoundSnippets, type Snippet, snippetsOfMarkdown, snippetsOfSource } from './doc-snippets.ts';
import { type Problem, reportProblems } from './report-problems.ts';
import { runCommand } from './run-command.ts';
import { ROOT, readText, repositoryFiles, workspacePackages } from './workspace.ts';

const FOLDER = join(ROOT, '.innkeep/doc-snippets');

const TSCONFIG = {
  compilerOptions: {
    target: 'es2022',
    module: 'esnext',
    moduleResolution: 'bundler',
    lib: ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable'],
    types: ['node'],
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    moduleDetection: 'force',
    allowJs: true,
    checkJs: true,
    skipLibCheck: true,
    noEmit: true,
  },
  include: ['*'],
};

/** Addresses that exist only on the reader's site or on a CDN. */
const AMBIENT = `declare module 'https://*';\ndeclare module '/*';\n`;

/** File name of a snippet: unique, and readable in an error message. */
export function fileNameOf({ file, line, language }: Snippet): string {
  return `${file.replaceAll('/', '__')}__${line}.${language}`;
}

/** Maps compiler errors from snippet files back to the documents. `snippets` by file name. */
export function problemsOf(output: string, snippets: ReadonlyMap<string, Snippet>): readonly Problem[] {
  return [...output.matchAll(/^(\S+?)\((\d+),\d+\): error (TS\d+: .*(?:\n {2}.*)*)/gm)].map(
    ([, path = '', line = '', message = '']) => {
      const snippet = snippets.get(path.split('/').at(-1) ?? '');
      return { file: snippet?.file ?? path, line: Number(line), message };
    },
  );
}

/** All documentation of the repository that has code in it. */
function findAll(): FoundSnippets {
  const found = repositoryFiles().map((file): FoundSnippets => {
    if (file.endsWith('.md') && !file.endsWith('CHANGELOG.md')) return snippetsOfMarkdown(file, readText(file));
    const [, folder, path] = /^(packages\/[^/]+)\/src\/(.+)(?<!\.test|\.test-d)\.ts$/.exec(file) ?? [];
    if (folder === undefined || path === undefined) return { snippets: [], problems: [] };
    return snippetsOfSource(file, readText(file), `../../${folder}/dist/${path}.js`);
  });
  return { snippets: found.flatMap(({ snippets }) => snippets), problems: found.flatMap(({ problems }) => problems) };
}

/** Lets a snippet import whatever some package of ours depends on, and our packages by name. */
function linkDependencies(): void {
  const links = new Map<string, string>();
  for (const { folder, manifest } of workspacePackages()) {
    links.set(manifest.name, join(ROOT, folder));
    for (const name of Object.keys({ ...manifest.dependencies, ...manifest.devDependencies })) {
      const installed = join(ROOT, folder, 'node_modules', name);
      if (!links.has(name) && existsSync(installed)) links.set(name, installed);
    }
  }
  for (const [name, target] of links) {
    const link = join(FOLDER, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(target, link, 'junction');
  }
}

if (import.meta.main) {
  const { snippets, problems } = findAll();
  const byName = new Map(snippets.map((snippet) => [fileNameOf(snippet), snippet]));
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  linkDependencies();
  writeFileSync(join(FOLDER, 'tsconfig.json'), JSON.stringify(TSCONFIG));
  writeFileSync(join(FOLDER, 'ambient.d.ts'), AMBIENT);
  // Blank lines in front keep the code on the line it has in its document.
  for (const [name, { line, code }] of byName)
    writeFileSync(join(FOLDER, name), `${'\n'.repeat(Math.max(line - 1, 0))}${code}\n`);

  const { code, output } = await runCommand(['tsc', '-p', join(FOLDER, 'tsconfig.json'), '--pretty', 'false']);
  const errors = problemsOf(output, byName);
  const unexplained = code !== 0 && errors.length === 0 ? [{ file: '.innkeep/doc-snippets', message: output }] : [];
  reportProblems(
    [...problems, ...errors, ...unexplained],
    'Repair the example. A block that goes on from the one before: ```ts continues. One that cannot compile: ```ts no-check <reason>.',
    `${snippets.length} snippets`,
  );
}
