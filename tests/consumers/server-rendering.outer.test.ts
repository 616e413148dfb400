// Sites that render on a server: every event arrives, the console stays clean, and the guest pays at the real proxy and the sandbox.
// The site whose elements are the farthest when React comes is opened in all three engines; the others differ in what renders them.
import { type ChildProcess, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { createCheckout } from '@innkeep/core/checkout';
import { createMerchantClient, type MerchantClient } from '@innkeep/core/merchant';
import { type RunningProxy, serveProxy } from '@innkeep/edge-proxy/serve';
import { createSandbox, type Sandbox, type ServedSandbox, serveSandbox } from '@innkeep/sandbox';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { demoProperty, makeDemoSecrets } from '../../scripts/demo-property.ts';
import { findFirefox, findWebKit } from '../../scripts/engines.ts';
import { freePort } from '../../scripts/launch.ts';
import { ENGINES, type EngineName, type EnginePage, openEngine } from '../support/engines.ts';
import { makePackedProject, type PackedProject } from '../support/packed-project.ts';
import { binsFrom, installTools, runTool } from '../support/toolbox.ts';
import { BUILDS, FILES, type ServerRenderedSite, SITES, type SiteEnvironment } from './server-rendered.ts';

/** An amount whose payment the upstream records with another amount: the outcome is unknown. */
const RECORDED_WRONGLY = 6618;

/** A newcomer's machine may lack an engine, and a way for us to install it. In CI its absence is a failure. */
const isThere: Readonly<Record<EngineName, boolean>> = {
  Chromium: true,
  Firefox: findFirefox() !== undefined || process.env.CI !== undefined,
  WebKit: findWebKit() !== undefined || process.env.CI !== undefined,
};

interface RunningSite extends ServerRenderedSite {
  readonly url: string;
  readonly process: ChildProcess;
}

/** React 18 has a project of its own, everything else shares one. */
let projects: { readonly 'react-18': PackedProject; readonly other: PackedProject };
let simulator: Sandbox;
let sandbox: ServedSandbox;
let proxy: RunningProxy;
let merchant: MerchantClient;
const sites: RunningSite[] = [];

beforeAll(async () => {
  const tools = await installTools('tests/consumers/tools');
  projects = {
    'react-18': await makePackedProject(['react'], join(tools, 'react-18')),
    other: await makePackedProject(['react'], tools),
  };
  simulator = createSandbox();
  sandbox = await serveSandbox({ port: 0, sandbox: simulator });
  const urls = await Promise.all(SITES.map(async () => `http://127.0.0.1:${await freePort()}`));
  const secrets = { ...makeDemoSecrets(), username: 'demo', password: 'demo-password' };
  await startProxy(secrets, urls);
  merchant = createMerchantClient({ endpoint: proxy.url, secretKey: secrets.merchantKey });
  const sessions = await outcomes();
  for (const [name, files] of Object.entries(FILES)) {
    const inFolder = Object.entries(files).map(([path, text]) => [join(name, path), text]);
    await projectOf(name).write(Object.fromEntries(inFolder));
    const env = name === 'next' ? {} : { NODE_ENV: 'development' };
    for (const command of BUILDS[name] ?? []) await runTool(folderOf(name), command, env);
  }
  for (const [at, site] of SITES.entries()) {
    const env = { SITE_URL: urls[at] ?? '', ENDPOINT: proxy.url, SECRET_KEY: secrets.merchantKey };
    sites.push(start(site, { ...env, SESSIONS: JSON.stringify(sessions) }));
  }
  await Promise.all(sites.map(untilServing));
}, 600_000);

afterAll(async () => {
  for (const { process: child } of sites) end(child);
  await proxy?.close();
  await sandbox?.close();
  for (const project of Object.values(projects ?? {})) await project.remove();
});

for (const name of ENGINES) {
  if (!isThere[name]) test.skip(`${name} is not installed here, so its tests are left out`, () => undefined);
}

describe.each(ENGINES.filter((name) => isThere[name]))('%s', (name) => {
  const opened = [...SITES.entries()].filter(([, { engines }]) => engines.includes(name));
  let page: EnginePage;

  beforeAll(async () => {
    const found = await openEngine(name);
    if (!found)
      throw new Error(`There is no ${name}. Debian: apt-get install chromium firefox-esr webkit2gtk-driver xvfb`);
    page = found;
  }, 120_000);
  afterAll(() => page?.close());

  describe.each(opened.map(([at, site]) => ({ ...site, at })))('$name', ({ at, project }) => {
    const urlOf = (path: string): string => `${sites[at]?.url}${path}`;

    test('asks for the secret inside the click, is paid, and shows the receipt to the guest who returns', async () => {
      await page.goto(urlOf('/'));
      await page.evaluate('sessionStorage.clear()');
      await page.waitFor(`${shadowOf('lazy')}?.querySelector('[part~=button]')`);
      await page.waitFor(`${element('lazy')}.getAttribute('state') === 'idle'`);
      expect(await page.evaluate(`${element('lazy')}.className`)).toBe('wide');
      await page.evaluate(`${shadowOf('lazy')}.querySelector('[part~=button]').click()`);
      await page.waitFor(
        `location.pathname.endsWith('/payment') && document.querySelector('[autocomplete="cc-number"]')`,
      );
      await page.evaluate(PAY);
      await page.waitFor(`location.search.includes('checkout_session=')`);
      await page.waitFor(`${shadowOf('lazy')}?.textContent.includes('Payment complete')`);
      await page.waitFor(`sessionStorage.getItem('seen').includes('pay-completed')`);

      const seen = await seenOn(page);
      expect(seen).toEqual(
        expect.arrayContaining(['lazy pay-beforeopen', 'lazy pay-statechange', 'lazy pay-completed']),
      );
      expect(seen.filter((line) => line === 'lazy pay-completed')).toHaveLength(1);
      const id = String(await page.evaluate(`new URLSearchParams(location.search).get('checkout_session')`));
      expect((await merchant.checkoutSessions.retrieve(id)).status).toBe('succeeded');
      expect(await problemsOn(page)).toEqual([]);
    }, 240_000);

    test.runIf(project === 'next')('renders the bare tag and the link inside it, and defines the element', async () => {
      const html = await (await fetch(urlOf('/plain'))).text();
      expect(html).toMatch(/<pay-widget[^>]*>\s*<a href="\/pay-link">Pay by link<\/a>/);
      await page.goto(urlOf('/plain'));
      await page.waitFor(`customElements.get('pay-widget')`);
      expect(await problemsOn(page)).toEqual([]);
    });

    test('tells its listeners of every other outcome, and the console of nothing but the mistake', async () => {
      await page.goto(urlOf('/outcomes'));
      const expected = [
        'ready pay-ready',
        ...['failed', 'canceled', 'expired', 'unknown'].map((id) => `${id} pay-${id}`),
      ];
      const isTold = `${JSON.stringify(expected)}.every((line) => JSON.parse(sessionStorage.getItem('seen') ?? '[]').includes(line))`;
      await page.waitFor(isTold);
      await page.evaluate(`${shadowOf('broken')}.querySelector('[part~=button]').click()`);
      await page.waitFor(`sessionStorage.getItem('seen').includes('broken pay-error')`);

      const seen = await seenOn(page);
      for (const line of expected) expect(seen.filter((each) => each === line)).toHaveLength(1);
      expect(seen).toEqual(expect.arrayContaining(['broken pay-beforeopen', 'failed pay-statechange']));
      expect(await page.evaluate(`${element('failed')}.getAttribute('state')`)).toBe('failed');
      expect(await problemsOn(page)).toEqual([expect.stringMatching(/^<pay-widget#broken> secret_failed: /)]);
    }, 240_000);
  });
});

function projectOf(name: string): PackedProject {
  return name === 'react-18' ? projects['react-18'] : projects.other;
}

function folderOf(name: string): string {
  return join(projectOf(name).folder, name);
}

const element = (id: string): string => `document.getElementById('${id}')`;
const shadowOf = (id: string): string => `${element(id)}?.shadowRoot`;

/** Fills the hosted page in and pays, by the standard autofill names. */
const PAY = `(() => {
  const card = { 'cc-number': '4242424242424242', 'cc-exp': '12/30', 'cc-csc': '123', 'cc-name': 'Ada Lovelace' };
  for (const [name, value] of Object.entries(card)) document.querySelector('[autocomplete="' + name + '"]').value = value;
  const form = document.querySelector('[autocomplete="cc-number"]').form;
  setTimeout(() => form.querySelector('button:not([formnovalidate])').click());
})()`;

/** Lit's development build says on every page that it is one. */
async function problemsOn(page: EnginePage): Promise<string[]> {
  return (await page.problems()).filter((line) => !line.startsWith('Lit is in dev mode'));
}

async function seenOn(page: EnginePage): Promise<string[]> {
  const seen = await page.evaluate(`sessionStorage.getItem('seen')`);
  await page.evaluate(`sessionStorage.removeItem('seen')`);
  // Written by the site.
  return JSON.parse(String(seen ?? '[]')) as string[];
}

async function startProxy(secrets: Parameters<typeof demoProperty>[0]['secrets'], origins: string[]): Promise<void> {
  const port = await freePort();
  const property = {
    ...demoProperty({ secrets, demoUrl: '', upstreamUrl: sandbox.url }),
    origins,
    webhooks: [],
    gateway: undefined,
  };
  const { folder } = projects.other;
  const envFile = join(folder, 'proxy.env');
  writeFileSync(envFile, `PUBLIC_URL=http://127.0.0.1:${port}\nPROPERTY_AURORA='${JSON.stringify(property)}'\n`);
  proxy = await serveProxy({ port, envFile, dataDir: join(folder, 'storage'), moto: true });
}

/** One session in every state that a page can come upon, with its client secret. */
async function outcomes(): Promise<Record<string, string>> {
  const create = async (value: number): Promise<{ id: string; clientSecret: string }> => {
    const amount = { value, currency: 'EUR' };
    const { id, clientSecret = '' } = await merchant.checkoutSessions.create({
      kind: 'payment',
      amount,
      reference: 'RES-1',
    });
    return { id, clientSecret };
  };
  const finish = async (
    status: string,
    value: number,
    leave: (viewUrl: string) => Promise<unknown>,
  ): Promise<string> => {
    const { id, clientSecret } = await create(value);
    const { viewUrl = '' } = await createCheckout({ endpoint: proxy.url, clientSecret }).start({
      presentation: 'redirect',
      terms: 1,
    });
    await leave(viewUrl);
    await vi.waitFor(async () => expect((await merchant.checkoutSessions.retrieve(id)).status).toBe(status), {
      timeout: 30_000,
      interval: 200,
    });
    return clientSecret;
  };
  const settle = (outcome: 'paid' | 'error') => async () => {
    const { requestID = '' } = simulator.control.ledger().hosted.at(-1) ?? {};
    await simulator.control.complete({ requestID, outcome });
  };
  // A guest who turns back there is sent on to the proxy.
  const turnBack = (viewUrl: string) =>
    fetch(viewUrl, { method: 'POST', body: new URLSearchParams({ action: 'cancel' }) });
  const expired = await create(12_000);
  await merchant.checkoutSessions.expire(expired.id);
  return {
    ready: (await create(12_000)).clientSecret,
    failed: await finish('open', 12_000, settle('error')),
    canceled: await finish('open', 12_000, turnBack),
    expired: expired.clientSecret,
    unknown: await finish('unknown', RECORDED_WRONGLY, settle('paid')),
  };
}

function start(site: ServerRenderedSite, env: SiteEnvironment): RunningSite {
  const cwd = folderOf(site.project);
  const [tool = '', ...options] = site.start(Number(new URL(env.SITE_URL).port));
  const child = spawn(tool, options, {
    cwd,
    // A group of its own: what it starts ends with it.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      ...env,
      NODE_ENV: tool === 'node' ? 'development' : undefined,
      NEXT_TELEMETRY_DISABLED: '1',
      PATH: [dirname(process.execPath), ...binsFrom(cwd), process.env.PATH].join(delimiter),
    },
  });
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => console.log(`${site.name}: ${text}`));
  return { ...site, url: env.SITE_URL, process: child };
}

/** Both pages: a development server builds each when it is first asked for. */
async function untilServing({ name, url, process: child }: RunningSite): Promise<void> {
  const giveUpAt = Date.now() + 180_000;
  for (const path of ['/', '/outcomes', '/checkout']) {
    const method = path === '/checkout' ? 'POST' : 'GET';
    while (!(await fetch(url + path, { method }).catch(() => undefined))?.ok) {
      if (child.exitCode !== null || Date.now() > giveUpAt) throw new Error(`${name} does not serve ${path}.`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

function end({ pid, exitCode }: ChildProcess): void {
  if (pid === undefined || exitCode !== null) return;
  try {
    process.kill(-pid, 'SIGTERM');
  } catch {
    // Nobody of the group is left.
  }
}
