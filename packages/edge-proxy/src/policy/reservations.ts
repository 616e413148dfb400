/** How much of a payment may still be given back. The payment's own object decides, one reversal after the other. Pure. */
import type { ProblemCode, ProblemDetails } from '../problem.ts';
import { checkAmount, type MoneyValue } from './payment-limits.ts';

/** One reversal's share of a payment. */
export interface Reservation {
  /** Id of the reversal. */
  readonly id: string;
  /** Minor units. */
  readonly amount: number;
  /** `held` until the outcome is certain. A released one is gone. */
  readonly state: 'held' | 'reversed';
}

/** Sums of a payment's reservations, in minor units. */
export interface ReversalSums {
  readonly reversed: number;
  readonly reversing: number;
}

/** What decides about a new reservation. */
export interface ReservationFacts {
  /** What was charged, surcharge included. */
  readonly total: MoneyValue;
  readonly sums: ReversalSums;
  /** What the caller wants back; null: all that is left. */
  readonly asked: MoneyValue | null;
  readonly amountUnit: 'minor' | 'major';
  readonly exponentOf: (currency: string) => number | undefined;
}

/** A refusal in the problem table's words. */
export interface ReservationRefusal extends ProblemDetails {
  readonly code: Extract<ProblemCode, 'invalid_request' | 'not_reversible'>;
}

/** Adds up what is given back and what is on its way. */
export function sumReservations(reservations: readonly Reservation[]): ReversalSums {
  const sum = (state: Reservation['state']): number =>
    reservations.reduce((total, each) => (each.state === state ? total + each.amount : total), 0);
  return { reversed: sum('reversed'), reversing: sum('held') };
}

/** The amount to reserve in minor units, or why not. */
export function judgeReservation(facts: ReservationFacts): { readonly amount: number } | ReservationRefusal {
  const { total, sums, asked, amountUnit, exponentOf } = facts;
  const left = total.value - sums.reversed - sums.reversing;
  if (left <= 0) return { code: 'not_reversible', detail: 'Nothing is left of this payment' };
  if (asked !== null && asked.currency !== total.currency) {
    return { code: 'invalid_request', detail: `The payment is in ${total.currency}`, param: 'amount.currency' };
  }
  const amount = asked?.value ?? left;
  if (amount > left)
    return { code: 'invalid_request', detail: `Only ${left} is left of this payment`, param: 'amount' };
  const value = { value: amount, currency: total.currency };
  const refusal = checkAmount(value, { amountUnit, maxAmount: undefined, exponentOf });
  return refusal === undefined ? { amount } : { code: 'invalid_request', ...refusal };
}
