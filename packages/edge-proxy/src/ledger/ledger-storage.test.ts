import { describe, expect, test } from 'vitest';
import { useLog } from '../../test-support/log.ts';
import { inStorage } from '../../test-support/objects.ts';
import { ACTOR } from '../../test-support/records.ts';
import { toBase64Url } from '../http/encoding.ts';
import { DeliveryTable } from './delivery-table.ts';
import { IntentTable } from './intent-table.ts';
import { LedgerStorage } from './ledger-storage.ts';
import { indexOf } from './ledger-tables.ts';
import { type ListQuery, parseCursor } from './resource-list.ts';
import { UnscheduledTable } from './unscheduled-table.ts';

const NOW = Date.parse('2026-11-01T12:00:00.000Z');
const HOUR = 3_600_000;

const warnings = useLog('warn');

const idOf = (n: number, prefix = 'cs'): string => `${prefix}_${String(n).padStart(26, '0')}`;

function withLedger(act: (store: LedgerStorage, storage: DurableObjectStorage) => void): Promise<void> {
  return inStorage((storage) => {
    const store = new LedgerStorage(storage);
    store.prepare('aurora');
    act(store, storage);
  });
}

interface Listed {
  readonly kind?: string;
  readonly status?: string;
  readonly reference?: string;
  readonly createdAt?: number;
  readonly completedAt?: number;
  readonly attempts?: readonly object[];
  readonly redactedAt?: string | undefined;
  readonly expiresAt?: string | undefined;
}

/** Stores a resource whose body holds its id, and returns the id. */
function add(
  store: LedgerStorage,
  n: number,
  { kind = 'checkout_session', status = 'open', reference = 'R', createdAt = NOW, completedAt, ...more }: Listed = {},
): string {
  const id = idOf(n);
  const completed = completedAt === undefined ? null : new Date(completedAt).toISOString();
  const body = JSON.stringify({ id, completedAt: completed, ...more });
  store.upsertResource({ id, kind, seq: 1, status, reference, createdAt, madeBy: ACTOR, body });
  return id;
}

/** Storage that notes which queries it runs. */
function noting(storage: DurableObjectStorage, queries: string[]): DurableObjectStorage {
  const exec = (query: string, ...bindings: unknown[]) => {
    queries.push(query);
    return storage.sql.exec(query, ...bindings);
  };
  return { sql: { exec } } as unknown as DurableObjectStorage;
}

test('the tables are not made by a look', () =>
  inStorage((storage) => {
    const store = new LedgerStorage(storage);
    expect([store.exists(), store.exists()]).toEqual([false, false]);
    store.prepare('aurora');
    store.prepare('borealis');
    expect([store.exists(), store.property()]).toEqual([true, 'aurora']);
    const queries: string[] = [];
    const next = new LedgerStorage(noting(storage, queries));
    expect([next.exists(), next.exists()]).toEqual([true, true]);
    expect(queries).toHaveLength(2);
    expect([next.property(), next.property()]).toEqual(['aurora', 'aurora']);
    expect(queries).toHaveLength(3);
  }));

test.each([
  [[], 'created_at', 'resource_by_time'],
  [['status'], 'created_at', 'resource_by_status_created_at'],
  [['reference', 'status'], 'created_at', 'resource_by_reference_status_created_at'],
  [[], 'completed_at', 'resource_by_completed_at'],
  [['reference'], 'completed_at', 'resource_by_reference_completed_at'],
] as const)('a list by %j and %s reads the index that ledgers have for it', (filters, order, name) =>
  withLedger((_store, { sql }) => {
    expect(indexOf(filters, order)).toBe(name);
    expect(sql.exec('SELECT 1 FROM sqlite_master WHERE name = ?', name).toArray()).toHaveLength(1);
  }),
);

describe('a resource', () => {
  test('is replaced by newer versions alone; its reference and creation stay', () =>
    withLedger((store, { sql }) => {
      expect(store.find(idOf(1))).toBeUndefined();
      const upsert = (seq: number, status: string): void => {
        const [reference, createdAt, body] = [`R${seq}`, NOW + seq, `{"seq":${seq}}`];
        store.upsertResource({ id: idOf(1), kind: 'charge', seq, status, reference, createdAt, madeBy: ACTOR, body });
      };
      upsert(2, 'created');
      upsert(1, 'older');
      upsert(2, 'same');
      expect(store.find(idOf(1))).toEqual({ status: 'created', reference: 'R2' });
      upsert(3, 'succeeded');
      expect(store.find(idOf(1))).toEqual({ status: 'succeeded', reference: 'R2' });
      const newest = { kind: 'charge', seq: 3, reference: 'R2', created_at: NOW + 2, body: '{"seq":3}' };
      expect(sql.exec('SELECT kind, seq, reference, created_at, body FROM resource').one()).toEqual(newest);
    }));

  test('gives way to one made later under the same id, which counts its versions anew', () =>
    withLedger((store, { sql }) => {
      const id = idOf(1, 'rv');
      const version = (seq: number, createdAt: number, value: number) => {
        const completedAt = new Date(createdAt).toISOString();
        const [amount, status] = [{ value, currency: 'EUR' }, 'succeeded'];
        const body = JSON.stringify({ object: 'reversal', id, payment: idOf(2), status, amount, completedAt });
        return { id, kind: 'reversal', seq, status, reference: `R${value}`, createdAt, madeBy: ACTOR, body };
      };
      const stored = (): unknown[] => sql.exec('SELECT seq, reference, created_at AS at FROM resource').toArray();
      const places = (): unknown[] => sql.exec('SELECT DISTINCT at, amount FROM payment WHERE amount > 0').toArray();
      store.upsertResource(version(3, NOW, 1));
      expect(places()).toEqual([{ at: NOW, amount: 1 }]);
      expect(store.upsertResource(version(1, NOW + HOUR, 2))).toBe(true);
      expect(stored()).toEqual([{ seq: 1, reference: 'R2', at: NOW + HOUR }]);
      expect(places()).toEqual([{ at: NOW + HOUR, amount: 2 }]);
      expect(store.upsertResource(version(2, NOW + HOUR, 2))).toBe(true);
    }));
});

test('the feed gives each event one place, and goes on from where a page ended', () =>
  withLedger((store) => {
    const append = (n: number): number | undefined =>
      store.appendEvent(idOf(n, 'ev'), 'checkout.attempt_failed', { at: NOW + n, data: { object: { n } } });
    expect([append(5), append(6), append(5), append(7)]).toEqual([1, 2, undefined, 3]);
    const body = {
      property: 'aurora',
      id: idOf(6, 'ev'),
      type: 'checkout.attempt_failed',
      timestamp: '2026-11-01T12:00:00.006Z',
      seq: 2,
      data: { object: { n: 6 } },
    };
    const found = store.findEvent(idOf(6, 'ev'));
    expect([found?.position, JSON.parse(found?.body ?? '')]).toEqual([2, body]);
    expect(store.findEvent(idOf(8, 'ev'))).toBeUndefined();
    const page = store.listEvents(1, 1);
    expect([page.items, page.nextAfter]).toEqual([[found?.body], 2]);
    expect(store.listEvents(0, 10)).toMatchObject({ nextAfter: 3, items: { length: 3 } });
    expect(store.listEvents(3, 10)).toEqual({ items: [], nextAfter: 3 });
    expect(store.listEvents(4, 10)).toEqual({ items: [], nextAfter: 3 });
  }));

describe('a list', () => {
  /** Ids of all pages. */
  function pages(store: LedgerStorage, query: Omit<ListQuery, 'cursor'>, direction: 'oldest' | 'newest'): string[][] {
    const found: string[][] = [];
    let cursor: string | null = null;
    do {
      const page = store.list({ ...query, cursor }, direction);
      found.push(page.items.map((item) => (JSON.parse(item) as { id: string }).id));
      cursor = page.nextCursor;
    } while (cursor !== null && found.length < 9);
    return found;
  }

  test('shows each resource once, in order, however many were made in the same instant', () =>
    withLedger((store) => {
      const ids = [3, 1, 2, 4, 5].map((n) => add(store, n, { createdAt: n === 5 ? NOW + 1 : NOW, completedAt: NOW }));
      ids.sort();
      add(store, 9, { kind: 'charge', completedAt: NOW });
      for (const by of ['created_at', 'completed_at'] as const) {
        const query = { kind: 'checkout_session', by, limit: 2 };
        const [a, b, c, d, e] = ids;
        expect(pages(store, query, 'oldest')).toEqual([[a, b], [c, d], [e]]);
        expect(pages(store, query, 'newest')).toEqual([[e, d], [c, b], [a]]);
      }
      expect(pages(store, { kind: 'checkout_session', limit: 5 }, 'oldest')).toEqual([ids]);
      expect(pages(store, { kind: 'checkout_session', limit: 4 }, 'newest')).toEqual([
        ids.slice(1).reverse(),
        [ids[0]],
      ]);
    }));

  test('shows what has the asked status and reference, in each order', () =>
    withLedger((store) => {
      for (let n = 1; n <= 4; n++) {
        add(store, n, { status: n < 3 ? 'open' : 'failed', reference: n % 2 === 1 ? 'A' : 'B', completedAt: NOW });
      }
      add(store, 5, { status: 'failed', reference: 'B' });
      for (const by of ['created_at', 'completed_at'] as const) {
        const open = by === 'created_at' ? [5] : [];
        for (const [filter, expected] of [
          [{}, [1, 2, 3, 4, ...open]],
          [{ status: null, reference: null }, [1, 2, 3, 4, ...open]],
          [{ status: 'failed' }, [3, 4, ...open]],
          [{ reference: 'A' }, [1, 3]],
          [{ status: 'failed', reference: 'B' }, [4, ...open]],
          [{ status: 'open', reference: 'C' }, []],
        ] as const) {
          const query = { kind: 'checkout_session', by, limit: 9, ...filter };
          const ids = expected.map((n) => idOf(n));
          expect(pages(store, query, 'oldest'), JSON.stringify(query)).toEqual([ids]);
          expect(pages(store, query, 'newest'), JSON.stringify(query)).toEqual([ids.toReversed()]);
        }
      }
    }));

  test.each(['created_at', 'completed_at'] as const)(
    'of a period holds its first instant and not its last, by %s, from the first page to the last',
    (by) =>
      withLedger((store) => {
        for (let n = 0; n < 5; n++) {
          const at = NOW + n * HOUR;
          add(store, n, by === 'created_at' ? { createdAt: at } : { createdAt: 0, completedAt: at });
        }
        const query = { kind: 'checkout_session', by, limit: 2 };
        const period = { ...query, from: NOW + HOUR, to: NOW + 4 * HOUR };
        expect(pages(store, period, 'oldest')).toEqual([[idOf(1), idOf(2)], [idOf(3)]]);
        expect(pages(store, period, 'newest')).toEqual([[idOf(3), idOf(2)], [idOf(1)]]);
        expect(pages(store, { ...query, from: NOW + 4 * HOUR }, 'oldest')).toEqual([[idOf(4)]]);
        expect(pages(store, { ...query, to: NOW + HOUR, from: null }, 'newest')).toEqual([[idOf(0)]]);
      }),
  );
});

describe('a cursor', () => {
  const cursorOf = (text: string): string => toBase64Url(new TextEncoder().encode(text));
  const id = idOf(7);

  test.each([
    [`5:${id}`, 'created_at', { at: 5, id }],
    [`123456789012345:${id}`, 'created_at', { at: 123_456_789_012_345, id }],
    [`c123:${id}`, 'completed_at', { at: 123, id }],
    [`5:${id}`, 'completed_at', undefined],
    [`c5:${id}`, 'created_at', undefined],
    [`:${id}`, 'created_at', undefined],
    [`x5:${id}`, 'created_at', undefined],
    [` 5:${id}`, 'created_at', undefined],
    [`1234567890123456:${id}`, 'created_at', undefined],
    [`5:${id}0`, 'created_at', undefined],
    [`5:${id.slice(1)}`, 'created_at', undefined],
    [`5:${id.slice(0, -1)}`, 'created_at', undefined],
    [`5:CS${id.slice(2)}`, 'created_at', undefined],
    [`5:${id.toLowerCase().replace('7', 'z')}`, 'created_at', undefined],
    ['', 'created_at', undefined],
    ['', 'completed_at', undefined],
  ] as const)('is read in its own order alone: %j by %s', (text, order, expected) => {
    expect(parseCursor(cursorOf(text), order)).toEqual(expected);
  });

  test('of other text is none', () => {
    expect(parseCursor('%%%', 'created_at')).toBeUndefined();
  });
});

describe('forgetting', () => {
  test('deletes old events, counts what was never delivered, and says so', () =>
    withLedger((store, { sql }) => {
      const table = new DeliveryTable(sql);
      const unscheduled = new UnscheduledTable(sql);
      for (const n of [1, 2, 3]) {
        store.appendEvent(idOf(n, 'ev'), 'checkout.attempt_failed', { at: NOW - 3 + n, data: { object: null } });
        table.plan(n, 'a');
        unscheduled.add(n);
      }
      table.plan(1, 'b');
      expect(store.forgetEvents(NOW)).toBe(false);
      expect(store.listEvents(0, 9).nextAfter).toBe(3);
      expect([1, 2, 3].map((n) => store.findEvent(idOf(n, 'ev'))?.position)).toEqual([undefined, undefined, 3]);
      expect(unscheduled.take()).toEqual([3]);
      expect(table.view({ key: 'a' })).toMatchObject({ waiting: 1, givenUp: 2 });
      expect(table.view({ key: 'b' })).toMatchObject({ waiting: 0, givenUp: 1 });
      expect(warnings).toEqual([{ level: 'warn', message: 'webhooks_given_up', property: 'aurora', deliveries: 3 }]);
    }));

  test('goes on while a batch of events is full, and says nothing of it', () =>
    withLedger((store) => {
      const fill = (from: number, to: number): void => {
        for (let n = from; n < to; n++)
          store.appendEvent(idOf(n), 'checkout.attempt_failed', { at: NOW - 1, data: { object: null } });
      };
      fill(0, 499);
      expect(store.forgetEvents(NOW)).toBe(false);
      fill(0, 501);
      expect([store.forgetEvents(NOW), store.forgetEvents(NOW)]).toEqual([true, false]);
      expect(store.findEvent(idOf(500))).toBeUndefined();
      expect(warnings).toEqual([]);
    }));

  test('a payment takes its places in the lists with it, but not another one that has its id since', () =>
    withLedger((store, { sql }) => {
      const places = () => sql.exec('SELECT id FROM payment').toArray().length;
      const amount = { value: 1, currency: 'EUR' };
      const refund = { object: 'reversal', payment: idOf(2), status: 'succeeded', amount, attempt: null };
      const id = add(store, 1, { kind: 'reversal', createdAt: NOW, completedAt: NOW, ...refund });
      const before = places();
      store.forgetResource({ id, createdAt: NOW - 1 });
      expect([store.find(id)?.status, places()]).toEqual(['succeeded', before]);
      store.forgetResource({ id, createdAt: NOW });
      expect([store.find(id), before > 0, places()]).toEqual([undefined, true, 0]);
    }));
});

describe('events without deliveries', () => {
  test('are taken out once, oldest first, at most 500 at a time', () =>
    withLedger((_store, { sql }) => {
      const table = new UnscheduledTable(sql);
      expect([table.isEmpty(), table.take()]).toEqual([true, []]);
      for (let position = 501; position > 0; position--) table.add(position);
      table.add(1);
      expect(table.isEmpty()).toBe(false);
      expect(table.take()).toEqual(Array.from({ length: 500 }, (_, n) => n + 1));
      expect([table.take(), table.isEmpty()]).toEqual([[501], true]);
    }));

  test('are put in order here, since SQLite hands deleted rows out in any', () => {
    const exec = () => ({ toArray: () => [10, 9, 100].map((position) => ({ position })) });
    expect(new UnscheduledTable({ exec } as unknown as SqlStorage).take()).toEqual([9, 10, 100]);
  });
});

describe('announced charges', () => {
  test('are told to those announced after them', () =>
    inStorage(({ sql }) => {
      const table = new IntentTable(sql);
      expect(table.claim('ch_2', 'same', NOW)).toEqual([]);
      expect(table.claim('ch_3', 'other', NOW)).toEqual([]);
      expect(table.claim('ch_1', 'same', NOW)).toEqual(['ch_2']);
      expect(table.claim('ch_4', 'same', NOW - 1)).toEqual(['ch_1', 'ch_2']);
      expect(table.claim('ch_1', 'same', NOW)).toEqual(['ch_4', 'ch_2']);
      table.drop('ch_4');
      expect(table.claim('ch_5', 'same', NOW)).toEqual(['ch_1', 'ch_2']);
    }));

  test('are found by what they mean without a look at the others', () =>
    inStorage(({ sql }) => {
      new IntentTable(sql).claim('ch_1', 'same', NOW);
      const [index] = sql.exec("SELECT sql FROM sqlite_master WHERE type = 'index' AND tbl_name = 'intent'").toArray();
      expect(index?.sql).toContain('(meaning, at, id)');
    }));

  test('are forgotten when they were kept long enough, or are old themselves', () =>
    inStorage(({ sql }) => {
      const table = new IntentTable(sql);
      table.claim('ch_1', 'same', NOW - 2 * HOUR);
      table.claim('ch_2', 'same', NOW - HOUR);
      table.claim('ch_3', 'same', NOW);
      table.claim('ch_4', 'same', NOW);
      table.keep('ch_3', NOW + 5);
      table.keep('ch_4', NOW + 6);
      table.forget({ now: NOW + 5, pendingBefore: NOW - HOUR });
      expect(table.claim('ch_5', 'same', NOW)).toEqual(['ch_2', 'ch_4']);
    }));

  test.each([
    ['claim', (table: IntentTable) => table.claim('ch_1', 'same', NOW)],
    ['drop', (table: IntentTable) => table.drop('ch_1')],
    ['keep', (table: IntentTable) => table.keep('ch_1', NOW)],
    ['forget', (table: IntentTable) => table.forget({ now: NOW, pendingBefore: NOW })],
  ])('need no table before the first %s, and make it once', (_name, act) =>
    inStorage((storage) => {
      const queries: string[] = [];
      const table = new IntentTable(noting(storage, queries).sql);
      act(table);
      act(table);
      expect(queries.filter((query) => query.includes('TABLE IF NOT EXISTS intent'))).toHaveLength(1);
    }),
  );
});
