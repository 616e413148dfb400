import { describe, expect, test } from 'vitest';
import type { Reservation } from './reservations.ts';
import { type AllocationRequest, type AllocationSettlement, settleShare, sumsOf, takeShare } from './shares.ts';

const INPUT = { total: { value: 1_000, currency: 'EUR' }, amountUnit: 'minor' } as const;
const euros = (value: number) => ({ value, currency: 'EUR' });

/** The shares of the payments of one object. */
class Shares {
  list: readonly Reservation[] = [];

  /** Asks for an amount in cents, or for all that is left: of the first attempt, for the first time. */
  take(id: string, value: number | null, changes: Partial<AllocationRequest> = {}) {
    const asked = { id, attempt: 1, amount: value === null ? null : euros(value), epoch: 1, ...changes };
    const { shares, taken } = takeShare(this.list, asked, INPUT);
    this.list = shares;
    return taken;
  }

  settle(id: string, settlement: AllocationSettlement['settlement'], epoch = 1): void {
    this.list = settleShare(this.list, { id, settlement, epoch });
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

const taken = (value: number) => ({ ok: true, value: euros(value) });
const REPLACED = {
  ok: false,
  code: 'idempotency_in_progress',
  detail: 'A later attempt with this key has taken over; ask again',
  resource: 'rv_1',
  retryAfterSeconds: 1,
};

describe('a share', () => {
  test('is refused when it is more than what is left, and then nothing is held', () => {
    const shares = new Shares();
    shares.take('rv_1', 600);
    expect(shares.take('rv_2', 500)).toEqual({
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
    shares.take('rv_1', 300);
    const refusal = { ok: false, code: 'possible_duplicate', resource: 'rv_1' };
    expect(shares.take('rv_2', 300)).toMatchObject(refusal);
    expect(shares.take('rv_2', 300, { allowDuplicate: false })).toMatchObject(refusal);
    expect(shares.sums(1)).toEqual({ reversed: 0, reversing: 300 });
    // Of another payment, or of another amount, it is another one.
    expect(shares.take('rv_3', 300, { attempt: 2 })).toEqual(taken(300));
    expect(shares.take('rv_4', 299)).toEqual(taken(299));
    expect(shares.take('rv_2', 300, { allowDuplicate: true })).toEqual(taken(300));
    expect(shares.sums(1)).toEqual({ reversed: 0, reversing: 899 });
  });

  test.each([
    [600, 600],
    [null, null],
    [null, 1_000],
    [1_000, null],
  ])('of %j is refused as an equal one, too, when too little is left for another of %j', (first, second) => {
    const shares = new Shares();
    shares.take('rv_1', first);
    expect(shares.take('rv_2', second)).toMatchObject({ code: 'possible_duplicate', resource: 'rv_1' });
    const code = first === 600 ? 'invalid_request' : 'not_reversible';
    expect(shares.take('rv_2', second, { allowDuplicate: true })).toMatchObject({ code });
    shares.settle('rv_1', 'reversed');
    expect(shares.take('rv_2', second)).toMatchObject({ code: 'possible_duplicate', resource: 'rv_1' });
    expect(shares.list).toHaveLength(1);
  });

  test('of another currency is none', () => {
    const shares = new Shares();
    shares.take('rv_1', 600);
    const dollars = { amount: { value: 600, currency: 'USD' } };
    expect(shares.take('rv_2', 600, dollars)).toMatchObject({ code: 'invalid_request', param: 'amount.currency' });
  });

  test('that was just refunded is not refunded again, and one that was given up stands in no way', () => {
    const shares = new Shares();
    shares.take('rv_1', 300);
    shares.settle('rv_1', 'reversed');
    expect(shares.take('rv_2', 300)).toMatchObject({ code: 'possible_duplicate', resource: 'rv_1' });
    const others = new Shares();
    others.take('rv_1', 300);
    others.settle('rv_1', 'released');
    expect(others.list).toMatchObject([{ id: 'rv_1', attempt: 1, amount: 0, state: 'released' }]);
    expect(others.take('rv_2', 300)).toEqual(taken(300));
  });

  test('of the same attempt is found again, whatever is asked for now', () => {
    const shares = new Shares();
    shares.take('rv_1', 300, { epoch: 2 });
    expect(shares.take('rv_1', 500, { epoch: 2 })).toEqual(taken(300));
    expect(shares.sums(1)).toEqual({ reversed: 0, reversing: 300 });
  });

  test('of an earlier attempt is given up first, and of a later one is not replaced', () => {
    const shares = new Shares();
    shares.take('rv_1', 900, { epoch: 2 });
    expect(shares.take('rv_1', 500, { epoch: 3 })).toEqual(taken(500));
    expect(shares.rows).toEqual([['rv_1', 500, 'held', 3]]);
    expect(shares.take('rv_1', 300, { epoch: 2 })).toEqual(REPLACED);
    expect(shares.rows).toEqual([['rv_1', 500, 'held', 3]]);
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
    shares.take('rv_1', value, { epoch: 2 });
    shares.take('rv_2', 100);
    shares.settle('rv_1', settlement, epoch);
    expect(shares.rows).toEqual([...expected, ['rv_2', 100, 'held', 1]]);
  });

  test('is remembered when it is refused after an earlier attempt: what comes late of that one gets nothing', () => {
    const shares = new Shares();
    shares.settle('rv_1', 'released', 2);
    shares.take('rv_2', 900);
    expect(shares.take('rv_1', 300, { epoch: 3 })).toMatchObject({ ok: false });
    expect(shares.take('rv_1', 100)).toEqual(REPLACED);
    expect(shares.sums(1)).toEqual({ reversed: 0, reversing: 900 });
  });

  test('is told of a share that nobody has: a release is remembered, the rest means nothing', () => {
    const shares = new Shares();
    shares.settle('rv_1', 'reversed');
    expect(shares.rows).toEqual([]);
    shares.settle('rv_1', 'released');
    expect(shares.rows).toEqual([['rv_1', 0, 'released', 1]]);
    shares.settle('rv_1', 'reversed');
    expect(shares.rows).toEqual([['rv_1', 0, 'released', 1]]);
    expect(shares.take('rv_1', null)).toEqual(REPLACED);
  });

  test('is final once the money was refunded', () => {
    const shares = new Shares();
    shares.take('rv_1', 300, { epoch: 2 });
    shares.settle('rv_1', 'reversed', 2);
    for (const epoch of [1, 2, 3]) shares.settle('rv_1', 'released', epoch);
    expect(shares.rows).toEqual([['rv_1', 300, 'reversed', 2]]);
    expect(shares.sums(1)).toEqual({ reversed: 300, reversing: 0 });
    expect(shares.take('rv_1', null, { epoch: 3 })).toEqual(REPLACED);
  });
});

test('a share in a state that only a later version knows counts as being refunded', () => {
  const shares = new Shares();
  shares.take('rv_1', 300);
  shares.list = shares.list.map((share) => ({ ...share, state: 'doubtful' as Reservation['state'] }));
  expect(shares.sums(1)).toEqual({ reversed: 0, reversing: 300 });
});

test('shares are of the payment of one attempt each, with a limit of its own', () => {
  const shares = new Shares();
  expect(shares.take('rv_1', null)).toEqual(taken(1_000));
  expect(shares.take('rv_2', null, { attempt: 2 })).toEqual(taken(1_000));
  expect(shares.take('rv_3', null, { attempt: 2 })).toMatchObject({ ok: false, resource: 'rv_2' });
  expect(shares.take('rv_4', null, { attempt: null })).toMatchObject({ ok: true });
  shares.settle('rv_2', 'reversed');
  shares.settle('rv_4', 'released');
  expect([1, 2, null].map((attempt) => shares.sums(attempt))).toEqual([
    { reversed: 0, reversing: 1_000 },
    { reversed: 1_000, reversing: 0 },
    { reversed: 0, reversing: 0 },
  ]);
});
