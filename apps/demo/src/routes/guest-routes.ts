import { type Context, Hono } from 'hono';
import { type Booking, parseStay } from '../booking/booking.ts';
import type { Bookings } from '../booking/bookings.ts';
import { hotelDay } from '../booking/hotel-time.ts';
import { bookingPage } from '../pages/booking-page.ts';
import { confirmationPage } from '../pages/confirmation-page.ts';
import { homePage } from '../pages/home-page.ts';
import { notFound } from '../pages/message-page.ts';
import type { Payments } from '../payments.ts';
import { readForm } from './read-form.ts';

const DAYS_AHEAD = 14;

/** A booking with the session that pays it. */
interface Payable {
  readonly booking: Booking;
  readonly sessionId: string;
  readonly clientSecret: string;
}

/** What a guest does: book, pay, come back. */
export function guestRoutes(input: {
  bookings: Bookings;
  payments: Payments;
  proxyUrl: string;
  now: () => Date;
}): Hono {
  const { bookings, payments, proxyUrl, now } = input;
  const app = new Hono();

  app.get('/', (c) => {
    const form = { room: 'lake', nights: '2', plan: 'full', arrival: hotelDay(now(), DAYS_AHEAD) };
    return c.html(homePage({ form, errors: {}, today: hotelDay(now()) }));
  });

  app.post('/bookings', async (c) => {
    const form = await readForm(c);
    const today = hotelDay(now());
    const parsed = parseStay(form, today);
    if ('errors' in parsed) return c.html(homePage({ form, errors: parsed.errors, today }), 400);
    const booking = bookings.add(parsed.stay, { now: now() });
    await payments.openCheckout(booking);
    return c.redirect(`/bookings/${booking.id}`, 303);
  });

  app.get('/bookings/:id', (c) =>
    whilePayable(c, ({ booking, clientSecret }) => c.html(bookingPage({ booking, clientSecret, proxyUrl }))),
  );

  // Without JavaScript the element’s child is a form that leads to the proxy’s own payment page.
  app.post('/bookings/:id/link', (c) =>
    whilePayable(c, async ({ sessionId }) => c.redirect((await payments.createLink(sessionId)).url, 303)),
  );

  app.get('/bookings/:id/confirmation', async (c) => {
    const booking = bookings.get(c.req.param('id'));
    if (booking === undefined) return notFound(c);
    const session = await payments.readSession(booking);
    return c.html(confirmationPage({ booking, session, proxyUrl, isHoldOver: payments.isHoldOver(booking) }));
  });
  return app;

  /** Answers for a booking that can be paid now; any other leads to what has come of it. */
  async function whilePayable(
    c: Context,
    answer: (payable: Payable) => Response | Promise<Response>,
  ): Promise<Response> {
    const booking = bookings.get(c.req.param('id') ?? '');
    if (booking === undefined) return notFound(c);
    const confirmation = `/bookings/${booking.id}/confirmation`;
    if (booking.keyedCard !== null || payments.isHoldOver(booking)) return c.redirect(confirmation, 303);
    const { id: sessionId, status, clientSecret } = await payments.openCheckout(booking);
    if (status !== 'open' && status !== 'pending') return c.redirect(confirmation, 303);
    return answer({ booking, sessionId, clientSecret });
  }
}
