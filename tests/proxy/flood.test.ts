import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inParallel } from '../support/money-stack.ts';
import { type ProxyUnderTest, startProxyUnderTest } from './support/proxy-under-test.ts';

// flood.outer.test.ts has many more.
const GUESSES = Number(process.env.FLOOD_GUESSES ?? 400);
const GUESTS = GUESSES / 50;

let proxy: ProxyUnderTest;
beforeAll(async () => {
  proxy = await startProxyUnderTest();
});
afterAll(() => proxy?.close());

/** Makes so many calls, fifty at a time. */
const flood = <Answer>(count: number, call: (nth: number) => Promise<Answer>): Promise<Answer[]> =>
  inParallel(
    50,
    Array.from({ length: count }, (_, nth) => () => call(nth)),
  );

/** A client secret in the right form, of a session that never was. */
function madeUp(index: number | string): string {
  return `cs_${String(index).toUpperCase().padStart(26, '0')}_${'a'.repeat(43)}`;
}

/** The objects' files, without the journals that come and go beside them. */
function files(): string[] {
  const all = readdirSync(join(proxy.dataDir, 'objects'), { recursive: true, encoding: 'utf8' });
  return all.filter((name) => name.endsWith('.sqlite')).sort();
}

test('guests starting at once on a cold proxy make one login', async () => {
  const sessions = await flood(GUESTS, async () => {
    const body = { kind: 'payment', amount: { value: 12_000, currency: 'EUR' }, reference: 'RES-FLOOD' };
    return (await (await proxy.merchant('/v1/checkout-sessions', { body })).json()) as { clientSecret: string };
  });
  const answers = await Promise.all(
    sessions.map(({ clientSecret }) =>
      proxy.guest('/v1/checkout/start', clientSecret, { presentation: 'tab', terms: 1 }),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(GUESTS).fill(200));
  const log: unknown = await proxy.sandbox('requests');
  const logins = JSON.stringify(log).match(/"operation":"login"/g) ?? [];
  expect(logins).toHaveLength(1);
});

test('every made-up client secret is refused, leaves no file, and guests are served as before', async () => {
  await proxy.guest('/v1/checkout', madeUp('x'));
  const before = files();
  const statuses = await flood(GUESSES, async (index) => {
    const answer = await proxy.guest('/v1/checkout', madeUp(index));
    await answer.arrayBuffer();
    return answer.status;
  });
  expect(new Set(statuses)).toEqual(new Set([401]));
  expect(files()).toEqual(before);
  const answer = await proxy.guest('/v1/checkout', `cs_${'0'.repeat(26)}_${'b'.repeat(43)}`);
  expect(await answer.json()).toMatchObject({ code: 'unauthorized' });
  const body = { kind: 'payment', amount: { value: 12_000, currency: 'EUR' }, reference: 'RES-AFTER' };
  const created = await proxy.merchant('/v1/checkout-sessions', { body });
  const { clientSecret } = (await created.json()) as { clientSecret: string };
  expect((await proxy.guest('/v1/checkout', clientSecret)).status).toBe(200);
});

test('ids that a caller with a merchant key makes up leave no file', async () => {
  // The first one makes the id key and the hotel's ledger, if nothing has yet.
  await proxy.merchant(`/v1/checkout-sessions/cs_${'A'.repeat(26)}`);
  const before = files();
  const statuses = await flood(
    GUESSES / 10,
    async (index) => (await proxy.merchant(`/v1/checkout-sessions/cs_${String(index).padStart(26, '0')}`)).status,
  );
  expect(new Set(statuses)).toEqual(new Set([404]));
  expect(files()).toEqual(before);
});
