// `innkeep dev`, `listen` and `trigger` as real processes: what they write, what they serve, and that nothing stays behind.
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, get, type Server } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { createCheckout } from '@innkeep/core/checkout';
import { createMerchantClient } from '@innkeep/core/merchant';
import { verifyWebhook } from '@innkeep/core/webhooks';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { freePort } from '../../scripts/launch.ts';
import {
  cleanUp,
  makeFolder,
  PATIENCE_MS,
  processesOf,
  siteVariables,
  start,
  startDev,
  startInnkeep,
  untilNoneLeft,
} from './dev-process.ts';
import { INNKEEP_BIN, runInnkeep } from './run-innkeep.ts';

vi.setConfig({ testTimeout: 4 * PATIENCE_MS, hookTimeout: 2 * PATIENCE_MS });

const servers = new Set<Server>();

afterEach(async () => {
  for (const server of servers) server.close();
  servers.clear();
  await cleanUp();
});

const clientOf = (folder: string) => {
  const { INNKEEP_ENDPOINT = '', INNKEEP_SECRET_KEY = '' } = siteVariables(folder);
  return createMerchantClient({ endpoint: INNKEEP_ENDPOINT, secretKey: INNKEEP_SECRET_KEY });
};
const PAYMENT = { kind: 'payment', amount: { value: 12_000, currency: 'EUR' }, reference: 'RES-1234' } as const;

/** A site’s webhook route; keeps what arrives. */
async function webhookRoute(status = 204) {
  const received: { headers: Record<string, string>; body: Buffer }[] = [];
  const server = createServer(async (request, response) => {
    received.push({ headers: request.headers as Record<string, string>, body: await buffer(request) });
    response.writeHead(status).end();
  });
  servers.add(server);
  const port = await freePort();
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done));
  return { url: `http://127.0.0.1:${port}/hooks`, received };
}

/** A site’s server as a file: writes its settings down, and has a child of its own. */
async function writeSite(folder: string, end = ''): Promise<string> {
  const file = join(folder, 'site.mjs');
  await writeFile(
    file,
    `import { spawn } from 'node:child_process';
     import { createServer } from 'node:http';
     const { PORT, SITE_URL, INNKEEP_ENDPOINT, INNKEEP_SECRET_KEY, INNKEEP_WEBHOOK_SECRET } = process.env;
     spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', ${JSON.stringify(folder)}], { stdio: 'ignore' });
     createServer((request, response) => response.end(JSON.stringify({ SITE_URL, INNKEEP_ENDPOINT, INNKEEP_SECRET_KEY, INNKEEP_WEBHOOK_SECRET })))
       .listen(Number(PORT), '127.0.0.1', () => { console.log('site is up at ' + SITE_URL); ${end} });`,
  );
  return file;
}

describe('innkeep dev', () => {
  it('writes the site’s settings for its owner alone, beside the lines that are there', async () => {
    const folder = await makeFolder();
    await writeFile(join(folder, '.env.local'), 'DATABASE=here\nSITE_URL=http://old.test\n');
    await writeFile(join(folder, '.gitignore'), 'node_modules');
    const dev = await startDev(folder);
    expect((await stat(join(folder, '.env.local'))).mode & 0o777).toBe(0o600);
    expect((await stat(join(folder, '.innkeep'))).mode & 0o777).toBe(0o700);
    expect(await readFile(join(folder, '.innkeep/.gitignore'), 'utf8')).toBe('*\n');
    expect(await readFile(join(folder, '.gitignore'), 'utf8')).toBe('node_modules\n.env.local\n');
    const { DATABASE, SITE_URL, INNKEEP_ENDPOINT, INNKEEP_SECRET_KEY, INNKEEP_WEBHOOK_SECRET } = siteVariables(folder);
    expect([DATABASE, SITE_URL]).toEqual(['here', 'http://127.0.0.1:3000']);
    expect(dev.output()).toContain(`ready ${INNKEEP_ENDPOINT}`);
    expect(INNKEEP_SECRET_KEY).toMatch(/^sk_test_/);
    for (const secret of [INNKEEP_SECRET_KEY, INNKEEP_WEBHOOK_SECRET]) expect(dev.output()).not.toContain(secret);
    expect(dev.output()).toContain('4242 4242 4242 4242');
  });

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

  it('takes pages of this machine and its network on any port, and says which it refused', async () => {
    const folder = await makeFolder();
    const dev = await startDev(folder);
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
    expect((await look('https://elsewhere.example')).status).toBe(403);
    await dev.until(/proxy: GET .* 403 forbidden .*https:\/\/elsewhere\.example/);
  });

  it('goes on where it stopped: the same keys, addresses and sessions', async () => {
    const folder = await makeFolder();
    const first = await startDev(folder);
    const variables = siteVariables(folder);
    const { id, clientSecret = '' } = await clientOf(folder).checkoutSessions.create(PAYMENT);
    const started = await fetch(`${variables.INNKEEP_ENDPOINT}/v1/checkout/start`, {
      method: 'POST',
      headers: { authorization: `Bearer ${clientSecret}`, 'content-type': 'application/json' },
      body: JSON.stringify({ presentation: 'redirect' }),
    });
    const { viewUrl } = (await started.json()) as { viewUrl: string };
    expect(await first.stop()).toBe(0);
    await startDev(folder);
    expect(siteVariables(folder)).toEqual(variables);
    const form = { action: 'pay', cardNumber: '4242424242424242', expiry: '12/39', cvc: '123' };
    const paid = await fetch(viewUrl, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' });
    expect(paid.status).toBe(303);
    await vi.waitFor(
      async () => expect((await clientOf(folder).checkoutSessions.refresh(id)).status).toBe('succeeded'),
      { timeout: PATIENCE_MS, interval: 200 },
    );
  });

  it('serves a folder once, and says so in one line', async () => {
    const folder = await makeFolder();
    const first = await startDev(folder);
    const second = startInnkeep(['dev'], folder);
    expect(await second.ended).toBe(1);
    expect(second.output()).toMatch(/^innkeep dev runs in this folder already \(process \d+\); .+\n$/);
    expect((await clientOf(folder).checkoutSessions.list()).data).toEqual([]);
    expect(await first.stop()).toBe(0);
  });

  it('starts again after a SIGKILL, which leaves nothing behind, either', async () => {
    const folder = await makeFolder();
    const site = await writeSite(folder);
    const dev = await startDev(folder, '--port', `${await freePort()}`, '--', process.execPath, site);
    await dev.until('site is up');
    expect(await dev.stop('SIGKILL')).toBe('SIGKILL');
    await untilNoneLeft(folder);
    const again = await startDev(folder);
    expect(await again.stop()).toBe(0);
  });

  it('two at once in two folders do not meet', async () => {
    const folders = [await makeFolder(), await makeFolder()];
    await Promise.all(folders.map((folder) => startDev(folder)));
    const [one, other] = folders.map(siteVariables);
    expect(one?.INNKEEP_ENDPOINT).not.toBe(other?.INNKEEP_ENDPOINT);
    for (const folder of folders) {
      await clientOf(folder).checkoutSessions.create(PAYMENT);
      await vi.waitFor(async () => expect((await clientOf(folder).checkoutSessions.list()).data).toHaveLength(1), {
        timeout: PATIENCE_MS,
      });
    }
  });

  it.each(['Ctrl-C', 'SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    '%s ends everything, the site’s children included',
    async (signal) => {
      const folder = await makeFolder();
      const site = await writeSite(folder);
      const dev = await startDev(folder, '--port', `${await freePort()}`, '--', process.execPath, site);
      await dev.until('site is up');
      expect(processesOf(folder).length).toBeGreaterThanOrEqual(4);
      expect(await (signal === 'Ctrl-C' ? dev.pressCtrlC() : dev.stop(signal))).toBe(0);
      await untilNoneLeft(folder);
    },
  );

  it.each(['Ctrl-C', 'SIGTERM', 'SIGKILL'] as const)('ends with the npm that began it, by %s', async (signal) => {
    const folder = await makeFolder();
    await writeSite(folder);
    const dev = `"${process.execPath}" "${INNKEEP_BIN}" dev --port ${await freePort()} -- "${process.execPath}" "${join(folder, 'site.mjs')}"`;
    await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, scripts: { dev } }));
    const npm = start('npm', ['run', 'dev'], { cwd: folder, env: { npm_config_update_notifier: 'false' } });
    await npm.until('site is up');
    await (signal === 'Ctrl-C' ? npm.pressCtrlC() : npm.stop(signal));
    await untilNoneLeft(folder);
  });

  it('gives the site’s command the same settings, and ends with it and its exit code', async () => {
    const folder = await makeFolder();
    const site = await writeSite(
      folder,
      `console.log(JSON.stringify(process.env)); setTimeout(() => process.exit(7), 200)`,
    );
    const dev = await startDev(folder, '--port', `${await freePort()}`, '--', process.execPath, site);
    expect(await dev.ended).toBe(7);
    const printed = JSON.parse(/^\{.*\}$/m.exec(dev.output())?.[0] ?? '{}') as Record<string, string>;
    expect(printed).toMatchObject(siteVariables(folder));
    expect(printed.SITE_URL).toBe(`http://127.0.0.1:${printed.PORT}`);
    await untilNoneLeft(folder);
  });

  it('starts the sites of two folders side by side, without being told their ports', async () => {
    const folders = [await makeFolder(), await makeFolder()];
    // Long enough for the other start to look for a port as well.
    const idle = ['--', process.execPath, '-e', "console.log('site is up'); setInterval(() => {}, 1000)"];
    const both = await Promise.all(folders.map((folder) => startDev(folder, ...idle)));
    const addresses = folders.map((folder) => siteVariables(folder).SITE_URL);
    expect(new Set(addresses).size).toBe(2);
    for (const dev of both) expect(await dev.stop()).toBe(0);
  });

  it('says in one line that a command cannot be started, or that its port is taken', async () => {
    const folder = await makeFolder();
    const missing = startInnkeep(['dev', '--', 'no-such-command-here'], folder);
    expect(await missing.ended).toBe(2);
    expect(missing.output()).toContain('no-such-command-here cannot be started (ENOENT)');
    const { url } = await webhookRoute();
    const { port } = new URL(url);
    const taken = startInnkeep(['dev', '--port', port, '--', process.execPath, '-e', '1'], folder);
    expect(await taken.ended).toBe(2);
    expect(taken.output()).toContain(`Port ${port} is in use`);
    await untilNoneLeft(folder);
  });

  it('ends cleanly, and goes on until then, although its folder was deleted meanwhile', async () => {
    const folder = await makeFolder();
    const dev = await startDev(folder);
    const client = clientOf(folder);
    await rm(join(folder, '.innkeep'), { recursive: true });
    const { INNKEEP_ENDPOINT } = siteVariables(folder);
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

describe('webhooks', () => {
  it('are shown in one line, and handed to the site as they are', async () => {
    const folder = await makeFolder();
    const { url, received } = await webhookRoute();
    const dev = await startDev(folder, '--forward-to', url);
    const client = clientOf(folder);
    const { id } = await client.checkoutSessions.create(PAYMENT);
    await client.checkoutSessions.expire(id);
    await dev.until(new RegExp(`checkout\\.expired +${id} +120\\.00 EUR +RES-1234 +→ 204 in \\d+ ms`));
    const [first] = received;
    const secret = siteVariables(folder).INNKEEP_WEBHOOK_SECRET ?? '';
    const event = await verifyWebhook(first?.body ?? '', first?.headers ?? {}, secret);
    expect(event).toMatchObject({ type: 'checkout.expired', data: { object: { id } } });
  });

  it('that the site refuses say what to look at, and come again', async () => {
    const folder = await makeFolder();
    const { url, received } = await webhookRoute(401);
    const dev = await startDev(folder, '--forward-to', url);
    const client = clientOf(folder);
    const { id } = await client.checkoutSessions.create(PAYMENT);
    await client.checkoutSessions.expire(id);
    await dev.until(/→ 401 in \d+ ms: does your site check with INNKEEP_WEBHOOK_SECRET/);
    await vi.waitFor(() => expect(received.length).toBeGreaterThan(1), { timeout: PATIENCE_MS, interval: 200 });
    expect(received[1]?.body).toEqual(received[0]?.body);
  });
});

describe('innkeep dev --host', () => {
  // Stands for an address in a local network: the machine has it, and nothing else listens there.
  const HOST = '127.0.0.2';

  it('lets a telephone pay: every address that it is given is one it can reach', async () => {
    const folder = await makeFolder();
    const dev = await startDev(folder, '--host', HOST);
    const { SITE_URL = '', INNKEEP_ENDPOINT = '' } = siteVariables(folder);
    expect(SITE_URL).toBe(`http://${HOST}:3000`);
    expect(new URL(INNKEEP_ENDPOINT).hostname).toBe(HOST);
    expect(dev.output()).toMatch(/^ +█{25,}$/m);
    const { id, clientSecret = '' } = await clientOf(folder).checkoutSessions.create({
      ...PAYMENT,
      returnUrl: `${SITE_URL}/paid`,
    });
    const { viewUrl } = await createCheckout({ endpoint: INNKEEP_ENDPOINT, clientSecret }).start({
      presentation: 'redirect',
    });
    expect(new URL(viewUrl).hostname).toBe(HOST);
    const page = await (await fetch(viewUrl)).text();
    expect(page).toContain('cc-number');
    expect(page).not.toContain('127.0.0.1');
    const form = { action: 'pay', cardNumber: '4242424242424242', expiry: '12/39', cvc: '123' };
    const paid = await fetch(viewUrl, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' });
    const back = paid.headers.get('location') ?? '';
    expect(new URL(back).origin).toBe(INNKEEP_ENDPOINT);
    const returned = await fetch(back, { redirect: 'manual' });
    expect(returned.status).toBeLessThan(400);
    expect(`${[...returned.headers]}${await returned.text()}`).not.toContain('127.0.0.1');
    await dev.until(new RegExp(`checkout\\.succeeded +${id}`));
    const link = await clientOf(folder).checkoutSessions.create({ ...PAYMENT, reference: 'RES-2' });
    const { url } = await clientOf(folder).checkoutSessions.createLink(link.id);
    expect(new URL(url).origin).toBe(INNKEEP_ENDPOINT);
    expect(await (await fetch(url)).text()).not.toContain('127.0.0.1');
  });

  it('is not reached by a name that somebody made point here', async () => {
    const folder = await makeFolder();
    await startDev(folder, '--host', HOST);
    const { port } = new URL(siteVariables(folder).INNKEEP_ENDPOINT ?? '');
    const status = await new Promise((done, fail) => {
      const options = { host: HOST, port, path: '/healthz', headers: { host: `evil.test:${port}` } };
      get(options, (answer) => done(answer.resume().statusCode)).once('error', fail);
    });
    expect(status).toBe(403);
  });

  it('refuses an address that is none of a local network', async () => {
    const folder = await makeFolder();
    for (const host of ['203.0.113.7', 'hotel.example']) {
      const dev = startInnkeep(['dev', '--host', host], folder);
      expect([await dev.ended, dev.output()]).toEqual([2, expect.stringContaining('is no address of a local network')]);
    }
  });
});

describe('innkeep dev --clock', () => {
  it('lets innkeep clock move the time of proxy and payment service, which stays moved', async () => {
    const folder = await makeFolder();
    const { url, received } = await webhookRoute();
    const dev = await startDev(folder, '--clock', '--forward-to', url);
    const client = clientOf(folder);
    const { id, createdAt } = await client.checkoutSessions.create(PAYMENT);
    const { exitCode, stdout, stderr } = await runInnkeep(['clock', '+1d2h', '--json'], { cwd: folder });
    expect([exitCode, stderr]).toEqual([0, '']);
    const { now } = JSON.parse(stdout) as { now: string };
    expect(Date.parse(now)).toBeGreaterThan(Date.parse(createdAt) + 26 * 3_600_000 - 1);
    await dev.until(new RegExp(`checkout\\.expired +${id}.* → 204`));
    // The site's own time is the real one, and its check refuses what is not of now.
    const secret = siteVariables(folder).INNKEEP_WEBHOOK_SECRET ?? '';
    const [first] = received;
    expect(await verifyWebhook(first?.body ?? '', first?.headers ?? {}, secret)).toMatchObject({
      type: 'checkout.expired',
    });
    // The payment service has the same time: a payment of now ends well.
    const trigger = await runInnkeep(['trigger', 'checkout.succeeded', '--json'], { cwd: folder });
    expect(Date.parse((JSON.parse(trigger.stdout) as { timestamp: string }).timestamp)).toBeGreaterThan(
      Date.parse(now) - 1,
    );
    expect(await dev.stop()).toBe(0);

    const again = await startDev(folder);
    expect(again.output()).toContain('innkeep clock');
    const later = await clientOf(folder).checkoutSessions.create(PAYMENT);
    expect(Date.parse(later.createdAt)).toBeGreaterThan(Date.parse(now));
  });

  it('is what innkeep clock asks for, in words', async () => {
    const folder = await makeFolder();
    await startDev(folder);
    const still = await runInnkeep(['clock', '+1h'], { cwd: folder });
    expect([still.exitCode, still.stderr]).toEqual([1, expect.stringContaining('innkeep dev --clock')]);
    for (const step of ['1x', '-1h', '+0h', '+2000d']) {
      const wrong = await runInnkeep(['clock', '--', step], { cwd: folder });
      expect([step, wrong.exitCode, wrong.stderr]).toEqual([step, 2, expect.stringContaining('+1h')]);
    }
  });
});

describe('innkeep trigger', () => {
  it('makes every event that it lists really happen, and innkeep listen shows each', async () => {
    const folder = await makeFolder();
    const { url, received } = await webhookRoute();
    await startDev(folder);
    const listen = startInnkeep(['listen', '--forward-to', url], folder);
    await listen.until('Listening to');
    const { stdout } = await runInnkeep(['trigger', '--json'], { cwd: folder });
    const types = JSON.parse(stdout) as string[];
    expect(types).toContain('checkout.succeeded');
    for (const type of types) {
      const trigger = startInnkeep(['trigger', type, '--reference', 'RES-77', '--amount', '330.00', 'EUR'], folder);
      expect([type, await trigger.ended, trigger.output()]).toEqual([type, 0, expect.stringMatching(/_[0-9A-Z]{26}/)]);
      await listen.until(new RegExp(`${type.replace('.', '\\.')} .*→ 204`));
    }
    const secret = siteVariables(folder).INNKEEP_WEBHOOK_SECRET ?? '';
    for (const { body, headers } of received) await verifyWebhook(body, headers, secret);
    expect(await listen.stop('SIGINT')).toBe(0);
  });

  it('names the nearest event for one that there is not, and what to start when nothing runs', async () => {
    const folder = await makeFolder();
    const wrong = await runInnkeep(['trigger', 'checkout.suceeded'], { cwd: folder });
    expect([wrong.exitCode, wrong.stderr]).toEqual([2, expect.stringContaining('Did you mean checkout.succeeded?')]);
    const removed = await runInnkeep(['trigger', 'webhook_endpoint.removed'], { cwd: folder });
    expect([removed.exitCode, removed.stderr]).toEqual([
      2,
      expect.stringContaining('cannot be triggered: it comes when'),
    ]);
    const idle = await runInnkeep(['trigger', 'checkout.succeeded'], { cwd: folder });
    expect([idle.exitCode, idle.stderr]).toEqual([1, expect.stringContaining('innkeep dev')]);
  });
});
