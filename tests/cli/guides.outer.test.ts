// The commands of the operators' guides, as they stand there, against the real proxy and the sandbox.
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createMerchantClient } from '@innkeep/core/merchant';
import { serveSandbox } from '@innkeep/sandbox';
import { afterAll, expect, it } from 'vitest';
import { freePort } from '../../scripts/launch.ts';
import { askProxy } from '../support/ask-proxy.ts';
import { ownFolder } from '../support/own-folder.ts';
import { hotelAt } from '../support/sandbox-hotel.ts';
import { serveInnkeep } from './innkeep-for-shells.ts';
import { runCommandLine } from './run-innkeep.ts';
import { LOGIN, untilEnded, writePrograms } from './sandbox-hotel.ts';

const MERCHANT_KEY = { id: 'default', sha256: 'a'.repeat(64), scopes: ['checkout'] };
const HOOKS = [{ url: 'https://hotel.example/hooks', secret: `whsec_${'A'.repeat(43)}=` }];
const PLACEHOLDERS = {
  session: 'cs_01JZ8M4Q9T6V2X3Y5A7B8C9D0E',
  charge: 'ch_01JZ8M4Q9T6V2X3Y5A7B8C9D0E',
  other: 'ch_01JZ8M4R3D8K5N7P9Q2S4T6V8W',
  event: 'ev_01JZ8M4Q9T6V2X3Y5A7B8C9D0E',
};
const file = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** Programs that a reader has, or that stand in for what is not here: an account, a registry, systemd. */
const PROGRAMS: Readonly<Record<string, string>> = {
  innkeep: `for word in "$@"; do
  ${Object.entries(PLACEHOLDERS)
    .map(([name, id]) => `[ "$word" != ${id} ] || word=$(cat "$GUIDE/${name}.id")`)
    .join('\n  ')}
  shift; set -- "$@" "$word"
done
if [ "$1 $2" != 'session create' ]; then exec innkeep-itself "$@"; fi
innkeep-itself "$@" > "$GUIDE/created" || exit $?
cat "$GUIDE/created"
grep -o 'cs_[0-9A-Z]*' "$GUIDE/created" | head -n 1 > "$GUIDE/session.id"`,
  npx: `program=$1; shift
case "$program" in
innkeep) exec innkeep "$@" ;;
innkeep-proxy) printf '%s\\n' "$*" > "$GUIDE/proxy.arguments"; exec systemctl start innkeep ;;
wrangler)
  [ "$1 $2" = 'secret put' ] || exit 0
  value=$(cat); [ -n "$value" ] && echo "$3='$value'" >> "$GUIDE/uploaded.env" ;;
*) exit 64 ;;
esac`,
  npm: `case "$1" in
create) exec cp -R '${file('packages/create-innkeep/templates/proxy')}' "$3" ;;
run) grep -q "\\"$2\\":" package.json ;;
init|install|update) ;;
*) exit 64 ;;
esac`,
  systemctl: `[ "$2" = innkeep ] || exit 64
if [ "$1" != start ]; then kill "$(cat "$GUIDE/proxy.pid")"; ${untilEnded('"$(cat "$GUIDE/proxy.pid")"')}; fi
[ "$1" != stop ] || exit 0
cd "$(cat "$GUIDE/proxy.folder" 2>/dev/null || pwd)"; pwd > "$GUIDE/proxy.folder"; : > "$GUIDE/proxy.log"
('${process.execPath}' '${file('packages/edge-proxy/bin/innkeep-proxy.js')}' $(cat "$GUIDE/proxy.arguments") > "$GUIDE/proxy.log" 2>&1 & echo $! > "$GUIDE/proxy.pid")
until grep -q ^ready "$GUIDE/proxy.log"; do kill -0 "$(cat "$GUIDE/proxy.pid")" || { cat "$GUIDE/proxy.log" >&2; exit 1; }; sleep 0.05; done`,
  // A refusal fails the block, as a reader would take it.
  curl: `PATH="\${PATH#*:}" exec curl -f "$@"`,
};

const programs = ownFolder();
await writePrograms(programs, PROGRAMS);
const sandbox = await serveSandbox({ port: 0 });
const innkeep = await serveInnkeep(join(programs, 'innkeep-itself'));
const readers: Reader[] = [];

afterAll(async () => {
  for (const { run } of readers) await run('[ ! -f "$GUIDE/proxy.pid" ] || systemctl stop innkeep');
  innkeep.close();
  await sandbox.close();
});

async function blocksOf(guide: string): Promise<readonly string[]> {
  const text = await readFile(file(`docs/guides/${guide}.md`), 'utf8');
  return [...text.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block ?? '');
}

/** Somebody with a folder of their own, who pastes commands into a shell. */
interface Reader {
  readonly folder: string;
  readonly url: string;
  /** Keys that were shown, as far as the next commands need them. */
  readonly keys: { INNKEEP_SECRET_KEY?: string; INNKEEP_PLATFORM_KEY?: string };
  /** Starts the proxy, or starts it again. */
  serve(envFile: string): Promise<void>;
  run(block: string): Promise<string>;
  /** Says which id a command means that the page has made up. */
  mean(name: keyof typeof PLACEHOLDERS, id: string): Promise<void>;
}

async function newReader(): Promise<Reader> {
  const folder = await mkdtemp(join(programs, 'reader-'));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const hotel = hotelAt(sandbox.url);
  const whole = { ...hotel, username: 'demo', password: 'demo-password', merchantKeys: [MERCHANT_KEY] };
  const files = {
    ...{ 'hotel.json': hotel, 'aurora.json': hotel, 'hotels/alpine_2.json': hotel, 'hotels/alpine_3.json': hotel },
    ...{ 'PROPERTY_AURORA.json': whole, 'webhooks.json': HOOKS },
  };
  await mkdir(join(folder, 'hotels'));
  const write = (name: string, text: string): Promise<void> => writeFile(join(folder, name), text, { mode: 0o600 });
  for (const [name, content] of Object.entries(files)) await write(name, JSON.stringify(content));
  await write('sealing-keys', `${'A'.repeat(43)}=\n`);
  const here = (text: string): string =>
    text
      .replaceAll('https://pay.hotel.example', url)
      .replaceAll('8787', String(port))
      .replaceAll(/\/(srv|etc|var\/backups)\/innkeep/g, `${folder}/$1`)
      // A live hotel needs a live payment service, and somebody at a terminal has no --from.
      .replaceAll(/(hotel add aurora)((?: --from aurora\.json)?)(?: --live)?/g, `$1 --from ${folder}/hotel.json`);
  const keys: Reader['keys'] = {};
  const hasStarted = (): boolean => existsSync(join(folder, 'proxy.pid'));
  const reader: Reader = {
    folder,
    url,
    keys,
    async serve(envFile) {
      await write('proxy.arguments', `--port ${port} --env ${join(folder, envFile)} --data ${join(folder, 'data')}`);
      await reader.run(
        'if [ -f "$GUIDE/proxy.pid" ]; then systemctl restart innkeep; else systemctl start innkeep; fi',
      );
    },
    async run(block) {
      const asked = block.includes('read -rs INNKEEP_SECRET_KEY') ? keys.INNKEEP_SECRET_KEY : keys.INNKEEP_PLATFORM_KEY;
      const run = await runCommandLine('bash', ['--norc', '-euo', 'pipefail', '-c', here(block)], {
        env: {
          ...LOGIN,
          INNKEEP_CARD_TOKEN: 'TK-1',
          ...keys,
          GUIDE: folder,
          ...(hasStarted() && { INNKEEP_ENDPOINT: url }),
          PATH: `${programs}:${process.env.PATH}`,
        },
        cwd: folder,
        input: `${asked}\n`,
      });
      expect([run.exitCode, run.exitCode === 0 ? '' : run.stderr], block).toEqual([0, '']);
      return run.stdout;
    },
    async mean(name, id) {
      await write(`${name}.id`, id);
    },
  };
  readers.push(reader);
  return reader;
}

/** The key that a command has shown; of several, the first one. */
function keyIn(text: string, which = 0): string {
  return [...text.matchAll(/^(?:Platform|Merchant) key +([ps]k_\w+)$/gm)].at(which)?.[1] ?? '';
}

it('many hotels, and the keys of all', async () => {
  const { run, serve, keys, folder } = await newReader();
  const [makeKey = '', ...blocks] = await blocksOf('many-hotels');
  keys.INNKEEP_PLATFORM_KEY = keyIn(await run(makeKey));
  expect(keys.INNKEEP_PLATFORM_KEY).toMatch(/^pk_test_alpine_/);
  await serve('proxy.env');
  expect(blocks.length).toBeGreaterThan(8);
  for (const block of blocks) await run(block);
  expect(JSON.parse(await run('innkeep hotel list --json'))).toMatchObject({
    data: [
      { id: 'alpine_1', status: 'removed' },
      { id: 'alpine_2', status: 'active' },
      { id: 'alpine_3', status: 'active' },
      { id: 'aurora', status: 'active' },
    ],
  });

  await run(
    'innkeep hotel add borealis --from hotel.json --webhook-url https://hotel.example/hooks --directory --json > keys/borealis.json',
  );
  const rotation = await blocksOf('rotate-keys');
  expect(rotation.length).toBeGreaterThan(9);
  for (const block of rotation) {
    if (block.includes('keys retire') && block.includes('--from sealing-keys')) {
      // Of a deployment: the proxy runs with what the file has.
      const values = await readFile(join(folder, 'proxy.env'), 'utf8');
      const keysOfFile = `${/^SEALING_KEYS='(.*)'$/m.exec(values)?.[1]} ${'A'.repeat(43)}=`;
      await writeFile(join(folder, 'sealing-keys'), keysOfFile);
      await writeFile(join(folder, 'deployed.env'), `${values}SEALING_KEYS='${keysOfFile}'\n`, { mode: 0o600 });
      await serve('deployed.env');
    }
    const text = await run(block);
    if (block.includes('platform key')) keys.INNKEEP_PLATFORM_KEY = keyIn(text);
    // Where a page says to restart the proxy.
    if (block.includes('--env proxy.env')) await serve('proxy.env');
  }
  const written = async (name: string) =>
    JSON.parse(await readFile(join(folder, 'keys', name), 'utf8')) as { webhooks: object; merchantKey?: object };
  const { webhooks } = await written('borealis.hooks');
  expect(webhooks).toEqual([{ url: 'https://hotel.example/hooks', secret: expect.stringMatching(/^whsec_/) }]);
  // It is shown once, and this is where it is kept.
  expect(await written('borealis.json')).toMatchObject({ merchantKey: { secretKey: expect.stringMatching(/^sk_/) } });
  expect(await readFile(join(folder, 'proxy.env'), 'utf8')).toMatch(/^SEALING_KEYS='\S{44}'$/m);
  expect(await run('innkeep hotel show borealis')).toMatch(/^Status +active$/m);
});

it('platform keys', async () => {
  const { run, serve, keys } = await newReader();
  const [first = '', ...blocks] = await blocksOf('platform-keys');
  keys.INNKEEP_PLATFORM_KEY = keyIn(await run(first));
  await serve('proxy.env');
  expect(blocks.length).toBeGreaterThan(2);
  // Of the keys it makes, the first one reads the feed: the page ends it only once its server has another.
  for (const block of blocks) await run(block.replace('innkeep events list --after 0 --property alpine_aurora', ''));
});

it('a deployment: what is uploaded is served', async () => {
  const { run, serve, keys } = await newReader();
  const blocks = await blocksOf('deploy-the-proxy');
  const alive = blocks.at(-1) ?? '';
  for (const block of blocks.slice(0, -1)) {
    const inFolder = block.includes('npm create') ? block : `cd hotel-proxy\n${block}`;
    const text = await run(inFolder);
    if (block.includes('hotel add')) keys.INNKEEP_SECRET_KEY = keyIn(text);
  }
  await serve('uploaded.env');
  await run(alive);
});

it('going live, reconciling, and webhooks', async () => {
  const { run, keys, mean, url } = await newReader();
  const [[check = '', pay = '', refund = ''], reconcile] = [await blocksOf('go-live'), await blocksOf('reconcile')];
  // The second one is for the people, who give the command.
  keys.INNKEEP_SECRET_KEY = keyIn(await run(check), 1);
  await run(pay);
  const merchant = createMerchantClient({ endpoint: url, secretKey: String(keys.INNKEEP_SECRET_KEY) });
  // The guest pays, and the page goes on with the id that the first command has printed.
  const clientSecret = /cs_\w+_[\w-]{43}/.exec(await run('cat created'))?.[0] ?? '';
  await askProxy(`${url}/v1/checkout/start`, clientSecret, { body: { presentation: 'redirect', terms: 1 } });
  const page = sandbox.sandbox.control.ledger().hosted.at(-1);
  await sandbox.sandbox.control.complete({ requestID: page?.requestID ?? '', outcome: 'paid' });
  // The guest's page asks, which polls at once.
  await askProxy(`${url}/v1/checkout`, clientSecret);
  const list = () => merchant.checkoutSessions.list({ status: 'succeeded' });
  await expect.poll(async () => (await list()).data.length).toBe(1);
  await run(refund);

  for (const name of ['charge', 'other'] as const) {
    sandbox.sandbox.control.scenario({ operation: 'pay', scenario: 'outcome-pending' });
    const words = `--amount 12.00 EUR --reference ${name} --reason deposit --token-from moto --idempotency-key ${name} --json`;
    const { id } = JSON.parse(await run(`innkeep charge create ${words} || [ $? = 3 ]`)) as { id: string };
    await mean(name, id);
    await expect.poll(async () => (await merchant.charges.retrieve(id)).status).toBe('unknown');
  }
  expect(reconcile.length).toBe(4);
  for (const block of reconcile) await run(block);

  const { data } = JSON.parse(await run('innkeep events list --json')) as { data: readonly { id: string }[] };
  await mean('event', data.at(-1)?.id ?? '');
  const webhooks = await blocksOf('webhooks');
  expect(webhooks.length).toBe(2);
  for (const block of webhooks) await run(block);
});
