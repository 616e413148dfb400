// Prevents: tests that fail on a fresh machine because nobody told the newcomer to install a browser.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from 'playwright';

/** Flags that keep Chromium quiet and alive as root, in a container and without a network. */
export const CHROMIUM_ARGS: readonly string[] = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-software-rasterizer',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** First the shell, which Playwright’s own headless Chromium is as well: the same engine without a window, for a bit more than half of the CPU. */
const NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
  'chrome',
];
const MAC_APPS = ['/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'];

/** A Chromium that is already on this machine, or undefined. `CHROMIUM_PATH` wins. */
export function findChromium(): string | undefined {
  const named = process.env.CHROMIUM_PATH;
  if (named !== undefined && named !== '') {
    if (!existsSync(named)) throw new Error(`CHROMIUM_PATH is set to "${named}", but there is no such file.`);
    return named;
  }
  const onPath = (process.env.PATH ?? '').split(delimiter).flatMap((folder) => NAMES.map((name) => join(folder, name)));
  return [...onPath, ...MAC_APPS, chromium.executablePath()].find((file) => existsSync(file));
}

/** Finds a Chromium or installs one: Playwright's download, else Debian's package when root. */
export function ensureChromium(): string {
  const found = findChromium();
  if (found !== undefined) return found;

  console.log('No Chromium on this machine: trying Playwright’s download …');
  run('playwright', ['install', 'chromium']);
  const downloaded = findChromium();
  if (downloaded !== undefined) return downloaded;

  const isRoot = process.getuid?.() === 0;
  if (isRoot && existsSync('/usr/bin/apt-get')) {
    console.log('The download did not work: installing Debian’s package …');
    run('apt-get', ['update', '-qq']);
    run('apt-get', ['install', '-y', '-qq', 'chromium']);
    const installed = findChromium();
    if (installed !== undefined) return installed;
  }
  throw new Error(
    'The tests need Chromium and none could be installed. Install it (Debian: `sudo apt-get install chromium`), ' +
      'or set CHROMIUM_PATH to a Chromium or Chrome that is already there, and run the command again.',
  );
}

function run(command: string, args: readonly string[]): void {
  spawnSync(command, args, {
    stdio: 'inherit',
    timeout: 300_000,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
}
