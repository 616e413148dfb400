// Prevents: a suite that says “three engines” and runs one, because nobody told the machine to install the other two.
import { spawnSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const FIREFOX_APPS = ['/Applications/Firefox.app/Contents/MacOS/firefox'];
/** Debian's; WebKitGTK has the only WebKit that can be driven outside of macOS. */
const PACKAGES = ['firefox-esr', 'webkit2gtk-driver', 'xvfb', 'xauth'];

/** A Firefox that is already on this machine, or undefined. `FIREFOX_PATH` wins. */
export function findFirefox(): string | undefined {
  const named = process.env.FIREFOX_PATH;
  if (named !== undefined && named !== '') {
    if (!existsSync(named)) throw new Error(`FIREFOX_PATH is set to "${named}", but there is no such file.`);
    return named;
  }
  return findOnPath('firefox-esr') ?? findOnPath('firefox') ?? FIREFOX_APPS.find((file) => existsSync(file));
}

/** The browser of WebKitGTK, when what drives it and a display for it are there as well. */
export function findWebKit(): string | undefined {
  if (findOnPath('WebKitWebDriver') === undefined || findOnPath('xvfb-run') === undefined) return undefined;
  return globSync('/usr/lib/*/webkit2gtk-4.*/MiniBrowser')[0];
}

/** Installs Debian's packages where one of the two is missing and we may. A test that needs one says so when it is still missing. */
export function installEnginesIfMissing(): void {
  const mayInstall = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
  if ((findFirefox() !== undefined && findWebKit() !== undefined) || !mayInstall) return;
  console.log('No Firefox or no WebKit on this machine: installing Debian’s packages …');
  for (const args of [
    ['update', '-qq'],
    ['install', '-y', '-qq', ...PACKAGES],
  ]) {
    spawnSync('apt-get', args, {
      stdio: 'inherit',
      timeout: 600_000,
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
  }
}

function findOnPath(name: string): string | undefined {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((file) => existsSync(file));
}
