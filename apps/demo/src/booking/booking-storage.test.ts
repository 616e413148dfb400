import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { type BookingStorage, memoryBookingStorage } from './booking-storage.ts';
import { Bookings } from './bookings.ts';
import { ROOMS, type Room } from './rooms.ts';
import { type Sql, sqliteBookingStorage } from './sqlite-booking-storage.ts';

const STAY = { guest: 'Ada Lovelace', room: ROOMS[0] as Room, arrival: '2026-12-24', nights: 2, plan: 'full' } as const;
const AT = { now: new Date('2026-12-01T10:00:00Z') };

function database(): Sql {
  const database = new DatabaseSync(':memory:');
  return {
    // Runs at once, as a Durable Object's storage does.
    exec: (query, ...values) => {
      const rows = database.prepare(query).all(...values);
      return { toArray: () => rows };
    },
  };
}

describe.each<[string, () => BookingStorage]>([
  ['memory', memoryBookingStorage],
  ['SQLite', () => sqliteBookingStorage(database())],
])('bookings in %s', (_name, createStorage) => {
  test('come back as they were saved', () => {
    const bookings = new Bookings(createStorage());
    const booking = bookings.add(STAY, AT);
    expect(bookings.get(booking.id)).toEqual(booking);
    expect(bookings.get('another')).toBeUndefined();
  });

  test('keep every change of a booking', () => {
    const bookings = new Bookings(createStorage());
    const { id } = bookings.add(STAY, AT);
    bookings.setCheckout(id, { sessionId: 'cs_1', clientSecret: 'secret' });
    bookings.setNews(id, { type: 'checkout.succeeded', seq: 1, at: '2026-12-01T10:05:00Z' });
    expect(bookings.get(id)).toMatchObject({
      guest: 'Ada Lovelace',
      checkout: { sessionId: 'cs_1', clientSecret: 'secret' },
      lastNews: { type: 'checkout.succeeded', seq: 1 },
    });
  });

  test('are listed newest first, where a change does not move them', () => {
    const bookings = new Bookings(createStorage());
    const ids = [bookings.add(STAY, AT).id, bookings.add(STAY, AT).id, bookings.add(STAY, AT).id];
    bookings.setCheckout(ids[0] ?? '', null);
    expect(bookings.list().map(({ id }) => id)).toEqual(ids.toReversed());
  });
});

test('a new hotel on the same database has the bookings of the one before', () => {
  const sql = database();
  const booking = new Bookings(sqliteBookingStorage(sql)).add(STAY, AT);
  expect(new Bookings(sqliteBookingStorage(sql)).get(booking.id)).toEqual(booking);
});

test('SQLite forgets the oldest bookings beyond its limit', () => {
  const bookings = new Bookings(sqliteBookingStorage(database(), 2));
  const ids = Array.from({ length: 4 }, () => bookings.add(STAY, AT).id);
  expect(bookings.list().map(({ id }) => id)).toEqual([ids[3], ids[2]]);
  expect(bookings.get(ids[0] ?? '')).toBeUndefined();
});
