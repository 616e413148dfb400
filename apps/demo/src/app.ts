/**
 * The demo hotel's own web server: pages, bookings, and the one thing only a server may do — create a checkout
 * session with the merchant key. It never sees a card and never mounts the proxy.
 */
import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { isInnkeepError } from '@innkeep/core/errors';
import type { createMerchantClient } from '@innkeep/core/merchant';
import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { secureHeaders } from 'hono/secure-headers';
import { type Booking, parseStay } from './booking/booking.ts';
import { Bookings } from './booking/bookings.ts';
import { bookingPage } from './pages/booking-page.ts';
import { confirmationPage, type PaymentState } from './pages/confirmation-page.ts';
import { formatNights } from './pages/format.ts';
import { homePage } from './pages/home-page.ts';
import { messagePage } from './pages/message-page.ts';

/** What the demo hotel needs from outside. */
export interface DemoDependencies {
  /** Where guests reach this server, without a trailing slash. */
  readonly publicUrl: string;
  /** Where pages reach the proxy. */
  readonly proxyUrl: string;
  readonly merchant: Pick<ReturnType<typeof createMerchantClient>, 'checkoutSessions'>;
  /** Folder of the widgets' script-tag build, as a `file:` URL with a trailing slash. */
  readonly widgetsFolder: URL;
  readonly now: () => Date;
}

const PUBLIC_FOLDER = new URL('../public/', import.meta.url);
const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};
const DAYS_AHEAD = 14;

/** Makes the demo hotel. Nothing is started; the caller serves it. */
export function createDemo(dependencies: DemoDependencies): Hono {
  const { merchant, proxyUrl, publicUrl } = dependencies;
  const bookings = new Bookings();
  const app = new Hono();
  const today = (offset = 0): string =>
    new Date(dependencies.now().getTime() + offset * 86_400_000).toISOString().slice(0, 10);

  app.use(
    secureHeaders({
      contentSecurityPolicy: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'"],
        connectSrc: ["'self'", proxyUrl],
        formAction: ["'self'"],
        baseUri: ["'none'"],
        frameAncestors: ["'none'"],
      },
      referrerPolicy: 'no-referrer',
      // The demo runs on loopback http: telling the browser to insist on https would only break it.
      strictTransportSecurity: false,
    }),
  );
  app.use(bodyLimit({ maxSize: 16 * 1024 }));

  app.get('/', (c) =>
    c.html(homePage({ form: { room: 'lake', nights: '2', arrival: today(DAYS_AHEAD) }, errors: {}, today: today() })),
  );

  app.post('/bookings', async (c) => {
    const form = await readForm(c);
    const parsed = parseStay(form, today());
    if ('errors' in parsed) return c.html(homePage({ form, errors: parsed.errors, today: today() }), 400);
    const booking = bookings.add(parsed.stay);
    await startPayment(booking);
    return c.redirect(`/bookings/${booking.id}`, 303);
  });

  app.get('/bookings/:id', (c) => {
    const booking = bookings.get(c.req.param('id'));
    return booking === undefined ? notFound(c) : c.html(bookingPage({ booking, proxyUrl }));
  });

  app.post('/bookings/:id/payment', async (c) => {
    const booking = bookings.get(c.req.param('id'));
    if (booking === undefined) return notFound(c);
    const state = await readPayment(booking);
    // Only a payment that has ended without money moving makes room for another one.
    if (state === null || (state.final && state.status !== 'succeeded')) await startPayment(booking);
    return c.redirect(`/bookings/${booking.id}`, 303);
  });

  app.get('/bookings/:id/confirmation', async (c) => {
    const booking = bookings.get(c.req.param('id'));
    if (booking === undefined) return notFound(c);
    const payment = await readPayment(booking);
    if (payment === null) return c.redirect(`/bookings/${booking.id}`, 303);
    return c.html(confirmationPage({ booking, payment, proxyUrl }));
  });

  app.get('/public/:file', (c) => sendFile(c, PUBLIC_FOLDER, c.req.param('file')));
  app.get('/widgets/*', (c) => sendFile(c, dependencies.widgetsFolder, c.req.path.slice('/widgets/'.length)));
  app.notFound(notFound);
  app.onError((error, c) => {
    console.error(
      `demo: ${c.req.method} ${c.req.routePath}: ${isInnkeepError(error) ? `${error.code} ${error.message}` : error.message}`,
    );
    const text =
      'The hotel’s server could not reach its payment service. Nothing was charged. Please try again in a moment.';
    return c.html(messagePage({ title: 'Out of order', text }), 502);
  });
  return app;

  /** The server-side half of a payment: amount and reference come from the booking, never from the page. */
  async function startPayment(booking: Booking): Promise<void> {
    const session = await merchant.checkoutSessions.create({
      kind: 'payment',
      amount: booking.total,
      reference: booking.reference,
      description: `${booking.room.name}, ${formatNights(booking.nights)}`,
      returnUrl: `${publicUrl}/bookings/${booking.id}/confirmation`,
    });
    if (session.clientSecret === undefined) throw new Error('The proxy created a session without a client secret.');
    bookings.setPayment(booking.id, { sessionId: session.id, clientSecret: session.clientSecret });
  }

  async function readPayment(booking: Booking): Promise<PaymentState | null> {
    if (booking.payment === null) return null;
    const session = await merchant.checkoutSessions.retrieve(booking.payment.sessionId);
    const paid = session.result !== null && 'total' in session.result ? session.result.total : null;
    return { status: session.status, final: session.final, paid };
  }
}

function notFound(c: Context): Response | Promise<Response> {
  return c.html(
    messagePage({ title: 'Nothing here', text: 'This page does not exist, or the demo was restarted since.' }),
    404,
  );
}

async function readForm(c: Context): Promise<Record<string, string>> {
  const body = await c.req.parseBody();
  return Object.fromEntries(
    Object.entries(body).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

async function sendFile(c: Context, folder: URL, name: string): Promise<Response> {
  const file = new URL(name, folder);
  const type = CONTENT_TYPES[extname(file.pathname)];
  if (type === undefined || !file.pathname.startsWith(folder.pathname)) return c.notFound();
  try {
    return c.body(await readFile(file), 200, { 'content-type': type, 'cache-control': 'no-cache' });
  } catch {
    return c.notFound();
  }
}
