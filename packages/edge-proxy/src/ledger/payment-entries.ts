/**
 * Where a session, a charge or a reversal stands in the lists of payments: an index that code makes, since SQLite neither folds letters
 * nor reads amounts. Pure.
 */
import type { Charge, CheckoutSession, Reversal } from '@innkeep/core/contract';
import { Money, type MoneyJson } from '@innkeep/core/values';
import type { ListedResource } from '../records/ledger-update.ts';
import { type BareLine, cardOf, type Listed, linesOf } from './payment-lines.ts';

/** One place in one list. */
export interface PaymentEntry {
  readonly list: string;
  /** In milliseconds. */
  readonly at: number;
  readonly id: string;
  /** 0 without one. */
  readonly attempt: number;
  /** Only of money that certainly moved. */
  readonly money: MoneyJson | null;
}

/** States of money that was taken: each has a list, with what was taken, by the time of it. */
export const TAKEN = ['succeeded', 'partly_reversed', 'reversed'] as const;

/** Attempts whose outcome is unknown, of sessions that were paid by another one. */
export const DOUBTFUL = 'doubtful';

/** Reversals that have succeeded. */
export const GIVEN_BACK = 'given_back';

/** The reversals of a payment. */
export function reversalsOf(payment: string): string {
  return `of:${payment}`;
}

/** All payments of a reference, in any case. */
export function referenceList(reference: string): string {
  return `r:${fold(reference)}`;
}

/** All payments of an amount, in any currency. */
export function amountList(decimal: string): string {
  return `a:${decimal.includes('.') ? decimal.replace(/\.?0+$/, '') : decimal}`;
}

/** All payments with a card that ends so. */
export function cardList(last4: string): string {
  return `c:${last4}`;
}

/** The same text for all ways to write a reference. Capitals do not depend on the next letter, so a beginning stays a beginning. */
function fold(text: string): string {
  return text.normalize('NFKC').toUpperCase().trim();
}

/** Every place of one version. */
export function paymentEntries({
  id,
  createdAt,
  body,
}: Pick<ListedResource, 'id' | 'createdAt' | 'body'>): readonly PaymentEntry[] {
  const resource = JSON.parse(body) as Listed;
  if (resource.object === 'reversal') return reversalEntries(resource, createdAt);
  const lines = linesOf(resource);
  const placed = lines.flatMap(({ status, happenedAt, attempt, taken: money }): PaymentEntry[] => {
    const list = isTaken(status) ? status : attempt === null ? undefined : DOUBTFUL;
    return list === undefined ? [] : [{ list, at: Date.parse(happenedAt), id, attempt: attempt ?? 0, money }];
  });
  if (lines.length === 0) return placed;
  const found = words(resource, lines).map((list) => ({ list, at: createdAt, id, attempt: 0, money: null }));
  return [...placed, ...found];
}

function isTaken(status: string): boolean {
  return (TAKEN as readonly string[]).includes(status);
}

function reversalEntries({ id, payment, status, amount, completedAt, attempt }: Reversal, createdAt: number) {
  const isCertain = status === 'succeeded' && completedAt !== null;
  const at = isCertain ? Date.parse(completedAt) : createdAt;
  const place = { at, id, attempt: attempt ?? 0, money: isCertain ? amount : null };
  return [reversalsOf(payment), ...(isCertain ? [GIVEN_BACK] : [])].map((list) => ({ list, ...place }));
}

/** What it can be found by. */
function words(resource: CheckoutSession | Charge, lines: readonly BareLine[]): string[] {
  const { reference, amount } = resource;
  const masks =
    resource.object === 'charge' ? [resource.maskedCard] : resource.attempts.map(({ result }) => result?.maskedCard);
  const lists = [
    ...(reference === null ? [] : [referenceList(reference)]),
    ...[amount, ...lines.map(({ taken }) => taken)].flatMap((money) =>
      money === null ? [] : [amountList(Money.fromJSON(money).toDecimal())],
    ),
    ...masks.flatMap((mask) => cardOf(mask)?.last4 ?? []).map(cardList),
  ];
  return [...new Set(lists)];
}
