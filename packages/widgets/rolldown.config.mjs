import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { defineConfig } from 'rolldown';

const locales = readdirSync('src/localization/locales').map((file) => basename(file, '.ts'));
const integrities = {};

// Over the written files: the bundler minifies after every hook that could see the text.
const integrity = {
  name: 'integrity',
  writeBundle({ dir }, bundle) {
    for (const name of Object.keys(bundle).filter((file) => file.endsWith('.js'))) {
      integrities[name] = `sha384-${createHash('sha384')
        .update(readFileSync(join(dir, name)))
        .digest('base64')}`;
      console.log(`${name}  integrity="${integrities[name]}"`);
    }
    writeFileSync(join(dir, 'integrity.json'), `${JSON.stringify(integrities, null, 2)}\n`);
  },
};

const common = { platform: 'browser', tsconfig: './tsconfig.json' };

/** A script-tag file. Its languages lie beside it, so it needs their names, and its own address in either format. */
const script = (format, file, scriptUrl) => ({
  ...common,
  input: { [file]: 'src/define-all.ts' },
  resolve: { alias: { './locale-loader.ts': './locale-loader.cdn.ts' } },
  transform: {
    target: 'es2022',
    define: { LOCALE_NAMES: JSON.stringify(locales.join(' ')), SCRIPT_URL: scriptUrl },
  },
  plugins: [integrity],
  output: { dir: 'dist/cdn', format, minify: true, sourcemap: true, codeSplitting: false },
});

export default defineConfig([
  script('esm', 'widgets', 'import.meta.url'),
  script('iife', 'widgets.iife', 'document.currentScript.src'),
  {
    ...common,
    input: Object.fromEntries(locales.map((name) => [name, `src/localization/locales/${name}.ts`])),
    output: { dir: 'dist/cdn/locales', format: 'esm', minify: true },
  },
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
