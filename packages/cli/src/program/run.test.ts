import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ChargeSchema, CheckoutSessionSchema } from '@innkeep/core/contract';
import { beforeEach, describe, expect, it } from 'vitest';
import { example } from '../../test-support/example.ts';
import { type Answers, fakeIo } from '../../test-support/fake-io.ts';
import { HOTEL } from '../../test-support/hotel.ts';
import type { Io } from '../process/io.ts';
import { run } from './run.ts';

const ANSWERS: Answers = {
  'Short name of the hotel': 'aurora',
  'Name that guests read': 'Hotel Aurora',
  'Address of the payment service': 'https://pay.example',
  'Customer id': '1234',
  'User at': 'demo',
  'Password at': "it's $ecret",
  'Id of the hotel': '1',
  'Kind of property-management': 'X',
  'Operator name': 'web',
  'Time zone': 'Europe/Vienna',
  'How does the payment service count': 'major',
  'keyed and stored cards': 'D',
  'hosted pages': 'H',
  'Origins of the hotel': 'https://hotel.example https://www.hotel.example',
  'real money': true,
  'Webhook address': 'https://hotel.example/hooks',
  'Key of the property-management gateway': 'k'.repeat(40),
};

/** A payment service that takes every login. */
const upstream: Io['fetch'] = async () =>
  Response.json({ access_token: 'token', token_type: 'Bearer', expires_in: 4800, roles: ['USER'], username: 'demo' });

let cwd: string;
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'innkeep-run-'));
  return () => rm(cwd, { recursive: true, force: true });
});

const devVars = (): Promise<string> => readFile(join(cwd, '.dev.vars'), 'utf8');

describe('hotel add at a terminal', () => {
  it('asks for everything, and writes what was answered', async () => {
    const io = fakeIo({ cwd, answers: ANSWERS, fetch: upstream });
    expect(await run(['hotel', 'add'], io)).toBe(0);
    expect(io.questions).toHaveLength(Object.keys(ANSWERS).length);
    const json = /^SEALING_KEYS='[\w+/]{43}='\nPROPERTY_AURORA='(.*)'\n$/.exec(await devVars())?.[1] ?? '';
    expect(JSON.parse(json)).toMatchObject({
      displayName: 'Hotel Aurora',
      livemode: true,
      password: "it's $ecret",
      amountUnit: 'major',
      origins: ['https://hotel.example', 'https://www.hotel.example'],
      gateway: { apiKey: 'k'.repeat(40), allow: ['RMS/keepalivereq'] },
      webhooks: [{ url: 'https://hotel.example/hooks', secret: expect.stringMatching(/^whsec_/) }],
    });
    expect(io.stdout()).toMatch(/^Merchant key +sk_live_/m);
    expect(io.stdout() + io.stderr()).not.toContain('$ecret');
  });

  it('writes a sealing key, which a live hotel needs to pass its check', async () => {
    const io = fakeIo({ cwd, answers: ANSWERS, fetch: upstream });
    await run(['hotel', 'add'], io);
    const check = async (): Promise<string> => {
      const checking = fakeIo({ cwd, fetch: upstream });
      await run(['hotel', 'check', '--no-hosted-page'], checking);
      return checking.stdout();
    };
    expect(await check()).not.toContain('sealing-keys');
    await writeFile(join(cwd, '.dev.vars'), (await devVars()).replace(/^SEALING_KEYS=.*\n/, ''));
    expect(await check()).toMatch(/^PROBLEM +sealing-keys .*\n.*openssl rand -base64 32/m);
  });

  it('asks only for what is missing', async () => {
    const env = { INNKEEP_UPSTREAM_USERNAME: 'demo', INNKEEP_UPSTREAM_PASSWORD: 'password' };
    const io = fakeIo({ cwd, env, answers: ANSWERS, fetch: upstream });
    const flags = ['--name', 'Hotel', '--base-url', 'https://pay.example', '--customer-id', '1', '--hotel-id', '1'];
    expect(await run(['hotel', 'add', 'aurora', ...flags], io)).toBe(0);
    expect(io.questions.join()).not.toMatch(/Short name|Name that|Address of the pay|Customer|User at|Password|Id of/);
  });

  it.each([
    ['Time zone', 'Vienna', 'It must be an IANA time zone'],
    ['Name that guests read', 'a\u0007b', 'It must be one line of text'],
    ['Customer id', '..', 'It must be a text that an address can hold'],
    ['Key of the property-management gateway', `${'k'.repeat(39)} `, 'It must be 40 visible ASCII characters'],
  ])('does not take for “%s” what the proxy would refuse', async (question, answer, message) => {
    const io = fakeIo({ cwd, answers: { ...ANSWERS, [question]: answer }, fetch: upstream });
    expect(await run(['hotel', 'add'], io)).toBe(1);
    expect(io.stderr()).toContain(message);
  });

  it('leaves a hotel alone that is there, unless told to replace it', async () => {
    await writeFile(join(cwd, '.dev.vars'), "PROPERTY_AURORA='{}'\n");
    const io = fakeIo({ cwd, answers: { ...ANSWERS, 'exists already': false }, fetch: upstream });
    expect(await run(['hotel', 'add'], io)).toBe(130);
    expect(await devVars()).toBe("PROPERTY_AURORA='{}'\n");
    expect(io.stdout()).toBe('');
  });
});

it.each<[string, string[], string]>([
  ['a name on two lines', ['hotel', 'add', 'aurora', '--name', 'a\nb'], 'displayName must be one line of text'],
  ...['500.00', '1e5', '0x1F4', ' 500', ''].map((amount): [string, string[], string] => [
    `a limit of “${amount}”`,
    ['hotel', 'add', 'aurora', '--max-amount', `EUR=${amount}`],
    '--max-amount EUR is in minor units, such as 500000 for 5000.00 EUR',
  ]),
  [
    'two limits in a currency',
    ['hotel', 'add', 'aurora', '--max-reversal', '5 EUR', '--max-reversal', '6 EUR'],
    '--max-reversal: EUR was given twice',
  ],
  ['a platform’s name on two lines', ['platform', 'add', 'alpine', '--name', 'a\nb'], 'displayName must be one line'],
])('nothing is written with %s', async (_what, words, message) => {
  await writeFile(join(cwd, 'hotel.json'), JSON.stringify(HOTEL));
  const io = fakeIo({ cwd });
  const from = words[0] === 'hotel' ? ['--from', 'hotel.json', '--no-login-check'] : [];
  expect([await run([...words, ...from], io), io.stderr()]).toEqual([2, expect.stringContaining(message)]);
  await expect(devVars()).rejects.toThrow('ENOENT');
});

it.each([
  ['{bad', 'It must be JSON.'],
  ['', 'It must be JSON.'],
  ['[]', 'It must be an object.'],
  ['null', 'It must be an object.'],
])('hotel check says once what is wrong with the settings “%s”', async (text, message) => {
  await writeFile(join(cwd, 'bad.env'), `PROPERTY_AURORA='${text}'\n`);
  const io = fakeIo({ cwd });
  expect(await run(['hotel', 'check', '--env', 'bad.env', '--json'], io)).toBe(1);
  expect(JSON.parse(io.stdout()).checks).toEqual([
    { check: 'settings', status: 'problem', message, fix: 'Correct it in PROPERTY_AURORA.' },
  ]);
});

describe('session get', () => {
  const error = { code: 'declined', message: 'The card was declined' };
  const { attempts, ...PAID } = example(CheckoutSessionSchema);
  const ATTEMPT = { ...attempts[0], status: 'declined', error, result: null };
  const SESSION = { ...PAID, status: 'unknown', result: null, reversed: null, reversing: null };
  const get = async (fields: object, ...words: readonly string[]): Promise<string> => {
    const io = fakeIo({
      env: { INNKEEP_ENDPOINT: 'https://pay.hotel.example', INNKEEP_SECRET_KEY: 'sk_test_given' },
      fetch: async () => Response.json({ ...SESSION, ...fields }),
    });
    expect(await run(['session', 'get', SESSION.id, ...words], io)).toBe(0);
    return io.stdout();
  };

  it('shows each attempt, with the reason and with figures that nobody believed', async () => {
    const recorded = { amount: { value: 13_000, currency: 'EUR' }, transactionId: '4711', maskedCard: null };
    const text = await get({ attempts: [ATTEMPT, { ...ATTEMPT, number: 2, status: 'unknown', recorded }] });
    expect(text).toMatch(
      /^Attempt 1 +declined, 120\.00 EUR, 2026-09-01T10:02:11.000Z, declined: The card was declined$/m,
    );
    expect(text).toMatch(/^Attempt 2 +unknown, /m);
    expect(text).toMatch(/^Attempt 2 recorded +130\.00 EUR$/m);
    expect(text).toMatch(/^Attempt 2 transaction +4711$/m);
    expect(text).not.toContain('resolved');
  });

  it('shows what a person found out about an attempt', async () => {
    const by = { key: 'office', person: 'emp-43', via: 'header' };
    const resolution = { status: 'succeeded', evidence: 'Portal, 21 Nov', by };
    const text = await get({ attempts: [{ ...ATTEMPT, status: 'succeeded', error: null, resolution }] });
    expect(text).toMatch(/^Attempt 1 resolved +succeeded by emp-43 \(office\): Portal, 21 Nov$/m);
  });

  it.each([
    ['TK-secret-0042', '…0042'],
    [null, null],
  ])('shows of the card token %s no more than %s, wherever it stands', async (token, shown) => {
    const result = { kind: 'card', token, transactionId: '4711' };
    const card = { kind: 'card', status: 'succeeded', result, attempts: [{ ...ATTEMPT, result }] };
    const reduced = { ...result, token: shown };
    expect(JSON.parse(await get(card, '--json'))).toMatchObject({ result: reduced, attempts: [{ result: reduced }] });
    expect(JSON.parse(await get(card, '--json', '--show-token'))).toMatchObject({ result, attempts: [{ result }] });
    expect(await get(card)).not.toContain('TK-secret');
  });
});

describe('the merchant key', () => {
  it('is asked for at a terminal when nothing holds it', async () => {
    const seen: (string | null)[] = [];
    const io = fakeIo({
      env: { INNKEEP_ENDPOINT: 'https://pay.hotel.example' },
      answers: { 'merchant key': 'sk_test_typed' },
      fetch: async (input) => {
        seen.push((input as Request).headers.get('authorization'));
        return Response.json({ object: 'list', data: [], nextCursor: null });
      },
    });
    expect(await run(['session', 'list'], io)).toBe(0);
    expect(seen).toEqual(['Bearer sk_test_typed']);
    expect(io.stdout() + io.stderr()).not.toContain('sk_test_typed');
  });

  it.each([
    'http://pay.hotel.example',
    'https://user@pay.hotel.example',
    'https://pay.hotel.example?x=1',
    'pay.hotel.example',
  ])('goes nowhere with the endpoint %s', async (endpoint) => {
    const io = fakeIo({ env: { INNKEEP_ENDPOINT: endpoint, INNKEEP_SECRET_KEY: 'sk_test_x' } });
    expect(await run(['session', 'list'], io)).toBe(2);
    expect(io.stderr()).toContain('must be https');
  });

  it('is refused when it is none, without being repeated', async () => {
    const io = fakeIo({ env: { INNKEEP_ENDPOINT: 'https://pay.hotel.example', INNKEEP_SECRET_KEY: 'pass-word' } });
    expect(await run(['session', 'list'], io)).toBe(2);
    expect(io.stderr()).toContain('does not begin with sk_');
    expect(io.stderr()).not.toContain('pass-word');
  });
});

describe('text from the proxy', () => {
  it('cannot steer the terminal', async () => {
    const io = fakeIo({
      env: { INNKEEP_ENDPOINT: 'https://pay.hotel.example', INNKEEP_SECRET_KEY: 'sk_test_x' },
      fetch: async () =>
        Response.json({ object: 'list', data: [{ id: 'cs_1', reference: '\u001b[2Jx\r\ny' }], nextCursor: null }),
    });
    expect(await run(['session', 'list'], io)).toBe(0);
    expect(io.stdout().split('\n')[1]).toMatch(/^cs_1 .*x y/);
  });
});

const ENV = { INNKEEP_ENDPOINT: 'https://pay.hotel.example', INNKEEP_SECRET_KEY: 'sk_test_x' };
const CHARGE = ['charge', 'create', '--amount', '1.00', 'EUR', '--reference', 'R-1', '--reason', 'no_show'];

it('ends a charge of unknown outcome with 3 although nobody can be told, as at a terminal that has gone', async () => {
  const written: string[] = [];
  const io = fakeIo({
    env: { ...ENV, INNKEEP_CARD_TOKEN: 'tok' },
    fetch: async () => new Response('charged!', { status: 201 }),
    writeErr: async (text) => {
      if (written.push(text) > 1) throw new Error('EIO');
    },
  });
  expect([await run(CHARGE, io), written]).toEqual([
    3,
    [expect.stringMatching(/^Idem/), expect.stringMatching(/not known/)],
  ]);
});

describe('standard output that cannot be written', () => {
  const session = ['session', 'create', '--kind', 'card', '--reference', 'R-1'];
  it.each<[number, string, string[]]>([
    [3, 'Standard output could not be written (ENOSPC).\n  The proxy got the command', session],
    [3, 'Standard output could not be written (ENOSPC). It is not known whether the card', CHARGE],
    [1, 'Standard output could not be written (ENOSPC).\n  Make room', ['session', 'get', 'cs_1']],
    [1, 'Standard output could not be written (ENOSPC).\n  Make room', ['--help']],
  ])('ends with %i, and says whether something may have changed: %s', async (exitCode, message, words) => {
    const io = fakeIo({
      env: { ...ENV, INNKEEP_CARD_TOKEN: 'tok' },
      fetch: async () => Response.json(words === CHARGE ? example(ChargeSchema) : example(CheckoutSessionSchema)),
      writeOut: async () => {
        throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
      },
    });
    expect([await run(words, io), io.stderr()]).toEqual([exitCode, expect.stringContaining(message)]);
    expect(io.stderr()).not.toContain('INNKEEP_ENDPOINT');
  });
});

describe('a failure nobody expected', () => {
  it('ends with 1 in one line, and with INNKEEP_DEBUG=1 says where', async () => {
    const env = { INNKEEP_ENDPOINT: 'https://pay.hotel.example', INNKEEP_SECRET_KEY: 'sk_test_x' };
    const fetch: Io['fetch'] = async () => Response.json({ object: 'list' });
    const plain = fakeIo({ env, fetch });
    expect(await run(['session', 'list'], plain)).toBe(1);
    expect(plain.stderr()).toMatch(/^Something failed unexpectedly: TypeError.*\n {2}Check that INNKEEP_ENDPOINT.*\n$/);
    const debug = fakeIo({ env: { ...env, INNKEEP_DEBUG: '1' }, fetch });
    await run(['session', 'list'], debug);
    expect(debug.stderr()).toContain('list-command');
  });
});

it('names why nothing was reached: of the proxy, and of the payment service', async () => {
  const hotel = { ...HOTEL, merchantKeys: [{ id: 'k', sha256: 'a'.repeat(64), scopes: ['checkout'] }] };
  await writeFile(join(cwd, '.dev.vars'), `PROPERTY_AURORA='${JSON.stringify(hotel)}'\n`);
  const reason = Object.assign(new Error('certificate has expired'), { code: 'CERT_HAS_EXPIRED' });
  const said = async (exitCode: number, ...words: string[]): Promise<string> => {
    const fetch = () => Promise.reject(new TypeError('fetch failed', { cause: reason }));
    const io = fakeIo({ cwd, env: { ...ENV, INNKEEP_CARD_TOKEN: 'tok' }, fetch });
    expect(await run(words, io)).toBe(exitCode);
    return io.stdout() + io.stderr();
  };
  const failed = 'The connection to the payment proxy failed (CERT_HAS_EXPIRED).';
  expect(await said(1, 'status')).toContain(`${failed}\n`);
  expect(await said(3, ...CHARGE)).toContain(`${failed} It is not known whether`);
  const checked = await said(1, 'hotel', 'check');
  expect(checked).toMatch(/^PROBLEM +login +\S+ The connection was lost during login \(CERT_HAS_EXPIRED\)\.$/m);
  expect(checked).toMatch(/^PROBLEM +proxy +\S+ does not answer \(CERT_HAS_EXPIRED\)\.$/m);
});

it('says of a web server that answers for the proxy that the proxy may not run', async () => {
  const io = fakeIo({ env: ENV, fetch: async () => new Response('<h1>502 Bad Gateway</h1>', { status: 502 }) });
  expect([await run(['status'], io), io.stderr()]).toEqual([1, expect.stringContaining('Check that the proxy runs: ')]);
});

it('says of an address with a path that it is none of the proxy’s', async () => {
  const problem = { type: 'x', title: 'Not found', status: 404, code: 'not_found' };
  const body = JSON.stringify({ ...problem, detail: 'There is nothing at this address' });
  const io = fakeIo({ env: ENV, fetch: async () => new Response(body, { status: 404 }) });
  expect(await run(['status'], io)).toBe(1);
  expect(io.stderr()).toContain('Check INNKEEP_ENDPOINT');
});
