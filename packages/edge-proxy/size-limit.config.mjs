import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Weighs what a start loads, as it is: bundling it once more would measure another minifier. */
export default {
  entryPoints: ['worker.js', 'proxy.part.js', 'shared.part.js'].map((file) => `dist/bundle/${file}`),
  bundle: true,
  loader: { '.js': 'copy' },
  outdir: join(tmpdir(), 'innkeep-edge-proxy-size'),
};
