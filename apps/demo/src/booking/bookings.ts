import { type Booking, priceOf, type Stay } from './booking.ts';

/** The demo hotel's booking system: a map in memory, gone when the demo stops. */
export class Bookings {
  readonly #bookings = new Map<string, Booking>();

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
    this.#bookings.set(booking.id, booking);
    return booking;
  }

  get(id: string): Booking | undefined {
    return this.#bookings.get(id);
  }

  /** Newest first. */
  list(): Booking[] {
    return [...this.#bookings.values()].reverse();
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
    const booking = this.#bookings.get(id);
    if (booking !== undefined) this.#bookings.set(id, { ...booking, ...change(booking) });
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
