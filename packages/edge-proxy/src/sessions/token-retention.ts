/** Until when the token of a stored card is kept. Pure. */
import type { PropertyFields } from '@innkeep/core/contract';
import { fromLocalDateTime } from '@innkeep/core/values';

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
  const end = endOfDay(/^[2-9]\d{3}-\d\d-\d\d(?!\d)/.exec(validUntil ?? '')?.[0], timeZone);
  return Math.max(now, Math.min(now + keepCardsDays * DAY_MS, end));
}

function endOfDay(day: string | undefined, timeZone: string): number {
  if (day === undefined) return Number.POSITIVE_INFINITY;
  try {
    return fromLocalDateTime(`${day}T23:59:59`, timeZone, 'later').getTime() + 1000;
  } catch {
    // A day that no calendar has.
    return Number.POSITIVE_INFINITY;
  }
}
