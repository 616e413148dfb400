/**
 * Writes everything that follows from the custom-elements manifest: typings of the frameworks, editor data and the
 * reference tables of the element pages. `--check` writes nothing and fails when a committed file is out of date.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { htmlCustomData, webTypes } from './generate/editor-data.ts';
import { elementPage } from './generate/element-page.ts';
import { type ElementManifest, readElements } from './generate/manifest.ts';
import { TYPINGS } from './generate/typings.ts';

const PACKAGE = fileURLToPath(new URL('..', import.meta.url));
const isCheck = process.argv.includes('--check');

const manifest = analyze();
const elements = readElements(manifest);
const { version } = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8')) as { version: string };

commit('custom-elements.json', manifest);
for (const element of elements) {
  const path = `src/elements/${element.tagName}/README.md`;
  commit(path, elementPage(readFileSync(join(PACKAGE, path), 'utf8'), element));
}
if (!isCheck) {
  writeTypings(elements);
  build('editor/html-custom-data.json', htmlCustomData(elements));
  build('editor/web-types.json', webTypes(elements, version));
}

interface Manifest {
  readonly modules: Array<{ readonly path: string }>;
}

function analyze(): string {
  const folder = mkdtempSync(join(tmpdir(), 'manifest-'));
  try {
    execFileSync(
      process.execPath,
      [
        join(PACKAGE, 'node_modules/@custom-elements-manifest/analyzer/cem.js'),
        ...['analyze', '--config', 'custom-elements-manifest.config.mjs', '--outdir', relative(PACKAGE, folder)],
      ],
      { cwd: PACKAGE, stdio: ['ignore', 'ignore', 'inherit'] },
    );
    const analyzed = JSON.parse(readFileSync(join(folder, 'custom-elements.json'), 'utf8')) as Manifest;
    // The analyzer lists modules in the order in which the file system answered, which differs from run to run.
    analyzed.modules.sort((one, other) => (one.path < other.path ? -1 : 1));
    return `${JSON.stringify(analyzed, null, 2)}\n`;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A file that is kept in the repository. */
function commit(path: string, text: string): void {
  const file = join(PACKAGE, path);
  let before = '';
  try {
    before = readFileSync(file, 'utf8');
  } catch {}
  if (before === text) return;
  if (isCheck) throw new Error(`${path} is out of date: run \`node scripts/generate.ts\` in packages/widgets.`);
  writeFileSync(file, text);
}

/** A file that the build makes. */
function build(path: string, text: string): void {
  const file = join(PACKAGE, 'dist', path);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, text);
}

function writeTypings(all: readonly ElementManifest[]): void {
  for (const [framework, typing] of Object.entries(TYPINGS)) {
    build(`types/${framework}.d.ts`, typing(all));
    // A side-effect import of the typings must find a module at run time too.
    build(`types/${framework}.js`, 'export {};\n');
  }
}
