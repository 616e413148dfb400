import type { Booking } from './booking.ts';
import type { BookingStorage } from './booking-storage.ts';

/** The part of a Durable Object's SQLite storage that bookings need. */
export interface Sql {
  exec(query: string, ...values: Array<string | number>): { toArray(): Array<Record<string, unknown>> };
}

/**
 * Bookings in the SQLite storage of a Durable Object, where they outlive the object's memory. Anybody may book in a
 * public demo, so only the newest are kept.
 *
 * @param keep How many bookings there are at most.
 */
export function sqliteBookingStorage(sql: Sql, keep = 200): BookingStorage {
  sql.exec(
    'CREATE TABLE IF NOT EXISTS bookings (number INTEGER PRIMARY KEY, id TEXT UNIQUE NOT NULL, booking TEXT NOT NULL)',
  );
  return {
    get: (id) => sql.exec('SELECT booking FROM bookings WHERE id = ?', id).toArray().map(toBooking)[0],
    list: () => sql.exec('SELECT booking FROM bookings ORDER BY number DESC').toArray().map(toBooking),
    save: (booking) => {
      sql.exec(
        'INSERT INTO bookings (id, booking) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET booking = excluded.booking',
        booking.id,
        JSON.stringify(booking),
      );
      sql.exec('DELETE FROM bookings WHERE number <= (SELECT max(number) FROM bookings) - ?', keep);
    },
  };
}

// Only save() writes this column.
function toBooking(row: Readonly<Record<string, unknown>>): Booking {
  return JSON.parse(String(row.booking)) as Booking;
}
