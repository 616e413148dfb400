import { type Booking, priceOf, type Stay } from './booking.ts';
import type { BookingStorage } from './booking-storage.ts';

// The desk asks the proxy about every one of them, and a Worker may ask only some 50 times for one page.
const LISTED = 20;

/** The demo hotel's booking system. What it knows is in its storage alone. */
export class Bookings {
  readonly #storage: BookingStorage;

  constructor(storage: BookingStorage) {
    this.#storage = storage;
  }

  add(stay: Stay): Booking {
    const booking: Booking = {
      ...stay,
      id: randomId(20),
      reference: `RES-${randomId(6)}`,
      total: priceOf(stay),
      checkout: null,
      chargeIds: [],
      reversalIds: [],
    };
    this.#storage.save(booking);
    return booking;
  }

  get(id: string): Booking | undefined {
    return this.#storage.get(id);
  }

  /** The latest, newest first: as many as the front desk looks through. */
  list(): readonly Booking[] {
    return this.#storage.list(LISTED);
  }

  setCheckout(id: string, checkout: Booking['checkout']): void {
    this.#change(id, () => ({ checkout }));
  }

  addCharge(id: string, chargeId: string): void {
    this.#change(id, ({ chargeIds }) => ({ chargeIds: withId(chargeIds, chargeId) }));
  }

  addReversal(id: string, reversalId: string): void {
    this.#change(id, ({ reversalIds }) => ({ reversalIds: withId(reversalIds, reversalId) }));
  }

  #change(id: string, change: (booking: Booking) => Partial<Booking>): void {
    const booking = this.#storage.get(id);
    if (booking !== undefined) this.#storage.save({ ...booking, ...change(booking) });
  }
}

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

function randomId(length: number): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(length)), (byte) => CROCKFORD[byte % CROCKFORD.length]).join(
    '',
  );
}

// A repeated request answers with the id it made before.
function withId(ids: readonly string[], id: string): readonly string[] {
  return ids.includes(id) ? ids : [...ids, id];
}
