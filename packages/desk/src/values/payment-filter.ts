/** What a list shows, and how it is written into an address's fragment. */
import type { PaymentLineKind, PaymentStatus } from '@innkeep/core/contract';
import { holdsCard } from './card-number.ts';
import { addDays, isDay } from './days.ts';

/** Days, a state and a kind; or a search, which looks at all days. Without either it is today. */
export interface PaymentFilter {
  /** First day of the hotel, included. */
  readonly from?: string | undefined;
  /** Last day of the hotel, included. */
  readonly until?: string | undefined;
  /** Only those in this state. */
  readonly status?: PaymentStatus | undefined;
  /** Only those of this kind. */
  readonly kind?: PaymentLineKind | undefined;
  /** Reference or its beginning, amount, last four digits, or an id. */
  readonly q?: string | undefined;
}

/** The states in the order in which they are offered. */
export const STATUSES: readonly PaymentStatus[] = [
  'succeeded',
  'partly_reversed',
  'reversed',
  'open',
  'pending',
  'unknown',
  'declined',
  'failed',
  'expired',
];

/** The kinds in the order in which they are offered. */
export const KINDS: readonly PaymentLineKind[] = ['payment', 'reversal', 'card'];

const NAMES = ['from', 'until', 'status', 'kind', 'q', 'payment'] as const;

/** As a fragment, without `#`; the rest of the fragment stays. */
export function toFragment(filter: PaymentFilter, payment: string | undefined, fragment = ''): string {
  const params = new URLSearchParams(fragment);
  for (const name of NAMES) {
    const value = { ...filter, payment }[name];
    if (value) params.set(name, value);
    else params.delete(name);
  }
  return params.toString();
}

/** Of a fragment, as far as it makes sense. */
export function fromFragment(fragment: string): { filter: PaymentFilter; payment: string | undefined } {
  const params = new URLSearchParams(fragment);
  const { from, until, status, kind, q = '', payment = '' } = Object.fromEntries(params);
  return {
    filter: {
      ...(isDay(from) && { from, until: isDay(until) && until >= from ? until : from }),
      status: STATUSES.find((each) => each === status),
      kind: KINDS.find((each) => each === kind),
      q: isSearchable(q) ? q.slice(0, 64) || undefined : undefined,
    },
    payment: /^c[sh]_[0-9A-Z]{26}$/.test(payment) ? payment : undefined,
  };
}

/** Whether something may be searched for, as the proxy sees it: a card number goes into no address. */
export function isSearchable(q: string): boolean {
  return !holdsCard(q);
}

/** Whether something may be the beginning of a card number that is still being typed: it is searched for only when that is meant. */
export function isLongNumber(q: string): boolean {
  return /\d(?:[ -]?\d){11}/.test(q);
}

/** What the proxy is asked for. */
export function toQuery({ from, until, status, kind, q }: PaymentFilter): Record<string, string | undefined> {
  if (q?.trim()) return { q: q.trim() };
  if (!from) return { day: 'today', status, kind };
  return !until || until === from ? { day: from, status, kind } : { from, to: addDays(until, 1), status, kind };
}
