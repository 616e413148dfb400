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

/** One file for a script tag, every language of the desk in it. */
export default defineConfig({
  platform: 'browser',
  tsconfig: './tsconfig.json',
  input: { desk: 'src/define-all.ts' },
  transform: { target: 'es2022' },
  plugins: [integrity],
  output: { dir: 'dist/cdn', format: 'esm', minify: true, sourcemap: true, codeSplitting: false },
});
