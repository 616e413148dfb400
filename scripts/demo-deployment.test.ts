import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  assertLoggedIn,
  assertSiteFits,
  configuredBindings,
  deployWorker,
  keepSecrets,
  neededBindings,
  parseSubdomain,
  type Run,
} from './demo-deployment.ts';
import { makeDemoSecrets } from './demo-property.ts';
import { type DemoWorker, demoWorkers, workersDevAddresses } from './demo-workers.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'innkeep-deployment-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('the subdomain', () => {
  test.each([
    ['aurora', 'aurora'],
    ['https://aurora.workers.dev/', 'aurora'],
    ['a-1', 'a-1'],
  ])('%s is read as %s', (text, subdomain) => expect(parseSubdomain(text)).toBe(subdomain));

  test.each([
    [undefined, '--subdomain is missing'],
    ['', '--subdomain is missing'],
    ['Aurora', 'is not a subdomain'],
    ['aurora.example.com', 'is not a subdomain'],
    ['-aurora', 'is not a subdomain'],
  ])('%s is refused', (text, message) => expect(() => parseSubdomain(text)).toThrow(message));
});

describe('the secrets', () => {
  test('are made up once, kept from other users, and the same ever after', async () => {
    const file = join(folder, 'kept/aurora.json');
    const first = await keepSecrets(file);
    expect((await stat(file)).mode & 0o077).toBe(0);
    expect(await keepSecrets(file)).toEqual(first);
    expect(first.merchantKey).not.toBe(first.motoKey);
  });

  test('that an older version did not have are added to those it had', async () => {
    const file = join(folder, 'aurora.json');
    await writeFile(file, JSON.stringify({ merchantKey: 'sk_test_kept' }));
    const secrets = await keepSecrets(file);
    expect(secrets.merchantKey).toBe('sk_test_kept');
    expect(secrets.motoKey).toMatch(/^sk_test_/);
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(secrets);
  });

  test('are not silently replaced when their file is broken', async () => {
    const file = join(folder, 'aurora.json');
    await writeFile(file, '{');
    await expect(keepSecrets(file)).rejects.toThrow(file);
  });
});

describe('a Worker', () => {
  const BINDINGS =
    'interface TestBindings {\n  readonly A: string;\n  /** B */\n  readonly KEY: string;\n  readonly C?: string;\n}\n';
  const TABLE = 'env.A ("(hidden)")   Environment Variable\nenv.KEY ("(hidden)")  Environment Variable\n';

  async function worker(change: Partial<DemoWorker> = {}): Promise<DemoWorker> {
    const sourceFile = join(folder, 'worker.ts');
    await writeFile(sourceFile, BINDINGS);
    const [hotel] = demoWorkers(workersDevAddresses('aurora'), makeDemoSecrets());
    if (hotel === undefined) throw new Error('no Worker');
    return { ...hotel, sourceFile, vars: { A: 'a' }, secrets: { KEY: 'sk_test_secret' }, ...change };
  }

  /** A wrangler that writes a bundle and says what it is told to say. */
  function wrangler({ code = 0, output = TABLE, bundle = 'export default {}' } = {}) {
    const commands: string[] = [];
    let uploadedSecrets = '';
    const run: Run = async (command) => {
      commands.push(command.join(' '));
      const outdir = command[command.indexOf('--outdir') + 1] ?? '';
      await mkdir(outdir, { recursive: true });
      await writeFile(join(outdir, 'worker.js'), bundle);
      uploadedSecrets = await readFile(command[command.indexOf('--secrets-file') + 1] ?? '', 'utf8');
      return { code, output, seconds: 0 };
    };
    return { run, commands, secrets: () => uploadedSecrets };
  }

  test('is uploaded with its variables, and its secrets are on no command line', async () => {
    const { run, commands, secrets } = wrangler();
    await deployWorker(await worker(), { run, isDryRun: false });
    expect(commands).toHaveLength(1);
    expect(commands[0]).toContain('--var A:a');
    expect(commands[0]).not.toContain('sk_test_secret');
    expect(commands[0]).not.toContain('--dry-run');
    expect(JSON.parse(secrets())).toEqual({ KEY: 'sk_test_secret' });
  });

  test('is not uploaded by a dry run', async () => {
    const { run, commands } = wrangler();
    await deployWorker(await worker(), { run, isDryRun: true });
    expect(commands[0]).toContain('--dry-run');
  });

  test.each<[string, Parameters<typeof wrangler>[0], string]>([
    ['that lacks a binding its code needs', { output: 'env.A   Environment Variable' }, 'innkeep-demo has no KEY.'],
    ['that is larger than the free plan takes', { bundle: randomBytes(3_100_000).toString('base64') }, '3 MB fit'],
    ['that wrangler refuses', { code: 1, output: 'ERROR no such account' }, 'no such account'],
    [
      'at another address than its neighbours were told',
      { output: `${TABLE}\nhttps://innkeep-demo.borealis.workers.dev` },
      '--subdomain borealis',
    ],
  ])('%s is refused, and it is said why', async (_, does, message) => {
    await expect(deployWorker(await worker(), { run: wrangler(does).run, isDryRun: false })).rejects.toThrow(message);
  });

  test('that stands for another one and lacks one of its bindings is refused by name', async () => {
    const standsFor = join(folder, 'wrangler.jsonc');
    await writeFile(standsFor, '{ "durable_objects": { "bindings": [{ "name": "LEDGERS" }] } } // with comments');
    const { run } = wrangler();
    await expect(deployWorker(await worker({ standsFor }), { run, isDryRun: true })).rejects.toThrow('has no LEDGERS.');
  });

  test('with a value larger than Cloudflare takes is refused before anything runs', async () => {
    const { run, commands } = wrangler();
    const large = await worker({ secrets: { KEY: 'x'.repeat(5_121) } });
    await expect(deployWorker(large, { run, isDryRun: false })).rejects.toThrow('KEY is larger than 5 kB');
    expect(commands).toEqual([]);
  });

  test('needs what its interface of bindings requires', () => {
    expect(neededBindings(BINDINGS)).toEqual(['A', 'KEY']);
  });
});

describe('before anything is deployed', () => {
  test('somebody must be logged in', async () => {
    await expect(assertLoggedIn(async () => ({ code: 1, output: '', seconds: 0 }))).rejects.toThrow('wrangler login');
    await expect(assertLoggedIn(async () => ({ code: 0, output: '{}', seconds: 0 }))).resolves.toBeUndefined();
  });

  test('the site must be whole', async () => {
    for (const part of ['public', 'widgets', 'payments-desk']) await mkdir(join(folder, part));
    expect(() => assertSiteFits(folder)).toThrow('docs is missing');
    await mkdir(join(folder, 'docs'));
    await writeFile(join(folder, 'docs/index.html'), 'docs');
    expect(() => assertSiteFits(folder)).not.toThrow();
    await writeFile(join(folder, 'docs/film.mp4'), Buffer.alloc(25 * 1024 * 1024 + 1));
    expect(() => assertSiteFits(folder)).toThrow('film.mp4 is larger than 25 MiB');
  });
});

test('bindings are read from a wrangler configuration', () => {
  const text = `{
    "assets": { "directory": "x", "binding": "FILES" }, // and so on
    "durable_objects": { "bindings": [{ "name": "A", "class_name": "AObject" }] },
    "ratelimits": [{ "name": "LIMIT" }]
  }`;
  expect(configuredBindings(text)).toEqual(['A', 'LIMIT', 'FILES']);
});

test('the hotel is deployed first, because the others are bound to it', () => {
  const order = demoWorkers(workersDevAddresses('aurora'), makeDemoSecrets()).map(({ name }) => name);
  expect(order).toEqual(['innkeep-demo', 'innkeep-demo-sandbox', 'innkeep-demo-proxy']);
});

test('the proxy of a deployed demo is in test mode and knows keys by their hashes alone', () => {
  const secrets = makeDemoSecrets();
  const proxy = demoWorkers(workersDevAddresses('aurora'), secrets).find(({ id }) => id === 'proxy');
  const property = proxy?.secrets.PROPERTY_AURORA ?? '';
  expect(JSON.parse(property)).toMatchObject({
    livemode: false,
    baseUrl: 'https://innkeep-demo-sandbox.aurora.workers.dev',
    origins: ['https://innkeep-demo.aurora.workers.dev'],
  });
  expect(property).not.toContain(secrets.merchantKey);
  expect(property).not.toContain(secrets.motoKey);
});
