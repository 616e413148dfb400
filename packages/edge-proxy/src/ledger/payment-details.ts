/** One payment as staff read it: without tokens, metadata and return addresses. Pure. */
import type {
  Charge,
  CheckoutAttempt,
  CheckoutSession,
  MoneyJson,
  Payment,
  PaymentAttempt,
  PaymentReversal,
  Reversal,
} from '@innkeep/core/contract';
import { attemptCard, type BareLine, linesOf, moneyOf, operationStatus } from './payment-lines.ts';

/** What a payment is shown with. */
export interface PaymentContext {
  /** In order. */
  readonly reversals: readonly Reversal[];
  readonly duplicates: readonly string[];
  readonly position: number;
}

/** A session or a charge with what belongs to it. */
export function paymentDetails(
  resource: CheckoutSession | Charge,
  { reversals, duplicates, position }: PaymentContext,
): Payment {
  const lines = linesOf(resource);
  const { attempt: _, happenedAt: _at, payment: _id, kind: _kind, flags: _flags, ...line } = wholeOf(lines);
  const hasDoubt = [...lines, ...reversals].some(({ status }) => status === 'unknown');
  return {
    ...line,
    object: 'payment',
    kind: resource.object === 'charge' ? 'payment' : resource.kind,
    id: resource.id,
    property: resource.property,
    flags: [
      ...(hasDoubt ? ['unknown' as const] : []),
      ...(lines.some(({ flags }) => flags.includes('late')) ? ['late' as const] : []),
      ...(duplicates.length > 0 ? ['duplicate' as const] : []),
    ],
    completedAt: resource.completedAt,
    ...(resource.object === 'charge' ? ofCharge(resource) : ofSession(resource)),
    reversals: reversals.map(toReversal),
    duplicates: [...duplicates],
    position,
  };
}

/** The first line, with the money of all in its currency: a session can have been paid twice. */
function wholeOf(lines: readonly BareLine[]): BareLine {
  const [first] = lines;
  if (first === undefined) throw new TypeError('A payment has a line');
  if (first.taken === null) return first;
  const { currency } = first.taken;
  const taken = lines.filter((line) => line.taken !== null);
  const own = taken.filter((line) => line.taken?.currency === currency);
  const sum = (name: 'taken' | 'reversed' | 'reversing'): MoneyJson => ({
    value: own.reduce((total, line) => total + (line[name]?.value ?? 0), 0),
    currency,
  });
  const money = moneyOf(sum('taken'), { reversed: sum('reversed'), reversing: sum('reversing') });
  const isOne = taken.every(({ status }) => status === first.status);
  return { ...first, ...money, status: isOne ? first.status : 'partly_reversed' };
}

type Own = Pick<
  Payment,
  'endedAt' | 'endedBy' | 'outdated' | 'reason' | 'note' | 'transactionId' | 'error' | 'resolution' | 'attempts'
>;

function ofSession(session: CheckoutSession): Own {
  const { outdated, attempts, endedAt, endedBy } = session;
  return {
    ...(endedAt && endedBy && { endedAt, endedBy }),
    outdated,
    reason: null,
    note: null,
    transactionId: null,
    error: null,
    resolution: null,
    attempts: attempts.map((attempt) => toAttempt(attempt, session)),
  };
}

function ofCharge({ reason, note, transactionId, error, resolution }: Charge): Own {
  return { outdated: false, reason, note, transactionId, error, resolution: resolution ?? null, attempts: [] };
}

function toAttempt(attempt: CheckoutAttempt, session: CheckoutSession): PaymentAttempt {
  const { number, status, error, amount, startedAt, endedAt, late, recorded, resolution, result } = attempt;
  const paid = result?.kind === 'payment' ? result : undefined;
  return {
    number,
    status,
    error,
    amount,
    ...moneyOf(paid?.total ?? null, attempt),
    surcharge: paid?.surcharge ?? null,
    transactionId: result?.transactionId ?? null,
    card: attemptCard(attempt, session),
    startedAt,
    endedAt,
    late,
    recorded,
    resolution,
  };
}

function toReversal(reversal: Reversal): PaymentReversal {
  const { id, final, amount, attempt, reason, note, transactionId, error, by, createdAt, completedAt } = reversal;
  const resolution = reversal.resolution ?? null;
  const status = operationStatus(reversal);
  return {
    id,
    status,
    final,
    amount,
    attempt,
    reason,
    note,
    transactionId,
    error,
    resolution,
    by,
    createdAt,
    completedAt,
  };
}
