/** The range that a query names by the days of the hotel. */
import type { ListPaymentsSchema, PaymentPage } from '@innkeep/core/contract';
import type { InferOutput } from 'valibot';
import { ProblemError } from '../http/problem.ts';
import { toTimestamp } from '../http/timestamp.ts';
import type { MerchantContext } from '../properties/caller-env.ts';
import { dayAfter, dayOf, dayStart, daysBetween } from './hotel-days.ts';
import type { LedgerDependencies } from './lists.ts';

/** The fields of a query that name days. */
type AskedDays = Readonly<Partial<Pick<InferOutput<typeof ListPaymentsSchema>, 'day' | 'from' | 'to'>>>;

/** From when to when, in milliseconds; how many days that is; and the same for the caller. An end that was not named is null. */
export interface HotelRange {
  readonly from: number | null;
  readonly to: number | null;
  readonly length: number;
  readonly days: PaymentPage['days'];
}

/**
 * Throws naming the parameter that does not fit.
 * @param place when the last line of the page before happened: “today” stays that day to the last page
 */
export function rangeOf(
  c: MerchantContext<LedgerDependencies>,
  { day, from, to }: AskedDays,
  place: number = Number.POSITIVE_INFINITY,
): HotelRange {
  const { timeZone, dayStartsAt } = c.get('property');
  const clock = { timeZone, dayStartsAt };
  const now = c.get('dependencies').now();
  const today = dayOf(now, clock);
  if (day !== undefined && from !== undefined) refuse('Must not be combined with "day"', 'from');
  if (day !== undefined && to !== undefined) refuse('Must not be combined with "day"', 'to');
  const first = day === 'today' ? dayOf(Math.min(now, place), clock) : (day ?? from);
  const end = day === undefined || first === undefined ? to : dayAfter(first);
  const length = first === undefined || end === undefined ? Number.POSITIVE_INFINITY : daysBetween(first, end);
  if (length <= 0) refuse('Must be after "from"', 'to');
  const start = (each: string | undefined): number | null => (each === undefined ? null : dayStart(each, clock));
  const range = { from: start(first), to: start(end) };
  const shown = (ms: number | null): string | null => (ms === null ? null : toTimestamp(ms));
  return { ...range, length, days: { ...clock, today, from: shown(range.from), to: shown(range.to) } };
}

function refuse(detail: string, param: string): never {
  throw new ProblemError('invalid_request', { detail, param });
}
