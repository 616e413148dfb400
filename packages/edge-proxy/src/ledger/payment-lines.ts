/** The lines that a session, a charge or a reversal has in the list of payments. */
import type {
  Charge,
  CheckoutAttempt,
  CheckoutSession,
  MoneyJson,
  PaymentCard,
  PaymentFlag,
  PaymentLine,
  PaymentStatus,
  PaymentType,
  Reversal,
} from '@innkeep/core/contract';
import { cardBrand, parseCardMask } from '@innkeep/core/values';
import { firstSuccess } from '../records/first-success.ts';

/** What the ledger lists. */
export type Listed = CheckoutSession | Charge | Reversal;

/** A line before other payments and the range are looked at. */
export type BareLine = Omit<PaymentLine, 'counted' | 'flags'> & { readonly flags: readonly PaymentFlag[] };

/** The lines of a resource: one, or for a session one for each attempt that was paid, or that is unknown beside a paid one. */
export function linesOf(resource: Listed): readonly BareLine[] {
  switch (resource.object) {
    case 'checkout_session':
      return sessionLines(resource);
    case 'charge':
      return [chargeLine(resource)];
    case 'reversal':
      return [reversalLine(resource)];
    default:
      return [];
  }
}

/** Whether an attempt took money. */
export function isPaid({ status, result }: CheckoutAttempt): boolean {
  return status === 'succeeded' && result?.kind === 'payment';
}

/** What was taken, what went back, and what is left. */
export function moneyOf(
  taken: MoneyJson | null,
  { reversed, reversing }: { readonly reversed: MoneyJson | null; readonly reversing: MoneyJson | null },
): Pick<PaymentLine, 'taken' | 'reversed' | 'reversing' | 'reversible'> {
  if (taken === null) return { taken, reversed: null, reversing: null, reversible: null };
  const { currency } = taken;
  const [back, underWay] = [reversed?.value ?? 0, reversing?.value ?? 0];
  return {
    taken,
    reversed: { value: back, currency },
    reversing: { value: underWay, currency },
    reversible: { value: Math.max(0, taken.value - back - underWay), currency },
  };
}

/** What a charge took: what a person has found, or else what was asked for. */
export function chargedOf({ amount, resolution }: Pick<Charge, 'amount' | 'resolution'>): MoneyJson {
  return resolution?.amount ?? amount;
}

/** State of a payment that was taken. */
function takenStatus({ taken, reversed }: Pick<PaymentLine, 'taken' | 'reversed'>): PaymentStatus {
  if ((reversed?.value ?? 0) === 0) return 'succeeded';
  return (reversed?.value ?? 0) < (taken?.value ?? 0) ? 'partly_reversed' : 'reversed';
}

/** State of a charge or a reversal. */
export function operationStatus({ status }: Pick<Charge | Reversal, 'status'>): PaymentStatus {
  return status === 'created' || status === 'sent' ? 'pending' : status;
}

/** As much of a card as may be shown. */
export function cardOf(
  maskedCard: string | null | undefined,
  chargeableUntil: string | null = null,
): PaymentCard | null {
  if (maskedCard == null) return chargeableUntil === null ? null : { brand: null, last4: null, chargeableUntil };
  return { brand: cardBrand(maskedCard) ?? null, last4: parseCardMask(maskedCard)?.last4 ?? null, chargeableUntil };
}

/** The card that an attempt was paid with, or stored. */
export function attemptCard(
  { result }: Pick<CheckoutAttempt, 'result'>,
  { redactedAt }: Pick<CheckoutSession, 'redactedAt'>,
): PaymentCard | null {
  const until = result?.kind === 'card' && redactedAt === undefined ? result.tokenKeptUntil : null;
  return cardOf(result?.maskedCard, Date.parse(until ?? '') > Date.now() ? until : null);
}

/** What a payment comes from, by its id. */
function typeOf(payment: string): PaymentType {
  return payment.startsWith('cs_') ? 'checkout_session' : 'charge';
}

function sessionLines(session: CheckoutSession): BareLine[] {
  const { id, kind, livemode, reference, description, by, createdAt, redactedAt } = session;
  const common = {
    object: 'payment_line' as const,
    kind,
    id,
    payment: id,
    type: 'checkout_session' as const,
    livemode,
    reference,
    description,
    by,
    createdAt,
    startedAt: session.startedAt,
    expiresAt: session.expiresAt,
    ...(redactedAt === undefined ? {} : { redactedAt }),
  };
  const doubtful = session.attempts
    .filter(({ status }) => status === 'unknown')
    .map(
      (attempt): BareLine => ({
        ...common,
        attempt: attempt.number,
        status: 'unknown',
        final: false,
        amount: attempt.amount,
        ...moneyOf(null, attempt),
        card: null,
        paidAt: null,
        happenedAt: attempt.startedAt,
        flags: ['unknown'],
      }),
    );
  const paid = session.attempts.filter(isPaid);
  if (paid.length === 0) {
    const stored = firstSuccess(session.attempts);
    const { status, final, amount, completedAt: paidAt } = session;
    return [
      {
        ...common,
        attempt: null,
        status,
        final,
        amount,
        ...moneyOf(null, session),
        card: stored === undefined ? null : attemptCard(stored, session),
        paidAt,
        happenedAt: paidAt ?? createdAt,
        // A card that was stored late was not paid late.
        flags: status === 'unknown' ? ['unknown'] : [],
      },
      // A card was stored by another attempt.
      ...(status === 'succeeded' ? doubtful : []),
    ];
  }
  return [
    ...paid.map((attempt): BareLine => {
      const money = moneyOf(attempt.result?.kind === 'payment' ? attempt.result.total : null, attempt);
      return {
        ...common,
        attempt: attempt.number,
        status: takenStatus(money),
        final: session.final,
        amount: attempt.amount,
        ...money,
        card: attemptCard(attempt, session),
        paidAt: attempt.endedAt,
        happenedAt: attempt.endedAt ?? createdAt,
        flags: attempt.late ? ['late'] : [],
      };
    }),
    ...doubtful,
  ];
}

function chargeLine(charge: Charge): BareLine {
  const { id, livemode, final, reference, amount, by, createdAt, completedAt, redactedAt } = charge;
  const isTaken = charge.status === 'succeeded';
  const money = moneyOf(isTaken ? chargedOf(charge) : null, charge);
  const status = isTaken ? takenStatus(money) : operationStatus(charge);
  const paidAt = isTaken ? completedAt : null;
  return {
    object: 'payment_line',
    kind: 'payment',
    id,
    attempt: null,
    payment: id,
    type: 'charge',
    status,
    final,
    livemode,
    reference,
    description: null,
    amount,
    ...money,
    card: cardOf(charge.maskedCard),
    by,
    createdAt,
    startedAt: null,
    paidAt,
    expiresAt: null,
    flags: status === 'unknown' ? ['unknown'] : [],
    ...(redactedAt === undefined ? {} : { redactedAt }),
    happenedAt: paidAt ?? createdAt,
  };
}

/** Only of a reversal; its payment knows the description and the card. */
function reversalLine(reversal: Reversal): BareLine {
  const { id, attempt, payment, livemode, final, reference, amount, by, createdAt, completedAt, redactedAt } = reversal;
  const status = operationStatus(reversal);
  const paidAt = status === 'succeeded' ? completedAt : null;
  return {
    object: 'payment_line',
    kind: 'reversal',
    id,
    attempt,
    payment,
    type: typeOf(payment),
    status,
    final,
    livemode,
    reference,
    description: null,
    amount,
    ...moneyOf(null, { reversed: null, reversing: null }),
    card: null,
    by,
    createdAt,
    startedAt: null,
    paidAt,
    expiresAt: null,
    flags: status === 'unknown' ? ['unknown'] : [],
    ...(redactedAt === undefined ? {} : { redactedAt }),
    happenedAt: paidAt ?? createdAt,
  };
}
