import { fromLocalDateTime } from '@innkeep/core/values';

/** The day until which a card's token can be charged; null when the record names no day, or one that no calendar has. */
export function lastDayOf(validUntil: unknown): string | null {
  const day = /^[2-9]\d{3}-\d\d-\d\d(?!\d)/.exec(`${validUntil ?? ''}`.trim())?.[0] ?? null;
  try {
    if (day !== null) endOfDay(day, 'UTC');
    return day;
  } catch {
    return null;
  }
}

export function endOfDay(day: string, timeZone: string): number {
  return fromLocalDateTime(`${day}T23:59:59`, timeZone, 'later').getTime() + 1000;
}
