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

test('without an amount it is all that is left', () => {
  expect(decideReservation(INPUT)).toEqual({ amount: 10_000 });
  expect(decideReservation({ ...INPUT, sums: { reversed: 3_000, reversing: 2_000 } })).toEqual({ amount: 5_000 });
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

test('is a whole unit where only whole ones can be said', () => {
  expect(decideReservation({ ...INPUT, asked: eur(200), amountUnit: 'major' })).toEqual({ amount: 200 });
});

test.each([
  ['held', null, 'The outcome of an equal reversal is not certain; set allowDuplicate if this is a different one'],
  [
    'reversed',
    NOW - 1,
    'An equal reversal succeeded less than ten minutes ago; set allowDuplicate if this is a different one',
  ],
] as const)('a refusal says what the equal one is: %s', (state, reversedAt, detail) => {
  const other: Reservation = { id: 'rv_1', attempt: null, amount: 5, state, epoch: 1, reversedAt };
  expect(duplicateRefusal([other], { amount: 5, now: NOW })).toEqual({
    code: 'possible_duplicate',
    detail,
    resource: 'rv_1',
  });
});

test('what is held counts like what is refunded', () => {
  const sums = { reversed: 4_000, reversing: 6_000 };
  expect(decideReservation({ ...INPUT, sums, asked: eur(1) })).toMatchObject({ code: 'not_reversible' });
});

test.each([
  ['more than is left', { asked: eur(10_001) }, 'invalid_request', 'amount'],
  ['another currency', { asked: { value: 1, currency: 'USD' } }, 'invalid_request', 'amount.currency'],
  [
    'part of a unit where only whole ones can be said',
    { asked: eur(150), amountUnit: 'major' },
    'invalid_request',
    'amount.value',
  ],
] as const)('refuses %s', (_what, changes, code, param) => {
  expect(decideReservation({ ...INPUT, ...changes })).toMatchObject({ code, param });
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
        const decision = decideReservation({
          ...INPUT,
          sums: sumReservations(rows),
          asked: asked === null ? null : eur(asked),
        });
        if ('amount' in decision && ends !== 'released')
          rows.push({
            id: `rv_${at}`,
            attempt: null,
            amount: decision.amount,
            state: ends,
            epoch: 1,
            reversedAt: null,
          });
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
  const found = row === undefined ? undefined : { id: 'rv_1', attempt: 1, amount: 1, reversedAt: null, ...row };
  expect(classifyEpoch(found, epoch)).toBe(decision);
});

test('sums are of what was refunded, and of what is held', () => {
  const row = (id: string, amount: number, state: Reservation['state']): Reservation => ({
    id,
    attempt: 1,
    amount,
    state,
    epoch: 1,
    reversedAt: null,
  });
  const rows = [row('a', 100, 'reversed'), row('b', 20, 'held'), row('c', 3, 'reversed'), row('d', 4, 'held')];
  expect(sumReservations([...rows, row('e', 1_000, 'released')])).toEqual({ reversed: 103, reversing: 24 });
});

test.each([
  ['one that is not decided', { state: 'held' }, 'rv_1'],
  ['one that has just been refunded', { state: 'reversed', reversedAt: NOW - REPEAT_GUARD_MS + 1 }, 'rv_1'],
  ['one that was refunded ten minutes ago', { state: 'reversed', reversedAt: NOW - REPEAT_GUARD_MS }, undefined],
  [
    'one that was refunded later than now, since the clock went back',
    { state: 'reversed', reversedAt: NOW + 1 },
    'rv_1',
  ],
  ['one of another amount', { state: 'held', amount: 2_001 }, undefined],
  ['one that came to nothing', { state: 'released' }, undefined],
] as const)('a reversal may repeat %s', (_what, row, resource) => {
  const other = { id: 'rv_1', attempt: 1, amount: 2_000, epoch: 1, reversedAt: null, ...row };
  expect(duplicateRefusal([other], { amount: 2_000, now: NOW })?.resource).toBe(resource);
});
