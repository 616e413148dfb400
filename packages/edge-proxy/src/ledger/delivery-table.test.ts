import type { WebhookEndpoint } from '@innkeep/core/contract';
import { describe, expect, test, vi } from 'vitest';
import { useClock } from '../../test-support/clock.ts';
import { useLog } from '../../test-support/log.ts';
import { inStorage } from '../../test-support/objects.ts';
import { type Delivery, DeliveryTable } from './delivery-table.ts';
import { LedgerStorage } from './ledger-storage.ts';
import type { Endpoint } from './webhook-endpoint.ts';
import { unusedEndpoint } from './webhook-endpoint.ts';

const NOW = Date.parse('2026-11-01T12:00:00.000Z');
const LATER = NOW + 60_000;

const endpoint = (key: string, host = `${key}.test`): Endpoint => ({
  key,
  host,
  url: `https://${host}/`,
  secret: 'whsec',
});
const [A, B, C, D] = ['a', 'b', 'c', 'd'].map((key) => endpoint(key)) as [Endpoint, Endpoint, Endpoint, Endpoint];

useClock(NOW);
const warnings = useLog('warn');

interface Tables {
  readonly table: DeliveryTable;
  readonly sql: SqlStorage;
  /** Queries that have run, by the word they begin with. */
  readonly queries: string[];
}

/** A ledger with three events, and endpoints at which some of them wait, in this order. */
function withTable(waiting: Readonly<Record<string, readonly number[]>>, act: (tables: Tables) => void): Promise<void> {
  return inStorage((storage) => {
    const store = new LedgerStorage(storage);
    store.prepare('aurora');
    for (const n of [1, 2, 3])
      store.appendEvent(`ev_${n}`, 'checkout.attempt_failed', { at: NOW, data: { object: { n } } });
    const queries: string[] = [];
    const { sql } = storage;
    const exec = (query: string, ...bindings: unknown[]) => {
      queries.push(query.trim().split(' ', 1).join());
      return sql.exec(query, ...bindings);
    };
    const table = new DeliveryTable({ exec } as unknown as SqlStorage);
    table.keep(Object.keys(waiting).map((key) => endpoint(key)));
    for (const [key, positions] of Object.entries(waiting)) for (const position of positions) table.plan(position, key);
    act({ table, sql, queries });
  });
}

/** All that waits: at which endpoint, which event, when it is tried again, in milliseconds from now, and after how many failures. */
function deliveries({ sql }: Tables): string[] {
  const columns = `endpoint, position, iif(retry_at = 0, 'due', retry_at - ${NOW}) AS retry, failures`;
  const rows = sql.exec(`SELECT ${columns} FROM delivery ORDER BY endpoint, position`).toArray();
  return rows.map((row) => Object.values(row).join(' '));
}

function stateOf({ sql }: Tables, key: string): Record<string, SqlStorageValue> | undefined {
  return sql.exec('SELECT * FROM endpoint WHERE key = ?', key).toArray()[0];
}

function takeOne({ table }: Tables, key: string, now = NOW): Delivery {
  const [delivery] = table.take(key, now, () => 1).batch;
  if (delivery === undefined) throw new Error('nothing is due');
  return delivery;
}

/** Lets the next attempt at an endpoint fail, with a retry a minute later. */
function fail(
  tables: Tables,
  key: string,
  overrides: Partial<Parameters<DeliveryTable['fail']>[1]> = {},
  delivery = takeOne(tables, key, overrides.now),
): Delivery {
  const outcome = { now: NOW, status: 503, isProbe: false, nextAt: LATER, probeAt: (n: number) => NOW + 100 + n };
  tables.table.fail(delivery, { ...outcome, ...overrides });
  return delivery;
}

/** Fails until the endpoint is paused: two events, five failures. */
function pause(tables: Tables, key: string): void {
  tables.table.plan(1, key);
  tables.table.plan(2, key);
  for (let failures = 0; failures < 4; failures++) fail(tables, key, { nextAt: 0 });
  fail(tables, key, { now: NOW, nextAt: LATER }, { ...takeOne(tables, key), position: 2, retryAt: 0 });
}

describe('endpoints of the configuration', () => {
  test('are adopted by address and host, and written only when they change', () =>
    withTable({ a: [], b: [] }, (tables) => {
      expect([stateOf(tables, 'a')?.host, stateOf(tables, 'b')?.host]).toEqual(['a.test', 'b.test']);
      tables.queries.length = 0;
      expect(tables.table.keep([B, A])).toEqual([]);
      expect(tables.queries).toEqual(['SELECT']);
      tables.table.keep([A, endpoint('b', 'other.test')]);
      expect([stateOf(tables, 'a')?.host, stateOf(tables, 'b')?.host]).toEqual(['a.test', 'other.test']);
      expect(warnings).toEqual([]);
    }));

  test('that replace one other take over what waits, due in its order and with no failures', () =>
    withTable({ a: [1, 2], b: [1] }, (tables) => {
      fail(tables, 'a');
      tables.table.disable('a', { now: NOW, status: 410 });
      warnings.length = 0;
      expect(tables.table.keep([C, B])).toEqual([]);
      expect(deliveries(tables)).toEqual(['b 1 due 0', 'c 1 due 0', 'c 2 due 0']);
      expect(stateOf(tables, 'a')).toBeUndefined();
      expect(stateOf(tables, 'c')).toMatchObject({ host: 'c.test', waiting: 2, failures: 0 });
      expect(tables.table.view(C)).toMatchObject({ status: 'active' });
      expect(tables.sql.exec('SELECT * FROM disabled_endpoint').toArray()).toEqual([]);
      expect(warnings).toEqual([
        { level: 'warn', message: 'webhook_endpoint_moved', from: 'a.test', to: 'c.test', waiting: 2 },
      ]);
    }));

  test.each([
    ['one is removed', [B], ['a']],
    ['one is replaced by two', [B, C, D], ['a']],
    ['two are replaced by one', [C], ['a', 'b']],
    ['all are removed', [], ['a', 'b']],
  ])('when %s, what waited is dropped and told', (_case, endpoints, removed) =>
    withTable({ a: [1, 2], b: [1, 2] }, (tables) => {
      tables.table.disable('b', { now: NOW, status: 410 });
      warnings.length = 0;
      const views = tables.table.keep(endpoints);
      const dropped = { status: 'removed', waiting: 2, firstWaitingSeq: 1, lastWaitingSeq: 2, nextAttemptAt: null };
      expect(views).toEqual(removed.map((id) => expect.objectContaining({ id, ...dropped })));
      const left = ['a', 'b'].filter((key) => !removed.includes(key));
      expect(deliveries(tables)).toEqual(left.flatMap((key) => [`${key} 1 due 0`, `${key} 2 due 0`]));
      expect(tables.sql.exec('SELECT endpoint FROM disabled_endpoint').toArray()).toEqual(
        left.map((key) => ({ endpoint: key })),
      );
      expect(tables.sql.exec<{ key: string }>('SELECT key FROM endpoint ORDER BY key').toArray()).toEqual(
        endpoints.map(({ key }) => ({ key })),
      );
      expect(warnings).toEqual([]);
    }),
  );
});

test.each([
  ['a minute, less than which clocks may differ', 60_000, ['a 1 120000 1'], NOW + 60_000, NOW + 60_100],
  ['more', 60_001, ['a 1 due 1'], NOW, NOW],
])('a failure that is ahead by %s makes what waits due', (_, ahead, waiting, failedAt, probedAt) =>
  withTable({ a: [1], b: [] }, (tables) => {
    const now = NOW + ahead;
    fail(tables, 'a', { now, nextAt: NOW + 120_000 });
    pause(tables, 'b');
    tables.sql.exec("UPDATE endpoint SET last_failure_at = ?, probe_at = ? WHERE key = 'b'", now, NOW + 60_100);
    tables.table.keep([A, B]);
    expect(deliveries(tables).slice(0, 1)).toEqual(waiting);
    expect(stateOf(tables, 'a')).toMatchObject({ failures: 1, probe_at: null });
    expect(stateOf(tables, 'b')).toMatchObject({ last_failure_at: failedAt, probe_at: probedAt, paused_at: NOW });
  }),
);

describe('what is planned', () => {
  test('has a time for each endpoint', () =>
    withTable({ a: [], b: [], c: [], d: [] }, (tables) => {
      const { table } = tables;
      table.plan(1, 'a', LATER);
      table.plan(2, 'a', NOW);
      table.plan(1, 'b');
      table.disable('b', { now: NOW, status: 410 });
      pause(tables, 'c');
      const times = Object.fromEntries(table.schedule().map(({ key, nextAt }) => [key, nextAt]));
      expect(times).toEqual({ a: NOW, b: undefined, c: NOW + 100, d: undefined });
      const due = [NOW, undefined, NOW + 100, undefined, undefined];
      expect(['a', 'b', 'c', 'd', 'e'].map((key) => table.nextAt(key))).toEqual(due);
    }));
});

describe('what is taken', () => {
  test('is what is due, oldest first, as many as the failures allow', () =>
    withTable({ a: [2, 1] }, (tables) => {
      const { table, sql } = tables;
      table.plan(3, 'a', NOW + 1);
      const bodies = sql.exec<{ body: string }>('SELECT body FROM event').toArray();
      const due = [1, 2].map((position) => {
        const body = bodies[position - 1]?.body.replace('{', '{"property":"aurora",');
        return { position, endpoint: 'a', retryAt: 0, failures: 0, eventId: `ev_${position}`, body };
      });
      expect(table.take('a', NOW, () => 5)).toEqual({ isProbe: false, batch: due });
      expect(table.take('a', NOW + 1, () => 5).batch).toHaveLength(3);
      const asked: number[] = [];
      fail(tables, 'a');
      const limit = (failures: number): number => {
        asked.push(failures);
        return 1;
      };
      expect(table.take('a', NOW, limit).batch.map(({ position }) => position)).toEqual([2]);
      expect(asked).toEqual([1]);
    }));

  test('is nothing for an endpoint that is unknown or disabled', () =>
    withTable({ a: [1] }, ({ table }) => {
      expect(table.take('b', NOW, () => 5)).toEqual({ isProbe: false, batch: [] });
      table.disable('a', { now: NOW, status: 410 });
      expect(table.take('a', NOW, () => 5)).toEqual({ isProbe: false, batch: [] });
    }));

  test('of a paused endpoint is one event, once it is time to ask: the one tried longest ago', () =>
    withTable({ a: [] }, (tables) => {
      const { table } = tables;
      pause(tables, 'a');
      table.plan(3, 'a', LATER + 1);
      expect(table.take('a', NOW + 99, () => 5)).toEqual({ isProbe: true, batch: [] });
      const { isProbe, batch } = table.take('a', NOW + 100, () => 5);
      expect([isProbe, batch.map(({ position }) => position)]).toEqual([true, [1]]);
    }));
});

describe('an accepted delivery', () => {
  test('that was planned again while it was under way is sent again, with no failures', () =>
    withTable({ a: [1] }, (tables) => {
      fail(tables, 'a');
      const delivery = takeOne(tables, 'a', LATER);
      tables.table.plan(1, 'a', NOW);
      tables.table.accept(delivery, NOW);
      fail(tables, 'a', { nextAt: LATER }, delivery);
      expect(deliveries(tables)).toEqual(['a 1 0 0']);
    }));

  test('of a paused endpoint sends all that waited, in the feed’s order', () =>
    withTable({ a: [] }, (tables) => {
      pause(tables, 'a');
      tables.table.plan(3, 'a');
      warnings.length = 0;
      tables.table.accept(takeOne(tables, 'a', NOW + 100), NOW + 100);
      expect(deliveries(tables)).toEqual(['a 2 due 1', 'a 3 due 0']);
      expect(tables.table.view(A)).toMatchObject({ status: 'active', waiting: 2 });
      expect(stateOf(tables, 'a')).toMatchObject({ probe_at: null, probes: 0, failures: 0, failed_position: null });
      expect(warnings).toEqual([{ level: 'warn', message: 'webhook_endpoint_resumed', to: 'a.test', waiting: 2 }]);
    }));

  test('of an endpoint that was removed meanwhile changes nothing', () =>
    withTable({ a: [1] }, (tables) => {
      const delivery = takeOne(tables, 'a');
      tables.table.keep([]);
      tables.table.accept(delivery, NOW);
      fail(tables, 'a', {}, delivery);
      expect(stateOf(tables, 'a')).toBeUndefined();
      expect(warnings).toEqual([]);
    }));
});

describe('a failed delivery', () => {
  test('is tried again at its time, also when nobody has answered', () =>
    withTable({ a: [1] }, (tables) => {
      fail(tables, 'a', { now: NOW + 3, status: undefined });
      expect(deliveries(tables)).toEqual(['a 1 60000 1']);
      expect(stateOf(tables, 'a')).toMatchObject({
        failures: 1,
        failed_position: 1,
        given_up: 0,
        last_failure_at: NOW + 3,
        last_failure_status: null,
      });
    }));

  test.each([
    ['the next event finds a clean endpoint', [1], [], { waiting: 0, failures: 0, failed_position: null }],
    ['others that wait keep its failures', [1, 2], ['a 2 due 0'], { waiting: 1, failures: 1, failed_position: 1 }],
  ])('is given up when there is no next time; %s', (_, waiting, left, state) =>
    withTable({ a: waiting }, (tables) => {
      fail(tables, 'a', { nextAt: undefined });
      expect(deliveries(tables)).toEqual(left);
      expect(stateOf(tables, 'a')).toMatchObject({ given_up: 1, ...state });
      expect(tables.table.view(A)).toMatchObject({ status: 'active' });
    }),
  );

  test('pauses the endpoint with the fifth failure, when they are of more than one event', () =>
    withTable({ a: [1, 2] }, (tables) => {
      const { table } = tables;
      for (let failures = 0; failures < 6; failures++) fail(tables, 'a', { nextAt: 0 });
      expect(stateOf(tables, 'a')).toMatchObject({ failures: 6, paused_at: null, failed_position: 1 });
      table.accept(takeOne(tables, 'a'), NOW);
      table.plan(3, 'a');
      fail(tables, 'a', { nextAt: 4 });
      for (let failures = 1; failures < 4; failures++) {
        expect(stateOf(tables, 'a')).toMatchObject({ failures, paused_at: null });
        fail(tables, 'a', { nextAt: 4 });
      }
      expect(stateOf(tables, 'a')).toMatchObject({ failures: 4, failed_position: 0, paused_at: null });
      expect(warnings).toEqual([]);
      fail(tables, 'a', { now: NOW + 9 });
      expect(stateOf(tables, 'a')).toMatchObject({ failures: 5, paused_at: NOW + 9, probe_at: NOW + 100, probes: 0 });
      expect(warnings).toEqual([
        { level: 'warn', message: 'webhook_endpoint_paused', to: 'a.test', failures: 5, waiting: 2 },
      ]);
    }));

  test('that was under way when its endpoint was paused does not begin the pause anew', () =>
    withTable({ a: [] }, (tables) => {
      pause(tables, 'a');
      const { paused_at, probe_at } = stateOf(tables, 'a') ?? {};
      fail(tables, 'a', { now: NOW + 50, probeAt: () => LATER }, takeOne(tables, 'a', LATER));
      expect(stateOf(tables, 'a')).toMatchObject({ paused_at, probe_at, probes: 0 });
      expect(warnings).toHaveLength(1);
    }));

  test.each([LATER, undefined])('that only asked whether the endpoint is back does not count (%s)', (nextAt) =>
    withTable({ a: [] }, (tables) => {
      pause(tables, 'a');
      expect(deliveries(tables)).toEqual(['a 1 due 4', 'a 2 60000 1']);
      fail(tables, 'a', { now: NOW + 100, isProbe: true, nextAt });
      expect(deliveries(tables)).toEqual(['a 1 100 4', 'a 2 60000 1']);
      expect(stateOf(tables, 'a')).toMatchObject({ probes: 1, probe_at: NOW + 101, paused_at: NOW, given_up: 0 });
      fail(tables, 'a', { now: NOW + 101, isProbe: true, nextAt });
      expect(stateOf(tables, 'a')).toMatchObject({ probes: 2, probe_at: NOW + 102 });
    }),
  );
});

describe('a disabled endpoint', () => {
  test('keeps what waits and says since when; only the first answer counts', () =>
    withTable({ a: [] }, (tables) => {
      const { table } = tables;
      expect(table.disable('b', { now: NOW, status: 410 })).toBe(false);
      table.plan(1, 'a');
      expect(table.disable('a', { now: NOW + 1, status: 410 })).toBe(true);
      expect(table.disable('a', { now: NOW + 2, status: 410 })).toBe(false);
      expect(table.view(A)).toMatchObject({
        status: 'disabled',
        waiting: 1,
        lastFailureAt: '2026-11-01T12:00:00.001Z',
        lastFailureStatus: 410,
        disabledSince: '2026-11-01T12:00:00.001Z',
        nextAttemptAt: null,
      });
      expect(warnings).toEqual([{ level: 'warn', message: 'webhook_endpoint_disabled', to: 'a.test', waiting: 1 }]);
    }));

  test('gets everything, in the feed’s order, once it is enabled', () =>
    withTable({ a: [1, 2] }, (tables) => {
      const { table } = tables;
      fail(tables, 'a');
      table.disable('a', { now: NOW, status: 410 });
      table.enable('a', NOW);
      expect(deliveries(tables)).toEqual(['a 1 due 1', 'a 2 due 0']);
      expect(table.view(A)).toMatchObject({ status: 'active', disabledSince: null });
    }));

  test('that is enabled without need keeps its retries, and a paused one is asked at once', () =>
    withTable({ a: [], b: [] }, (tables) => {
      const { table } = tables;
      table.enable('unknown', NOW);
      table.plan(1, 'a');
      fail(tables, 'a');
      table.enable('a', NOW);
      expect(deliveries(tables)).toEqual(['a 1 60000 1']);
      expect(stateOf(tables, 'a')).toMatchObject({ probe_at: null });
      pause(tables, 'b');
      table.enable('b', NOW + 9);
      expect(stateOf(tables, 'b')).toMatchObject({ probe_at: NOW + 9, paused_at: NOW });
      expect(deliveries(tables)).toEqual(['a 1 60000 1', 'b 1 due 4', 'b 2 60000 1']);
    }));
});

describe('the view', () => {
  const unused: WebhookEndpoint = {
    object: 'webhook_endpoint',
    id: 'a',
    host: 'a.test',
    status: 'active',
    waiting: 0,
    firstWaitingSeq: null,
    lastWaitingSeq: null,
    givenUp: 0,
    lastSuccessAt: null,
    lastFailureAt: null,
    lastFailureStatus: null,
    pausedSince: null,
    disabledSince: null,
    nextAttemptAt: null,
  };

  test('of an endpoint without deliveries is empty', () =>
    withTable({ a: [] }, ({ table }) => {
      expect([table.view(A), unusedEndpoint(A), table.view(B)]).toEqual([unused, unused, undefined]);
    }));

  test('tells how an endpoint is doing; what is overdue comes now', () =>
    withTable({ a: [3] }, (tables) => {
      tables.table.accept(takeOne(tables, 'a'), NOW - 1_000);
      pause(tables, 'a');
      expect(tables.table.view(A)).toEqual({
        ...unused,
        status: 'paused',
        waiting: 2,
        firstWaitingSeq: 1,
        lastWaitingSeq: 2,
        lastSuccessAt: '2026-11-01T11:59:59.000Z',
        lastFailureAt: '2026-11-01T12:00:00.000Z',
        lastFailureStatus: 503,
        pausedSince: '2026-11-01T12:00:00.000Z',
        nextAttemptAt: '2026-11-01T12:00:00.100Z',
      });
      vi.setSystemTime(LATER);
      expect(tables.table.view(A)?.nextAttemptAt).toBe('2026-11-01T12:01:00.000Z');
    }));
});
