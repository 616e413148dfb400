// `innkeep dev`, `listen`, `trigger` and `clock`: what they write, what they serve, and what they hand on. How they start and end
// as processes is in dev-processes.test.ts.
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { createCheckout } from '@innkeep/core/checkout';
import { createMerchantClient } from '@innkeep/core/merchant';
import { verifyWebhook } from '@innkeep/core/webhooks';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { askProxy } from '../support/ask-proxy.ts';
import { payOnHostedPage, visit } from '../support/form-guest.ts';
import { type HttpServer, serveHttp } from '../support/serve-http.ts';
import {
  cleanUp,
  makeFolder,
  processesOf,
  type Running,
  siteVariables,
  startDev,
  startInnkeep,
  untilNoneLeft,
  WAIT_LIMIT_MS,
} from './dev-process.ts';
import { ended, runInnkeep } from './run-innkeep.ts';

vi.setConfig({ testTimeout: 4 * WAIT_LIMIT_MS, hookTimeout: 2 * WAIT_LIMIT_MS });

const servers: HttpServer[] = [];

afterAll(async () => {
  await cleanUp();
  for (const server of servers) server.close();
});

const clientOf = (folder: string) => {
  const { INNKEEP_ENDPOINT = '', INNKEEP_SECRET_KEY = '' } = siteVariables(folder);
  return createMerchantClient({ endpoint: INNKEEP_ENDPOINT, secretKey: INNKEEP_SECRET_KEY });
};
const PAYMENT = { kind: 'payment', amount: { value: 12_000, currency: 'EUR' }, reference: 'RES-1234' } as const;

/** A webhook as it arrived. */
interface Received {
  readonly headers: Record<string, string>;
  readonly body: Buffer;
  /** What is in it. */
  readonly event: {
    readonly type: string;
    readonly seq: number;
    readonly data: { readonly object: { readonly id: string } };
  };
}

/** A site’s webhook route: keeps what arrives, and answers as it is told. */
async function webhookRoute() {
  const route = { url: '', status: 204, received: [] as Received[] };
  const server = await serveHttp(async (request, response) => {
    const body = await buffer(request);
    const event = JSON.parse(body.toString()) as Received['event'];
    route.received.push({ headers: request.headers as Record<string, string>, body, event });
    response.writeHead(route.status).end();
  });
  servers.push(server);
  route.url = `${server.url}/hooks`;
  return route;
}

/** Makes a session and ends it: the quickest way to an event. */
async function expiredSession(folder: string): Promise<string> {
  const client = clientOf(folder);
  const { id } = await client.checkoutSessions.create(PAYMENT);
  await client.checkoutSessions.expire(id);
  return id;
}

describe('innkeep dev', () => {
  let folder: string;
  let dev: Running;
  let site: Awaited<ReturnType<typeof webhookRoute>>;

  beforeAll(async () => {
    folder = await makeFolder();
    site = await webhookRoute();
    await writeFile(join(folder, '.env.local'), 'DATABASE=here\nSITE_URL=http://old.test\n');
    await writeFile(join(folder, '.gitignore'), 'node_modules');
    dev = await startDev(folder, '--forward-to', site.url, '--name', 'Hotel Fjord');
  });

  it('writes the site’s settings for its owner alone, beside the lines that are there', async () => {
    expect((await stat(join(folder, '.env.local'))).mode & 0o777).toBe(0o600);
    expect((await stat(join(folder, '.innkeep'))).mode & 0o777).toBe(0o700);
    expect(await readFile(join(folder, '.innkeep/.gitignore'), 'utf8')).toBe('*\n');
    expect(await readFile(join(folder, '.gitignore'), 'utf8')).toBe('node_modules\n.env.local\n');
    const { DATABASE, SITE_URL, INNKEEP_ENDPOINT, INNKEEP_SECRET_KEY, INNKEEP_WEBHOOK_SECRET } = siteVariables(folder);
    expect([DATABASE, SITE_URL]).toEqual(['here', 'http://127.0.0.1:3000']);
    for (const text of [`ready ${INNKEEP_ENDPOINT}`, `${INNKEEP_ENDPOINT}/openapi.json`])
      expect(dev.output()).toContain(text);
    expect(INNKEEP_SECRET_KEY).toMatch(/^sk_test_/);
    for (const secret of [INNKEEP_SECRET_KEY, INNKEEP_WEBHOOK_SECRET]) expect(dev.output()).not.toContain(secret);
    expect(dev.output()).toContain('4242 4242 4242 4242');
  });

  it('takes pages of this machine and its network on any port, under the hotel’s name that was given, and says which it refused', async () => {
    const { INNKEEP_ENDPOINT } = siteVariables(folder);
    const { clientSecret } = await clientOf(folder).checkoutSessions.create({
      ...PAYMENT,
      returnUrl: 'http://aurora.localhost:5173/paid',
    });
    const look = (origin: string) =>
      fetch(`${INNKEEP_ENDPOINT}/v1/checkout`, { headers: { authorization: `Bearer ${clientSecret}`, origin } });
    for (const origin of ['http://localhost:5173', 'http://127.0.0.1:1', 'http://192.168.1.20:3000']) {
      const answer = await look(origin);
      expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([200, origin]);
    }
    expect(await (await look('http://localhost:5173')).json()).toMatchObject({ hotelName: 'Hotel Fjord' });
    expect((await look('https://elsewhere.example')).status).toBe(403);
    await dev.until(/proxy: GET .* 403 forbidden .*https:\/\/elsewhere\.example/);
  });

  it('opens a desk for a page of the site, which may then ask', async () => {
    const { INNKEEP_ENDPOINT: endpoint = '', SITE_URL: origin = '' } = siteVariables(folder);
    const secretKey = (await readFile(join(folder, '.innkeep/staff.key'), 'utf8')).trim();
    const { clientSecret } = await createMerchantClient({ endpoint, secretKey }).deskSessions.create({
      person: { id: 'emp-42' },
      origin,
      features: ['read'],
    });
    const headers = { authorization: `Bearer ${clientSecret}`, origin };
    const answer = await fetch(`${endpoint}/v1/desk`, { headers });
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([200, origin]);
  });

  it('gives the site a key that can neither charge, refund nor settle', async () => {
    const { INNKEEP_ENDPOINT, INNKEEP_SECRET_KEY } = siteVariables(folder);
    const { id } = await clientOf(folder).checkoutSessions.create(PAYMENT);
    const evidence = { status: 'succeeded', evidence: 'none', transactionId: 'T-1' };
    for (const [path, body] of [
      [`/v1/checkout-sessions/${id}/resolve`, evidence],
      ['/v1/charges', {}],
      ['/v1/reversals', { payment: id }],
    ] as const) {
      const answer = await askProxy(`${INNKEEP_ENDPOINT}${path}`, INNKEEP_SECRET_KEY ?? '', { body });
      expect([path, answer.status]).toEqual([path, 403]);
    }
  });

  it('serves a folder once, and says so in one line', async () => {
    const second = startInnkeep(['dev'], folder);
    expect(await second.ended).toBe(1);
    expect(second.output()).toMatch(/^innkeep dev runs in this folder already \(process \d+\); .+\n$/);
    expect((await clientOf(folder).checkoutSessions.list()).object).toBe('list');
  });

  it('shows webhooks in one line, and hands them to the site as they are', async () => {
    const id = await expiredSession(folder);
    await dev.until(new RegExp(`checkout\\.expired +${id} +120\\.00 EUR +RES-1234 +→ 204 in \\d+ ms`));
    const [first] = site.received;
    const secret = siteVariables(folder).INNKEEP_WEBHOOK_SECRET ?? '';
    const event = await verifyWebhook(first?.body ?? '', first?.headers ?? {}, secret);
    expect(event).toMatchObject({ type: 'checkout.expired', data: { object: { id } } });
  });

  it('says that events wait for a site that has refused several, and sends them all when one is triggered', async () => {
    site.status = 500;
    for (let n = 0; n < 5; n++) await expiredSession(folder);
    await dev.until('proxy: events wait now, since your site refused several.');
    Object.assign(site, { status: 204, received: [] });
    const { stdout } = await runInnkeep(['trigger', 'checkout.expired', '--json'], { cwd: folder });
    const { seq } = JSON.parse(stdout) as { seq: number };
    const arrived = () => new Set(site.received.map(({ event }) => event.seq));
    const six = new Set(Array.from({ length: 6 }, (_, n) => seq - n));
    await vi.waitFor(() => expect(arrived()).toEqual(six), { timeout: WAIT_LIMIT_MS, interval: 200 });
  });

  it('makes every event that innkeep trigger lists really happen, and innkeep listen shows each', async () => {
    const other = await webhookRoute();
    const listen = startInnkeep(['listen', '--forward-to', other.url], folder);
    await listen.until('Listening to');
    const { stdout } = await runInnkeep(['trigger', '--json'], { cwd: folder });
    const types = JSON.parse(stdout) as string[];
    expect(types).toContain('checkout.succeeded');
    // Mostly waiting, so side by side, but for charges and for reversals: a scenario is chosen for the next call of its operation.
    const ofKind = (kind: string): string[] => types.filter((type) => type.startsWith(`${kind}.`));
    const groups = [...ofKind('checkout').map((type) => [type]), ofKind('charge'), ofKind('reversal')];
    expect(groups.flat().sort()).toEqual([...types].sort());
    const triggerAll = async (group: readonly string[]): Promise<void> => {
      for (const type of group) {
        const words = ['trigger', type, '--reference', 'RES-77', '--amount', '330.00', 'EUR'];
        const trigger = await runInnkeep(words, { cwd: folder });
        expect([type, trigger.exitCode, trigger.stdout]).toEqual([type, 0, expect.stringMatching(/_[0-9A-Z]{26}/)]);
        await listen.until(new RegExp(`${type.replace('.', '\\.')} .*→ 204`));
      }
    };
    await Promise.all(groups.map(triggerAll));
    const secret = siteVariables(folder).INNKEEP_WEBHOOK_SECRET ?? '';
    for (const { body, headers } of other.received) await verifyWebhook(body, headers, secret);
    expect(await listen.stop()).toBe(0);
  });

  it('names all events for one that there is not, and what to start when nothing runs', async () => {
    const idle = await makeFolder();
    for (const [type, exitCode, text] of [
      ['checkout.suceeded', 2, 'Events: checkout.succeeded, '],
      ['webhook_endpoint.removed', 2, 'cannot be triggered: it comes when'],
      ['checkout.succeeded', 1, 'innkeep dev'],
    ] as const) {
      const run = await runInnkeep(['trigger', type], { cwd: idle });
      expect([run.exitCode, run.stderr]).toEqual([exitCode, expect.stringContaining(text)]);
    }
  });

  it('is told to start with --clock by innkeep clock, in words', async () => {
    expect(await runInnkeep(['clock', '+1h'], { cwd: folder })).toMatchObject(ended(1, 'innkeep dev --clock'));
    for (const step of ['1x', '-1h', '+0h', '+2000d']) {
      const wrong = await runInnkeep(['clock', '--', step], { cwd: folder });
      expect([step, wrong.exitCode, wrong.stderr]).toEqual([step, 2, expect.stringContaining('+1h')]);
    }
  });

  it('goes on where it stopped: the same keys, addresses and sessions', async () => {
    const variables = siteVariables(folder);
    const { id, clientSecret } = await clientOf(folder).checkoutSessions.create(PAYMENT);
    const checkout = createCheckout({ endpoint: variables.INNKEEP_ENDPOINT ?? '', clientSecret });
    const { viewUrl } = await checkout.start({ presentation: 'redirect', terms: 1 });
    expect(await dev.stop()).toBe(0);
    dev = await startDev(folder);
    expect(siteVariables(folder)).toEqual(variables);
    await payOnHostedPage(await visit(viewUrl));
    await vi.waitFor(
      async () => expect((await clientOf(folder).checkoutSessions.refresh(id)).status).toBe('succeeded'),
      { timeout: WAIT_LIMIT_MS, interval: 200 },
    );
  });

  it('ends cleanly, and goes on until then, although its folder was deleted meanwhile', async () => {
    const client = clientOf(folder);
    const { INNKEEP_ENDPOINT } = siteVariables(folder);
    await rm(join(folder, '.innkeep'), { recursive: true });
    // The sandbox is asked, and tries to save what it did.
    const sandbox = /Sandbox +(http:\/\/127\.0\.0\.1:\d+)/.exec(dev.output())?.[1];
    await fetch(`${sandbox}/__sandbox/ledger`);
    await dev.until('The sandbox could not be saved');
    await fetch(`${sandbox}/__sandbox/ledger`);
    expect((await fetch(`${INNKEEP_ENDPOINT}/healthz`)).ok).toBe(true);
    await client.checkoutSessions.list().catch(() => undefined);
    expect(await dev.stop()).toBe(0);
    await untilNoneLeft(folder);
  });
});

describe('another innkeep dev', () => {
  it('never replaces a live key', async () => {
    const folder = await makeFolder();
    const text = `INNKEEP_SECRET_KEY=sk_${'live'}_of_the_hotel\n`;
    await writeFile(join(folder, '.env.local'), text);
    const dev = startInnkeep(['dev'], folder);
    expect(await dev.ended).toBe(2);
    expect(dev.output()).toContain('live merchant key');
    expect(await readFile(join(folder, '.env.local'), 'utf8')).toBe(text);
    expect(processesOf(folder)).toEqual([]);
  });

  it('in another folder has servers, a hotel and a site of its own, without being told their ports', async () => {
    const folders = [await makeFolder(), await makeFolder()];
    // Long enough for the other start to look for a port as well.
    const idle = ['--', process.execPath, '-e', 'setInterval(() => {}, 1000)'];
    const both = await Promise.all(folders.map((folder) => startDev(folder, ...idle)));
    const [one, other] = folders.map(siteVariables);
    expect(one?.INNKEEP_ENDPOINT).not.toBe(other?.INNKEEP_ENDPOINT);
    expect(one?.SITE_URL).not.toBe(other?.SITE_URL);
    for (const folder of folders) {
      await clientOf(folder).checkoutSessions.create(PAYMENT);
      await vi.waitFor(async () => expect((await clientOf(folder).checkoutSessions.list()).data).toHaveLength(1), {
        timeout: WAIT_LIMIT_MS,
      });
    }
    for (const dev of both) expect(await dev.stop()).toBe(0);
  });

  it('says in one line that a command cannot be started, or that its port is taken', async () => {
    const folder = await makeFolder();
    const missing = startInnkeep(['dev', '--', 'no-such-command-here'], folder);
    expect(await missing.ended).toBe(2);
    expect(missing.output()).toContain('no-such-command-here cannot be started (ENOENT)');
    const { port } = new URL((await webhookRoute()).url);
    const taken = startInnkeep(['dev', '--port', port, '--', process.execPath, '-e', '1'], folder);
    expect(await taken.ended).toBe(2);
    expect(taken.output()).toContain(`Port ${port} is in use`);
    await untilNoneLeft(folder);
  });
});

it('innkeep dev --data leaves a folder alone that has something else in it', async () => {
  const folder = await makeFolder();
  const files = { '.gitignore': 'node_modules\n', 'proxy.env': 'SEALING_KEYS=kept\n' };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  const { mode } = await stat(folder);
  expect(await runInnkeep(['dev', '--data', '.'], { cwd: folder })).toMatchObject(ended(2, 'has other files in it'));
  for (const [name, text] of Object.entries(files)) expect(await readFile(join(folder, name), 'utf8')).toBe(text);
  expect((await stat(folder)).mode).toBe(mode);
}, 30_000);

describe('innkeep dev --clock, with its data elsewhere', () => {
  const DATA = ['--data', 'my data'];
  let folder: string;
  let dev: Running;
  let site: Awaited<ReturnType<typeof webhookRoute>>;

  beforeAll(async () => {
    folder = await makeFolder();
    site = await webhookRoute();
    dev = await startDev(folder, ...DATA, '--clock', '--forward-to', site.url);
  });

  const innkeep = (...words: readonly string[]) => runInnkeep([...words, ...DATA], { cwd: folder });

  it('is found by trigger, clock and listen with the same --data, and named where it is not', async () => {
    expect(await runInnkeep(['clock'], { cwd: folder })).toMatchObject(ended(1, 'add the same --data'));
    expect(await runInnkeep(['clock', '--data', 'other data'], { cwd: folder })).toMatchObject(
      ended(1, "innkeep dev --data 'other data'"),
    );
    const listen = startInnkeep(['listen', ...DATA], folder);
    await listen.until(`Listening to ${siteVariables(folder).INNKEEP_ENDPOINT}`);
    expect((await innkeep('trigger', 'checkout.expired', '--reference', 'R-9')).exitCode).toBe(0);
    await listen.until(/checkout\.expired .*R-9/);
    expect(await listen.stop()).toBe(0);
  });

  it('says what to look at when the site refuses a webhook, which comes again', async () => {
    site.status = 401;
    const id = await expiredSession(folder);
    const arrived = () => site.received.filter(({ event }) => event.data.object.id === id).map(({ body }) => body);
    await dev.until(/→ 401 in \d+ ms: does your site check with INNKEEP_WEBHOOK_SECRET/);
    site.status = 204;
    expect((await innkeep('clock', '+1m')).exitCode).toBe(0);
    await vi.waitFor(() => expect(arrived().length).toBeGreaterThan(1), { timeout: WAIT_LIMIT_MS, interval: 200 });
    expect(arrived()[1]).toEqual(arrived()[0]);
  });

  it('lets innkeep clock move the time of proxy and payment service, which stays moved', async () => {
    const { id, createdAt } = await clientOf(folder).checkoutSessions.create(PAYMENT);
    const { exitCode, stdout, stderr } = await innkeep('clock', '+1d2h', '--json');
    expect([exitCode, stderr]).toEqual([0, '']);
    const { now } = JSON.parse(stdout) as { now: string };
    expect(Date.parse(now)).toBeGreaterThan(Date.parse(createdAt) + 26 * 3_600_000 - 1);
    await dev.until(new RegExp(`checkout\\.expired +${id}.* → 204`));
    // The site's own time is the real one, and its check refuses what is not of now.
    const secret = siteVariables(folder).INNKEEP_WEBHOOK_SECRET ?? '';
    const expired = site.received.find(({ event }) => event.data.object.id === id);
    expect(await verifyWebhook(expired?.body ?? '', expired?.headers ?? {}, secret)).toMatchObject({
      type: 'checkout.expired',
    });
    // The payment service has the same time: a payment of now ends well.
    const trigger = await innkeep('trigger', 'checkout.succeeded', '--json');
    expect(Date.parse((JSON.parse(trigger.stdout) as { timestamp: string }).timestamp)).toBeGreaterThan(
      Date.parse(now) - 1,
    );
    expect(await dev.stop()).toBe(0);

    const again = await startDev(folder, ...DATA);
    expect(again.output()).toContain('innkeep clock');
    const later = await clientOf(folder).checkoutSessions.create(PAYMENT);
    expect(Date.parse(later.createdAt)).toBeGreaterThan(Date.parse(now));
  });
});
