// Setting a hotel up and checking it, against the sandbox and the real proxy.
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { createMerchantClient } from '@innkeep/core/merchant';
import { serveSandbox } from '@innkeep/sandbox';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { serveHttp } from '../support/serve-http.ts';
import { ended, type InnkeepRun, runInnkeep } from './run-innkeep.ts';
import { API_KEY, LOGIN, serveFolder } from './sandbox-hotel.ts';

const SECRETS = { ...LOGIN, INNKEEP_GATEWAY_API_KEY: API_KEY };

const sandbox = await serveSandbox({ port: 0 });
afterAll(() => sandbox.close());

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'innkeep-cli-hotel-'));
  return () => rm(folder, { recursive: true, force: true });
});

function hotelFlags(baseUrl: string = sandbox.url): string[] {
  return [
    ...['--name', 'Hotel Aurora', '--base-url', baseUrl, '--customer-id', '1234', '--hotel-id', '1'],
    ...['--hotel-id-type', 'SANDBOX_PMS', '--user', 'web', '--time-zone', 'Europe/Vienna', '--amount-unit', 'minor'],
    ...['--provider-direct', 'SANDBOX_DIRECT', '--provider-hosted', 'SANDBOX_HOSTED'],
    ...['--origin', 'http://127.0.0.1:4000'],
  ];
}

interface Added {
  readonly merchantKey: { readonly secretKey: string; readonly sha256: string };
  readonly webhooks: readonly { readonly url: string; readonly secret: string }[];
}

const add = (flags: readonly string[] = [], env: Readonly<Record<string, string>> = SECRETS): Promise<InnkeepRun> =>
  runInnkeep(['hotel', 'add', 'aurora', ...hotelFlags(), ...flags], { env, cwd: folder });

async function addHotel(...flags: readonly string[]): Promise<Added> {
  const run = await add([...flags, '--json']);
  expect(run.stderr).not.toContain('"error"');
  expect(run.exitCode).toBe(0);
  return JSON.parse(run.stdout) as Added;
}

/** The property in a file of `.dev.vars` form. */
async function writtenProperty(file = '.dev.vars'): Promise<Record<string, unknown>> {
  const text = await readFile(join(folder, file), 'utf8');
  return JSON.parse(/^PROPERTY_AURORA='(.*)'$/m.exec(text)?.[1] ?? '') as Record<string, unknown>;
}

interface Checked {
  readonly ok: boolean;
  readonly checks: readonly {
    readonly check: string;
    readonly status: string;
    readonly message: string;
    readonly fix?: string;
  }[];
}

/** Runs `hotel check --json`; answers with the exit code and the checks by name. */
async function checkHotel(...flags: readonly string[]) {
  const run = await runInnkeep(['hotel', 'check', 'aurora', ...flags, '--json'], { cwd: folder });
  const { checks } = JSON.parse(run.stdout) as Checked;
  return { exitCode: run.exitCode, of: (name: string) => checks.find(({ check }) => check === name) };
}

async function editProperty(fields: object): Promise<void> {
  const property = { ...(await writtenProperty()), ...fields };
  await writeFile(join(folder, '.dev.vars'), `PROPERTY_AURORA='${JSON.stringify(property)}'\n`);
}

/** The payment service behind another address: with a clock of its own, or as one that takes no chunked body. */
async function relayTo(target: string, options: { readonly date?: string; readonly refusesChunked?: true }) {
  const refused: string[] = [];
  const server = await serveHttp(async (incoming, outgoing) => {
    const { host: _, 'transfer-encoding': encoding, ...headers } = incoming.headers;
    const body = await buffer(incoming);
    if (options.refusesChunked && encoding !== undefined) {
      refused.push(incoming.url ?? '');
      return void outgoing.writeHead(411).end();
    }
    const answer = await fetch(`${target}${incoming.url}`, {
      method: incoming.method ?? 'GET',
      headers: headers as Record<string, string>,
      ...(body.length > 0 && { body }),
    });
    const contentType = answer.headers.get('content-type') ?? '';
    outgoing.writeHead(answer.status, { 'content-type': contentType, ...(options.date && { date: options.date }) });
    outgoing.end(await answer.text());
  });
  return { ...server, refused };
}

describe('innkeep hotel add', () => {
  it('writes settings that hold the hash of the key it shows, and never the key', async () => {
    const { merchantKey, webhooks } = await addHotel('--webhook-url', 'https://hotel.example/hooks');
    expect(merchantKey.secretKey).toMatch(/^sk_test_aurora_[A-Za-z0-9]{43}$/);
    expect(merchantKey.sha256).toBe(createHash('sha256').update(merchantKey.secretKey).digest('hex'));
    expect(webhooks).toEqual([
      { url: 'https://hotel.example/hooks', secret: expect.stringMatching(/^whsec_[\w+/]{43}=$/) },
    ]);
    expect(await writtenProperty()).toMatchObject({
      password: 'demo-password',
      merchantKeys: [{ id: 'default', sha256: merchantKey.sha256, scopes: ['checkout', 'events'] }],
      webhooks,
      gateway: { apiKey: API_KEY, allow: ['RMS/keepalivereq'] },
    });
    expect(await readFile(join(folder, '.dev.vars'), 'utf8')).not.toContain(merchantKey.secretKey);
    if (process.platform !== 'win32') expect((await stat(join(folder, '.dev.vars'))).mode & 0o777).toBe(0o600);
  });

  it('writes into a file that is not there yet, and checks that file', async () => {
    const run = await add(['--env', 'proxy.env']);
    expect(run.stderr).toContain('innkeep hotel check aurora --env proxy.env\n');
    expect(await writtenProperty('proxy.env')).toMatchObject({ displayName: 'Hotel Aurora' });
    expect((await checkHotel('--env', 'proxy.env')).of('settings')?.status).toBe('ok');
  });

  it('replaces the line of the same hotel, keeps the others, and says so', async () => {
    await writeFile(join(folder, '.dev.vars'), `PUBLIC_URL=http://127.0.0.1:8787\nPROPERTY_AURORA='{"old":true}'\n`);
    expect(await add()).toMatchObject(ended(0, 'PROPERTY_AURORA was replaced'));
    const text = await readFile(join(folder, '.dev.vars'), 'utf8');
    expect(text.match(/^[A-Z_]+/gm)).toEqual(['PUBLIC_URL', 'SEALING_KEYS', 'PROPERTY_AURORA']);
    expect(text).not.toContain('old');
    await runInnkeep(['hotel', 'add', 'borealis', ...hotelFlags()], { env: SECRETS, cwd: folder });
    const sealingKeys = (file: string): string[] => file.match(/^SEALING_KEYS=.*$/gm) ?? [];
    expect(sealingKeys(await readFile(join(folder, '.dev.vars'), 'utf8'))).toEqual(sealingKeys(text));
  });

  it('writes nothing into a file with a line that it cannot read, and names the line', async () => {
    const text = 'PUBLIC_URL=http://127.0.0.1:8787\nPROPERTY_B=\'{"displayName":"L\'Auberge"}\'\n';
    await writeFile(join(folder, '.dev.vars'), text);
    const run = await add();
    expect(run).toMatchObject({ ...ended(2, '.dev.vars: line 2 is not NAME=value'), stdout: '' });
    expect(run.stderr).not.toContain('Auberge');
    expect(await readFile(join(folder, '.dev.vars'), 'utf8')).toBe(text);
  });

  it('takes the fields as JSON from standard input', async () => {
    const base = await addHotel();
    const { merchantKeys, ...fields } = await writtenProperty();
    const words = ['hotel', 'add', 'aurora', '--from', '-', '--live', '--origin', 'https://hotel.example', '--json'];
    const live = {
      ...{ baseUrl: 'https://pay.invalid', providerDirect: 'DIRECT', providerHosted: 'HOSTED' },
      webhooks: [{ url: 'https://hotel.example/hooks' }],
    };
    const input = JSON.stringify({ ...fields, ...live });
    const run = await runInnkeep([...words, '--no-login-check'], { cwd: folder, input });
    expect(run.exitCode).toBe(0);
    const { merchantKey } = JSON.parse(run.stdout) as Added;
    expect(merchantKey.secretKey).toMatch(/^sk_live_/);
    expect(merchantKey.sha256).not.toBe(base.merchantKey.sha256);
    expect(await writtenProperty()).toMatchObject({ livemode: true, origins: ['https://hotel.example'] });
  });

  it('prints the command that deploys the value from standard input', async () => {
    const run = await add(['--deploy', '--json']);
    const { deploy, file } = JSON.parse(run.stdout) as { deploy: string; file: string };
    expect(deploy).toBe('npx wrangler secret put PROPERTY_AURORA < PROPERTY_AURORA.json && rm PROPERTY_AURORA.json');
    expect(JSON.parse(await readFile(join(folder, file), 'utf8'))).toMatchObject({ displayName: 'Hotel Aurora' });
    await expect(stat(join(folder, '.dev.vars'))).rejects.toThrow('ENOENT');
    const again = await add(['--deploy']);
    expect(again.stderr).toContain('PROPERTY_AURORA was replaced');
    expect(again.stderr).toContain('Keep a copy in your password manager');
  });

  it('writes the value for the deployment where it is told to', async () => {
    const run = await add(['--out', 'my value.json']);
    expect(run.stdout).toContain("npx wrangler secret put PROPERTY_AURORA < 'my value.json' && rm 'my value.json'");
    if (process.platform !== 'win32') expect((await stat(join(folder, 'my value.json'))).mode & 0o777).toBe(0o600);
    const check = await runInnkeep(['hotel', 'check', 'aurora', '--value-file', 'my value.json'], { cwd: folder });
    expect([check.exitCode, check.stdout]).toEqual([0, expect.stringMatching(/^ok +login /m)]);
  });

  it('writes nothing when the login is refused, and says what to correct', async () => {
    const run = await add([], { ...SECRETS, INNKEEP_UPSTREAM_PASSWORD: 'wrong-password' });
    expect(run).toMatchObject(ended(1, 'Correct username and password'));
    expect(run.stdout).toBe('');
    await expect(stat(join(folder, '.dev.vars'))).rejects.toThrow('ENOENT');
  });

  it('names everything that is missing, and where it comes from', async () => {
    const run = await runInnkeep(['hotel', 'add', 'aurora', '--name', 'Hotel Aurora'], { cwd: folder });
    expect(run.exitCode).toBe(2);
    expect(run.stderr).not.toContain('displayName');
    expect(run.stderr).toContain('password: set INNKEEP_UPSTREAM_PASSWORD');
    expect(run.stderr).toContain('providerHosted: --provider-hosted <name>');
  });

  it('names every bad field, and quotes no value', async () => {
    const input = JSON.stringify({
      password: 'pass-word-1',
      moto: 'yes',
      gateway: { apiKey: 'short-key', allow: [] },
      secret: 'x',
    });
    const run = await runInnkeep(['hotel', 'add', 'aurora', ...hotelFlags('http://pay.example'), '--from', '-'], {
      env: { INNKEEP_UPSTREAM_USERNAME: 'demo' },
      cwd: folder,
      input,
    });
    expect(run).toMatchObject(ended(2, 'baseUrl must be an https address'));
    expect(run.stderr).toContain('gateway.apiKey must be 40 visible ASCII characters');
    expect(run.stderr).toContain('secret is not a known field');
    expect(run.stderr).not.toMatch(/pass-word-1|short-key/);
  });
});

describe('innkeep hotel check', () => {
  it('finds a healthy hotel healthy, and the proxy accepts what was written', async () => {
    const { merchantKey } = await addHotel('--scope', 'read', 'checkout', 'charges', 'gateway', 'events');
    const addPlatform = 'platform add alpine --name Alpine --scope properties --json'.split(' ');
    const platform = await runInnkeep(addPlatform, { cwd: folder });
    const { platformKey } = JSON.parse(platform.stdout) as { platformKey: { secretKey: string } };
    const proxy = await serveFolder(folder);
    const env = { INNKEEP_ENDPOINT: proxy.url, INNKEEP_SECRET_KEY: merchantKey.secretKey };
    const check = (more: Readonly<Record<string, string>> = {}): Promise<InnkeepRun> =>
      runInnkeep(['hotel', 'check'], { env: { ...env, ...more }, cwd: folder });
    try {
      const healthy = await check();
      expect(healthy).toMatchObject({ exitCode: 0, stderr: '' });
      for (const name of [
        ...['settings', 'login', 'trusted-urls', 'chunked-bodies', 'gateway-key', 'proxy', 'cors', 'merchant-key'],
        'return-codes',
      ]) {
        expect(healthy.stdout).toMatch(new RegExp(`^ok +${name} `, 'm'));
      }
      expect(healthy.stdout).toContain('120.00 EUR is sent as 12000');
      // A service that counts otherwise, consistently, is found out by people alone.
      expect(healthy.stdout).toContain('read the amount on the payment page before you pay');

      const merchant = createMerchantClient({ endpoint: proxy.url, secretKey: merchantKey.secretKey });
      sandbox.sandbox.control.scenario({ operation: 'pay', scenario: 'declined' });
      sandbox.sandbox.control.scenario({ operation: 'pay', scenario: 'outcome-pending' });
      for (const reference of ['A-1', 'A-2']) {
        await merchant.charges.create(
          { token: 'TK-1', tokenFrom: 'moto', amount: { value: 100, currency: 'EUR' }, reference, reason: 'deposit' },
          { idempotencyKey: reference },
        );
      }
      const codes = await check();
      expect(codes.exitCode).toBe(0);
      expect(codes.stdout).toMatch(/^advice +return-codes .*returnCode "1" \(declined\) × 1, "96" \(unknown\) × 1\./m);
      expect(codes.stdout).toContain('uncertainReturnCodes, now 68, 91, 96');

      const wrong = await check({ INNKEEP_SECRET_KEY: `sk_test_${'x'.repeat(43)}` });
      expect(wrong.exitCode).toBe(1);
      expect(wrong.stdout).toContain('is not one of this property’s merchant keys');

      await editProperty({ origins: ['http://127.0.0.1:4000', 'http://127.0.0.1:4001'] });
      // A preflight reveals nothing: what the running proxy has, a platform's key can read.
      const cors = await check({ INNKEEP_PLATFORM_KEY: platformKey.secretKey });
      expect(cors.exitCode).toBe(1);
      expect(cors.stdout).toMatch(/^PROBLEM +cors +http:\/\/127\.0\.0\.1:4001: the proxy does not allow this origin/m);
      expect(cors.stdout).toMatch(/^ok +cors +http:\/\/127\.0\.0\.1:4000 /m);
    } finally {
      await proxy.close();
    }
    const gone = await runInnkeep(['hotel', 'check', '--endpoint', proxy.url], { cwd: folder });
    expect(gone.exitCode).toBe(1);
    expect(gone.stdout).toMatch(/^PROBLEM +proxy .* does not answer/m);
  });

  it('moves no money', async () => {
    await addHotel();
    sandbox.sandbox.control.reset();
    await checkHotel();
    expect(sandbox.sandbox.control.ledger()).toMatchObject({ charges: [], reversals: [], tokens: [] });
    const before = sandbox.sandbox.control.ledger().hosted.length;
    await checkHotel('--no-hosted-page');
    expect(sandbox.sandbox.control.ledger().hosted.length).toBe(before);
  });

  it.each([
    [{ password: 'wrong-password' }, 'login', 'Correct username and password'],
    [{ baseUrl: 'http://127.0.0.1:9' }, 'login', 'Check baseUrl'],
    [{ providerHosted: 'NOBODY' }, 'trusted-urls', 'providerHosted'],
    [{ gateway: { apiKey: '9'.repeat(40), allow: [] } }, 'gateway-key', 'Check gateway.apiKey'],
    [{ providerhosted: 'x' }, 'settings', 'Correct it in PROPERTY_AURORA'],
  ])('finds %j and prints the fix', async (fields, name, fix) => {
    await addHotel();
    await editProperty(fields);
    const { exitCode, of } = await checkHotel();
    expect(exitCode).toBe(1);
    expect(of(name)).toMatchObject({ status: 'problem', fix: expect.stringContaining(fix) });
  });

  it('says which origin of the payment service is not trusted, and in which list it belongs', async () => {
    await addHotel();
    // The same service under its other name: it hands out addresses of the name it was called by, except the fixed ones.
    const other = await serveSandbox({ port: 0 });
    const date = new Date(Date.now() + 3_600_000).toUTCString();
    const relay = await relayTo(other.url, { date });
    try {
      await editProperty({ baseUrl: relay.url });
      const { of } = await checkHotel();
      expect(of('trusted-urls')?.message).toContain(`viewUrl points to ${other.url}, which is not trusted`);
      expect(of('trusted-urls')?.fix).toContain(`add "${other.url}" to viewOrigins`);
      // How far exactly, the load of this machine decides.
      expect(of('clock')).toMatchObject({ status: 'problem', message: expect.stringMatching(/\d s ahead/) });
      await editProperty({ allowedOrigins: [other.url] });
      expect((await checkHotel()).of('trusted-urls')?.status).toBe('ok');
    } finally {
      relay.close();
      await other.close();
    }
  });

  it('says when the payment service takes no chunked body, and moves nothing to find out', async () => {
    await addHotel();
    const relay = await relayTo(sandbox.url, { refusesChunked: true });
    try {
      await editProperty({ baseUrl: `${relay.url}/` });
      const { exitCode, of } = await checkHotel('--no-hosted-page');
      expect(of('login')?.status).toBe('ok');
      expect(of('chunked-bodies')).toMatchObject({
        status: 'advice',
        message: expect.stringContaining('status 411'),
        fix: expect.stringContaining('Content-Length with every request'),
      });
      expect(relay.refused).toEqual(['/login']);
      expect(exitCode).toBe(of('gateway-key')?.status === 'problem' ? 1 : 0);
    } finally {
      relay.close();
    }
    await editProperty({ password: 'wrong-password' });
    expect((await checkHotel()).of('chunked-bodies')?.status).toBe('skipped');
  });

  it('says what to do without a file, without hotels, and with several', async () => {
    const check = async (): Promise<string> => (await runInnkeep(['hotel', 'check'], { cwd: folder })).stderr;
    expect(await check()).toContain('innkeep hotel add');
    await writeFile(join(folder, '.dev.vars'), 'PUBLIC_URL=http://127.0.0.1:8787\n');
    expect(await check()).toContain('has no hotel');
    await writeFile(join(folder, '.dev.vars'), "PROPERTY_A='{}'\nPROPERTY_B='{}'\n");
    expect(await check()).toContain('more than one hotel: a, b');
  });
});
