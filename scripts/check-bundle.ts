// Prevents: code that knows credentials in a file that browsers download, and code that can take a card number in the default
// worker. Import rules look at our sources; this looks at the bundles that come out of them.
import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { SECRET_FREE } from './check-import-rules.ts';
import { type Problem, reportProblems } from './report-problems.ts';
import { type Manifest, publicPackages, ROOT, readText } from './workspace.ts';

/** Words of the payment API that only code with credentials has a use for. */
const SERVER_WORDS: readonly string[] = [
  '/login',
  'access_token',
  'api_key',
  'callbackSuccessUrl',
  'cardNo',
  'createToken',
  'cvc',
  'expires_in',
  'hotelIDType',
  'initpayNoIframe',
  'paystatus',
  'serviceProvider',
  'stateRetrivalUrl',
  'tokenNo',
  'x-api-key',
];

/** Words of the one operation that takes a card number. `cardNo` is not one of them: answers carry a masked one under that name. */
const CARD_ENTRY_WORDS: readonly string[] = ['createToken', 'cardText'];

/** One bundle and what is in it. */
export interface Bundle {
  /** What it was made from, for the report. */
  readonly name: string;
  readonly text: string;
  /** Modules with at least one byte in the bundle, relative to the root. */
  readonly modules: readonly string[];
}

/** What a bundle must not contain. */
export interface BundleRules {
  readonly words: readonly string[];
  /** True for modules that may be in the bundle. */
  readonly mayContain: (module: string) => boolean;
}

/** Forbidden words and modules of one bundle. An empty bundle is a problem too: it proves nothing. */
export function findBundleProblems(
  { name, text, modules }: Bundle,
  { words, mayContain }: BundleRules,
): readonly Problem[] {
  if (text.trim() === '') return [{ file: name, message: 'the bundle is empty, so it proves nothing' }];
  return [
    ...words
      .filter((word) => hasWord(text, word))
      .map((word) => ({ file: name, message: `contains the word “${word}”` })),
    ...modules
      .filter((module) => !mayContain(module))
      .map((module) => ({ file: name, message: `contains the module ${module}` })),
  ];
}

/** True when the word stands there as a whole: `cardNotSaved` is not `cardNo`. */
function hasWord(text: string, word: string): boolean {
  return new RegExp(`(?<![\\w$])${word.replaceAll('.', '\\.')}(?![\\w$])`).test(text);
}

/** True for a module that may run in a browser: core's secret-free set, our elements, and Lit. */
export function isBrowserModule(module: string): boolean {
  const [, core] = /^packages\/core\/dist\/([^/.]+)/.exec(module) ?? [];
  if (core !== undefined) return SECRET_FREE.includes(core);
  return (
    module.startsWith('packages/widgets/dist/') ||
    /\/node_modules\/(?:lit|lit-html|lit-element|@lit\/[a-z-]+)\//.test(`/${module}`)
  );
}

/** True for a module of the default worker: everything but the operation and the routes that take card numbers. */
export function isDefaultWorkerModule(module: string): boolean {
  return !/\/create-token\.js$|\/worker-moto\.js$|\/moto\//.test(module);
}

async function bundle(name: string, entry: string): Promise<Bundle> {
  const { metafile, outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: [entry],
    bundle: true,
    minify: true,
    metafile: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    conditions: ['workerd', 'worker', 'browser', 'production'],
    external: ['cloudflare:*', 'node:*'],
    outdir: 'bundle',
    logLevel: 'silent',
  });
  const modules = Object.values(metafile.outputs).flatMap(({ inputs }) =>
    Object.entries(inputs)
      .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
      .map(([path]) => path),
  );
  return { name, text: outputFiles.map((file) => file.text).join('\n'), modules };
}

/** A file that is a bundle already. Its modules are not known; its words are. */
function builtBundle(path: string): Bundle {
  return { name: path, text: readText(path), modules: [] };
}

/** Bundles one exported subpath of a package, the way an application would. */
async function subpath(folder: string, manifest: Manifest, name: string): Promise<Bundle> {
  const target = manifest.exports?.[name];
  if (target === undefined)
    throw new Error(`${manifest.name} exports no "${name}"; scripts/check-bundle.ts expects it.`);
  return bundle(`${manifest.name}${name.slice(1)}`, join(folder, target));
}

function manifestOf(name: string): { readonly folder: string; readonly manifest: Manifest } {
  const found = publicPackages().find(({ manifest }) => manifest.name === name);
  if (found === undefined) throw new Error(`There is no package ${name}; scripts/check-bundle.ts expects it.`);
  return found;
}

if (import.meta.main) {
  const core = manifestOf('@innkeep/core');
  const widgets = manifestOf('@innkeep/widgets');
  const browser: BundleRules = { words: SERVER_WORDS, mayContain: isBrowserModule };
  // `values` names the fields that logs must blank, so the words are there; that none of the code is, the modules show.
  const values: BundleRules = { words: [], mayContain: isBrowserModule };
  // The contract is for the proxy and brings its schema library; browsers import `./checkout`.
  const contract: BundleRules = {
    words: SERVER_WORDS,
    mayContain: (module) => isBrowserModule(module) || /\/node_modules\/valibot\//.test(module),
  };
  const worker: BundleRules = { words: CARD_ENTRY_WORDS, mayContain: isDefaultWorkerModule };

  const cdnFiles = globSync('packages/widgets/dist/cdn/**/*.js', { cwd: ROOT });
  const workerFiles = globSync('packages/edge-proxy/dist/bundle/worker.js', { cwd: ROOT });
  const problems: Problem[] = [];
  if (cdnFiles.length === 0)
    problems.push({ file: 'packages/widgets/dist/cdn', message: 'has no file: build the widgets' });
  if (workerFiles.length === 0)
    problems.push({ file: 'packages/edge-proxy/dist/bundle/worker.js', message: 'is not there: build the proxy' });

  // The build that may take card numbers shows that the words survive minifying, so that their absence elsewhere means something.
  const moto = builtBundle('packages/edge-proxy/dist/bundle-moto/worker-moto.js');
  for (const word of CARD_ENTRY_WORDS) {
    if (!hasWord(moto.text, word))
      problems.push({ file: moto.name, message: `lacks “${word}”: look for another word in the default worker` });
  }

  const jobs: readonly (readonly [Bundle | Promise<Bundle>, BundleRules])[] = [
    ...['./checkout', './polling', './errors'].map(
      (name) => [subpath(core.folder, core.manifest, name), browser] as const,
    ),
    [subpath(core.folder, core.manifest, './values'), values],
    [subpath(core.folder, core.manifest, './checkout/contract'), contract],
    [subpath(widgets.folder, widgets.manifest, './define'), browser],
    ...cdnFiles.map((file) => [builtBundle(file), browser] as const),
    ...(existsSync(join(ROOT, 'packages/edge-proxy/dist/worker.js'))
      ? [[bundle('edge-proxy worker', 'packages/edge-proxy/dist/worker.js'), worker] as const]
      : []),
    ...workerFiles.map((file) => [builtBundle(file), worker] as const),
  ];
  for (const [made, rules] of jobs) {
    try {
      problems.push(...findBundleProblems(await made, rules));
    } catch (error) {
      problems.push({
        file: 'scripts/check-bundle.ts',
        message: error instanceof Error ? error.message : String(error),
      });
    }
  }
  reportProblems(
    problems,
    'Find the import that pulls it in: npx pnpm exec esbuild <entry> --bundle --analyze --format=esm --outfile=/dev/null',
    `${jobs.length} bundles`,
  );
}
