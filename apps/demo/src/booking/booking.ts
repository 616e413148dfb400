import { HOTEL_CURRENCY, ROOMS, type Room } from './rooms.ts';

/** A booking as the hotel keeps it. The amount is computed here, on the server, and nowhere else. */
export interface Booking {
  /** Unguessable, since its page shows the guest's name. */
  readonly id: string;
  /** What guest and front desk call it. */
  readonly reference: string;
  readonly guest: string;
  readonly room: Room;
  /** `YYYY-MM-DD`. */
  readonly arrival: string;
  readonly nights: number;
  readonly total: { readonly value: number; readonly currency: string };
  /** The payment under way for it: one at a time. */
  readonly payment: { readonly sessionId: string; readonly clientSecret: string } | null;
}

/** What the guest typed, checked. */
export interface Stay {
  readonly guest: string;
  readonly room: Room;
  readonly arrival: string;
  readonly nights: number;
}

/** Field name → what to do about it. */
export type StayErrors = Readonly<Partial<Record<'guest' | 'room' | 'arrival' | 'nights', string>>>;

/** The longest stay the demo books. */
export const MAX_NIGHTS = 14;
const MAX_NAME = 60;

/** Reads the booking form. Every field is checked, so that the guest sees all that is wrong at once. */
export function parseStay(
  form: Readonly<Record<string, string>>,
  today: string,
): { stay: Stay } | { errors: StayErrors } {
  const errors: { -readonly [Field in keyof StayErrors]: StayErrors[Field] } = {};
  const guest = (form.guest ?? '').trim();
  if (guest === '' || guest.length > MAX_NAME) errors.guest = `Enter the guest’s name, up to ${MAX_NAME} characters.`;
  const room = ROOMS.find((candidate) => candidate.id === form.room);
  if (room === undefined) errors.room = 'Choose one of the rooms.';
  const arrival = form.arrival ?? '';
  if (!isDate(arrival) || arrival < today) errors.arrival = 'Choose an arrival day from today on.';
  const nights = Number(form.nights);
  if (!Number.isInteger(nights) || nights < 1 || nights > MAX_NIGHTS) errors.nights = `Stay 1 to ${MAX_NIGHTS} nights.`;
  if (room === undefined || Object.keys(errors).length > 0) return { errors };
  return { stay: { guest, room, arrival, nights } };
}

/** The price of a stay in minor units. */
export function priceOf(stay: Pick<Stay, 'room' | 'nights'>): { value: number; currency: string } {
  return { value: stay.room.nightlyRate * stay.nights, currency: HOTEL_CURRENCY };
}

/** The day the guest leaves, `YYYY-MM-DD`. */
export function departureOf(stay: Pick<Stay, 'arrival' | 'nights'>): string {
  const day = new Date(`${stay.arrival}T00:00:00Z`);
  day.setUTCDate(day.getUTCDate() + stay.nights);
  return day.toISOString().slice(0, 10);
}

function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}
