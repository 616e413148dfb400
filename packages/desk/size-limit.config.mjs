import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Weighs the file as it is: bundling it once more would measure another minifier. */
export default {
  entryPoints: ['dist/cdn/desk.js'],
  bundle: true,
  loader: { '.js': 'copy' },
  outdir: join(tmpdir(), 'innkeep-desk-size'),
};
