/** No query of the ledger reads more than it returns and a few rows, however much the ledger holds. */

import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, expect, test, vi } from 'vitest';
import { countLedger } from '../src/ledger/ledger-counts.ts';
import { erasePayments, type KeptBindings } from '../src/ledger/old-payments.ts';
import type { ListPage, ListQuery } from '../src/ledger/resource-list.ts';
import type { LedgerUpdate } from '../src/records/ledger-update.ts';
import { observe, until } from '../test-support/objects.ts';
import { ACTOR } from '../test-support/records.ts';

const ROWS = 6_000;
const SECOND = 1_000;
const START = Date.parse('2026-01-01T00:00:00Z');
const ledger = env.LEDGERS.getByName('queries');

function idOf(n: number, prefix = 'cs'): string {
  return `${prefix}_${String(n).padStart(26, '0')}`;
}

/** A session made a second after the one before; every third has succeeded, an hour later. */
function update(n: number, overrides: Partial<LedgerUpdate['resource']> = {}): LedgerUpdate {
  const createdAt = START + n * SECOND;
  const isPaid = n % 3 === 0;
  const completedAt = isPaid ? new Date(createdAt + 3_600 * SECOND).toISOString() : null;
  const resource = {
    id: idOf(n),
    kind: 'checkout_session',
    seq: 1,
    status: isPaid ? 'succeeded' : 'open',
    reference: n % 2 === 0 ? 'GROUP' : `RES-${n}`,
    createdAt,
    madeBy: ACTOR,
    body: JSON.stringify({ id: idOf(n), completedAt }),
    ...overrides,
  };
  return { eventId: idOf(n, 'ev'), type: 'checkout.expired', at: createdAt, resource };
}

beforeAll(async () => {
  for (let n = 0; n < ROWS; n += 500) {
    await ledger.append(
      'queries',
      Array.from({ length: 500 }, (_, i) => update(n + i)),
    );
  }
});

const LIMIT = 20;
/** A row is found in an index and then read in the table; the page looks one row ahead. */
const BOUND = 2 * (LIMIT + 1) + 4;

const ALL: Omit<ListQuery, 'limit' | 'cursor'> = { kind: 'checkout_session', status: null, reference: null };
const LISTS = [
  ['nothing', ALL, ROWS],
  ['status', { ...ALL, status: 'succeeded' }, ROWS / 3],
  ['reference', { ...ALL, reference: 'GROUP' }, ROWS / 2],
  ['a reference that few have', { ...ALL, reference: 'RES-1' }, 1],
  ['status and reference', { ...ALL, status: 'succeeded', reference: 'GROUP' }, ROWS / 6],
  ['a status nobody has', { ...ALL, status: 'canceled' }, 0],
  ['completion', { ...ALL, by: 'completed_at', from: START }, ROWS / 3],
  ['completion and status', { ...ALL, by: 'completed_at', from: START, status: 'succeeded' }, ROWS / 3],
  ['completion and reference', { ...ALL, by: 'completed_at', from: START, reference: 'GROUP' }, ROWS / 6],
  ['a stretch of time', { ...ALL, from: START + 2_000 * SECOND, to: START + 4_000 * SECOND }, 2_000],
] as const;

test.each(LISTS)(
  'a list narrowed by %s reads its page, be it the first, one in the middle or the last',
  async (_, query, total) => {
    for (const act of ['list', 'range'] as const) {
      const read = (limit: number, cursor: string | null): Promise<{ value: ListPage; rows: number }> =>
        observe(ledger, (object) => object[act]({ ...query, limit, cursor }));
      const first = await read(LIMIT, null);
      expect([act, first.value.items.length]).toEqual([act, Math.min(LIMIT, total)]);
      expect(first.rows).toBeLessThanOrEqual(BOUND);
      expect(first.rows).toBeGreaterThanOrEqual(first.value.items.length);
      if (total <= LIMIT) continue;
      for (const skip of [Math.floor(total / 2), total - LIMIT]) {
        const cursor = (await read(skip, null)).value.nextCursor;
        const page = await read(LIMIT, cursor);
        expect([act, skip, page.value.items.length]).toEqual([act, skip, LIMIT]);
        expect(page.rows).toBeLessThanOrEqual(BOUND);
      }
    }
  },
);

test('the feed reads its page', async () => {
  for (const after of [0, ROWS / 2, ROWS - LIMIT]) {
    const { value, rows } = await observe(ledger, (object) => object.events(after, LIMIT));
    expect(value.items).toHaveLength(LIMIT);
    expect(rows).toBeLessThanOrEqual(BOUND);
  }
});

test('the status counts without reading what it counts', async () => {
  const { value, rows } = await observe(ledger, (object) => object.status('queries'));
  expect(value.checkoutSessions).toEqual({ stored: ROWS, unknown: 0, waiting: (ROWS * 2) / 3 });
  // What waits is counted in an index, and only so far.
  expect(rows).toBeLessThanOrEqual((ROWS * 2) / 3 + 20);
});

test('how long something has been waiting is read from its first row', async () => {
  await runInDurableObject(ledger, (_object, { storage: { sql } }) => {
    for (const [endpoint, after] of [
      ['one', 3_000],
      ['other', 1_000],
    ] as const) {
      sql.exec(
        'INSERT INTO delivery (endpoint, position, retry_at, failures) SELECT ?, position, 0, 0 FROM event WHERE position > ?',
        endpoint,
        after,
      );
    }
  });
  const { value, rows } = await observe(ledger, async (object) =>
    countLedger((object as unknown as { ctx: DurableObjectState }).ctx.storage.sql),
  );
  expect(value.oldestWaitingAt).toBe(START + 1_000 * SECOND);
  expect(rows).toBeLessThanOrEqual((ROWS * 2) / 3 + 20);
});

test('old payments are erased once old events are gone, in batches, so that others have their turn', async () => {
  // To call so many objects takes seconds.
  vi.spyOn(env.CHECKOUT_SESSIONS, 'getByName').mockReturnValue({ eraseIfOver: async () => true } as never);
  let at = START + 1_200 * 24 * 3_600 * SECOND;
  const now = Date.now;
  Date.now = () => at;
  const next = () => runInDurableObject(ledger, (_object, { storage }) => storage.getAlarm());
  const stored = async () => (await ledger.status('queries')).checkoutSessions.stored;
  for (; (await ledger.events(0, 1)).items.length > 0; at += SECOND) {
    await observe(ledger, (object) => object.alarm());
    expect([await next(), await stored()]).toEqual([at + SECOND, ROWS]);
  }
  const { rows } = await observe(ledger, (object) => object.alarm());
  // An idle object leaves the memory after ten seconds. A pass that begins anew each time never comes past 200 that are kept.
  await until(async () => Number(await next()) < at + 10 * SECOND);
  Date.now = now;
  expect([rows < 12_000, await stored()]).toEqual([true, ROWS - 200]);
  const left = await ledger.list({ ...ALL, limit: 1, cursor: null });
  expect(left.items).toHaveLength(1);
});

test('a batch of old payments reads none of those before it, though they are kept', async () => {
  await runInDurableObject(ledger, async (_object, { storage: { sql } }) => {
    const reads: number[] = [];
    const exec = (query: string, ...bindings: unknown[]) => {
      const cursor = sql.exec(query, ...bindings);
      const rows = cursor.toArray();
      reads.push(cursor.rowsRead);
      return { raw: () => rows.map((row) => Object.values(row)) };
    };
    const needed = { getByName: () => ({ eraseIfOver: async () => false }) };
    const bindings = { CHECKOUT_SESSIONS: needed } as unknown as KeptBindings;
    const kept = erasePayments(bindings, { exec } as unknown as SqlStorage, () => undefined);
    for (let nth = 0; nth < 3; nth++) await kept.pass('queries', START + ROWS * SECOND);
    expect([reads.length, reads.every((rows) => rows <= 2 * 200 + 4)]).toEqual([3, true]);
  });
});
