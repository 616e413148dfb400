import { HOTEL_TIME_ZONE } from './hotel-time.ts';

/** `36000 EUR` → `€360.00`. Only for reading: money stays in minor units everywhere else. */
export function formatMoney(money: { readonly value: number; readonly currency: string }): string {
  return new Intl.NumberFormat('en', { style: 'currency', currency: money.currency }).format(money.value / 100);
}

/** `2026-12-24` → `Thu, 24 Dec 2026`. */
export function formatDay(day: string): string {
  return new Intl.DateTimeFormat('en-GB', {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  }).format(new Date(`${day}T00:00:00Z`));
}

/** An instant as the hotel's clocks show it: `24 Dec 2026, 18:00`. */
export function formatTime(instant: Date | string): string {
  return new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone: HOTEL_TIME_ZONE,
  }).format(new Date(instant));
}

/** `1 night`, `2 nights`. */
export function formatNights(nights: number): string {
  return nights === 1 ? '1 night' : `${nights} nights`;
}
