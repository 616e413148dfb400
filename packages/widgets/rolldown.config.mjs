import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { gzipSync } from 'node:zlib';
import { defineConfig } from 'rolldown';

const locales = readdirSync('src/localization/locales').map((file) => basename(file, '.ts'));

// The minifier leaves template literals alone; indentation inside css and html is a fifth of the file.
const squeezeTemplates = {
  name: 'squeeze-templates',
  transform(code, id) {
    if (!/widgets\/src\/(styles|views|elements)\//.test(id)) return null;
    const squeezed = code.replace(/\bcss`([^`$]*)`/g, (_, css) => `css\`${squeezeCss(css)}\``);
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
    .replace(/;}/g, '}')
    .trim();
}

const cdnLocales = (scriptUrl) => ({
  name: 'cdn-locales',
  resolveId: (source, importer) =>
    source.endsWith('/locale-loader.ts') ? importer.replace(/[^/]*$/, 'locale-loader.cdn.ts') : null,
  transform: (code, id) =>
    id.endsWith('locale-loader.cdn.ts')
      ? code
          .replace(/^declare.*$/gm, '')
          .replace('LOCALE_NAMES', `'${['en', ...locales.filter((name) => name !== 'en')].join(' ')}'`)
          .replace('SCRIPT_URL;', `${scriptUrl};`)
      : null,
});

const integrity = {
  name: 'integrity',
  writeBundle({ dir, file }, bundle) {
    for (const { fileName, type } of Object.values(bundle)) {
      if (type !== 'chunk' || dir?.endsWith('locales')) continue;
      const bytes = readFileSync(file ?? `${dir}/${fileName}`);
      const hash = createHash('sha384').update(bytes).digest('base64');
      console.log(`${fileName}  ${gzipSync(bytes, { level: 9 }).length} bytes gzip  integrity="sha384-${hash}"`);
    }
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
  plugins: [cdnLocales(scriptUrl), squeezeTemplates, integrity],
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
