import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Answer, inParallel, type MoneyStack, startMoneyStack } from '../support/money-stack.ts';

// flood.outer.test.ts has many more.
const GUESSES = Number(process.env.FLOOD_GUESSES ?? 400);
const GUESTS = GUESSES / 50;

let proxy: MoneyStack;
beforeAll(async () => {
  proxy = await startMoneyStack();
});
afterAll(() => proxy?.close());

/** Makes so many calls, fifty at a time. */
const flood = <Result>(count: number, call: (nth: number) => Promise<Result>): Promise<Result[]> =>
  inParallel(
    50,
    Array.from({ length: count }, (_, nth) => () => call(nth)),
  );

/** A client secret in the right form, of a session that never was. */
function madeUp(index: number | string): string {
  return `cs_${String(index).toUpperCase().padStart(26, '0')}_${'a'.repeat(43)}`;
}

const read = (bearer: string): Promise<Answer> => proxy.call('/v1/checkout', { bearer });

async function newClientSecret(): Promise<string> {
  const body = { kind: 'payment', amount: { value: 12_000, currency: 'EUR' }, reference: 'RES-FLOOD' };
  return String((await proxy.call('/v1/checkout-sessions', { body })).body.clientSecret);
}

/** The objects' files, without the journals that come and go beside them. */
function files(): string[] {
  const all = readdirSync(join(proxy.dataDir, 'storage/objects'), { recursive: true, encoding: 'utf8' });
  return all.filter((name) => name.endsWith('.sqlite')).sort();
}

test('guests starting at once on a cold proxy make one login', async () => {
  const secrets = await flood(GUESTS, newClientSecret);
  const body = { presentation: 'tab', terms: 1 };
  const answers = await Promise.all(secrets.map((bearer) => proxy.call('/v1/checkout/start', { body, bearer })));
  expect(answers.map(({ status }) => status)).toEqual(Array(GUESTS).fill(200));
  const { requests } = proxy.sandbox.control.requests();
  expect(requests.filter(({ operation }) => operation === 'login')).toHaveLength(1);
});

test('every made-up client secret is refused, leaves no file, and guests are served as before', async () => {
  await read(madeUp('x'));
  const before = files();
  const statuses = await flood(GUESSES, async (index) => (await read(madeUp(index))).status);
  expect(new Set(statuses)).toEqual(new Set([401]));
  expect(files()).toEqual(before);
  expect((await read(`cs_${'0'.repeat(26)}_${'b'.repeat(43)}`)).body).toMatchObject({ code: 'unauthorized' });
  expect((await read(await newClientSecret())).status).toBe(200);
});

test('whoever reads many pages at once waits, and not the guests', async () => {
  const [secret = ''] = await flood(100, newClientSecret);
  let pages = 0;
  const reading = Array.from({ length: 300 }, async () => {
    expect((await proxy.call('/v1/checkout-sessions?limit=100')).status).toBe(200);
    pages += 1;
  });
  // With the first page all questions have arrived.
  await Promise.race(reading);
  expect((await read(secret)).status).toBe(200);
  expect(pages).toBeLessThan(30);
  await Promise.all(reading);
});

test('ids that a caller with a merchant key makes up leave no file', async () => {
  // The first one makes the id key and the hotel's ledger, if nothing has yet.
  await proxy.call(`/v1/checkout-sessions/cs_${'A'.repeat(26)}`);
  const before = files();
  const statuses = await flood(
    GUESSES / 10,
    async (index) => (await proxy.call(`/v1/checkout-sessions/cs_${String(index).padStart(26, '0')}`)).status,
  );
  expect(new Set(statuses)).toEqual(new Set([404]));
  expect(files()).toEqual(before);
});
