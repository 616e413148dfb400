import { type Booking, priceOf, type Stay } from './booking.ts';

/** The demo hotel's booking system: a map in memory, gone when the demo stops. */
export class Bookings {
  readonly #bookings = new Map<string, Booking>();

  add(stay: Stay): Booking {
    const id = randomId(20);
    const booking: Booking = { ...stay, id, reference: `RES-${randomId(6)}`, total: priceOf(stay), payment: null };
    this.#bookings.set(id, booking);
    return booking;
  }

  get(id: string): Booking | undefined {
    return this.#bookings.get(id);
  }

  setPayment(id: string, payment: Booking['payment']): void {
    const booking = this.#bookings.get(id);
    if (booking !== undefined) this.#bookings.set(id, { ...booking, payment });
  }
}

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

function randomId(length: number): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(length)), (byte) => CROCKFORD[byte % CROCKFORD.length]).join(
    '',
  );
}
