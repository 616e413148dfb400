// Every quick start does what it says: its own files, its own commands, a payment in a browser, a receipt.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { type ServedSandbox, serveSandbox } from '@innkeep/sandbox';
import type { Browser } from 'playwright';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type RunningProxy, serveProxy } from '../../packages/edge-proxy/scripts/serve.ts';
import { freePort } from '../../scripts/stack.ts';
import { ROOT } from '../../scripts/workspace.ts';
import { INNKEEP_BIN, runCommandLine } from '../cli/run-innkeep.ts';
import { launchBrowser, openHostedPage, payOnHostedPage } from '../support/guest.ts';
import { type QuickStart, readQuickStart } from './quick-start.ts';

const run = promisify(execFile);

const NAMES = ['plain-html', 'react', 'vue', 'next-js', 'worker', 'deno'] as const;

const FOLDER = join(import.meta.dirname, '.innkeep');
const MODULES = join(import.meta.dirname, 'node_modules');

let sandbox: ServedSandbox;
let proxy: RunningProxy;
let browser: Browser;
/** Of the clone, where the reader types the first commands. */
let clone: string;
const quickStarts = new Map<string, QuickStart>();
const running = new Set<ChildProcess>();

beforeAll(async () => {
  await rm(FOLDER, { recursive: true, force: true });
  clone = await mkdtemp(join(tmpdir(), 'innkeep-quick-starts-'));
  await Promise.all(['core', 'widgets'].map(installPacked));
  await writeNpx();
  sandbox = await serveSandbox({ port: 0 });
  const proxyPort = await freePort();
  // The proxy reads its hotels once, when it starts: all of them are set up first, as each page says.
  for (const name of NAMES) {
    const quickStart = readQuickStart(name, {
      sandbox: sandbox.url,
      proxy: loopback(proxyPort),
      site: loopback(await freePort()),
      server: loopback(await freePort()),
    });
    quickStarts.set(name, quickStart);
    await makeProject(quickStart, await setUpHotel(quickStart));
  }
  [proxy, browser] = await Promise.all([
    serveProxy({ port: proxyPort, envFile: join(clone, '.dev.vars'), dataDir: join(clone, 'data') }),
    launchBrowser(),
  ]);
});

afterAll(async () => {
  await browser?.close();
  await Promise.all([...running].map(stop));
  await proxy?.close();
  await sandbox?.close();
  await rm(clone, { recursive: true, force: true });
  await rm(FOLDER, { recursive: true, force: true });
});

test.each(NAMES)('%s: a guest pays and sees the receipt, and the hotel’s server is told', async (name) => {
  const quickStart = quickStarts.get(name);
  if (quickStart === undefined) throw new Error(`${name} was not set up`);
  const output = await startSite(quickStart);
  const context = await browser.newContext({ locale: 'en-US' });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));

  await page.goto(quickStart.url);
  const button = page.getByRole('button', { name: 'Pay €330.00' });
  await button.waitFor();
  // A guest who loads the page again stays with the same session.
  await page.reload();
  await button.waitFor();
  await openHostedPage(page);
  await payOnHostedPage(page);
  await page.waitForURL('**?checkout_session=cs_*');
  const receipt = page.locator('payment-status [part~="receipt"]');
  await receipt.getByText('€330.00').first().waitFor();
  await receipt.getByText('4242').first().waitFor();
  await vi.waitFor(() => expect(output()).toContain('RES-1234 is succeeded'), { timeout: 10_000, interval: 50 });

  // Paid is paid: the booking page offers no second payment.
  await page.goto(quickStart.url);
  await page.getByText('Payment complete').first().waitFor();
  expect(await page.getByRole('button', { name: /pay/i }).count()).toBe(0);
  expect(complaints).toEqual([]);
  await context.close();
});

test.each(NAMES)('%s: a webhook with a wrong signature changes nothing', async (name) => {
  const quickStart = quickStarts.get(name);
  const { origin } = new URL(quickStart?.url ?? '');
  const response = await fetch(`${origin}/hooks`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'webhook-id': 'ev_forged',
      'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
      'webhook-signature': 'v1,AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=',
    },
    body: JSON.stringify({ id: 'ev_forged', type: 'checkout.succeeded', data: { object: { id: 'cs_forged' } } }),
  });
  expect(response.status).toBe(400);
});

/** Runs the page's own command line. Answers with the secrets that it prints. */
async function setUpHotel({ name, setUp }: QuickStart): Promise<Secrets> {
  const script = setUp.replace('hotel add aurora', `hotel add ${name}`);
  const { exitCode, stdout, stderr } = await runCommandLine('bash', ['--norc', '-euo', 'pipefail', '-c', script], {
    env: { PATH: join(clone, 'bin') + delimiter + process.env.PATH },
    cwd: clone,
  });
  if (exitCode !== 0) throw new Error(`${name}: hotel add ended with ${exitCode}\n${stderr}`);
  const [secretKey = ''] = /sk_test_[\w-]+/.exec(stdout) ?? [];
  const [webhookSecret = ''] = /whsec_[\w+/=]+/.exec(stdout) ?? [];
  return { secretKey, webhookSecret };
}

interface Secrets {
  readonly secretKey: string;
  readonly webhookSecret: string;
}

/** Saves the page's files, the two secrets filled in where the page leaves them out. */
async function makeProject({ name, files }: QuickStart, { secretKey, webhookSecret }: Secrets): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    const file = join(FOLDER, name, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text.replaceAll('sk_test_…', secretKey).replaceAll('whsec_…', webhookSecret));
  }
  await writeFile(join(FOLDER, name, 'package.json'), '{ "type": "module" }\n');
  await mkdir(join(FOLDER, name, 'node_modules'));
  await symlink(join(FOLDER, 'node_modules/@innkeep'), join(FOLDER, name, 'node_modules/@innkeep'));
}

/** Runs what the page leaves running, and waits for the site. Answers with a function that tells what was printed. */
async function startSite({ name, terminals, url }: QuickStart): Promise<() => string> {
  let output = '';
  for (const script of terminals) {
    const child = spawn('bash', ['--norc', '-euo', 'pipefail', '-c', script], {
      cwd: join(FOLDER, name),
      env: {
        PATH: [join(clone, 'bin'), join(MODULES, '.bin'), dirname(process.execPath), process.env.PATH].join(delimiter),
        HOME: clone,
        WRANGLER_SEND_METRICS: 'false',
        NEXT_TELEMETRY_DISABLED: '1',
        DENO_NO_UPDATE_CHECK: '1',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      // A group of its own: what it starts ends with it.
      detached: true,
    });
    running.add(child);
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.once('exit', (code) => (output += `\n[${script} ended with ${code}]`));
  }
  await vi.waitFor(
    async () => {
      const statusOf = (address: string, method: string): Promise<number> =>
        fetch(address, { method }).then(
          (response) => response.status,
          () => 0,
        );
      // The page, and the server behind it.
      const statuses = [await statusOf(url, 'GET'), await statusOf(new URL('/hooks', url).href, 'POST')];
      expect(statuses, output).toEqual([200, 400]);
    },
    { timeout: 45_000, interval: 100 },
  );
  return () => output;
}

function loopback(port: number): string {
  return `http://127.0.0.1:${port}`;
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  process.kill(-child.pid, 'SIGTERM');
  await once(child, 'exit');
}

/** Installs a package as the reader does, from its tarball. What it depends on is found further up, in this folder. */
async function installPacked(name: string): Promise<void> {
  const target = join(FOLDER, 'node_modules/@innkeep', name);
  await mkdir(target, { recursive: true });
  const tarballs = join(clone, name);
  await mkdir(tarballs);
  await run('pnpm', ['pack', '--pack-destination', tarballs], { cwd: join(ROOT, 'packages', name) });
  const [tarball = ''] = await readdir(tarballs);
  await run('tar', ['-xzf', join(tarballs, tarball), '--strip-components=1', '-C', target]);
}

/** In this clone everything is built, and what npx would look for is in node_modules. */
async function writeNpx(): Promise<void> {
  const file = join(clone, 'bin/npx');
  await mkdir(dirname(file));
  await writeFile(
    file,
    `#!/bin/sh
if [ "$1 $2" = 'pnpm innkeep' ]; then shift 2; exec '${process.execPath}' '${INNKEEP_BIN}' "$@"; fi
exec "$@"
`,
  );
  await chmod(file, 0o755);
  if (!existsSync(MODULES)) throw new Error('tests/docs/node_modules is missing: npx pnpm install');
}
