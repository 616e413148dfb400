/** Days as a hotel counts them: from its hour to that hour of the day after, in its time zone. Pure. */
import { fromLocalDateTime, toLocalDateTime } from '@innkeep/core/values';

/** Where a hotel is, and when its days begin. */
export interface HotelClock {
  readonly timeZone: string;
  /** Such as `04:00`. */
  readonly dayStartsAt: string;
}

const DAY_MS = 24 * 60 * 60_000;

/** When a day begins, in milliseconds. The day before ends then, even where clocks are changed at that hour or skip it. */
export function dayStart(day: string, { timeZone, dayStartsAt }: HotelClock): number {
  const local = `${day}T${dayStartsAt}:00`;
  const start = fromLocalDateTime(local, timeZone);
  const isReal = toLocalDateTime(start, timeZone) === local;
  return (isReal ? start : fromLocalDateTime(local, timeZone, 'later')).getTime();
}

/** The day after, or a number of days after. */
export function dayAfter(day: string, days: number = 1): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
}

/** How many days there are from one to another. */
export function daysBetween(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / DAY_MS;
}

/** The hotel's day at an instant. */
export function dayOf(now: number, clock: HotelClock): string {
  let day = toLocalDateTime(new Date(now), clock.timeZone).slice(0, 10);
  // Where the clocks skip the last hour of a day, the day before may not have begun either.
  while (now < dayStart(day, clock)) day = dayAfter(day, -1);
  return day;
}
