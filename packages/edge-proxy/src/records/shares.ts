/** The reversals that have a share of one payment, as a list in the payment's own row, so that its limit is atomic. Pure. */
import type { AmountUnit, MoneyJson } from '@innkeep/core/contract';
import { type Outcome, ok, refuse } from '../http/problem.ts';
import {
  classifyEpoch,
  decideReservation,
  duplicateRefusal,
  type Reservation,
  type ReservationInput,
  type ReversalSums,
  sumReservations,
} from './reservations.ts';

/** How a reversal ended, as far as the payment is concerned. */
export type Settlement = 'reversed' | 'released';

export interface AllocationRequest {
  readonly id: string;
  /** Number of the attempt that was paid; null when there can be only one payment. */
  readonly attempt: number | null;
  /** null: all that is left. */
  readonly amount: MoneyJson | null;
  /** Whether an equal one may have been made already. @default false */
  readonly allowDuplicate?: boolean;
  /** What the hotel's configuration says now. */
  readonly amountUnit?: AmountUnit | undefined;
  /** The same. Absent from a version that did not look. */
  readonly livemode?: boolean;
  /** Counts the attempts of this reversal to get a share. */
  readonly epoch: number;
}

export interface AllocationSettlement {
  readonly id: string;
  readonly settlement: Settlement;
  /** As in {@link AllocationRequest}. */
  readonly epoch: number;
}

type Shares = readonly Reservation[];

/** What is refunded of the payment of one attempt; null: of the only one. */
export function sumsOf(shares: Shares, attempt: number | null): ReversalSums {
  return sumReservations(shares.filter((each) => each.attempt === attempt));
}

/** The list with the share of a reversal, or why it gets none. A share of an earlier attempt is given up first. */
export function takeShare(
  shares: Shares,
  asked: AllocationRequest,
  input: Omit<ReservationInput, 'sums' | 'asked'>,
): { readonly shares: Shares; readonly taken: Outcome<MoneyJson> } {
  const { currency } = input.total;
  const own = shares.find(({ id }) => id === asked.id);
  const decision = classifyEpoch(own, asked.epoch);
  if (decision === 'same' && own !== undefined) return { shares, taken: ok({ value: own.amount, currency }) };
  if (decision === 'late') {
    const detail = 'A later attempt with this key has taken over; ask again';
    return { shares, taken: refuse('idempotency_in_progress', { detail, resource: asked.id, retryAfterSeconds: 1 }) };
  }
  const others = shares.filter(({ id }) => id !== asked.id);
  const ofPayment = others.filter(({ attempt }) => attempt === asked.attempt);
  const decided = decideReservation({ ...input, sums: sumReservations(ofPayment), asked: asked.amount });
  // Also when too little is left for another one: the equal one is why.
  const wanted = asked.amount ?? ('code' in decided ? input.total : { value: decided.amount, currency });
  const mayRepeat = asked.allowDuplicate === true || wanted.currency !== currency;
  const duplicate = mayRepeat ? undefined : duplicateRefusal(ofPayment, { amount: wanted.value, now: Date.now() });
  const allocation = duplicate ?? decided;
  if ('code' in allocation) {
    const { code, ...details } = allocation;
    const rest = own === undefined ? others : [...others, releasedShare(asked)];
    return { shares: rest, taken: refuse(code, details) };
  }
  const { id, attempt, epoch } = asked;
  const share: Reservation = { id, attempt, amount: allocation.amount, state: 'held', epoch, reversedAt: null };
  return { shares: [...others, share], taken: ok({ value: share.amount, currency }) };
}

/** A share that was given up stays without an amount, so that a late request of it gets nothing. */
function releasedShare({ id, attempt, epoch }: Pick<Reservation, 'id' | 'attempt' | 'epoch'>): Reservation {
  return { id, attempt, amount: 0, state: 'released', epoch, reversedAt: null };
}

/** The list after a reversal has ended. */
export function settleShare(shares: Shares, { id, settlement, epoch }: AllocationSettlement): Shares {
  const own = shares.find((share) => share.id === id);
  const isOfNewer = (own?.epoch ?? 0) > epoch;
  if (isOfNewer || own?.state === 'reversed') return shares;
  const others = shares.filter((share) => share !== own);
  if (settlement === 'released') {
    return [...others, releasedShare({ id, attempt: own?.attempt ?? null, epoch })];
  }
  return own?.state === 'held' ? [...others, { ...own, state: 'reversed', reversedAt: Date.now() }] : shares;
}
