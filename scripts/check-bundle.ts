// Prevents: code that knows credentials in a file that browsers download, and code that can take a card number in the default
// worker. Import rules look at our sources; this looks at the bundles that come out of them.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { ROOT } from './launch.ts';

/** Words of the payment API that only code with credentials has a use for. */
const SERVER_WORDS =
  '/login access_token api_key callbackSuccessUrl cardNo createToken cvc expires_in hotelIDType initpayNoIframe paystatus serviceProvider stateRetrivalUrl tokenNo x-api-key'.split(
    ' ',
  );

/** Words of the one operation that takes a card number. `cardNo` is not one of them: answers carry a masked one under that name. */
const CARD_ENTRY_WORDS = ['createToken', 'cardText'];

/** What may be in a browser's bundle: core's secret-free parts, our elements, and Lit. */
const BROWSER_MODULES =
  /^packages\/core\/dist\/(errors|values|polling|checkout)[/.]|^packages\/(desk|widgets)\/dist\/|(^|\/)node_modules\/(lit|lit-html|lit-element|@lit\/[a-z-]+)\//;

/** One bundle, what it was made of, and what it must not contain. */
export interface Bundle {
  readonly name: string;
  readonly text: string;
  /** Modules with at least one byte in it, relative to the root. */
  readonly modules: readonly string[];
  readonly words: readonly string[];
  readonly mayContain: RegExp;
}

/** Forbidden words and modules of a bundle. An empty bundle is a problem too: it proves nothing. */
export function findBundleProblems({ name, text, modules, words, mayContain }: Bundle): readonly string[] {
  if (text.trim() === '') return [`${name} is empty, so it proves nothing`];
  return [
    ...words.filter((word) => hasWord(text, word)).map((word) => `${name} contains the word “${word}”`),
    ...modules.filter((module) => !mayContain.test(module)).map((module) => `${name} contains the module ${module}`),
  ];
}

/** True when the word stands there as a whole: `cardNotSaved` is not `cardNo`. */
function hasWord(text: string, word: string): boolean {
  return new RegExp(`(?<![\\w$])${word}(?![\\w$])`).test(text);
}

/** Bundles a built file the way an application would. */
export async function bundle(entry: string, words: readonly string[], mayContain = BROWSER_MODULES): Promise<Bundle> {
  const { metafile, outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: [entry],
    bundle: true,
    minify: true,
    metafile: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    conditions: entry.startsWith('packages/edge-proxy/')
      ? ['workerd', 'worker', 'production']
      : ['browser', 'production'],
    external: ['cloudflare:*', 'node:*'],
    outdir: 'bundle',
    logLevel: 'silent',
  });
  const modules = Object.values(metafile.outputs)
    .flatMap(({ inputs }) => Object.entries(inputs))
    .flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : []));
  return { name: entry, text: outputFiles.map((file) => file.text).join('\n'), modules, words, mayContain };
}

/** A file that is a bundle already: its modules are not known, its words are. */
function built(name: string, words: readonly string[]): Bundle {
  return { name, text: readFileSync(join(ROOT, name), 'utf8'), modules: [], words, mayContain: BROWSER_MODULES };
}

if (import.meta.main) {
  const defaultWorker = /^(?!.*(\/create-token\.js|\/worker-moto\.js|\/moto\/))/;
  const cdnFiles = globSync('packages/{desk,widgets}/dist/{bundle,cdn}/**/*.js', { cwd: ROOT });
  const workerFiles = globSync('packages/edge-proxy/dist/bundle/*.js', { cwd: ROOT });
  const bundles = await Promise.all([
    ...['checkout/checkout-client', 'errors'].map((name) => bundle(`packages/core/dist/${name}.js`, SERVER_WORDS)),
    // `values` names the fields that logs must blank, so the words are there; that none of the code is, the modules show.
    bundle('packages/core/dist/values/index.js', []),
    bundle('packages/widgets/dist/define-all.js', SERVER_WORDS),
    bundle('packages/desk/dist/define-all.js', SERVER_WORDS),
    bundle('packages/edge-proxy/dist/worker.js', CARD_ENTRY_WORDS, defaultWorker),
    ...workerFiles.map((file) => built(file, CARD_ENTRY_WORDS)),
    ...cdnFiles.map((file) => built(file, SERVER_WORDS)),
  ]);
  // The build that may take card numbers shows that the words survive minifying, so that their absence elsewhere means something.
  const moto = built('packages/edge-proxy/dist/bundle-moto/proxy.part.js', []);
  const problems = [
    ...bundles.flatMap((each) => findBundleProblems(each)),
    ...CARD_ENTRY_WORDS.filter((word) => !hasWord(moto.text, word)).map((word) => `${moto.name} lacks “${word}”`),
    ...(cdnFiles.length === 0 ? ['dist/cdn has no file'] : []),
  ];
  console.log(problems.length === 0 ? `${bundles.length} bundles` : problems.join('\n'));
  process.exitCode = problems.length === 0 ? 0 : 1;
}
