/** No query of the lists of payments reads more than it shows and a few rows, however much the ledger holds; each has its index. */

import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, expect, test, vi } from 'vitest';
import { readSearch } from '../src/ledger/payment-search.ts';
import type { PaymentPlace } from '../src/ledger/payment-table.ts';
import type { LedgerUpdate } from '../src/records/ledger-update.ts';
import { listedCharge, listedId, listedReversal, listedSession, paidAt } from '../test-support/listed.ts';
import { observe, type Query } from '../test-support/objects.ts';

const PAYMENTS = 4_000;
const MINUTE = 60_000;
const START = Date.parse('2026-01-01T00:00:00Z');
const ledger = env.LEDGERS.getByName('payments');
const LIMIT = 20;

/** Of four payments two sessions were paid, one waits, and a charge was refused or has been refunded in part. */
function updates(n: number): LedgerUpdate[] {
  const createdAt = START + n * MINUTE;
  const reference = `RES-${n}`;
  if (n % 4 < 2) return [listedSession(n, [paidAt(createdAt + 1, 10_000 + n)], { createdAt, reference })];
  if (n % 4 === 2) return [listedSession(n, [], { createdAt, reference })];
  const isPaid = n % 8 === 3;
  const charge = listedCharge(n, {
    createdAt,
    reference,
    state: isPaid ? 'succeeded' : 'declined',
    seq: 3,
    completedAt: createdAt,
    sums: { reversed: isPaid ? 5 : 0, reversing: 0 },
  });
  const back = { payment: listedId('ch', n), attempt: null, amount: { value: 5, currency: 'EUR' }, createdAt } as const;
  const reversal = listedReversal(n, { ...back, state: 'succeeded', seq: 3, completedAt: createdAt + 1 });
  return isPaid ? [charge, reversal] : [charge];
}

/** How SQLite answers queries. */
function plansOf(queries: readonly Query[]): Promise<string[]> {
  return runInDurableObject(ledger, (_object, { storage }) => [
    ...new Set(
      queries.flatMap(({ text, bindings }) =>
        storage.sql
          .exec<{ detail: string }>(`EXPLAIN QUERY PLAN ${text}`, ...bindings)
          .toArray()
          .map(({ detail }) => detail),
      ),
    ),
  ]);
}

beforeAll(async () => {
  vi.spyOn(console, 'log').mockImplementation(() => undefined);
  for (let n = 0; n < PAYMENTS; n += 250) {
    await ledger.append('payments', Array.from({ length: 250 }, (_, i) => updates(n + i)).flat());
  }
});

const ALL = { from: null, to: null, status: null, kind: null, cursor: null, limit: LIMIT, withTotals: false } as const;
const RANGE = { from: START + 1_000 * MINUTE, to: START + 3_000 * MINUTE };
const MIDDLE: PaymentPlace = { at: START + 2_000 * MINUTE, id: '', attempt: 0 };
/** Each of nineteen sources gives a page; each line reads its resource, its reversals, and what else has its reference. */
const BOUND = 19 * 2 * (LIMIT + 1) + LIMIT * 12;

test.each([
  ['everything', ALL],
  ['a range', { ...ALL, ...RANGE }],
  ['a page in the middle', { ...ALL, ...RANGE, cursor: MIDDLE }],
  ['a status that many have', { ...ALL, status: 'succeeded' }],
  ['a status that nobody has', { ...ALL, ...RANGE, status: 'unknown' }],
  ['what was refunded in part', { ...ALL, ...RANGE, status: 'partly_reversed' }],
  ['reversals', { ...ALL, ...RANGE, kind: 'reversal' }],
  ['what was refused', { ...ALL, ...RANGE, status: 'declined' }],
] as const)('a list of %s reads its page, by indexes alone', async (_name, query) => {
  const { value, rows, queries } = await observe(ledger, (object) => object.payments(query));
  expect(value.data.length).toBeGreaterThanOrEqual(query.status === 'unknown' ? 0 : LIMIT / 2);
  expect(rows).toBeLessThanOrEqual(BOUND);
  const plans = await plansOf(queries);
  expect(plans.length).toBeGreaterThan(0);
  expect(plans.filter((plan) => /^SCAN|TEMP B-TREE/.test(plan) && !/^SCAN ledger/.test(plan))).toEqual([]);
});

test.each(['res-1', 'RES-1200', '110,04', '1.330', '4242', listedId('cs', 4), 'nothing'])(
  'a search for %s reads what it shows, by indexes alone',
  async (q) => {
    const { value, rows, queries } = await observe(ledger, (object) => object.searchPayments(readSearch(q), 50));
    expect(value.data.length > 0).toBe(q !== 'nothing' && q !== '1.330');
    expect(rows).toBeLessThanOrEqual(50 * 20);
    const plans = await plansOf(queries);
    expect(plans.filter((plan) => /^SCAN|TEMP B-TREE/.test(plan) && !/^SCAN ledger/.test(plan))).toEqual([]);
  },
);

test('the totals of a range read the money in it, and nothing else', async () => {
  const day = { ...ALL, ...RANGE, status: 'unknown', withTotals: true } as const;
  const { value, rows, queries } = await observe(ledger, (object) => object.payments(day));
  expect(value.totals).toMatchObject([{ currency: 'EUR', payments: 1_250, reversals: 250 }]);
  // Once, and once more to put them together by currency.
  expect(rows).toBeLessThanOrEqual(2 * 1_500 + 60);
  expect((await plansOf(queries)).filter((plan) => plan.startsWith('SCAN') && plan !== 'SCAN ledger')).toEqual([]);
});
