import { fromLocalDateTime, toLocalDateTime } from '@innkeep/core/values';
import type { Booking, Stay } from './booking.ts';

/** The hotel's time zone. A server may run anywhere: its own zone says nothing about the hotel's day. */
export const HOTEL_TIME_ZONE = 'Europe/Vienna';

const NO_SHOW_FROM = '18:00:00';
const HOLD_HOURS = 24;
const HOUR_MS = 3_600_000;

/** The hotel's day, `YYYY-MM-DD`; some days on when asked for. */
export function hotelDay(now: Date, daysAhead = 0): string {
  const day = new Date(`${toLocalDateTime(now, HOTEL_TIME_ZONE).slice(0, 10)}T00:00:00Z`);
  day.setUTCDate(day.getUTCDate() + daysAhead);
  return day.toISOString().slice(0, 10);
}

/** When a guest who has not come becomes a no-show: the evening of the arrival day. */
export function noShowFrom(stay: Pick<Stay, 'arrival'>): Date {
  return fromLocalDateTime(`${stay.arrival}T${NO_SHOW_FROM}`, HOTEL_TIME_ZONE);
}

/** When the room is no longer kept for a guest who has not paid. */
export function holdUntil(booking: Pick<Booking, 'createdAt'>): Date {
  return new Date(Date.parse(booking.createdAt) + HOLD_HOURS * HOUR_MS);
}
