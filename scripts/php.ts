// Prevents: a quick start in PHP that nobody runs because the machine of the tests has no PHP.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** A PHP for the command line that is on this machine, or undefined. `PHP_PATH` wins. */
export function findPhp(): string | undefined {
  const named = process.env.PHP_PATH;
  if (named !== undefined && named !== '') {
    if (!existsSync(named)) throw new Error(`PHP_PATH is set to "${named}", but there is no such file.`);
    return named;
  }
  return (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'php'))
    .find((file) => existsSync(file));
}

/** Installs Debian's package where there is no PHP and we may. The test that needs it says so when it is still missing. */
export function installPhpIfMissing(): void {
  const mayInstall = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
  if (findPhp() !== undefined || !mayInstall) return;
  console.log('No PHP on this machine: installing Debian’s package …');
  for (const args of [
    ['update', '-qq'],
    ['install', '-y', '-qq', '--no-install-recommends', 'php-cli', 'php-curl'],
  ]) {
    spawnSync('apt-get', args, {
      stdio: 'inherit',
      timeout: 300_000,
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
  }
}

/** PHP, or an error that says how to get it. */
export function requirePhp(): string {
  const php = findPhp();
  if (php !== undefined) return php;
  throw new Error(
    'The quick start for PHP needs PHP 8.1 or newer and there is none. Install it (Debian: `sudo apt-get install php-cli`, ' +
      'macOS: `brew install php`), or set PHP_PATH to one that is already there.',
  );
}
