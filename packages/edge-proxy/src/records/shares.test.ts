import { describe, expect, test } from 'vitest';
import type { Reservation } from './reservations.ts';
import { type AllocationRequest, type AllocationSettlement, settleShare, sumsOf, takeShare } from './shares.ts';

const INPUT = { total: { value: 1_000, currency: 'EUR' }, amountUnit: 'minor' } as const;
const euros = (value: number) => ({ value, currency: 'EUR' });

/** The shares of the payments of one object. */
class Shares {
  list: readonly Reservation[] = [];

  take(asked: AllocationRequest) {
    const { shares, taken } = takeShare(this.list, asked, INPUT);
    this.list = shares;
    return taken;
  }

  settle(settlement: AllocationSettlement): void {
    this.list = settleShare(this.list, settlement);
  }

  sums(attempt: number | null) {
    return sumsOf(this.list, attempt);
  }

  /** Id, amount, state, epoch. */
  get rows(): unknown[][] {
    return this.list
      .map(({ id, amount, state, epoch }) => [id, amount, state, epoch])
      .sort(([a], [b]) => String(a).localeCompare(String(b)));
  }
}

const REPLACED = {
  ok: false,
  code: 'idempotency_in_progress',
  detail: 'A later attempt with this key has taken over; ask again',
  resource: 'rv_1',
  retryAfterSeconds: 1,
};

describe('a share', () => {
  test('is what was asked for, or all that is left, and counts as being refunded', () => {
    const shares = new Shares();
    expect(shares.sums(1)).toEqual({ reversed: 0, reversing: 0 });
    expect(shares.take({ id: 'rv_1', attempt: 1, amount: euros(300), epoch: 1 })).toEqual({
      ok: true,
      value: euros(300),
    });
    expect(shares.take({ id: 'rv_2', attempt: 1, amount: null, epoch: 1 })).toEqual({
      ok: true,
      value: euros(700),
    });
    expect(shares.sums(1)).toEqual({ reversed: 0, reversing: 1_000 });
    expect(shares.rows).toEqual([
      ['rv_1', 300, 'held', 1],
      ['rv_2', 700, 'held', 1],
    ]);
  });

  test('is refused when it is more than what is left, and then nothing is held', () => {
    const shares = new Shares();
    shares.take({ id: 'rv_1', attempt: 1, amount: euros(600), epoch: 1 });
    expect(shares.take({ id: 'rv_2', attempt: 1, amount: euros(500), epoch: 1 })).toEqual({
      ok: false,
      code: 'invalid_request',
      detail: 'Only 4.00 EUR of this payment is left to refund',
      param: 'amount',
    });
    expect(shares.sums(1)).toEqual({ reversed: 0, reversing: 600 });
    expect(shares.rows).toEqual([['rv_1', 600, 'held', 1]]);
  });

  test('is refused when an equal one may be made already, unless it is a different one', () => {
    const shares = new Shares();
    const second: AllocationRequest = { id: 'rv_2', attempt: 1, amount: euros(300), epoch: 1 };
    shares.take({ ...second, id: 'rv_1' });
    const refusal = { ok: false, code: 'possible_duplicate', resource: 'rv_1' };
    expect(shares.take(second)).toMatchObject(refusal);
    expect(shares.take({ ...second, allowDuplicate: false })).toMatchObject(refusal);
    expect(shares.sums(1)).toEqual({ reversed: 0, reversing: 300 });
    // Of another payment, or of another amount, it is another one.
    expect(shares.take({ ...second, id: 'rv_3', attempt: 2 })).toEqual({ ok: true, value: euros(300) });
    expect(shares.take({ ...second, id: 'rv_4', amount: euros(299) })).toEqual({ ok: true, value: euros(299) });
    expect(shares.take({ ...second, allowDuplicate: true })).toEqual({ ok: true, value: euros(300) });
    expect(shares.sums(1)).toEqual({ reversed: 0, reversing: 899 });
  });

  test('is refused as an equal one, too, when too little is left for both', () => {
    for (const [first, second] of [
      [euros(600), euros(600)],
      [null, null],
      [null, euros(1_000)],
      [euros(1_000), null],
    ]) {
      const shares = new Shares();
      const asked: AllocationRequest = { id: 'rv_2', attempt: 1, amount: second ?? null, epoch: 1 };
      shares.take({ ...asked, id: 'rv_1', amount: first ?? null });
      expect(shares.take(asked)).toMatchObject({ code: 'possible_duplicate', resource: 'rv_1' });
      expect(shares.take({ ...asked, allowDuplicate: true })).toMatchObject({
        code: first === null || first?.value === 1_000 ? 'not_reversible' : 'invalid_request',
      });
      shares.settle({ id: 'rv_1', settlement: 'reversed', epoch: 1 });
      expect(shares.take(asked)).toMatchObject({ code: 'possible_duplicate', resource: 'rv_1' });
      expect(shares.list).toHaveLength(1);
    }
    const shares = new Shares();
    shares.take({ id: 'rv_1', attempt: 1, amount: euros(600), epoch: 1 });
    const dollars = { id: 'rv_2', attempt: 1, amount: { value: 600, currency: 'USD' }, epoch: 1 };
    expect(shares.take(dollars)).toMatchObject({ code: 'invalid_request', param: 'amount.currency' });
  });

  test('that was just refunded is not refunded again, and one that was given up stands in no way', () => {
    const shares = new Shares();
    const second: AllocationRequest = { id: 'rv_2', attempt: 1, amount: euros(300), epoch: 1 };
    shares.take({ ...second, id: 'rv_1' });
    shares.settle({ id: 'rv_1', settlement: 'reversed', epoch: 1 });
    expect(shares.take(second)).toMatchObject({ code: 'possible_duplicate', resource: 'rv_1' });
    const others = new Shares();
    others.take({ ...second, id: 'rv_1' });
    others.settle({ id: 'rv_1', settlement: 'released', epoch: 1 });
    expect(others.list).toMatchObject([{ id: 'rv_1', attempt: 1, amount: 0, state: 'released' }]);
    expect(others.take(second)).toEqual({ ok: true, value: euros(300) });
  });

  test('of the same attempt is found again, whatever is asked for now', () => {
    const shares = new Shares();
    shares.take({ id: 'rv_1', attempt: 1, amount: euros(300), epoch: 2 });
    expect(shares.take({ id: 'rv_1', attempt: 1, amount: euros(500), epoch: 2 })).toEqual({
      ok: true,
      value: euros(300),
    });
    expect(shares.sums(1)).toEqual({ reversed: 0, reversing: 300 });
  });

  test('of an earlier attempt is given up first', () => {
    const shares = new Shares();
    shares.take({ id: 'rv_1', attempt: 1, amount: euros(900), epoch: 2 });
    expect(shares.take({ id: 'rv_1', attempt: 1, amount: euros(500), epoch: 3 })).toEqual({
      ok: true,
      value: euros(500),
    });
    expect(shares.rows).toEqual([['rv_1', 500, 'held', 3]]);
  });

  test('of a later attempt is not replaced', () => {
    const shares = new Shares();
    shares.take({ id: 'rv_1', attempt: 1, amount: euros(300), epoch: 2 });
    expect(shares.take({ id: 'rv_1', attempt: 1, amount: euros(500), epoch: 1 })).toEqual(REPLACED);
    expect(shares.rows).toEqual([['rv_1', 300, 'held', 2]]);
  });
});

describe('the end of a reversal', () => {
  test.each([
    ['that was refunded stays taken', 300, 'reversed', 2, [['rv_1', 300, 'reversed', 2]]],
    ['that was released is remembered without an amount', 300, 'released', 2, [['rv_1', 0, 'released', 2]]],
    ['that a later attempt released is remembered with that one', 300, 'released', 3, [['rv_1', 0, 'released', 3]]],
    ['of an earlier attempt frees nothing', 300, 'released', 1, [['rv_1', 300, 'held', 2]]],
    ['of an earlier attempt releases nothing', 300, 'reversed', 1, [['rv_1', 300, 'held', 2]]],
  ] as const)('%s', (_case, value, settlement, epoch, expected) => {
    const shares = new Shares();
    shares.take({ id: 'rv_1', attempt: 1, amount: euros(value), epoch: 2 });
    shares.take({ id: 'rv_2', attempt: 1, amount: euros(100), epoch: 1 });
    shares.settle({ id: 'rv_1', settlement, epoch });
    expect(shares.rows).toEqual([...expected, ['rv_2', 100, 'held', 1]]);
  });

  test('is remembered when it is refused after an earlier attempt: what comes late of that one gets nothing', () => {
    const shares = new Shares();
    shares.settle({ id: 'rv_1', settlement: 'released', epoch: 2 });
    shares.take({ id: 'rv_2', attempt: 1, amount: euros(900), epoch: 1 });
    expect(shares.take({ id: 'rv_1', attempt: 1, amount: euros(300), epoch: 3 })).toMatchObject({ ok: false });
    expect(shares.take({ id: 'rv_1', attempt: 1, amount: euros(100), epoch: 1 })).toEqual(REPLACED);
    expect(shares.sums(1)).toEqual({ reversed: 0, reversing: 900 });
  });

  test('is told of a share that nobody has: a release is remembered, the rest means nothing', () => {
    const shares = new Shares();
    shares.settle({ id: 'rv_1', settlement: 'reversed', epoch: 1 });
    expect(shares.rows).toEqual([]);
    shares.settle({ id: 'rv_1', settlement: 'released', epoch: 1 });
    expect(shares.rows).toEqual([['rv_1', 0, 'released', 1]]);
    shares.settle({ id: 'rv_1', settlement: 'reversed', epoch: 1 });
    expect(shares.rows).toEqual([['rv_1', 0, 'released', 1]]);
    expect(shares.take({ id: 'rv_1', attempt: 1, amount: null, epoch: 1 })).toEqual(REPLACED);
  });

  test('is final once the money was refunded', () => {
    const shares = new Shares();
    shares.take({ id: 'rv_1', attempt: 1, amount: euros(300), epoch: 2 });
    shares.settle({ id: 'rv_1', settlement: 'reversed', epoch: 2 });
    for (const epoch of [1, 2, 3]) shares.settle({ id: 'rv_1', settlement: 'released', epoch });
    expect(shares.rows).toEqual([['rv_1', 300, 'reversed', 2]]);
    expect(shares.sums(1)).toEqual({ reversed: 300, reversing: 0 });
    expect(shares.take({ id: 'rv_1', attempt: 1, amount: null, epoch: 3 })).toEqual(REPLACED);
  });
});

test('a share in a state that only a later version knows counts as being refunded', () => {
  const shares = new Shares();
  shares.take({ id: 'rv_1', attempt: 1, amount: euros(300), epoch: 1 });
  shares.list = shares.list.map((share) => ({ ...share, state: 'doubtful' as Reservation['state'] }));
  expect(shares.sums(1)).toEqual({ reversed: 0, reversing: 300 });
});

test('shares are of the payment of one attempt each, with a limit of its own', () => {
  const shares = new Shares();
  const all = { amount: null, epoch: 1 };
  expect(shares.take({ id: 'rv_1', attempt: 1, ...all })).toMatchObject({ ok: true, value: euros(1_000) });
  expect(shares.take({ id: 'rv_2', attempt: 2, ...all })).toMatchObject({ ok: true, value: euros(1_000) });
  expect(shares.take({ id: 'rv_3', attempt: 2, ...all })).toMatchObject({ ok: false, resource: 'rv_2' });
  expect(shares.take({ id: 'rv_4', attempt: null, ...all })).toMatchObject({ ok: true });
  shares.settle({ id: 'rv_2', settlement: 'reversed', epoch: 1 });
  shares.settle({ id: 'rv_4', settlement: 'released', epoch: 1 });
  expect([1, 2, null].map((attempt) => shares.sums(attempt))).toEqual([
    { reversed: 0, reversing: 1_000 },
    { reversed: 1_000, reversing: 0 },
    { reversed: 0, reversing: 0 },
  ]);
});
