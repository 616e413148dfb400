// What was released, published to a registry: the types of every package, and a guest who pays on a site of every template.
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { findPhp } from '../../scripts/php.ts';
import { launchBrowser, openHostedPage, payOnHostedPage } from '../support/guest.ts';
import { installTools, runTool } from '../support/toolbox.ts';
import { makeCache, type NpmEnvironment, npmEnvironment, runNpm } from './support/npm.ts';
import { createAnother, createProject, install, type RunningProject, startProject } from './support/project.ts';
import { type Registry, startRegistry } from './support/registry.ts';
import { makeRelease, publish, type Release } from './support/release.ts';

/** A development server prepares its first page while other suites run: only what hangs is ended. */
const WAIT_MS = 300_000;

const TEMPLATES = ['vanilla', 'react', 'vue', 'svelte', 'next', 'astro', 'php', 'worker', 'deno'] as const;

/** A newcomer's machine may have no PHP and no way for us to install one. In CI its absence is a failure. */
const canRunPhp = findPhp() !== undefined || process.env.CI !== undefined;

/** Installed by itself, as a newcomer does it. All others are installed together: npm fetches and unpacks once what they share. */
const ALONE = 'vanilla';
const TOGETHER = TEMPLATES.filter((name) => name !== ALONE && (name !== 'php' || canRunPhp));

let folder: string;
let tools: string;
let release: Release;
let registry: Registry;
let browser: Browser;
/** Where everything comes from the registry of this test. */
let fromRegistry: NpmEnvironment;
/** Where it has our packages, and npm's own has the others: what was fetched of it once need not be asked for again. */
let environment: NpmEnvironment;

beforeAll(async () => {
  // Not in memory, where other suites have theirs: that is below /dev, of which Deno reads nothing unless it is allowed everything.
  const onDisk = tmpdir().startsWith('/dev/') ? '/tmp' : tmpdir();
  folder = await mkdtemp(join(onDisk, 'innkeep-release-'));
  tools = await installTools('tests/release/tools');
  const cache = await makeCache(join(folder, 'npm-cache'));
  [release, registry, browser] = await Promise.all([
    makeRelease(join(folder, 'release')),
    startRegistry(join(folder, 'registry'), { tools, environment: npmEnvironment(cache) }),
    launchBrowser(),
  ]);
  fromRegistry = npmEnvironment(cache, { npm_config_registry: registry.url });
  environment = npmEnvironment(cache, { 'npm_config_@innkeep:registry': registry.url });
  await publish(release, { registry: registry.url, environment: fromRegistry, cwd: folder });

  await createProject(folder, { ...siteOf(ALONE), environment: fromRegistry });
  await install(join(folder, siteOf(ALONE).name), environment);
  const together = join(folder, 'together');
  await mkdir(together);
  await writeFile(join(together, 'package.json'), '{ "private": true, "workspaces": ["*"] }');
  for (const template of TOGETHER) await createAnother(together, { ...siteOf(template), environment });
  await install(together, environment);
  for (const template of TOGETHER) await linkPackages(together, siteOf(template).name);
});

afterAll(async () => {
  await browser?.close();
  await registry?.stop();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

/** What a site that is installed alone has in its own folder: some read files from there. */
async function linkPackages(together: string, site: string): Promise<void> {
  const own = join(together, site, 'node_modules');
  await mkdir(own, { recursive: true });
  for (const name of ['@innkeep', 'wrangler']) {
    const shared = join(together, 'node_modules', name);
    if (existsSync(shared) && !existsSync(join(own, name))) await symlink(shared, join(own, name));
  }
}

test.each(['core', 'edge-proxy', 'react', 'sandbox', 'widgets'])(
  'the types of %s are found by every resolution of modules',
  async (name) => {
    const tarball = release.tarballs.find((file) => basename(file).startsWith(`innkeep-${name}-`)) ?? '';
    await runTool(tools, ['attw', tarball, '--profile', 'esm-only', '--quiet']);
  },
);

describe.each([ALONE, ...TOGETHER])('%s', (template) => {
  const home = (): string => join(folder, template === ALONE ? '' : 'together', siteOf(template).name);
  let site: RunningProject;

  beforeAll(async () => {
    site = await startProject(home(), environment);
  });
  afterAll(() => site?.stop());

  test('a guest pays, the server is told, and the result stands on reload, Back and a second visit', async () => {
    const context = await browser.newContext({ locale: 'en-US' });
    const page = await context.newPage();
    page.setDefaultTimeout(WAIT_MS);
    const problems: string[] = [];
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
    page.on('pageerror', (error) => problems.push(error.message));

    await page.goto(site.siteUrl);
    await page.getByRole('button', { name: 'Pay €330.00' }).waitFor();
    await openHostedPage(page);
    await payOnHostedPage(page);
    await page.waitForURL('**/bookings/RES-1234/paid?checkout_session=cs_*');
    await receiptOn(page, 'payment-status');
    await vi.waitFor(() => expect(site.output()).toContain('RES-1234 is succeeded'), { timeout: WAIT_MS });

    await page.reload();
    await receiptOn(page, 'payment-status');
    await page.getByRole('link', { name: 'Back to your booking' }).click();
    await receiptOn(page, 'pay-widget');
    await page.goBack();
    await receiptOn(page, 'payment-status');
    const secondVisit = await context.newPage();
    secondVisit.setDefaultTimeout(WAIT_MS);
    await secondVisit.goto(site.siteUrl);
    await receiptOn(secondVisit, 'pay-widget');
    expect(await secondVisit.getByRole('button', { name: /pay/i }).count()).toBe(0);
    expect(problems).toEqual([]);
    await context.close();
  });

  test('the keys are in a file that only its owner reads, and that git ignores', async () => {
    const ignored = await readFile(join(home(), '.gitignore'), 'utf8');
    expect(ignored.split('\n')).toContain('.env.local');
    expect((await stat(join(home(), '.env.local'))).mode & 0o777).toBe(0o600);
  });
});

if (!canRunPhp) test.skip('php needs PHP 8.1: install php-cli, or set PHP_PATH', () => undefined);

test('the deployment of the proxy bundles with the worker of its own folder', async () => {
  await createAnother(folder, { name: 'proxy', options: ['--what', 'proxy'], environment });
  const project = join(folder, 'proxy');
  await install(project, environment);
  const { stdout, stderr } = await runNpm(['run', 'try'], { cwd: project, environment });
  expect(stdout + stderr).toContain('env.CHECKOUT_SESSIONS (CheckoutSessionObject)');
  const help = await runNpm(['exec', '--', 'innkeep-proxy', '--help'], { cwd: project, environment });
  expect(help.stdout).toContain('Usage: innkeep-proxy');
});

/** The name of a site is that of its package; npm would take one that is called like a framework for it. */
function siteOf(template: string): { readonly name: string; readonly options: readonly string[] } {
  return { name: `site-${template}`, options: ['--template', template] };
}

async function receiptOn(page: Page, element: string): Promise<void> {
  const receipt = page.locator(`${element} [part~="receipt"]`);
  await receipt.getByText('€330.00').first().waitFor();
  await receipt.getByText('4242').first().waitFor();
}
