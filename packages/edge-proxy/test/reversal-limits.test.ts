/** Keys that may refund only so much a day, and hotels where nobody settles their own doubt. */
import { expect, test, vi } from 'vitest';
import type { Json } from '../test-support/client.ts';
import { editedDependencies } from '../test-support/edited-proxy.ts';
import { AURORA, KEYS } from '../test-support/environment.ts';
import { answerMoney, charge, useMoneyFakes } from '../test-support/money.ts';
import { passSeconds } from '../test-support/objects.ts';
import { createApp } from '../test-support/whole-app.ts';

const fakes = useMoneyFakes('LIM');
const LIMIT = 10_000;
const eur = (value: number): Json => ({ value, currency: 'EUR' });

/** The proxy as two keys see it: one that has the limit, and one without. Each test has a key of its own. */
function proxy(settings: Json = {}) {
  const [web, books] = AURORA.merchantKeys;
  const maxReversal = { EUR: LIMIT };
  const merchantKeys = [
    { ...web, id: fakes.reference, maxReversal },
    { ...books, scopes: web?.scopes },
  ];
  const app = createApp(editedDependencies({ ...settings, merchantKeys }));
  return async (path: string, body: Json, { key = 'x', person, secret = KEYS.aurora }: Call = {}): Promise<Json> => {
    const headers = {
      authorization: `Bearer ${secret}`,
      'content-type': 'application/json',
      'idempotency-key': fakes.key(key),
      ...(person === undefined ? {} : { 'innkeep-person': person }),
    };
    const init = { method: 'POST', headers, body: JSON.stringify(body) };
    return (await app.request(`https://proxy.test/v1/${path}`, init)).json();
  };
}

interface Call {
  readonly key?: string;
  readonly person?: string;
  readonly secret?: string;
}

const payment = async (value = 100_000, name = 'paid'): Promise<string> =>
  (await charge(fakes.key(name), { reference: `${fakes.reference}-${name}`, amount: eur(value) })).id;

test('twenty reversals at once refund no more than the limit, which is half of them', async () => {
  const paid = await payment();
  const call = proxy();
  const asked = { payment: paid, amount: eur(1_000), allowDuplicate: true };
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) => call('reversals', asked, { key: `${n}`, person: `emp-${n}` })),
  );
  const statuses = answers.map(({ status, code }) => (status === 403 ? code : status));
  expect(statuses.filter((status) => status === 'succeeded')).toHaveLength(10);
  expect(statuses.filter((status) => status === 'limit_reached')).toHaveLength(10);
  expect(fakes.upstream.count('reversal')).toBe(10);
  // What was refused is free: another key, which has no limit, may refund it.
  const rest = await call('reversals', { payment: paid }, { key: 'rest', secret: KEYS.auroraEvents });
  expect(rest).toMatchObject({ status: 'succeeded', amount: eur(90_000) });
});

test.each([
  ['was declined', () => Response.json({ returnCode: '12' }), 'declined'],
  ['was unknown, and is resolved as failed', () => new Response('no', { status: 500 }), 'unknown'],
])('all that may be refunded may be once more when it %s', async (_, answer, status) => {
  const paid = await payment();
  const call = proxy();
  fakes.upstream.overrides.reversal = answer;
  const first = await call('reversals', { payment: paid, amount: eur(LIMIT) });
  expect(first).toMatchObject({ status });
  answerMoney(fakes.upstream);
  if (status === 'unknown') await call(`reversals/${first.id}/resolve`, { status: 'failed', evidence: 'portal' });
  const second = call('reversals', { payment: paid, amount: eur(LIMIT - 1) }, { key: 'second' });
  expect(await second).toMatchObject({ status: 'succeeded' });
});

test('a day of the limit ends when that of the hotel does', async () => {
  vi.setSystemTime(new Date('2031-06-01T21:30:00Z'));
  const paid = await payment();
  const call = proxy({ dayStartsAt: '04:00' });
  const refund = async (value: number, key: string) =>
    (await call('reversals', { payment: paid, amount: eur(value) }, { key })).status;
  expect(await refund(LIMIT, 'evening')).toBe('succeeded');
  passSeconds(3_600);
  expect(await refund(100, 'night')).toBe(403);
  passSeconds(4 * 3_600);
  expect(await refund(100, 'morning')).toBe('succeeded');
});

test.each([
  ['a currency that the limit does not name', 'JPY', 5_000],
  ['all that is left, when that is more', 'EUR', LIMIT + 1],
])('%s cannot be refunded, and its payment keeps it', async (_, currency, value) => {
  const { id } = await charge(fakes.key('paid'), { reference: fakes.reference, amount: { value, currency } });
  const call = proxy();
  expect(await call('reversals', { payment: id })).toMatchObject({ code: 'limit_reached' });
  expect(fakes.upstream.count('reversal')).toBe(0);
  expect(await call('reversals', { payment: id }, { secret: KEYS.auroraEvents, key: 'y' })).toMatchObject({
    amount: { value },
  });
});

test.each([
  ['their own', true, { person: 'emp-1' }, { code: 'forbidden' }],
  ['their own, without saying who they are', true, {}, { code: 'forbidden' }],
  ['their own, with another key', true, { person: 'emp-1', secret: KEYS.auroraEvents }, { code: 'forbidden' }],
  ['another’s', true, { person: 'emp-2' }, { status: 'failed' }],
  ['another key’s', true, { secret: KEYS.auroraEvents }, { status: 'failed' }],
  ['their own where two eyes do', false, { person: 'emp-1' }, { status: 'failed' }],
])('an unknown reversal is called failed: %s', async (_, fourEyes, who, expected) => {
  const paid = await payment();
  const call = proxy({ fourEyes });
  fakes.upstream.overrides.reversal = () => new Response('no', { status: 500 });
  const { id } = await call('reversals', { payment: paid, amount: eur(100) }, { person: 'emp-1' });
  const resolve = (status: string) => call(`reversals/${id}/resolve`, { status, evidence: 'portal' }, who);
  expect(await resolve('failed')).toMatchObject(expected);
  if ('code' in expected) expect(await resolve('succeeded')).toMatchObject({ status: 'succeeded' });
});
