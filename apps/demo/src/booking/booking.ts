import { HOTEL_CURRENCY, ROOMS, type Room } from './rooms.ts';

/** Money as the proxy's JSON has it: integer minor units. */
export interface Price {
  readonly value: number;
  readonly currency: string;
}

/** How a guest secures a booking: pays all of it, pays a part, or leaves a card that is charged only if they do not come. */
export const PLANS = ['full', 'deposit', 'guarantee'] as const;

/** One of {@link PLANS}. */
export type Plan = (typeof PLANS)[number];

/** What the guest typed, checked. */
export interface Stay {
  readonly guest: string;
  readonly room: Room;
  /** `YYYY-MM-DD`. */
  readonly arrival: string;
  readonly nights: number;
  readonly plan: Plan;
}

/** A card that staff keyed in, as the hotel keeps it: the token, and what may be shown of the card. Never its number. */
export interface KeyedCard {
  /** Treat it like a password. */
  readonly token: string;
  readonly maskedCard: string;
}

/** What the latest webhook said about the payments of a booking. */
export interface News {
  readonly type: string;
  /** Its place in the hotel’s feed; what is older is dropped. */
  readonly seq: number;
  /** RFC 3339. */
  readonly at: string;
}

/** A booking as the hotel keeps it. Amounts are computed here, on the server, and nowhere else. */
export interface Booking extends Stay {
  /** Unguessable, since its page shows the guest's name. */
  readonly id: string;
  /** What guest and front desk call it. */
  readonly reference: string;
  readonly total: Price;
  /** RFC 3339, by the hotel's clock. */
  readonly createdAt: string;
  readonly checkout: { readonly sessionId: string; readonly clientSecret: string } | null;
  /** For a booking by telephone. */
  readonly keyedCard: KeyedCard | null;
  /** Told by webhook. */
  readonly lastNews: News | null;
}

/** Field name → what to do about it. */
export type StayErrors = Readonly<Partial<Record<keyof Stay, string>>>;

export const MAX_NIGHTS = 14;
const MAX_NAME = 60;
const DEPOSIT_PERCENT = 30;

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
  if (!isDate(arrival) || arrival < today) errors.arrival = 'Choose an arrival day that is not in the past.';
  const nights = Number(form.nights);
  if (!Number.isInteger(nights) || nights < 1 || nights > MAX_NIGHTS) errors.nights = `Stay 1 to ${MAX_NIGHTS} nights.`;
  const plan = PLANS.find((candidate) => candidate === form.plan);
  if (plan === undefined) errors.plan = 'Choose how to secure your booking.';
  if (room === undefined || plan === undefined || Object.keys(errors).length > 0) return { errors };
  return { stay: { guest, room, arrival, nights, plan } };
}

export function priceOf(stay: Pick<Stay, 'room' | 'nights'>): Price {
  return { value: stay.room.nightlyRate * stay.nights, currency: HOTEL_CURRENCY };
}

/** What the guest pays now; null when they only leave a card. */
export function dueNow(booking: Pick<Booking, 'plan' | 'total'>): Price | null {
  const { plan, total } = booking;
  if (plan === 'guarantee') return null;
  return plan === 'full' ? total : { ...total, value: Math.ceil((total.value * DEPOSIT_PERCENT) / 100) };
}

/** What a no-show is charged: the first night. */
export function noShowFee(booking: Pick<Booking, 'room' | 'total'>): Price {
  return { ...booking.total, value: booking.room.nightlyRate };
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
