import { signWebhook } from '@innkeep/core/webhooks';
import { expect, test } from 'vitest';
import { type FakeHotel, fakeHotel, SECRET, SESSION_ID, WEBHOOK_SECRET } from '../../test-support/fake-hotel.ts';

interface Told {
  readonly type: string;
  readonly object: Readonly<Record<string, unknown>>;
  readonly seq?: number;
  readonly secret?: string;
  readonly timestamp?: Date;
}

async function tell(
  hotel: FakeHotel,
  { type, object, seq = 3, secret = WEBHOOK_SECRET, timestamp = new Date() }: Told,
) {
  const body = JSON.stringify({ id: 'ev_1', type, timestamp: '2026-12-01T12:34:00Z', seq, data: { object } });
  const headers = await signWebhook({ id: 'ev_1', timestamp, body, secret });
  return hotel.app.request('/webhooks/innkeep', { method: 'POST', headers, body });
}

const session = (hotel: FakeHotel) => ({
  object: 'checkout_session',
  id: SESSION_ID,
  seq: 1,
  reference: hotel.created[0]?.reference,
});

test('an event is shown with the booking it is about, which a declined card leaves as payable as it was', async () => {
  const hotel = fakeHotel();
  const id = await hotel.bookingId();
  expect((await tell(hotel, { type: 'checkout.attempt_failed', object: session(hotel) })).status).toBe(204);
  const desk = await hotel.page('/desk');
  expect(desk).toContain('Reported by webhook at 1 Dec 2026, 13:34');
  expect(desk).toContain('checkout.attempt_failed');
  expect(await hotel.page(`/bookings/${id}`)).toContain(SECRET);
});

test('a repeated or older event changes nothing', async () => {
  const hotel = fakeHotel();
  await hotel.bookingId();
  await tell(hotel, { type: 'checkout.succeeded', object: session(hotel) });
  expect((await tell(hotel, { type: 'checkout.succeeded', object: session(hotel) })).status).toBe(204);
  await tell(hotel, { type: 'checkout.expired', object: session(hotel), seq: 2 });
  expect(await hotel.page('/desk')).not.toContain('checkout.expired');
});

test.each<[string, Partial<Told>]>([
  ['signed with another secret', { secret: `whsec_${'B'.repeat(32)}` }],
  ['recorded an hour ago and sent again', { timestamp: new Date(Date.now() - 3_600_000) }],
])('a webhook %s is refused and changes nothing', async (_name, change) => {
  const hotel = fakeHotel();
  await hotel.bookingId();
  expect((await tell(hotel, { type: 'checkout.succeeded', object: session(hotel), ...change })).status).toBe(400);
  expect(await hotel.page('/desk')).not.toContain('Reported by webhook');
});

test('is believed however far the hotel’s clock was moved', async () => {
  const hotel = fakeHotel();
  await hotel.bookingId();
  hotel.now = new Date('2027-06-01T00:00:00Z');
  expect((await tell(hotel, { type: 'checkout.expired', object: session(hotel) })).status).toBe(204);
});

test('an event about nothing this hotel knows is accepted and dropped', async () => {
  const object = { object: 'charge', id: 'ch_1', seq: 1, reference: 'RES-OTHER' };
  expect((await tell(fakeHotel(), { type: 'charge.succeeded', object })).status).toBe(204);
});
