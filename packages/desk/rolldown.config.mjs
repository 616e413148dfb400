import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'rolldown';

// Over the written file: the bundler minifies after every hook that could see the text.
const integrity = {
  name: 'integrity',
  writeBundle({ dir }) {
    const hash = createHash('sha384')
      .update(readFileSync(join(dir, 'desk.js')))
      .digest('base64');
    writeFileSync(join(dir, 'integrity.json'), `${JSON.stringify({ 'desk.js': `sha384-${hash}` }, null, 2)}\n`);
  },
};

// The minifier leaves alone what stands in a template.
const indentation = {
  name: 'indentation',
  transform: {
    filter: { id: /[\\/](base|elements|styles|views)[\\/]/ },
    handler: (code) => ({ code: code.replaceAll(/^ +/gm, ''), map: null }),
  },
};

// Nor does it know what says nothing in styles.
const blanks = {
  name: 'blanks',
  transform: {
    filter: { id: /[\\/]styles[\\/]/ },
    handler: (code) => ({
      code: code.replaceAll(/\/\*.*?\*\/|(?<=[,:;{}]| [>*+])\s+|;?\s+(?=})|\s+(?={|[>*+] )|\b0(?=\.\d)/gs, ''),
      map: null,
    }),
  },
};

/** One file, every language of the desk in it. */
const script = (input, dir, plugins = []) => ({
  platform: 'browser',
  tsconfig: './tsconfig.json',
  input,
  transform: { target: 'es2022' },
  plugins: [indentation, blanks, ...plugins],
  output: { dir, format: 'esm', minify: true, comments: { annotation: false }, sourcemap: true, codeSplitting: false },
});

/** For a script tag; and for the page that the proxy itself has. */
export default defineConfig([
  script({ desk: 'src/define-all.ts' }, 'dist/cdn', [integrity]),
  script({ 'desk-page': 'src/page-script.ts' }, 'dist/bundle'),
]);
