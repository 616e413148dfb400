import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { defineConfig } from 'rolldown';

const LOCALES = 'src/localization/locales';
const integrities = {};

const hashOf = (algorithm, content) => createHash(algorithm).update(content).digest('base64');

// Languages are data, and the scripts know the hash of all their hashes: who vouches for the script vouches for its texts.
const locales = await Promise.all(
  readdirSync(LOCALES).map(async (file) => {
    const { messages } = await import(pathToFileURL(join(import.meta.dirname, LOCALES, file)).href);
    return { name: basename(file, '.ts'), source: JSON.stringify(messages) };
  }),
);
const hashes = JSON.stringify(Object.fromEntries(locales.map(({ name, source }) => [name, hashOf('sha256', source)])));
const localeFiles = {
  name: 'locale-files',
  generateBundle() {
    for (const { name, source } of [...locales, { name: 'hashes', source: hashes }])
      this.emitFile({ type: 'asset', fileName: `locales/${name}.json`, source });
  },
};

// Over the written files: the bundler minifies after every hook that could see the text.
const integrity = {
  name: 'integrity',
  writeBundle({ dir }, bundle) {
    for (const name of Object.keys(bundle).filter((file) => file.endsWith('.js'))) {
      integrities[name] = `sha384-${hashOf('sha384', readFileSync(join(dir, name)))}`;
      console.log(`${name}  integrity="${integrities[name]}"`);
    }
    writeFileSync(join(dir, 'integrity.json'), `${JSON.stringify(integrities, null, 2)}\n`);
  },
};

/** The indentation of styles and templates says nothing to a browser. */
const indentation = {
  name: 'indentation',
  transform: (code) => code.replaceAll(/\n +/g, '\n'),
};

// The minifier leaves alone what stands in a template.
const blanks = {
  name: 'blanks',
  transform: {
    filter: { id: /[\\/]styles[\\/]/ },
    handler: (code) => ({ code: code.replaceAll(/\/\*.*?\*\/|(?<=[,:;{}])\s+|;?\s+(?=})|\s+(?={)/gs, ''), map: null }),
  },
};

const common = { platform: 'browser', tsconfig: './tsconfig.json' };

/** A script-tag file. Its languages lie beside it, so it needs their names, their hash, and its own address where a module has one. */
const script = (format, file, moduleUrl, plugins) => ({
  ...common,
  input: { [file]: 'src/define-all.ts' },
  resolve: { alias: { './locale-loader.ts': './locale-loader.cdn.ts' } },
  transform: {
    target: 'es2022',
    define: {
      LOCALE_NAMES: JSON.stringify(locales.map(({ name }) => name).join(' ')),
      HASHES_HASH: JSON.stringify(hashOf('sha256', hashes)),
      IS_MODULE: String(format === 'esm'),
      MODULE_URL: moduleUrl,
    },
  },
  plugins: [indentation, blanks, ...plugins],
  output: {
    dir: 'dist/cdn',
    format,
    minify: true,
    comments: { annotation: false },
    sourcemap: true,
    codeSplitting: false,
  },
});

export default defineConfig([
  script('esm', 'widgets', 'import.meta.url', [integrity, localeFiles]),
  script('iife', 'widgets.iife', 'undefined', [integrity]),
  // Lit's own build for servers, in one file: Workers would find its browser build, which needs a document.
  {
    input: 'lit',
    platform: 'node',
    resolve: { alias: { '@lit-labs/ssr-dom-shim': join(import.meta.dirname, 'scripts/server-dom.mjs') } },
    output: {
      file: 'dist/server/lit.js',
      format: 'esm',
      outro: 'globalThis.customElements ?? delete globalThis.customElements;',
    },
  },
]);
