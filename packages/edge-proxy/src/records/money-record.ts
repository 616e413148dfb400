/** A charge or a reversal as its object stores it, and as merchants see it. Pure. */
import { isFinalMoneyState, type MoneyState } from '../policy/money-machine.ts';
import type { MoneyError } from '../policy/money-outcome.ts';
import type { MoneyValue } from '../policy/payment-limits.ts';
import type { ReversalSums } from '../policy/reservations.ts';
import { type HotelSnapshot, type Resolution, toTimestamp } from './session-record.ts';

/** Why a stored card is charged. */
export const CHARGE_REASONS = ['deposit', 'no_show', 'late_charge', 'balance', 'other'] as const;

/** One of {@link CHARGE_REASONS}. */
export type ChargeReason = (typeof CHARGE_REASONS)[number];

/** Facts of either kind, fixed at creation. Instants are milliseconds. */
interface NewOperation {
  readonly id: string;
  readonly property: string;
  readonly livemode: boolean;
  readonly createdAt: number;
}

/** A charge that is asked for. */
export interface NewCharge extends NewOperation {
  readonly kind: 'charge';
  readonly amount: MoneyValue;
  readonly reference: string;
  readonly reason: ChargeReason;
  readonly text: string | null;
  /** What the call is made with: edits of the property do not reach a charge under way. */
  readonly serviceProvider: string;
  readonly hotel: HotelSnapshot;
}

/** A reversal that is asked for; what it is made with comes from the payment. */
export interface NewReversal extends NewOperation {
  readonly kind: 'reversal';
  /** Id of the payment. */
  readonly payment: string;
  /** null: all that is left. */
  readonly amount: MoneyValue | null;
}

/** What a payment tells a reversal that it has a share of it. Plain, so that it crosses an object boundary. */
export interface ReservedReversal {
  readonly amount: MoneyValue;
  /** The payment's reference, so that a booking's reversals are found with its payments. */
  readonly reference: string;
  /** The upstream's id of the payment. */
  readonly paymentTransactionId: string;
  readonly serviceProvider: string;
  readonly hotel: HotelSnapshot;
}

interface Progress {
  readonly seq: number;
  readonly state: MoneyState;
  /** The upstream's id of this charge or reversal. */
  readonly transactionId: string | null;
  readonly error: MoneyError | null;
  readonly resolution: Resolution | null;
  /** When it reached its final outcome; absent until then, and on records of versions that did not note it. */
  readonly completedAt?: number;
}

/** A charge's whole record. */
export interface ChargeRecord extends NewCharge, Progress {
  /** Sealed, and only until the request has left. */
  readonly sealedToken: string | null;
  readonly maskedCard: string | null;
  readonly sums: ReversalSums;
}

/** A reversal's whole record. */
export interface ReversalRecord extends Omit<NewReversal, 'amount'>, ReservedReversal, Progress {
  /** Which attempt got the share; absent in records of a version that did not count them. */
  readonly epoch?: number | undefined;
}

/** Either record. */
export type MoneyRecord = ChargeRecord | ReversalRecord;

/** Who resolved an unknown outcome, and why, as the feed shows it. */
export interface MerchantResolution {
  status: 'succeeded' | 'failed';
  evidence: string;
  transactionId: string | null;
  /** Id of the merchant key that was used. */
  by: string;
  at: string;
}

/** A charge as its merchant sees it. */
export interface MerchantCharge {
  object: 'charge';
  id: string;
  property: string;
  livemode: boolean;
  status: MoneyState;
  final: boolean;
  seq: number;
  amount: MoneyValue;
  reference: string;
  reason: ChargeReason;
  transactionId: string | null;
  maskedCard: string | null;
  error: MoneyError | null;
  reversed: MoneyValue;
  reversing: MoneyValue;
  createdAt: string;
  completedAt: string | null;
  resolution?: MerchantResolution;
}

/** A reversal as its merchant sees it. */
export interface MerchantReversal {
  object: 'reversal';
  id: string;
  property: string;
  livemode: boolean;
  status: MoneyState;
  final: boolean;
  seq: number;
  payment: string;
  amount: MoneyValue;
  transactionId: string | null;
  error: MoneyError | null;
  createdAt: string;
  completedAt: string | null;
  resolution?: MerchantResolution;
}

/** Either view. */
export type MerchantOperation = MerchantCharge | MerchantReversal;

/** The merchant's view. */
export function toMerchantOperation(record: MoneyRecord): MerchantOperation {
  const common = {
    id: record.id,
    property: record.property,
    livemode: record.livemode,
    status: record.state,
    final: isFinalMoneyState(record.state),
    seq: record.seq,
  };
  const end = {
    createdAt: toTimestamp(record.createdAt),
    completedAt: completedAt(record),
    ...(record.resolution === null
      ? {}
      : { resolution: { ...record.resolution, at: toTimestamp(record.resolution.at) } }),
  };
  const { amount, transactionId, error } = record;
  if (record.kind === 'reversal') {
    return { object: 'reversal', ...common, payment: record.payment, amount, transactionId, error, ...end };
  }
  const { reference, reason, maskedCard, sums } = record;
  const { currency } = amount;
  return {
    object: 'charge',
    ...common,
    amount,
    reference,
    reason,
    transactionId,
    maskedCard,
    error,
    reversed: { value: sums.reversed, currency },
    reversing: { value: sums.reversing, currency },
    ...end,
  };
}

/** A version that noted no time of completion decided what was not resolved by hand within seconds of its creation. */
function completedAt(record: MoneyRecord): string | null {
  if (!isFinalMoneyState(record.state)) return null;
  return toTimestamp(record.completedAt ?? record.resolution?.at ?? record.createdAt);
}
