/**
 * The demo hotel's own web server: pages, bookings, a front desk, and the one thing only a server may do — talk to the
 * proxy with the merchant key. It never sees a card and never mounts the proxy.
 */
import { isInnkeepError } from '@innkeep/core/errors';
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { BookingStorage } from './booking/booking-storage.ts';
import { Bookings } from './booking/bookings.ts';
import { fileRoutes } from './files/file-routes.ts';
import type { Files } from './files/files.ts';
import { securityHeaders } from './files/security-headers.ts';
import { messagePage, notFound } from './pages/message-page.ts';
import { type DemoMerchant, Payments } from './payments.ts';
import { deskRoutes } from './routes/desk-routes.ts';
import { guestRoutes } from './routes/guest-routes.ts';

/** What the demo hotel needs from outside. */
export interface DemoDependencies {
  /** Where guests reach this server, without a trailing slash. */
  readonly publicUrl: string;
  /** Where pages reach the proxy. */
  readonly proxyUrl: string;
  readonly merchant: DemoMerchant;
  /** Answers requests below `/public`, `/widgets` and `/docs`. */
  readonly files: Files;
  readonly bookingStorage: BookingStorage;
  readonly now: () => Date;
}

const MAX_FORM_BYTES = 16 * 1024;

/** Makes the demo hotel. Nothing is started; the caller serves it. */
export function createDemo(dependencies: DemoDependencies): Hono {
  const { merchant, proxyUrl, publicUrl, now } = dependencies;
  const bookings = new Bookings(dependencies.bookingStorage);
  const payments = new Payments({ merchant, bookings, publicUrl });
  const app = new Hono();

  app.use(securityHeaders(proxyUrl));
  app.use(bodyLimit({ maxSize: MAX_FORM_BYTES }));
  app.route('/', guestRoutes({ bookings, payments, proxyUrl, now }));
  app.route('/', deskRoutes({ bookings, payments }));
  app.route('/', fileRoutes(dependencies.files));
  app.notFound(notFound);
  app.onError((error, c) => {
    const cause = isInnkeepError(error) ? `${error.code} ${error.message}` : error.message;
    console.error(`demo: ${c.req.method} ${c.req.routePath}: ${cause}`);
    const text = c.req.path.startsWith('/desk')
      ? 'The payment proxy did not answer. Look at the booking before you repeat what you did.'
      : 'The hotel’s server could not reach its payment service. Nothing was charged. Please try again in a moment.';
    return c.html(messagePage({ title: 'Out of order', text }), 502);
  });
  return app;
}
