/** Totals count the money of the hotel’s mode alone, and the lines of the other one are listed all the same. */
import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import type { PaymentLine, PaymentPage } from '@innkeep/core/contract';
import { afterEach, expect, test, vi } from 'vitest';
import type { LedgerObject } from '../src/ledger/ledger-object.ts';
import type { LedgerUpdate } from '../src/records/ledger-update.ts';
import { merchant } from '../test-support/client.ts';
import { useClock } from '../test-support/clock.ts';
import { KEYS } from '../test-support/environment.ts';
import { listedCharge, listedId, listedReversal, listedSession, paidAt } from '../test-support/listed.ts';

const NOON = Date.parse('2026-09-01T10:00:00Z');
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const EUR = (value: number) => ({ value, currency: 'EUR' });
const DONE = { state: 'succeeded', seq: 3 } as const;

useClock(NOON);
afterEach(async () => {
  for (const hotel of ['aurora', 'borealis']) {
    await inLedger(hotel, (sql) => {
      for (const table of ['resource', 'payment', 'event', 'stored']) sql.exec(`DELETE FROM ${table}`);
    });
  }
});

function ledgerOf(hotel: string): DurableObjectStub<LedgerObject> {
  return env.LEDGERS.getByName(hotel);
}

function inLedger(hotel: string, act: (sql: SqlStorage) => void): Promise<void> {
  return runInDurableObject(ledgerOf(hotel), (_ledger, { storage: { sql } }) => act(sql));
}

/** A session of 1,000.00, a charge of 200.00 and its refund of 20.00 in test mode; a session of 50.00 and its refund of 1.00 in live mode. */
function bothModes(at: number): LedgerUpdate[] {
  const [test, live] = [{ livemode: false }, { livemode: true }];
  const back = { attempt: null, createdAt: at, completedAt: at + 60_000, ...DONE };
  return [
    listedSession(1, [paidAt(at, 100_000)], { createdAt: at - HOUR, reference: 'TEST-1', ...test }),
    listedCharge(2, {
      createdAt: at - HOUR,
      completedAt: at,
      amount: EUR(20_000),
      reference: 'TEST-2',
      ...DONE,
      ...test,
    }),
    listedReversal(3, { ...back, payment: listedId('ch', 2), amount: EUR(2_000), ...test }),
    listedSession(4, [paidAt(at + 1, 5_000)], { createdAt: at - HOUR, reference: 'LIVE-1', ...live }),
    listedReversal(5, { ...back, attempt: 1, payment: listedId('cs', 4), amount: EUR(100), ...live }),
  ];
}

async function tell(updates: readonly LedgerUpdate[]): Promise<void> {
  for (const hotel of ['aurora', 'borealis']) await ledgerOf(hotel).append(hotel, updates);
}

async function list(query: string, key: string): Promise<PaymentPage> {
  return (await merchant(`/v1/payments?${query}`, { key })).json();
}

const countedOf = (lines: readonly PaymentLine[]): Record<string, unknown> =>
  Object.fromEntries(lines.map(({ id, counted }) => [id, counted && [counted.taken.value, counted.reversed.value]]));

const TEST_TOTALS = [{ currency: 'EUR', payments: 2, taken: 120_000, reversals: 1, reversed: 2_000, net: 118_000 }];
const LIVE_TOTALS = [{ currency: 'EUR', payments: 1, taken: 5_000, reversals: 1, reversed: 100, net: 4_900 }];
const COUNTED = {
  test: { [listedId('cs', 1)]: [100_000, 0], [listedId('ch', 2)]: [20_000, 2_000], [listedId('cs', 4)]: null },
  live: { [listedId('cs', 1)]: null, [listedId('ch', 2)]: null, [listedId('cs', 4)]: [5_000, 100] },
};

test.each([
  ['a test hotel', KEYS.aurora, TEST_TOTALS, COUNTED.test],
  ['a live hotel', KEYS.borealis, LIVE_TOTALS, COUNTED.live],
])('%s counts its own money, and shows the other', async (_name, key, totals, counted) => {
  await tell(bothModes(NOON - 3 * HOUR));
  const page = await list('day=today', key);
  expect([page.totals, countedOf(page.data)]).toEqual([totals, counted]);
  const { data } = await list('q=TEST-1', key);
  expect(countedOf(data)).toEqual({ [listedId('cs', 1)]: counted[listedId('cs', 1)] });
});

test('a reversal that stands alone counts in its own mode', async () => {
  const [, charge, back] = bothModes(NOON - 3 * HOUR);
  const earlier = listedCharge(2, { createdAt: NOON - 3 * DAY, completedAt: NOON - 3 * DAY, ...DONE, livemode: false });
  expect(charge?.resource.id).toBe(earlier.resource.id);
  await tell([earlier, ...(back ? [back] : [])]);
  const of = async (key: string) => {
    const { data, totals } = await list('day=today', key);
    return [data.map(({ kind, counted }) => [kind, counted?.reversed.value]), totals?.map(({ net }) => net)];
  };
  expect(await of(KEYS.aurora)).toEqual([[['reversal', 2_000]], [-2_000]]);
  expect(await of(KEYS.borealis)).toEqual([[['reversal', undefined]], []]);
});

test('a table of payments adds up to the totals', async () => {
  await tell(bothModes(NOON - 3 * HOUR));
  const taken = async (key: string) => {
    const text = await (await merchant('/v1/payments.csv?day=today', { key })).text();
    return text.split('\r\n').flatMap((row) => row.split(',')[12]?.replaceAll('"', '') || []);
  };
  expect(await taken(KEYS.aurora)).toEqual(['taken', '1000.00', '200.00']);
  expect(await taken(KEYS.borealis)).toEqual(['taken', '50.00']);
});

/** Which queries the totals of a range are made of. */
async function readsResources(since: number): Promise<boolean> {
  let texts: string[] = [];
  await runInDurableObject(ledgerOf('borealis'), async (ledger, { storage: { sql } }) => {
    const exec = vi.spyOn(Object.getPrototypeOf(sql) as SqlStorage, 'exec');
    const query = { status: null, kind: null, cursor: null, limit: 1, withTotals: true, livemode: true };
    await ledger.payments({ ...query, from: since, to: since + DAY });
    texts = exec.mock.calls.map(([text]) => text).filter((text) => text.includes('sum(amount)'));
    exec.mockRestore();
  });
  expect(texts.length).toBeGreaterThan(0);
  return texts.some((text) => text.includes('resource'));
}

test('only totals of days that may have test money look at each payment', async () => {
  const ofLive = (n: number, at: number) =>
    listedSession(n, [paidAt(at, 5_000)], { createdAt: at - HOUR, reference: null, livemode: true });
  await tell(bothModes(NOON - 3 * HOUR));
  vi.setSystemTime(NOON + 3 * DAY);
  await tell([ofLive(6, NOON + 3 * DAY)]);
  expect(await readsResources(NOON)).toBe(true);
  expect(await readsResources(NOON + 2 * DAY)).toBe(false);
  // Tested again.
  await tell([listedSession(7, [paidAt(NOON + 3 * DAY)], { createdAt: NOON + 3 * DAY, livemode: false })]);
  expect(await readsResources(NOON + 2 * DAY)).toBe(true);
});

test('what an earlier version has stored is looked at', async () => {
  await tell(bothModes(NOON - 3 * HOUR));
  await inLedger('borealis', (sql) => sql.exec("DELETE FROM stored WHERE kind = 'test_until'"));
  expect((await list('day=today', KEYS.borealis)).totals).toEqual(LIVE_TOTALS);
  vi.setSystemTime(NOON + HOUR);
  const at = NOON + HOUR;
  await tell([listedSession(8, [paidAt(at, 700)], { createdAt: at, reference: 'LIVE-2', livemode: true })]);
  expect((await list('day=today', KEYS.borealis)).totals).toMatchObject([{ payments: 2, taken: 5_700 }]);
});

test('a caller of an earlier version, who names no mode, hears of all', async () => {
  await tell(bothModes(NOON - 3 * HOUR));
  const query = { status: null, kind: null, cursor: null, limit: 10, withTotals: true };
  const { data, totals } = await ledgerOf('borealis').payments({ ...query, from: NOON - DAY, to: NOON });
  expect([totals, Object.values(countedOf(data))]).toEqual([
    [{ currency: 'EUR', payments: 3, taken: 125_000, reversals: 2, reversed: 2_100, net: 122_900 }],
    expect.not.arrayContaining([null]),
  ]);
});
