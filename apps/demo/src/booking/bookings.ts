import { type Booking, type KeyedCard, type News, priceOf, type Stay } from './booking.ts';
import type { BookingStorage } from './booking-storage.ts';

/** The demo hotel's booking system. Everything it knows is in its storage. */
export class Bookings {
  readonly #storage: BookingStorage;

  constructor(storage: BookingStorage) {
    this.#storage = storage;
  }

  add(stay: Stay, { now, keyedCard = null }: { now: Date; keyedCard?: KeyedCard | null }): Booking {
    const booking: Booking = {
      ...stay,
      id: randomId(20),
      reference: `RES-${randomId(6)}`,
      total: priceOf(stay),
      createdAt: now.toISOString(),
      checkout: null,
      keyedCard,
      lastNews: null,
    };
    this.#storage.save(booking);
    return booking;
  }

  get(id: string): Booking | undefined {
    return this.#storage.get(id);
  }

  /** Newest first. */
  list(): readonly Booking[] {
    return this.#storage.list();
  }

  setCheckout(id: string, checkout: Booking['checkout']): void {
    this.#change(id, { checkout });
  }

  setNews(id: string, lastNews: News): void {
    this.#change(id, { lastNews });
  }

  #change(id: string, change: Partial<Booking>): void {
    const booking = this.#storage.get(id);
    if (booking !== undefined) this.#storage.save({ ...booking, ...change });
  }
}

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

function randomId(length: number): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(length)), (byte) => CROCKFORD[byte % CROCKFORD.length]).join(
    '',
  );
}
