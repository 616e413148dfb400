/** Until when the token of a stored card is kept. Pure. */
import type { PropertyFields } from '@innkeep/core/contract';
import { endOfDay, lastDayOf } from '../records/last-day.ts';

const DAY_MS = 24 * 60 * 60_000;

/**
 * As long as the hotel keeps cards, at most to the end of the card's last day at the hotel.
 *
 * @param validUntil a date (spec: transaction): the token can be charged on that day still. In any other form it limits nothing,
 * because a token that is erased by mistake cannot be had again.
 */
export function tokenKeptUntil(
  validUntil: string | null | undefined,
  { keepCardsDays, timeZone }: Pick<PropertyFields, 'keepCardsDays' | 'timeZone'>,
  now: number,
): number {
  const day = lastDayOf(validUntil);
  const end = day === null ? Number.POSITIVE_INFINITY : endOfDay(day, timeZone);
  return Math.max(now, Math.min(now + keepCardsDays * DAY_MS, end));
}
