// A platform of many hotels: the command, the real proxy and the sandbox, nothing in between.
import { copyFile, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ResealedPropertySchema } from '@innkeep/core/contract';
import { serveSandbox } from '@innkeep/sandbox';
import { afterAll, describe, expect, it } from 'vitest';
import { example } from '../../packages/cli/test-support/example.ts';
import { ownFolder } from '../support/own-folder.ts';
import { hotelAt } from '../support/sandbox-hotel.ts';
import { goodProxy, SEALING_KEYS, startFakeProxy } from './fake-proxy.ts';
import { ended, type InnkeepRun, messagesOf, runInnkeep } from './run-innkeep.ts';
import { LOGIN, serveFolder } from './sandbox-hotel.ts';

const folder = ownFolder();
const sandbox = await serveSandbox({ port: 0 });
afterAll(() => sandbox.close());
await writeFile(join(folder, 'hotel.json'), JSON.stringify(hotelAt(sandbox.url)));

const PLATFORM = ['--name', 'Alpine Booking', '--scope', 'properties', 'checkout', 'charges', 'events'];
const all = await addKey('add', 'alpine', ...PLATFORM);
const some = await addKey(...'key add alpine --key-id north --scope properties --properties north_*'.split(' '));
await writeFile(join(folder, 'north.key'), some, { mode: 0o600 });
const proxy = await serveFolder(folder);
afterAll(() => proxy.close());
const env = { INNKEEP_ENDPOINT: proxy.url, INNKEEP_PLATFORM_KEY: all };

/** Makes a platform's key in the folder's file. */
async function addKey(...words: readonly string[]): Promise<string> {
  const run = await runInnkeep(['platform', ...words, '--json'], { cwd: folder });
  expect([run.exitCode, run.exitCode === 0 ? '' : run.stderr]).toEqual([0, '']);
  return (JSON.parse(run.stdout) as { platformKey: { secretKey: string } }).platformKey.secretKey;
}

type Data = Record<string, unknown>;

/** Runs a command with `--json` with the platform’s key. */
async function innkeep(words: readonly string[], extra: Record<string, string> = {}, input = '') {
  const run = await runInnkeep([...words, '--json'], { env: { ...env, ...extra }, cwd: folder, input });
  return { ...run, data: (run.stdout === '' ? {} : JSON.parse(run.stdout)) as Data };
}

const errorOf = (run: InnkeepRun): Data => messagesOf(run).find(({ error }) => error !== undefined)?.error as Data;

/** Adds a hotel to the directory. @returns its merchant key */
async function addHotel(id: string, ...flags: readonly string[]): Promise<string> {
  const words = ['hotel', 'add', id, '--from', 'hotel.json', '--directory', ...flags];
  const run = await innkeep(words, LOGIN);
  expect([run.exitCode, run.exitCode === 0 ? '' : run.stderr]).toEqual([0, '']);
  return (run.data.merchantKey as { secretKey: string }).secretKey;
}

/** How a merchant's call ends. */
async function listSessions(key: Record<string, string>, ...flags: readonly string[]): Promise<number | null> {
  const words = ['session', 'list', ...flags];
  const run = await runInnkeep(words, { env: { INNKEEP_ENDPOINT: proxy.url, ...key }, cwd: folder });
  return run.exitCode;
}

const ROTATED = join('rotated', 'proxy.env');

describe('innkeep platform add', () => {
  it('keeps the hash of each key, and the keys that were there', async () => {
    const text = await readFile(join(folder, '.dev.vars'), 'utf8');
    expect(env.INNKEEP_PLATFORM_KEY).toMatch(/^pk_test_alpine_[A-Za-z0-9]{43}$/);
    expect(text).not.toContain(env.INNKEEP_PLATFORM_KEY);
    const platform = JSON.parse(/^PLATFORM_ALPINE='(.*)'$/m.exec(text)?.[1] ?? '') as { keys: readonly Data[] };
    expect(platform).toMatchObject({ displayName: 'Alpine Booking', livemode: false });
    expect(platform.keys).toEqual([
      expect.objectContaining({ id: 'default', properties: ['*'] }),
      expect.objectContaining({ id: 'north', scopes: ['properties'], properties: ['north_*'] }),
    ]);
  });

  it('refuses a name that is taken and a pattern that is none, and changes nothing', async () => {
    const before = await readFile(join(folder, '.dev.vars'), 'utf8');
    for (const [words, text] of [
      [['add', 'alpine', '--name', 'Alpine'], 'innkeep platform key add alpine'],
      [['key', 'add', 'alpine', '--key-id', 'north'], 'has a key “north” already'],
      [['key', 'add', 'alpine', '--key-id', 'x', '--properties', 'north*south'], 'keys.2.properties.0 must be an id'],
      [['show', 'nobody'], '.dev.vars has no PLATFORM_NOBODY'],
      [['show', 'alpine', '--env', 'none.vars'], 'There is no file none.vars here'],
      [['key', 'revoke', 'alpine', 'nobody'], 'It has: default, north'],
      [['webhook', 'rotate', 'alpine'], 'there is none'],
      [['webhook', 'add', 'alpine', 'no address'], 'webhooks.0.url must'],
    ] as const) {
      expect(await runInnkeep(['platform', ...words], { cwd: folder })).toMatchObject(ended(2, text));
    }
    expect(await readFile(join(folder, '.dev.vars'), 'utf8')).toBe(before);
  });

  it('writes one private file for the deployed proxy, and the command that uploads it', async () => {
    const words = ['platform', 'add', 'chain', '--name', 'Chain', '--live', '--deploy', '--json'];
    const run = await runInnkeep(words, { cwd: folder });
    const { deploy, platformKey } = JSON.parse(run.stdout) as { deploy: string; platformKey: { secretKey: string } };
    expect(deploy).toBe('npx wrangler secret put PLATFORM_CHAIN < PLATFORM_CHAIN.json && rm PLATFORM_CHAIN.json');
    expect(platformKey.secretKey).toMatch(/^pk_live_chain_/);
    expect(run.stderr).toContain('Keep a copy in your password manager');
    if (process.platform !== 'win32')
      expect((await stat(join(folder, 'PLATFORM_CHAIN.json'))).mode & 0o777).toBe(0o600);
    const before = await readFile(join(folder, 'PLATFORM_CHAIN.json'), 'utf8');
    expect(await runInnkeep(words, { cwd: folder })).toMatchObject(ended(2, '--from PLATFORM_CHAIN.json'));
    expect(await readFile(join(folder, 'PLATFORM_CHAIN.json'), 'utf8')).toBe(before);
    const more = ['platform', 'key', 'add', 'chain', '--key-id', 'second', '--from', 'PLATFORM_CHAIN.json', '--json'];
    await runInnkeep([...more, '--out', 'next.json'], { cwd: folder });
    const next = JSON.parse(await readFile(join(folder, 'next.json'), 'utf8')) as { keys: readonly Data[] };
    expect([next, next.keys.length]).toMatchObject([{ livemode: true }, 2]);
  });
});

describe('a hotel of the directory', () => {
  it('is added, served, found, changed, rolled back and removed', async () => {
    const key = await addHotel('south_1', '--webhook-url', 'https://hotel.example/hooks');
    expect(key).toMatch(/^sk_test_south_1_[A-Za-z0-9]{43}$/);
    expect(await listSessions({ INNKEEP_SECRET_KEY: key })).toBe(0);
    const list = await innkeep(['hotel', 'list', '--search', 'SOUTH']);
    expect(list.data.data).toEqual([expect.objectContaining({ id: 'south_1', source: 'directory', version: 1 })]);

    const set = await innkeep([
      ...['hotel', 'set', 'south-1', 'displayName=Grand Hotel Aurora', 'maxAmount.EUR=500000', 'surcharge=true'],
      'origins=http://127.0.0.1:4000,http://127.0.0.1:4001',
    ]);
    expect(set.data).toMatchObject({
      version: 2,
      displayName: 'Grand Hotel Aurora',
      updatedBy: { key: 'alpine/default' },
      settings: {
        maxAmount: { EUR: 500_000 },
        surcharge: true,
        origins: ['http://127.0.0.1:4000', 'http://127.0.0.1:4001'],
        webhooks: [{ host: 'hotel.example' }],
      },
    });
    const same = await innkeep(['hotel', 'set', 'south_1', 'surcharge=true']);
    expect([same.data.version, same.stderr]).toEqual([2, expect.stringContaining('Nothing was different')]);
    const unset = await innkeep(['hotel', 'set', 'south_1', '--unset', 'maxAmount']);
    expect(unset.data.settings).not.toHaveProperty('maxAmount');

    const versions = await innkeep(['hotel', 'versions', 'south_1']);
    expect(versions.data.data).toMatchObject([
      { version: 3, fields: ['maxAmount'] },
      { version: 2, by: { key: 'alpine/default' }, fields: ['displayName', 'maxAmount', 'origins', 'surcharge'] },
      { version: 1, action: 'created' },
    ]);
    const back = await innkeep(['hotel', 'roll-back', 'south_1', '--to', '2']);
    expect(back.data).toMatchObject({ version: 4, settings: { maxAmount: { EUR: 500_000 } } });

    const removed = await innkeep(['hotel', 'remove', 'south_1']);
    // Its payments go after the least time, also where it kept them for longer.
    const left = expect.stringMatching(/--to 4.* 400 days, whatever its retentionDays; .* 90 days.*unknown: /);
    expect([removed.data.status, removed.stderr]).toEqual(['removed', left]);
    await expect.poll(() => listSessions({ INNKEEP_SECRET_KEY: key })).toBe(1);
    const again = await innkeep(['hotel', 'add', 'south_1', '--from', 'hotel.json', '--directory'], LOGIN);
    expect(again).toMatchObject(ended(1, 'innkeep hotel roll-back'));
    await innkeep(['hotel', 'roll-back', 'south_1', '--to', '4']);
    await expect.poll(() => listSessions({ INNKEEP_SECRET_KEY: key })).toBe(0);
  });

  it('takes its secrets from files, standard input and the environment, never from words', async () => {
    await addHotel('south_secrets');
    const words = (word: string): string[] => ['hotel', 'set', 'south_secrets', word];
    const refused = await innkeep(words('password=hunter-two'));
    expect(refused).toMatchObject({ ...ended(2, 'never an argument'), stdout: '' });
    expect(refused.stderr).not.toContain('hunter-two');
    expect(refused.stderr).toContain('Your shell history');
    expect((await innkeep(words('password=@-'), {}, 'from-standard-input\n')).data.version).toBe(2);
    expect((await innkeep(words('password='), { INNKEEP_UPSTREAM_PASSWORD: 'next-password' })).data.version).toBe(3);
    const hooks = [{ url: 'https://other.example/hooks', secret: `whsec_${'A'.repeat(43)}=` }];
    await writeFile(join(folder, 'hooks.json'), JSON.stringify(hooks), { mode: 0o600 });
    const set = await innkeep(words('webhooks=@hooks.json'));
    expect(set.data).toMatchObject({ settings: { webhooks: [{ host: 'other.example' }] } });
    const fields = (await innkeep(['hotel', 'versions', 'south_secrets'])).stdout;
    expect(fields).toContain('password');
    expect(fields).not.toMatch(/next-password|from-standard|whsec_/);
  });

  it('tries a new password, which nobody else does while the old token lasts', async () => {
    await addHotel('south_password');
    const set = (password: string, ...words: readonly string[]) =>
      innkeep(['hotel', 'set', 'south_password', 'password=', ...words], { INNKEEP_UPSTREAM_PASSWORD: password });
    const wrong = await set('demo-passwort');
    expect([wrong.data.version, wrong.exitCode]).toEqual([2, 0]);
    expect(wrong.stderr).toContain('Correct username and password');
    expect(wrong.stderr).not.toContain('demo-passwort');
    expect((await set('demo-password')).stderr).toContain('accepts the login');
    const nowhere = await set('demo-password', 'baseUrl=http://127.0.0.1:1');
    expect([nowhere.data.version, nowhere.exitCode]).toEqual([4, 0]);
    expect(nowhere.stderr).toContain('that this machine reaches it');
  });

  it('is put from the file of a secret, and replaced by whoever says which version', async () => {
    const key = { id: 'web', sha256: 'a'.repeat(64), scopes: ['checkout'] };
    const fields = JSON.parse(await readFile(join(folder, 'hotel.json'), 'utf8')) as Data;
    const whole = { ...fields, username: 'demo', password: 'demo-password', merchantKeys: [key] };
    await writeFile(join(folder, 'whole.json'), JSON.stringify(whole), { mode: 0o600 });
    const put = (...flags: readonly string[]) =>
      innkeep(['hotel', 'put', 'south_put', '--from', 'whole.json', ...flags]);
    expect((await put()).data).toMatchObject({ version: 1 });
    const again = await put();
    expect([again.exitCode, errorOf(again)]).toMatchObject([1, { code: 'precondition_required' }]);
    expect(again.stderr).toContain('--if-version');
    const old = await innkeep(['hotel', 'set', 'south_put', 'displayName=X', '--if-version', '7']);
    expect([old.exitCode, errorOf(old)]).toMatchObject([1, { code: 'version_conflict' }]);
    await writeFile(join(folder, 'whole.json'), JSON.stringify({ ...whole, moto: true }), { mode: 0o600 });
    expect((await put('--if-version', '1')).data).toMatchObject({ version: 2, settings: { moto: true } });
    await writeFile(join(folder, 'whole.json'), JSON.stringify({ ...whole, timeZone: 'Vienna', colour: 'red' }));
    const wrong = await put('--if-version', '2');
    expect(wrong).toMatchObject(ended(2, 'timeZone must be an IANA time zone'));
    expect(wrong.stderr).toContain('colour is not a known field');
  });

  it('is not live for a platform that is not', async () => {
    await addHotel('south_test');
    const live = [
      ...['livemode=true', 'baseUrl=https://pay.example', 'providerDirect=D', 'providerHosted=H'],
      'origins=https://hotel.example',
    ];
    const run = await innkeep(['hotel', 'set', 'south_test', ...live]);
    expect([run.exitCode, errorOf(run)]).toMatchObject([1, { code: 'invalid_request', param: 'livemode' }]);
    expect(run.stderr).toContain('innkeep platform add');
  });

  it('gets further keys, and a revoked one ends while the others go on', async () => {
    const first = await addHotel('south_keys');
    const added = await innkeep(['hotel', 'key', 'add', 'south_keys', '--key-id', 'next', '--scope', 'checkout']);
    const next = (added.data.merchantKey as { secretKey: string }).secretKey;
    expect(next).toMatch(/^sk_test_south_keys_[A-Za-z0-9]{43}$/);
    await expect.poll(() => listSessions({ INNKEEP_SECRET_KEY: next })).toBe(0);
    expect(await innkeep(['hotel', 'key', 'add', 'south_keys', '--key-id', 'next'])).toMatchObject(
      ended(2, 'has a key “next” already'),
    );

    expect((await innkeep(['hotel', 'key', 'revoke', 'south_keys', 'default'])).data.left).toEqual(['next']);
    await expect.poll(() => listSessions({ INNKEEP_SECRET_KEY: first })).toBe(1);
    expect(await listSessions({ INNKEEP_SECRET_KEY: next })).toBe(0);
    expect(await innkeep(['hotel', 'key', 'revoke', 'south_keys', 'next'])).toMatchObject(ended(2, 'is the only key'));
    expect(await innkeep(['hotel', 'key', 'revoke', 'south_keys', 'nobody'])).toMatchObject(ended(2, 'It has: next'));
  });

  it('changes no webhook that it cannot name, and none without the secrets of the others', async () => {
    const hooks = { webhooks: [{ url: 'https://hotel.example/hooks', secret: `whsec_${'A'.repeat(43)}=` }] };
    await writeFile(join(folder, 'hooks.json'), JSON.stringify(hooks), { mode: 0o600 });
    await writeFile(join(folder, 'none.json'), JSON.stringify({ webhooks: [{ url: 'https://hotel.example' }] }));
    const older = { webhooks: [...hooks.webhooks, { ...hooks.webhooks[0], url: 'https://gone.example/hooks' }] };
    await writeFile(join(folder, 'older.json'), JSON.stringify(older), { mode: 0o600 });
    await writeFile(join(folder, 'first.json'), JSON.stringify({ webhooks: [] }));
    await addHotel('south_hooks', '--webhook-url', 'https://hotel.example/hooks');
    const url = 'https://hotel.example/hooks';
    for (const [words, text] of [
      [['add', 'https://other.example'], 'never gives out the secrets of south_hooks'],
      [['add', 'https://other.example', '--from', 'none.json'], 'has no webhooks with url and secret'],
      [['add', url, '--from', 'hooks.json'], 'exists already'],
      [['retire', 'hotel.example', '--from', 'hooks.json'], 'has only one secret'],
      [['remove', 'gone.example', '--from', 'older.json'], 'south_hooks has endpoints at hotel.example'],
      [['add', 'https://other.example', '--from', 'first.json'], 'south_hooks has endpoints at hotel.example'],
      [['remove', 'other.example', '--from', 'hooks.json'], 'by its whole address or its host: hotel.example'],
    ] as const) {
      const [verb, ...more] = words;
      const run = await innkeep(['hotel', 'webhook', verb, 'south_hooks', ...more]);
      expect(run).toMatchObject({ ...ended(2, text), stdout: '' });
    }
    expect((await innkeep(['hotel', 'show', 'south_hooks'])).data).toMatchObject({ version: 1 });
  });

  it('writes no older secret of a webhook anew', async () => {
    await addHotel('south_older');
    const change = async (verb: string, from: string) => {
      const run = await innkeep([
        'hotel',
        'webhook',
        verb,
        'south_older',
        'https://hotel.example/hooks',
        '--from',
        from,
      ]);
      if (run.exitCode === 0) await writeFile(join(folder, `${verb}.json`), run.stdout, { mode: 0o600 });
      return run;
    };
    await writeFile(join(folder, 'hooks-none.json'), '{"webhooks":[]}');
    expect((await change('add', 'hooks-none.json')).data).toMatchObject({ version: 2 });
    // What says nothing of the endpoints makes no file older.
    await innkeep(['hotel', 'set', 'south_older', 'surcharge=true']);
    expect((await change('rotate', 'add.json')).data).toMatchObject({ version: 4 });
    expect(await change('remove', 'add.json')).toMatchObject(ended(2, 'they have changed since version 2'));
    expect((await change('retire', 'rotate.json')).data).toMatchObject({ version: 5 });
    expect((await change('rotate', 'rotate.json')).exitCode).toBe(2);
  });

  it('has more room in the directory than as a secret of Cloudflare', async () => {
    const fields = JSON.parse(await readFile(join(folder, 'hotel.json'), 'utf8')) as Data;
    const webhooks = Array.from({ length: 12 }, (_, nth) => ({
      url: `https://hotel.example/${nth}${'x'.repeat(400)}`,
    }));
    await writeFile(join(folder, 'large.json'), JSON.stringify({ ...fields, webhooks }), { mode: 0o600 });
    const add = (...flags: readonly string[]) =>
      innkeep(['hotel', 'add', 'south_large', '--from', 'large.json', '--no-login-check', ...flags], LOGIN);
    const deployed = await add('--deploy');
    expect(deployed).toMatchObject(ended(2, 'at most 5120'));
    await expect(stat(join(folder, 'PROPERTY_SOUTH_LARGE.json'))).rejects.toThrow('ENOENT');
    expect(deployed.stderr).toContain('innkeep hotel put');
    expect((await add('--directory')).exitCode).toBe(0);

    const hotels = Array.from({ length: 400 }, (_, nth) => `large_hotel_${nth}`);
    const refused = await innkeep([...'platform add large --name Large --deploy --properties'.split(' '), ...hotels]);
    expect(refused).toMatchObject(ended(2, 'at most 5120'));
    expect(refused.stderr).toContain('a second platform');
    await expect(stat(join(folder, 'PLATFORM_LARGE.json'))).rejects.toThrow('ENOENT');
  });

  it('names a mistake of a change before anything is sent', async () => {
    const run = await innkeep(['hotel', 'set', 'nowhere', 'displayname=X']);
    expect(run).toMatchObject(ended(2, 'Did you mean displayName?'));
    expect(errorOf(run).message).toBe('“displayname” is not a field of a hotel.');
  });
});

describe('a platform key', () => {
  it('acts for the hotel that is named, in every merchant command', async () => {
    await addHotel('south_acting');
    const session = 'session create --amount 10.00 EUR --reference RES-1 --idempotency-key one'.split(' ');
    const created = await innkeep([...session, '--property', 'south_acting']);
    expect(created.data).toMatchObject({ property: 'south_acting', status: 'open' });
    const shown = await innkeep(['session', 'get', String(created.data.id), '--property', 'south_acting']);
    expect(shown.data.reference).toBe('RES-1');
    expect(await innkeep(['session', 'list'])).toMatchObject(ended(2, 'Add --property'));
  });

  it('is for the hotels that it names, from a file, too', async () => {
    await addHotel('north_1');
    const north = { env: { INNKEEP_ENDPOINT: proxy.url }, cwd: folder };
    const words = ['--platform-key-file', 'north.key', '--json'];
    const list = await runInnkeep(['hotel', 'list', ...words], north);
    expect((JSON.parse(list.stdout) as { data: readonly Data[] }).data.map(({ id }) => id)).toEqual(['north_1']);
    const other = await runInnkeep(['hotel', 'show', 'south_1', ...words], north);
    expect([other.exitCode, errorOf(other)]).toMatchObject([1, { code: 'forbidden' }]);
  });

  it('has hotel check name the commands for a hotel that no file has, but the directory', async () => {
    await addHotel('south_nofile');
    for (const file of ['.dev.vars', 'none.vars']) {
      const check = async (...words: readonly string[]): Promise<string> => {
        const run = await innkeep(['hotel', 'check', ...words, '--env', file]);
        expect(run.exitCode).toBe(2);
        return String(errorOf(run).next);
      };
      expect(await check('south_nofile')).toContain(
        'south_nofile is in the directory: innkeep hotel show south_nofile',
      );
      expect(await check()).toContain('For the hotels of the directory: innkeep hotel list');
      expect(await check('south_nowhere')).not.toContain('directory');
    }
  });

  it('is refused as an argument, and when it is none', async () => {
    expect(await runInnkeep(['hotel', 'list', '--search', `pk_test_alpine_${'x'.repeat(43)}`], { env })).toMatchObject(
      ended(2, 'is a secret'),
    );
    expect(await runInnkeep(['hotel', 'list'], { env: { ...env, INNKEEP_PLATFORM_KEY: 'sk_test_x' } })).toMatchObject(
      ended(2, 'does not begin with pk_'),
    );
    expect(
      await innkeep(['hotel', 'list'], { INNKEEP_PLATFORM_KEY: `pk_test_alpine_${'y'.repeat(43)}` }),
    ).toMatchObject(ended(1, 'INNKEEP_PLATFORM_KEY'));
  });
});

describe('a hotel of the directory that is still a secret of the deployment', () => {
  it('is served as the secret says, which every change of it says', async () => {
    const envFile = join('both', 'proxy.env');
    await mkdir(join(folder, 'both'));
    await copyFile(join(folder, '.dev.vars'), join(folder, envFile));
    await innkeep(['hotel', 'add', 'both', '--from', 'hotel.json', '--env', envFile], LOGIN);
    const line = /^PROPERTY_BOTH='(.*)'\n/m.exec(await readFile(join(folder, envFile), 'utf8'));
    await writeFile(join(folder, 'both.json'), line?.[1] ?? '', { mode: 0o600 });
    const own = await serveFolder(join(folder, 'both'), { envFile: join(folder, envFile) });
    const platform = (...words: readonly string[]) => innkeep(words, { ...LOGIN, INNKEEP_ENDPOINT: own.url });
    const says = 'PROPERTY_BOTH applies until it is removed from the deployment: change it there, too.';
    try {
      for (const words of [
        ['add', 'both', '--from', 'hotel.json', '--directory'],
        ['put', 'both', '--from', 'both.json', '--if-version', '*'],
        ['set', 'both', 'displayName=Other'],
        ['roll-back', 'both', '--to', '1', '--if-version', '*'],
        ['remove', 'both'],
      ]) {
        const run = await platform('hotel', ...words);
        expect([run.exitCode, run.stderr], words.join(' ')).toEqual([0, expect.stringContaining(says)]);
        expect(run.stderr).not.toContain('served at once');
      }
      for (const words of [
        'key add both --key-id second',
        'key revoke both default',
        'webhook add both https://a.example/',
      ]) {
        const run = await platform('hotel', ...words.split(' '));
        expect([run.exitCode, errorOf(run)], words).toMatchObject([1, { code: 'configured_by_secret' }]);
        expect(run.stderr).toContain('--from PROPERTY_BOTH.json');
      }
      const alone = await platform('hotel', 'add', 'alone', '--from', 'hotel.json', '--directory');
      expect(alone.stderr).toContain('The proxy serves the hotel at once.');
      expect((await platform('hotel', 'set', 'alone', 'displayName=Other')).stderr).toBe('');
    } finally {
      await own.close();
    }
  });
});

describe('innkeep status', () => {
  it('asks every hotel, and shows where somebody has to look', async () => {
    await addHotel('south_status');
    const words = ['charge', 'create', '--amount', '12.00', 'EUR', '--reference', 'RES-9', '--reason', 'deposit'];
    sandbox.sandbox.control.scenario({ operation: 'pay', scenario: 'outcome-pending' });
    const charge = [...words, '--token-from', 'moto', '--idempotency-key', 'status-1', '--property', 'south_status'];
    expect((await innkeep(charge, { INNKEEP_CARD_TOKEN: 'TK-1' })).exitCode).toBe(3);
    await expect.poll(async () => (await innkeep(['status'])).data.inNeed).toBe(1);
    const all = await innkeep(['status']);
    expect([all.exitCode, all.data]).toMatchObject([
      1,
      {
        ok: false,
        data: [
          {
            property: 'south_status',
            figures: { charges: { unknown: 1 } },
            findings: ['unknown charges: 1. See which: innkeep charge list --status unknown --property south_status'],
          },
        ],
      },
    ]);
    expect(Number(all.data.hotels)).toBeGreaterThan(1);
    const well = await runInnkeep(['status', '--property', 'south_acting'], { env });
    expect([well.exitCode, well.stdout]).toEqual([0, expect.stringMatching(/^HOTEL +UNKNOWN .*\nsouth_acting +0 /)]);
    expect(
      await runInnkeep(['status', '--platform-key-file', 'north.key'], {
        env: { INNKEEP_ENDPOINT: proxy.url },
        cwd: folder,
      }),
    ).toMatchObject(ended(1, 'needs the scope "events"'));
  });
});

describe('innkeep keys', () => {
  it('puts a new key in front, and seals the directory with it, so that the old one can go', async () => {
    const dir = join(folder, 'rotated');
    const file = join(folder, ROTATED);
    await mkdir(dir);
    await copyFile(join(folder, '.dev.vars'), file);
    const serve = () => serveFolder(dir, { envFile: file });
    const keysNow = async (): Promise<readonly string[]> =>
      (/^SEALING_KEYS='(.*)'$/m.exec(await readFile(file, 'utf8'))?.[1] ?? '').split(' ');
    const [old] = await keysNow();
    await innkeep(['hotel', 'add', 'c', '--from', 'hotel.json', '--env', ROTATED], LOGIN);
    const secret = /^PROPERTY_C='(.*)'\n/m.exec(await readFile(file, 'utf8'));
    await writeFile(join(folder, 'c.json'), secret?.[1] ?? '', { mode: 0o600 });
    let running = await serve();
    const platform = (...words: readonly string[]) => innkeep(words, { ...LOGIN, INNKEEP_ENDPOINT: running.url });
    // On its way into the directory: the secret counts as long as it is there.
    expect((await platform('hotel', 'put', 'c', '--from', 'c.json')).exitCode).toBe(0);
    for (const id of ['a', 'b']) await platform('hotel', 'add', id, '--from', 'hotel.json', '--directory');
    await platform('hotel', 'set', 'a', 'displayName=Changed');

    const rotated = await innkeep(['keys', 'rotate', '--env', ROTATED]);
    expect(rotated.data).toEqual({ file: ROTATED, keys: 2 });
    const [fresh, second] = await keysNow();
    expect([second, fresh === old, rotated.stdout.includes(String(fresh))]).toEqual([old, false, false]);
    const words = ['keys', 'retire', '--rotated-on', '2020-01-01', '--env', ROTATED];
    const retire = (...flags: readonly string[]) => platform(...words, ...flags);
    for (const flags of [[], ['--keep-cards-days', '30']]) {
      expect(await retire(...flags)).toMatchObject(
        ended(2, 'The proxy does not run with these sealing keys. Nothing was removed.'),
      );
    }
    expect(await runInnkeep([...words, '--keep-cards-days', '30'], { cwd: folder })).toMatchObject(
      ended(2, 'PLATFORM_ALPINE, so hotels may be in a directory'),
    );
    expect(await keysNow()).toEqual([fresh, old]);
    const unstarted = await platform('keys', 'reseal');
    expect(unstarted.stderr).toContain('restart the proxy first');
    expect(unstarted.stderr).not.toMatch(/oldKeysUntil|rotated-on/);
    await running.close();
    running = await serve();
    const resealed = await platform('keys', 'reseal');
    expect([resealed.data, resealed.stderr]).toEqual([
      { hotels: 3, resealed: 4, cards: 0, coversAll: true, failed: [] },
      expect.stringMatching(/are still in use.*"oldKeysUntil":"\d{4}-\d\d-\d\d"/),
    ]);
    const again = await platform('keys', 'reseal');
    expect(again.data).toMatchObject({ hotels: 3, resealed: 0, failed: [] });
    expect(again.stderr).toContain('Nothing was left to reseal.');
    const lost = `${'A'.repeat(43)}=`;
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replace(`${old}'`, `${old} ${lost}'`));
    expect((await retire()).exitCode).toBe(2);
    expect(await keysNow()).toEqual([fresh, old, lost]);
    await writeFile(file, text);
    expect((await retire()).exitCode).toBe(0);
    expect(await keysNow()).toEqual([fresh]);
    await running.close();

    await writeFile(file, (await readFile(file, 'utf8')).replace(secret?.[0] ?? '', ''));
    running = await serve();
    try {
      expect((await platform('hotel', 'show', 'a')).data).toMatchObject({ status: 'active', displayName: 'Changed' });
      expect((await platform('hotel', 'show', 'c')).data).toMatchObject({ status: 'active', source: 'directory' });
      expect((await platform('hotel', 'roll-back', 'a', '--to', '1')).data).toMatchObject({ version: 3 });
    } finally {
      await running.close();
    }
  });

  it.each([
    ['Base64', `${'A'.repeat(42)}+=`],
    ['Base64 without padding', `${'A'.repeat(42)}/`],
    ['Base64url', `${'A'.repeat(41)}-_=`],
    ['hexadecimal digits', '0aF1'.repeat(16)],
  ])('prints the new value alone for a deployment, from the old one in %s on standard input', async (_form, old) => {
    const run = await runInnkeep(['keys', 'rotate', '--from', '-'], { cwd: folder, input: `${old}\n` });
    expect([run.exitCode, run.stdout.slice(44)]).toEqual([0, ` ${old}\n`]);
    expect(run.stdout).toMatch(/^[\w+/]{43}= /);
  });

  it('takes no key out with a platform key that does not see every hotel', async () => {
    const north = { env: { INNKEEP_ENDPOINT: proxy.url }, cwd: folder };
    const key = ['--platform-key-file', 'north.key'];
    expect(await runInnkeep(['keys', 'reseal', ...key], north)).toMatchObject(ended(0, 'is not for all hotels'));
    const words = ['keys', 'retire', '--rotated-on', '2020-01-01', '--from', '-', ...key];
    const input = `${'B'.repeat(43)}= ${'A'.repeat(43)}=\n`;
    const retired = await runInnkeep(words, { ...north, input });
    expect(retired).toMatchObject({ ...ended(2, 'Nothing was changed.'), stdout: '' });
    expect(retired.stderr).toContain('Use a key whose hotels are *.');
  });

  // As 1.0.0 does not.
  it('takes no key out while the proxy does not say which it runs with', async () => {
    const older = await startFakeProxy();
    older.answer((request) =>
      request.path.endsWith('/reseal')
        ? { status: 200, json: example(ResealedPropertySchema, { nextCursor: null }) }
        : goodProxy(request),
    );
    const input = `${SEALING_KEYS.join(' ')}\n`;
    const words = ['keys', 'retire', '--rotated-on', '2020-01-01', '--from', '-'];
    const retired = await runInnkeep(words, { env: { ...env, INNKEEP_ENDPOINT: older.url }, cwd: folder, input });
    await older.close();
    expect(retired).toMatchObject({ ...ended(2, 'Nothing was removed.'), stdout: '' });
  });

  it('takes no key out as long as something may be sealed by it', async () => {
    const keys = `${'B'.repeat(43)}= ${'A'.repeat(43)}=\n`;
    const retire = (day: string, input: string) =>
      runInnkeep(['keys', 'retire', '--rotated-on', day, '--keep-cards-days', '30', '--from', '-'], {
        cwd: folder,
        input,
      });
    const today = new Date().toISOString().slice(0, 10);
    for (const [day, input, text] of [
      [today, keys, 'what an older key has sealed may still be needed'],
      ['2020-01-01', `${'A'.repeat(43)}=\n`, 'There is only one sealing key'],
      ['2020-13-01', keys, 'It must be a day that exists'],
    ] as const) {
      const run = await retire(day, input);
      expect(run).toMatchObject({ ...ended(2, text), stdout: '' });
    }
    expect(await retire('2020-01-01', keys)).toMatchObject({ exitCode: 0, stdout: `${'B'.repeat(43)}=\n` });
  });

  it.each([
    ['', 'has no key'],
    ['hunter-two', 'is not 32 bytes in Base64'],
    [`${'A'.repeat(43)}= ${'A'.repeat(43)}=`, 'the same key appears twice'],
  ])('refuses the present value %j, and quotes nothing of it', async (input, text) => {
    const run = await runInnkeep(['keys', 'rotate', '--from', '-'], { cwd: folder, input });
    expect(run).toMatchObject({ ...ended(2, text), stdout: '' });
    expect(run.stderr).not.toMatch(/hunter|AAAA/);
  });
});
