import { describe, expect, test } from 'vitest';
import { inStorage } from '../../test-support/objects.ts';
import { ReservationTable } from './reservation-table.ts';

const INPUT = { total: { value: 1_000, currency: 'EUR' }, amountUnit: 'minor' } as const;
const euros = (value: number) => ({ value, currency: 'EUR' });

function withTable(act: (table: ReservationTable, sql: SqlStorage) => void): Promise<void> {
  return inStorage(({ sql }) => act(new ReservationTable(sql), sql));
}

/** The rows as they are stored: id, amount, state, epoch. */
function rows(sql: SqlStorage): unknown[][] {
  return sql
    .exec('SELECT id, amount, state, epoch FROM reservation ORDER BY id')
    .toArray()
    .map((row) => Object.values(row));
}

const REPLACED = {
  ok: false,
  code: 'idempotency_in_progress',
  detail: 'A later attempt with this key has taken over; ask again',
  resource: 'rv_1',
  retryAfterSeconds: 1,
};

describe('a share', () => {
  test('is what was asked for, or all that is left, and counts as being given back', () =>
    withTable((table, sql) => {
      expect(table.sums(1)).toEqual({ reversed: 0, reversing: 0 });
      expect(table.take({ id: 'rv_1', attempt: 1, amount: euros(300), epoch: 1 }, INPUT)).toEqual({
        ok: true,
        value: euros(300),
      });
      expect(table.take({ id: 'rv_2', attempt: 1, amount: null, epoch: 1 }, INPUT)).toEqual({
        ok: true,
        value: euros(700),
      });
      expect(table.sums(1)).toEqual({ reversed: 0, reversing: 1_000 });
      expect(rows(sql)).toEqual([
        ['rv_1', 300, 'held', 1],
        ['rv_2', 700, 'held', 1],
      ]);
    }));

  test('is refused when it is more than what is left, and then nothing is held', () =>
    withTable((table) => {
      table.take({ id: 'rv_1', attempt: 1, amount: euros(600), epoch: 1 }, INPUT);
      expect(table.take({ id: 'rv_2', attempt: 1, amount: euros(500), epoch: 1 }, INPUT)).toEqual({
        ok: false,
        code: 'invalid_request',
        detail: 'Only 400 of this payment is left to give back',
        param: 'amount',
      });
      expect(table.sums(1)).toEqual({ reversed: 0, reversing: 600 });
    }));

  test('of the same attempt is found again, whatever is asked for now', () =>
    withTable((table) => {
      table.take({ id: 'rv_1', attempt: 1, amount: euros(300), epoch: 2 }, INPUT);
      expect(table.take({ id: 'rv_1', attempt: 1, amount: euros(500), epoch: 2 }, INPUT)).toEqual({
        ok: true,
        value: euros(300),
      });
      expect(table.sums(1)).toEqual({ reversed: 0, reversing: 300 });
    }));

  test('of an earlier attempt is given up first', () =>
    withTable((table, sql) => {
      table.take({ id: 'rv_1', attempt: 1, amount: euros(900), epoch: 2 }, INPUT);
      expect(table.take({ id: 'rv_1', attempt: 1, amount: euros(500), epoch: 3 }, INPUT)).toEqual({
        ok: true,
        value: euros(500),
      });
      expect(rows(sql)).toEqual([['rv_1', 500, 'held', 3]]);
    }));

  test('of a later attempt is not replaced', () =>
    withTable((table, sql) => {
      table.take({ id: 'rv_1', attempt: 1, amount: euros(300), epoch: 2 }, INPUT);
      expect(table.take({ id: 'rv_1', attempt: 1, amount: euros(500), epoch: 1 }, INPUT)).toEqual(REPLACED);
      expect(rows(sql)).toEqual([['rv_1', 300, 'held', 2]]);
    }));
});

describe('the end of a reversal', () => {
  test.each([
    ['that was given back stays taken', 300, 'reversed', 2, [['rv_1', 300, 'reversed', 2]]],
    ['that was released is remembered without an amount', 300, 'released', 2, [['rv_1', 0, 'released', 2]]],
    ['that a later attempt released is remembered with that one', 300, 'released', 3, [['rv_1', 0, 'released', 3]]],
    ['of an earlier attempt frees nothing', 300, 'released', 1, [['rv_1', 300, 'held', 2]]],
    ['of an earlier attempt gives nothing back', 300, 'reversed', 1, [['rv_1', 300, 'held', 2]]],
  ] as const)('%s', (_case, value, settlement, epoch, expected) =>
    withTable((table, sql) => {
      table.take({ id: 'rv_1', attempt: 1, amount: euros(value), epoch: 2 }, INPUT);
      table.take({ id: 'rv_2', attempt: 1, amount: euros(100), epoch: 1 }, INPUT);
      table.settle({ id: 'rv_1', settlement, epoch });
      expect(rows(sql)).toEqual([...expected, ['rv_2', 100, 'held', 1]]);
    }),
  );

  test('is told of a share that nobody has: a release is remembered, the rest means nothing', () =>
    withTable((table, sql) => {
      table.settle({ id: 'rv_1', settlement: 'reversed', epoch: 1 });
      expect(rows(sql)).toEqual([]);
      table.settle({ id: 'rv_1', settlement: 'released', epoch: 1 });
      expect(rows(sql)).toEqual([['rv_1', 0, 'released', 1]]);
      table.settle({ id: 'rv_1', settlement: 'reversed', epoch: 1 });
      expect(rows(sql)).toEqual([['rv_1', 0, 'released', 1]]);
      expect(table.take({ id: 'rv_1', attempt: 1, amount: null, epoch: 1 }, INPUT)).toEqual(REPLACED);
    }));

  test('is final once the money was given back', () =>
    withTable((table, sql) => {
      table.take({ id: 'rv_1', attempt: 1, amount: euros(300), epoch: 2 }, INPUT);
      table.settle({ id: 'rv_1', settlement: 'reversed', epoch: 2 });
      for (const epoch of [1, 2, 3]) table.settle({ id: 'rv_1', settlement: 'released', epoch });
      expect(rows(sql)).toEqual([['rv_1', 300, 'reversed', 2]]);
      expect(table.sums(1)).toEqual({ reversed: 300, reversing: 0 });
      expect(table.take({ id: 'rv_1', attempt: 1, amount: null, epoch: 3 }, INPUT)).toEqual(REPLACED);
    }));
});

test('a share in a state that only a later version knows counts as being given back', () =>
  withTable((table, sql) => {
    table.take({ id: 'rv_1', attempt: 1, amount: euros(300), epoch: 1 }, INPUT);
    sql.exec("UPDATE reservation SET state = 'doubtful'");
    expect(table.sums(1)).toEqual({ reversed: 0, reversing: 300 });
  }));

test('shares are of the payment of one attempt each, with a limit of its own', () =>
  withTable((table) => {
    const all = { amount: null, epoch: 1 };
    expect(table.take({ id: 'rv_1', attempt: 1, ...all }, INPUT)).toMatchObject({ ok: true, value: euros(1_000) });
    expect(table.take({ id: 'rv_2', attempt: 2, ...all }, INPUT)).toMatchObject({ ok: true, value: euros(1_000) });
    expect(table.take({ id: 'rv_3', attempt: 2, ...all }, INPUT)).toMatchObject({ ok: false, code: 'not_reversible' });
    expect(table.take({ id: 'rv_4', attempt: null, ...all }, INPUT)).toMatchObject({ ok: true });
    table.settle({ id: 'rv_2', settlement: 'reversed', epoch: 1 });
    table.settle({ id: 'rv_4', settlement: 'released', epoch: 1 });
    expect([1, 2, null].map((attempt) => table.sums(attempt))).toEqual([
      { reversed: 0, reversing: 1_000 },
      { reversed: 1_000, reversing: 0 },
      { reversed: 0, reversing: 0 },
    ]);
    expect(['rv_1', 'rv_2', 'rv_3', 'rv_4'].map((id) => table.attemptOf(id))).toEqual([1, 2, undefined, null]);
  }));
