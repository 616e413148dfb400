/** How much of a payment may still be refunded. The payment's object decides, one reversal after the other. Pure. */
import type { AmountUnit, MoneyJson, ProblemCode } from '@innkeep/core/contract';
import { currencyExponent, Money } from '@innkeep/core/values';
import { checkAmount } from '../http/payment-limits.ts';
import type { ProblemDetails } from '../http/problem.ts';

/** How long after its success a charge or a reversal keeps the same one from being made under another key. */
export const REPEAT_GUARD_MS: number = 10 * 60_000;

/** What one reversal has reserved of a payment. */
export interface Reservation {
  readonly id: string;
  /** Number of the attempt whose payment it is a share of; null when there can be only one payment. */
  readonly attempt: number | null;
  /** Minor units; 0 once released. */
  readonly amount: number;
  /** `held` until the outcome is certain. `released`: the row only remembers that its epoch has ended. */
  readonly state: 'held' | 'reversed' | 'released';
  /** Which of the reversal's attempts asked for it. */
  readonly epoch: number;
  /** When it was refunded, in milliseconds; null until then. */
  readonly reversedAt: number | null;
}

/**
 * What a request for a share means when there is a row of the same reversal already: a newer attempt replaces it, the
 * same one finds its share again, and an older one comes too late. Requests can overtake each other and their releases.
 */
export function classifyEpoch(row: Reservation | undefined, epoch: number): 'new' | 'same' | 'late' {
  if (row === undefined) return 'new';
  if (row.state === 'reversed') return 'late';
  if (epoch > row.epoch) return 'new';
  return epoch === row.epoch && row.state === 'held' ? 'same' : 'late';
}

/** Sums of a payment's reservations, in minor units. */
export interface ReversalSums {
  readonly reversed: number;
  readonly reversing: number;
}

export interface ReservationInput {
  /** What was charged, surcharge included. */
  readonly total: MoneyJson;
  readonly sums: ReversalSums;
  /** What the caller wants back; null: all that is left. */
  readonly asked: MoneyJson | null;
  readonly amountUnit: AmountUnit;
}

/** A refusal with a code of the problem documents. */
export interface ReservationRefusal extends ProblemDetails {
  readonly code: Extract<ProblemCode, 'invalid_request' | 'not_reversible' | 'possible_duplicate'>;
}

/** Adds up what is refunded and what is on its way. A share in a state that only a later version knows counts as on its way. */
export function sumReservations(reservations: readonly Reservation[]): ReversalSums {
  const sum = (those: readonly Reservation[]): number => those.reduce((total, { amount }) => total + amount, 0);
  return {
    reversed: sum(reservations.filter(({ state }) => state === 'reversed')),
    reversing: sum(reservations.filter(({ state }) => state !== 'reversed' && state !== 'released')),
  };
}

/**
 * Why a reversal of this amount may be one that was made already: an equal one is not decided, or has just succeeded. A clock that
 * went back makes a success no older.
 */
export function duplicateRefusal(
  others: readonly Reservation[],
  { amount, now }: { readonly amount: number; readonly now: number },
): ReservationRefusal | undefined {
  const equal = others.filter((other) => other.amount === amount);
  const undecided = equal.find(({ state }) => state === 'held');
  const recent = equal.find(({ reversedAt }) => reversedAt !== null && now < reversedAt + REPEAT_GUARD_MS);
  const found = undecided ?? recent;
  if (found === undefined) return undefined;
  const what =
    found === undecided
      ? 'The outcome of an equal reversal is not certain'
      : 'An equal reversal succeeded less than ten minutes ago';
  const detail = `${what}; set allowDuplicate if this is a different one`;
  return { code: 'possible_duplicate', detail, resource: found.id };
}

/** The amount to reserve in minor units, or why not. */
export function decideReservation(input: ReservationInput): { readonly amount: number } | ReservationRefusal {
  const { total, sums, asked, amountUnit } = input;
  const left = total.value - sums.reversed - sums.reversing;
  if (left <= 0) return { code: 'not_reversible', detail: 'Nothing of this payment is left to refund' };
  if (asked !== null && asked.currency !== total.currency) {
    return { code: 'invalid_request', detail: `The payment is in ${total.currency}`, param: 'amount.currency' };
  }
  const amount = asked?.value ?? left;
  const textOf = (value: number): string => `${Money.fromJSON({ value, currency: total.currency })}`;
  if (amount > left)
    return {
      code: 'invalid_request',
      detail: `Only ${textOf(left)} of this payment is left to refund`,
      param: 'amount',
    };
  const value = { value: amount, currency: total.currency };
  const refusal = checkAmount(value, { amountUnit, maxAmount: undefined });
  if (refusal === undefined) return { amount };
  if (asked !== null) return { code: 'invalid_request', ...refusal };
  const whole = left - (left % 10 ** (currencyExponent(total.currency) ?? 0));
  const detail = `Only whole units can be refunded here: ${textOf(whole)} of the ${textOf(left)} that are left. Refund the rest in the payment service’s portal`;
  return { code: 'invalid_request', detail };
}
