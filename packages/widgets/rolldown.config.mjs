import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { defineConfig } from 'rolldown';
import { minify } from 'terser';

const locales = readdirSync('src/localization/locales').map((file) => basename(file, '.ts'));

// The minifier leaves template literals alone; indentation inside css and html is a fifth of the file.
const squeezeTemplates = {
  name: 'squeeze-templates',
  transform(code, id) {
    if (!/widgets\/src\/(styles|views|base)\//.test(id)) return null;
    const squeezed = code.replace(/\bcss`([^`$]*)`/g, (_, css) => `\`${squeezeCss(css)}\``);
    // White space between tags means nothing in a layout of grids and flex boxes; inside a tag one blank is enough.
    return squeezed
      .replace(/\s*\n\s*/g, '\n')
      .replace(/(?<=[>}`])\n(?=[<$`])/g, '')
      .replace(/(?<=html`)\n/g, '');
  },
};

function squeezeCss(css) {
  return css
    .replace(/\s+/g, ' ')
    .replace(/\s*([{};,>])\s*/g, '$1')
    .replace(/: /g, ':')
    .replace(/([ :(,-])0\./g, '$1.')
    .replace(/;}/g, '}')
    .trim();
}

const standIns = (scriptUrl) => ({
  name: 'stand-ins',
  resolveId(source, importer) {
    if (source.endsWith('/locale-loader.ts')) return importer.replace(/[^/]*$/, 'locale-loader.cdn.ts');
    // No server imports these files, so they can do without the document that it would need.
    return source.endsWith('/templates/lit.ts') ? this.resolve('lit/html.js', importer) : null;
  },
  transform: (code, id) =>
    id.endsWith('locale-loader.cdn.ts')
      ? code
          .replace(/^declare.*$/gm, '')
          .replace('LOCALE_NAMES', `'${['en', ...locales.filter((name) => name !== 'en')].join(' ')}'`)
          .replace('SCRIPT_URL;', `${scriptUrl};`)
      : null,
});

// Names of members that only this file's own code uses, and of error details that never leave it. Lit's begin with `_$`.
const INTERNAL =
  /^(_\$.*|connect|disconnect|bind|act|reopen|flow|language|draw|isStatusOnly|openingText|showState|startLabel|idleStatus|canStart|canRetry|isInTab|isLoading|countdown|notice|fault|isFinal|onFailure|schedule|deadlineMs|retryAfterSeconds|sign|traceId|resource|param)$/;

const integrities = {};

// Last of all, over the written file: the bundler prints its chunks anew after every other hook.
const squeezeFile = {
  name: 'squeeze-file',
  async writeBundle({ file, format }) {
    const name = basename(file);
    const { code, map } = await minify(readFileSync(file, 'utf8'), {
      module: format === 'es',
      ecma: 2022,
      compress: { passes: 3, unsafe_arrows: true, unsafe_methods: true, pure_getters: true, hoist_props: true },
      mangle: { properties: { regex: INTERNAL } },
      format: { comments: false },
      sourceMap: { content: readFileSync(`${file}.map`, 'utf8'), filename: name },
    });
    writeFileSync(file, code);
    writeFileSync(`${file}.map`, map);
    const integrity = createHash('sha384').update(code).digest('base64');
    integrities[name] = `sha384-${integrity}`;
    writeFileSync(join(dirname(file), 'integrity.json'), `${JSON.stringify(integrities, null, 2)}\n`);
    console.log(`${name}  ${gzipSync(code, { level: 9 }).length} bytes gzip  integrity="sha384-${integrity}"`);
  },
};

const common = {
  platform: 'browser',
  tsconfig: './tsconfig.json',
  transform: { target: 'es2022', define: { 'process.env.NODE_ENV': '"production"' } },
};

const script = (format, file, scriptUrl) => ({
  ...common,
  input: 'src/define-all.ts',
  plugins: [standIns(scriptUrl), squeezeTemplates, squeezeFile],
  output: { file: `dist/cdn/${file}`, format, minify: true, sourcemap: true, codeSplitting: false },
});

export default defineConfig([
  script('esm', 'widgets.js', 'import.meta.url'),
  script('iife', 'widgets.iife.js', 'document.currentScript.src'),
  {
    ...common,
    input: Object.fromEntries(locales.map((name) => [name, `src/localization/locales/${name}.ts`])),
    output: { dir: 'dist/cdn/locales', format: 'esm', minify: true },
  },
]);
