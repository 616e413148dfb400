// Builds the site into dist: collects the repository's Markdown and the pages made from source, lets the generator turn them into
// HTML, then finishes that.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { referencePages } from '../reference/all-pages.ts';
import { collectPages } from './collect-pages.ts';
import { SECTIONS } from './page-table.ts';
import { STAGED, stage } from './stage.ts';

const HERE = join(import.meta.dirname, '..');
const ROOT = join(HERE, '../..');

const pages = collectPages(ROOT, SECTIONS, await referencePages());
stage(ROOT, join(HERE, STAGED), pages);
const { status, stdout } = spawnSync('astro', ['build'], {
  cwd: HERE,
  env: { ...process.env, ASTRO_TELEMETRY_DISABLED: '1' },
  encoding: 'utf8',
  stdio: ['ignore', 'pipe', 'inherit'],
});
if (status !== 0) {
  process.stderr.write(stdout);
  process.exit(status ?? 1);
}
