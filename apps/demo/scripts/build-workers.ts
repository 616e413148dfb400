/** Prevents: a test of the deployed demo that runs other code than what is uploaded. Bundles the three Workers
 * as a deployment does, and puts the files they send into one folder. */
import { spawnSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const PACKAGE = join(import.meta.dirname, '..');

const SITE = join(PACKAGE, 'dist/workers/site');
rmSync(SITE, { recursive: true, force: true });
cpSync(join(PACKAGE, 'dist/site'), SITE, { recursive: true });
cpSync(join(PACKAGE, '../docs/dist'), join(SITE, 'docs'), { recursive: true });

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
