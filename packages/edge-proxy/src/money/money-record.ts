/** A charge or a reversal as its object stores it, and as merchants see it. Pure. */
import type {
  Charge,
  CreateChargeSchema,
  CreateReversalSchema,
  MoneyJson,
  MoneyOperationError,
  PropertyFields,
  Reversal,
} from '@innkeep/core/contract';
import type { InferOutput } from 'valibot';
import { toTimestamp } from '../http/timestamp.ts';
import type { Actor } from '../properties/actor.ts';
import { type HotelSnapshot, hotelSnapshot, type KeptSettings } from '../properties/hotel-snapshot.ts';
import type { StoredRecord } from '../records/record-row.ts';
import type { ReversalSums } from '../records/reservations.ts';
import type { Resolution } from '../records/resolution.ts';
import type { ReservedReversal } from '../records/reversible-payment.ts';
import type { StoredCard } from '../records/stored-card.ts';
import { isFinalMoneyState, type MoneyState } from './money-machine.ts';

/** What either kind is asked for. Instants are milliseconds, here and below. */
interface NewOperation extends Readonly<Pick<Charge, 'id' | 'property' | 'livemode'>> {
  readonly createdAt: number;
  readonly madeBy: Actor;
}

/** A charge that is asked for. */
export interface NewCharge extends NewOperation, Readonly<Pick<Charge, 'amount' | 'reference' | 'reason' | 'note'>> {
  readonly kind: 'charge';
  readonly text: string | null;
  /** What the call is made with: edits of the property do not reach a charge under way. */
  readonly serviceProvider: string;
  readonly hotel: HotelSnapshot;
}

/** A reversal that is asked for; what it is made with comes from the payment. */
export interface NewReversal extends NewOperation, Readonly<Pick<Reversal, 'payment' | 'reason' | 'note'>> {
  readonly kind: 'reversal';
  /** Whether it counts against a limit of its key or of its person. */
  readonly isLimited: boolean;
  /** Number of the session's attempt; null: the one that was paid, or a charge. */
  readonly attempt: number | null;
  /** null: all that is left. */
  readonly amount: MoneyJson | null;
}

/** What makes a body a charge or a reversal of a property. */
interface Origin<Settings extends keyof PropertyFields> {
  readonly id: string;
  readonly property: Readonly<Pick<PropertyFields, 'livemode' | Settings>> & { readonly id: string };
  readonly createdAt: number;
  readonly actor: Actor;
}

/** The charge that a body asks for, without the token. */
export function newCharge(
  body: InferOutput<typeof CreateChargeSchema> & Pick<StoredCard, 'serviceProvider'>,
  origin: Origin<keyof KeptSettings>,
): NewCharge {
  return {
    kind: 'charge',
    ...newOperation(origin),
    amount: body.amount,
    reference: body.reference,
    reason: body.reason,
    note: body.note ?? null,
    text: body.text ?? null,
    serviceProvider: body.serviceProvider,
    hotel: hotelSnapshot(origin.property),
  };
}

export function newReversal(
  body: InferOutput<typeof CreateReversalSchema>,
  origin: Origin<never> & Pick<NewReversal, 'isLimited'>,
): NewReversal {
  return {
    kind: 'reversal',
    ...newOperation(origin),
    isLimited: origin.isLimited,
    reason: body.reason ?? null,
    note: body.note ?? null,
    payment: body.payment,
    attempt: body.attempt ?? null,
    amount: body.amount ?? null,
  };
}

function newOperation({ id, property, createdAt, actor }: Origin<never>): NewOperation {
  return { id, property: property.id, livemode: property.livemode, createdAt, madeBy: actor };
}

interface Progress extends Pick<StoredRecord, 'redactedAt'> {
  readonly seq: number;
  readonly state: MoneyState;
  /** The upstream's id of this charge or reversal. */
  readonly transactionId: string | null;
  readonly error: MoneyOperationError | null;
  readonly resolution: Resolution | null;
  /** When it reached its final outcome; null until then. */
  readonly completedAt: number | null;
}

export interface ChargeRecord extends NewCharge, Progress {
  /** Sealed, and only until the request has left. */
  readonly sealedToken: string | null;
  readonly maskedCard: string | null;
  readonly sums: ReversalSums;
}

export interface ReversalRecord extends Omit<NewReversal, 'amount' | 'attempt'>, ReservedReversal, Progress {
  /** Which attempt got the share. */
  readonly epoch: number;
}

export type MoneyRecord = ChargeRecord | ReversalRecord;

export type MerchantOperation = Charge | Reversal;

export function toMerchantOperation(record: MoneyRecord): MerchantOperation {
  const { id, property, livemode, state: status, seq, amount, transactionId, error, resolution } = record;
  const common = {
    id,
    property,
    livemode,
    status,
    final: isFinalMoneyState(status),
    seq,
    amount,
    transactionId,
    error,
    by: record.madeBy.by,
    note: record.note,
    createdAt: toTimestamp(record.createdAt),
    ...(record.redactedAt && { redactedAt: toTimestamp(record.redactedAt) }),
    completedAt: record.completedAt === null ? null : toTimestamp(record.completedAt),
    ...(resolution === null ? {} : { resolution: { ...resolution, at: toTimestamp(resolution.at) } }),
  };
  if (record.kind === 'reversal') {
    const { payment, attempt, reference, reason } = record;
    return { object: 'reversal', ...common, payment, attempt, reference, reason };
  }
  const { reference, reason, maskedCard, sums } = record;
  const { currency } = resolution?.amount ?? amount;
  const reversed = { value: sums.reversed, currency };
  const reversing = { value: sums.reversing, currency };
  return { object: 'charge', ...common, reference, reason, maskedCard, reversed, reversing };
}
