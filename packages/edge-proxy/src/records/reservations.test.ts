import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  classifyEpoch,
  decideReservation,
  duplicateRefusal,
  REPEAT_GUARD_MS,
  type Reservation,
  type ReservationInput,
  sumReservations,
} from './reservations.ts';

const INPUT: ReservationInput = {
  total: { value: 10_000, currency: 'EUR' },
  sums: { reversed: 0, reversing: 0 },
  asked: null,
  amountUnit: 'minor',
};
const NOW = 1_800_000_000_000;
const eur = (value: number) => ({ value, currency: 'EUR' });

test.each<[string, Partial<ReservationInput>, number]>([
  ['without an amount, all of it', {}, 10_000],
  ['without an amount, all that is left', { sums: { reversed: 3_000, reversing: 2_000 } }, 5_000],
  ['a whole unit where only whole ones can be said', { asked: eur(200), amountUnit: 'major' }, 200],
])('what is given back: %s', (_what, changes, amount) => {
  expect(decideReservation({ ...INPUT, ...changes })).toEqual({ amount });
});

test('is refused when all that is left is no whole unit, with how much of it is', () => {
  const total = { value: 12_240, currency: 'EUR' };
  const input = { total, sums: { reversed: 100, reversing: 0 }, asked: null, amountUnit: 'major' } as const;
  expect(decideReservation(input)).toEqual({
    code: 'invalid_request',
    detail:
      'Only whole units can be refunded here: 121.00 EUR of the 121.40 EUR that are left. Refund the rest in the payment service’s portal',
  });
});

const SHARE: Reservation = { id: 'rv_1', attempt: 1, amount: 2_000, state: 'held', epoch: 1, reversedAt: null };

test.each([
  ['held', null, 'The outcome of an equal reversal is not certain; set allowDuplicate if this is a different one'],
  [
    'reversed',
    NOW - 1,
    'An equal reversal succeeded less than ten minutes ago; set allowDuplicate if this is a different one',
  ],
] as const)('a refusal says what the equal one is: %s', (state, reversedAt, detail) => {
  const refusal = { code: 'possible_duplicate', detail, resource: 'rv_1' };
  expect(duplicateRefusal([{ ...SHARE, state, reversedAt }], { amount: 2_000, now: NOW })).toEqual(refusal);
});

const ALL_TAKEN = { reversed: 4_000, reversing: 6_000 };
const PART = { asked: eur(150), amountUnit: 'major' } as const;
test.each<[string, Partial<ReservationInput>, string, string?]>([
  ['anything once all of it is held or refunded', { sums: ALL_TAKEN, asked: eur(1) }, 'not_reversible'],
  ['more than is left', { asked: eur(10_001) }, 'invalid_request', 'amount'],
  ['another currency', { asked: { value: 1, currency: 'USD' } }, 'invalid_request', 'amount.currency'],
  ['part of a unit where only whole ones can be said', PART, 'invalid_request', 'amount.value'],
])('refuses %s', (_what, changes, code, param) => {
  expect(decideReservation({ ...INPUT, ...changes })).toMatchObject({ code, ...(param && { param }) });
});

test('never gives away more than there is, in whatever order reversals come and end', () => {
  const step = fc.record({
    asked: fc.option(fc.integer({ min: 1, max: 12_000 })),
    ends: fc.constantFrom('reversed', 'released', 'held'),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const rows: Reservation[] = [];
      for (const [at, { asked, ends }] of steps.entries()) {
        const input = { ...INPUT, sums: sumReservations(rows), asked: asked === null ? null : eur(asked) };
        const decision = decideReservation(input);
        if ('amount' in decision && ends !== 'released')
          rows.push({ ...SHARE, id: `rv_${at}`, amount: decision.amount, state: ends });
        const { reversed, reversing } = sumReservations(rows);
        expect(reversed + reversing).toBeLessThanOrEqual(10_000);
      }
    }),
  );
});

test.each([
  ['nothing', undefined, 5, 'new'],
  ['an earlier attempt', { state: 'held', epoch: 4 }, 5, 'new'],
  ['an earlier attempt that was released', { state: 'released', epoch: 4 }, 5, 'new'],
  ['the same attempt', { state: 'held', epoch: 5 }, 5, 'same'],
  ['the same attempt, released by now', { state: 'released', epoch: 5 }, 5, 'late'],
  ['a later attempt', { state: 'held', epoch: 6 }, 5, 'late'],
  ['a later attempt that was released', { state: 'released', epoch: 6 }, 5, 'late'],
  ['a reversal that has ended', { state: 'reversed', epoch: 4 }, 5, 'late'],
] as const)('a request for a share that finds %s', (_what, row, epoch, decision) => {
  expect(classifyEpoch(row && { ...SHARE, ...row }, epoch)).toBe(decision);
});

test('sums are of what was refunded, and of what is held', () => {
  const row = (id: string, amount: number, state: Reservation['state']) => ({ ...SHARE, id, amount, state });
  const rows = [row('a', 100, 'reversed'), row('b', 20, 'held'), row('c', 3, 'reversed'), row('d', 4, 'held')];
  expect(sumReservations([...rows, row('e', 1_000, 'released')])).toEqual({ reversed: 103, reversing: 24 });
});

test.each([
  ['one that is not decided', { state: 'held' }, 'rv_1'],
  ['one that has just been refunded', { state: 'reversed', reversedAt: NOW - REPEAT_GUARD_MS + 1 }, 'rv_1'],
  ['one that was refunded ten minutes ago', { state: 'reversed', reversedAt: NOW - REPEAT_GUARD_MS }, undefined],
  ['one that was refunded later than now, by a clock', { state: 'reversed', reversedAt: NOW + 1 }, 'rv_1'],
  ['one of another amount', { state: 'held', amount: 2_001 }, undefined],
  ['one that came to nothing', { state: 'released' }, undefined],
] as const)('a reversal may repeat %s', (_what, row, resource) => {
  expect(duplicateRefusal([{ ...SHARE, ...row }], { amount: 2_000, now: NOW })?.resource).toBe(resource);
});
