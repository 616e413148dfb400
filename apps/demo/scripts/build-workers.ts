/** Prevents: a test of the deployed demo that runs other code than what is uploaded. Bundles the three Workers as a deployment does. */
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';

const PACKAGE = join(import.meta.dirname, '..');

for (const id of ['hotel', 'proxy', 'sandbox']) {
  const outdir = join(PACKAGE, 'dist/workers', id);
  rmSync(outdir, { recursive: true, force: true });
  const config = join(PACKAGE, 'workers', id, 'wrangler.jsonc');
  const { status } = spawnSync('wrangler', ['deploy', '--config', config, '--dry-run', '--outdir', outdir], {
    cwd: PACKAGE,
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(status ?? 1);
}
