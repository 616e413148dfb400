import type { Booking } from './booking.ts';

/** Where bookings are kept. Every call is complete when it returns: what a page shows is what is stored. */
export interface BookingStorage {
  get(id: string): Booking | undefined;
  /** All of them, newest first. */
  list(): readonly Booking[];
  /** Adds a booking, or replaces the one with its id without changing its place in the list. */
  save(booking: Booking): void;
}

/** Bookings in memory, gone when the demo stops. */
export function memoryBookingStorage(): BookingStorage {
  const bookings = new Map<string, Booking>();
  return {
    get: (id) => bookings.get(id),
    list: () => [...bookings.values()].reverse(),
    save: (booking) => void bookings.set(booking.id, booking),
  };
}
