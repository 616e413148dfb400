// Prometheus’s own program for testing rules: from the PATH, or out of Debian's package, which is unpacked and not installed.
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../scripts/launch.ts';

const FOLDER = join(ROOT, 'node_modules/.cache/promtool');
const UNPACKED = join(FOLDER, 'usr/bin/promtool');

/** The file of `promtool`; undefined where there is none and none can be had. */
export function findPromtool(): string | undefined {
  if (runs('promtool', '--version')) return 'promtool';
  if (existsSync(UNPACKED)) return UNPACKED;
  mkdirSync(FOLDER, { recursive: true });
  const download = (): boolean => runs('apt-get', 'download', '-qq', 'prometheus');
  // Somebody else may know the packages already; only root may ask for them.
  if (!download() && !(runs('apt-get', 'update', '-qq') && download())) return undefined;
  const [file = ''] = globSync('prometheus_*.deb', { cwd: FOLDER });
  return runs('dpkg-deb', '--extract', file, FOLDER) ? UNPACKED : undefined;
}

function runs(command: string, ...args: readonly string[]): boolean {
  return spawnSync(command, args, { cwd: existsSync(FOLDER) ? FOLDER : ROOT, timeout: 300_000 }).status === 0;
}
