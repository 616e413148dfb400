import { Hono } from 'hono';
import { parseStay } from '../booking/booking.ts';
import type { Bookings } from '../booking/bookings.ts';
import { bookingPage } from '../pages/booking-page.ts';
import { confirmationPage } from '../pages/confirmation-page.ts';
import { homePage } from '../pages/home-page.ts';
import { notFound } from '../pages/message-page.ts';
import type { Payments } from '../payments.ts';
import { readForm } from './read-form.ts';

const DAYS_AHEAD = 14;
const DAY_MS = 86_400_000;

/** What a guest does: book, pay, come back. */
export function guestRoutes(input: {
  bookings: Bookings;
  payments: Payments;
  proxyUrl: string;
  now: () => Date;
}): Hono {
  const { bookings, payments, proxyUrl } = input;
  const today = (daysAhead = 0): string =>
    new Date(input.now().getTime() + daysAhead * DAY_MS).toISOString().slice(0, 10);
  const app = new Hono();

  app.get('/', (c) => {
    const form = { room: 'lake', nights: '2', plan: 'full', arrival: today(DAYS_AHEAD) };
    return c.html(homePage({ form, errors: {}, today: today() }));
  });

  app.post('/bookings', async (c) => {
    const form = await readForm(c);
    const parsed = parseStay(form, today());
    if ('errors' in parsed) return c.html(homePage({ form, errors: parsed.errors, today: today() }), 400);
    const booking = bookings.add(parsed.stay);
    await payments.startCheckout(booking);
    return c.redirect(`/bookings/${booking.id}`, 303);
  });

  app.get('/bookings/:id', (c) => {
    const booking = bookings.get(c.req.param('id'));
    return booking === undefined ? notFound(c) : c.html(bookingPage({ booking, proxyUrl }));
  });

  app.post('/bookings/:id/payment', async (c) => {
    const booking = bookings.get(c.req.param('id'));
    if (booking === undefined) return notFound(c);
    await payments.retryCheckout(booking);
    return c.redirect(`/bookings/${booking.id}`, 303);
  });

  // Without JavaScript the element’s child is a form that leads to the proxy’s own payment page.
  app.post('/bookings/:id/link', async (c) => {
    const booking = bookings.get(c.req.param('id'));
    const link = booking === undefined ? null : await payments.createLink(booking);
    return link === null ? notFound(c) : c.redirect(link.url, 303);
  });

  app.get('/bookings/:id/confirmation', async (c) => {
    const booking = bookings.get(c.req.param('id'));
    if (booking === undefined) return notFound(c);
    const session = await payments.readSession(booking);
    if (session === null) return c.redirect(`/bookings/${booking.id}`, 303);
    return c.html(confirmationPage({ booking, session, proxyUrl }));
  });
  return app;
}
