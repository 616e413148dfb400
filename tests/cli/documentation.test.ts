// Help and README say the same as the command does: every command is in both, and every example runs.
import { copyFile, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { serveSandbox } from '@innkeep/sandbox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inParallel } from '../support/money-stack.ts';
import { ownFolder } from '../support/own-folder.ts';
import { hotelAt } from '../support/sandbox-hotel.ts';
import { allCommands, examplesOf } from './command-help.ts';
import { proxyWithWebhooks, SEALING_KEYS, startFakeProxy } from './fake-proxy.ts';
import { serveInnkeep } from './innkeep-for-shells.ts';
import { ended, runCommandLine, runInnkeep } from './run-innkeep.ts';
import { API_KEY, LOGIN, writePrograms } from './sandbox-hotel.ts';

const README = new URL('../../packages/cli/README.md', import.meta.url);

const MERCHANT_KEY = { id: 'web', sha256: 'a'.repeat(64), scopes: ['checkout'] };

/** Each example has the files that it names, and no other example writes there. */
async function exampleFolder(): Promise<string> {
  const own = await mkdtemp(join(folder, 'example-'));
  for (const name of await readdir(folder)) {
    if (/\.(json|token|xml)$|^sealing-keys$/.test(name)) await copyFile(join(folder, name), join(own, name));
  }
  return own;
}

/** Settings of the documentation's hotel, as a user's JSON file. */
const HOTEL = { ...hotelAt('https://pay.example'), origins: ['https://hotel.example'] };

const ENV = {
  INNKEEP_SECRET_KEY: 'sk_test_documentation_only',
  INNKEEP_PLATFORM_KEY: 'pk_test_documentation_only',
  ...LOGIN,
  INNKEEP_CARD_TOKEN: 'tok-documentation',
  INNKEEP_GATEWAY_API_KEY: API_KEY,
};

/** What must be there before the examples of a command work; undefined where that is nothing. */
function setUpOf(name: string): string | undefined {
  const [group = '', ...rest] = name.split(' ');
  if (group === 'platform' && rest[0] !== 'add')
    return `echo "PLATFORM_ALPINE='$(cat PLATFORM_ALPINE.json)'" > .dev.vars`;
  // It makes the file that the others need.
  if (name === 'platform add') return 'rm PLATFORM_ALPINE.json';
  if (name === 'keys retire')
    return `echo '${SEALING_KEYS.join(' ')}' > sealing-keys; echo "SEALING_KEYS='$(cat sealing-keys)'" > .dev.vars`;
  return name === 'hotel check' || name === 'keys rotate' ? 'innkeep hotel add aurora --from aurora.json' : undefined;
}

/** Commands of a local stack, which have a test of their own: dev.test.ts. */
const RUNNING = ['dev', 'listen', 'trigger', 'clock'];

const LIVE_HOTEL = { ...HOTEL, baseUrl: 'https://pay.invalid', providerDirect: 'DIRECT', providerHosted: 'HOSTED' };

const folder = ownFolder();
const proxy = await startFakeProxy();
const sandbox = await serveSandbox({ port: 0 });
const innkeep = await serveInnkeep(join(folder, 'innkeep'));

beforeAll(async () => {
  // Stands in for the deployment: it must get the value on standard input, whole, and only its name as an argument.
  await writePrograms(folder, {
    npx: `[ "$*" = 'wrangler secret put PROPERTY_AURORA' ] && exec '${process.execPath}' -e 'JSON.parse(require("node:fs").readFileSync(0)).merchantKeys[0].sha256.length === 64 || process.exit(9)'
[ "$*" = 'wrangler secret put SEALING_KEYS' ] && exec grep -Eq '^[A-Za-z0-9+/]{43}=( [A-Za-z0-9+/]{43}=)?$'`,
  });
  const whole = {
    ...HOTEL,
    username: 'demo',
    password: 'demo-password',
    merchantKeys: [MERCHANT_KEY, { ...MERCHANT_KEY, id: 'desk', sha256: 'b'.repeat(64) }],
  };
  for (const name of ['PROPERTY_AURORA', 'aurora-whole'])
    await writeFile(join(folder, `${name}.json`), here(JSON.stringify(whole)), { mode: 0o600 });
  const secret = ['A', 'B'].map((letter) => `whsec_${letter.repeat(43)}=`);
  const webhooks = [{ url: 'https://hotel.example/hooks', secret }];
  const platform = {
    displayName: 'Alpine Booking',
    keys: ['default', 'deploy'].map((id) => ({ ...MERCHANT_KEY, id, properties: ['*'] })),
    webhooks: [{ url: 'https://booking.example/hooks', secret }],
  };
  await writeFile(join(folder, 'PLATFORM_ALPINE.json'), JSON.stringify(platform), { mode: 0o600 });
  await writeFile(join(folder, 'webhooks.json'), JSON.stringify({ webhooks }), { mode: 0o600 });
  await writeFile(join(folder, 'borealis.json'), here(JSON.stringify(HOTEL)));
  await writeFile(join(folder, 'sealing-keys'), `${'A'.repeat(43)}=\n`, { mode: 0o600 });
  await writeFile(join(folder, 'aurora.json'), here(JSON.stringify(HOTEL)));
  await writeFile(join(folder, 'card.token'), 'tok-documentation', { mode: 0o600 });
  await writeFile(join(folder, 'keep-alive.xml'), '<?xml version="1.0" encoding="ISO-8859-1"?><SIHOT-Document/>');
});

afterAll(async () => {
  innkeep.close();
  proxy.close();
  await sandbox.close();
});

/** The example addresses, replaced by what stands for them on this machine. */
function here(text: string): string {
  return text.replaceAll('https://pay.example', sandbox.url).replaceAll('https://pay.hotel.example', proxy.url);
}

/** Runs a script the way a user pastes it into a shell; one command with nothing for a shell to do, in this process. */
function runScript(script: string, cwd: string = folder): ReturnType<typeof runCommandLine> {
  const { INNKEEP_SECRET_KEY, INNKEEP_PLATFORM_KEY, ...rest } = ENV;
  // The keys belong to the fake proxy's hotel, and the check would say so of a hotel that was set up just now.
  const key: Record<string, string> = script.includes('hotel check')
    ? {}
    : { INNKEEP_SECRET_KEY, INNKEEP_PLATFORM_KEY };
  const env = { ...rest, ...key, INNKEEP_ENDPOINT: proxy.url };
  const options = { env, cwd, input: `${INNKEEP_SECRET_KEY}\n` };
  const words = wordsOf(here(script));
  if (words !== undefined) return runInnkeep(words, options);
  return runCommandLine('bash', ['--norc', '-euo', 'pipefail', '-c', here(script)], {
    ...options,
    env: { ...env, PATH: `${folder}:${process.env.PATH}` },
  });
}

/** The words of one `innkeep` command as a shell reads them; undefined for whatever needs a shell. */
function wordsOf(line: string): readonly string[] | undefined {
  const parts = line.match(/(?:'[^']*'|"[^"$`\\]*"|[\w=:,.@/*+%-])+|\S+/g) ?? [];
  const isPlain = parts.every((part) => /^(?:'[^']*'|"[^"$`\\]*"|[\w=:,.@/+%-])+$/.test(part));
  const [name, ...words] = parts.map((part) => part.replaceAll(/'([^']*)'|"([^"]*)"/g, '$1$2'));
  return isPlain && name === 'innkeep' && !line.includes('\n') ? words : undefined;
}

describe('innkeep --help', () => {
  it('names every command, the environment and the exit codes', async () => {
    const { exitCode, stdout, stderr } = await runInnkeep(['--help']);
    expect([exitCode, stderr]).toEqual([0, '']);
    for (const text of ['INNKEEP_ENDPOINT', 'INNKEEP_SECRET_KEY', 'INNKEEP_PLATFORM_KEY', 'outcome unknown', '130'])
      expect(stdout).toContain(text);
    // That none is missing or called otherwise is looked at in packages/cli; that help hides none, here.
    expect(await allCommands()).toHaveLength(55);
  });

  it('has the README say something about every command', async () => {
    const readme = await readFile(README, 'utf8');
    const missing = (await allCommands()).filter((name) => !readme.includes(`innkeep ${name}`));
    expect(missing).toEqual([]);
  });

  it('shows examples for every command, and each of them works', async () => {
    // One after the other within a command, commands beside each other: together they take a while.
    const tasks = (await allCommands()).map((name) => async () => {
      const examples = await examplesOf(name);
      expect(examples.length, `${name} has no example`).toBeGreaterThan(0);
      if (RUNNING.includes(name)) return;
      for (const example of examples) {
        expect(example).toContain(`innkeep ${name}`);
        // Without a terminal there is nobody to ask; the terminal has a test of its own.
        if (example === 'innkeep hotel add aurora') continue;
        const own = await exampleFolder();
        // The sandbox is no live payment service, and nobody answers for one here.
        const isLive = example.startsWith('innkeep hotel add') && example.includes('--live');
        if (isLive) await writeFile(join(own, 'aurora.json'), JSON.stringify(LIVE_HOTEL));
        const setUp = setUpOf(name);
        if (setUp !== undefined) expect((await runScript(setUp, own)).exitCode, setUp).toBe(0);
        const run = await runScript(isLive ? `${example} --no-login-check` : example, own);
        expect([run.exitCode, run.exitCode === 0 ? '' : run.stderr], example).toEqual([0, '']);
      }
    });
    await inParallel(4, tasks);
  });
});

describe('a mistyped command', () => {
  it.each([
    [['sesion', 'list'], 'Did you mean session?'],
    [['session', 'list', '--statsu', 'open'], 'Did you mean --status?'],
    [['session', 'get'], "missing required argument 'session'"],
    [['session', 'create', '--amount', '1', 'EUR'], "required option '--reference <text>' not specified"],
    [[], 'Usage: innkeep'],
  ])('%j ends with 2 and says what is meant', async (words, text) => {
    const run = await runInnkeep(words);
    expect(run).toMatchObject({ ...ended(2, text), stdout: '' });
  });

  it('does not repeat a secret that was typed as an option', async () => {
    const run = await runInnkeep(['session', 'list', '--password=hunter-two', '--json']);
    expect(run.exitCode).toBe(2);
    expect(JSON.parse(run.stderr)).toMatchObject({ error: { code: 'usage' } });
    expect(run.stderr).not.toContain('hunter-two');
  });
});

describe('README', () => {
  it('has only examples that work, in the order they stand there', async () => {
    const readme = await readFile(README, 'utf8');
    const blocks = [...readme.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block ?? '');
    expect(blocks.length).toBeGreaterThan(8);
    proxy.answer(proxyWithWebhooks());
    for (const block of blocks) {
      const run = await runScript(block);
      expect([run.exitCode, run.exitCode === 0 ? '' : run.stderr], block).toEqual([0, '']);
    }
  });

  it('has a script that calls only a proven failure not charged', async () => {
    const [, script = ''] = /```sh\n(if innkeep charge create[\s\S]*?)```/.exec(await readFile(README, 'utf8')) ?? [];
    const own = await exampleFolder();
    const said = new Map<number, string>();
    // 13: Node ended early. 124: timeout. 130 also is what a second Ctrl-C leaves. 137, 143: killed.
    for (const code of [0, 1, 2, 3, 4, 13, 124, 127, 129, 130, 137, 143]) {
      await writePrograms(own, { innkeep: `exit ${code}` });
      const env = { PATH: `${own}:${process.env.PATH}` };
      said.set(
        code,
        (await runCommandLine('bash', ['--norc', '-c', script], { cwd: own, env })).stdout.split(/[:\n]/)[0] ?? '',
      );
    }
    const codesOf = (word: string): number[] => [...said.keys()].filter((code) => said.get(code) === word);
    expect(['charged', 'not charged', 'declined'].map(codesOf)).toEqual([[0], [1, 2], [4]]);
    expect(codesOf('unknown')).toEqual([3, 13, 124, 127, 129, 130, 137, 143]);
  });
});
