/**
 * The demo hotel's own web server: pages, bookings, a front desk, and the one thing only a server may do — talk to the
 * proxy with the merchant key. It sees no card but those that staff keys in at the desk, and never mounts the proxy.
 */
import { isInnkeepError } from '@innkeep/core/errors';
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { csrf } from 'hono/csrf';
import { HTTPException } from 'hono/http-exception';
import type { BookingStorage } from './booking/booking-storage.ts';
import { Bookings } from './booking/bookings.ts';
import { fileRoutes } from './files/file-routes.ts';
import type { Files } from './files/files.ts';
import { securityHeaders } from './files/security-headers.ts';
import { messagePage, notFound } from './pages/message-page.ts';
import { type DemoMerchant, Payments } from './payments.ts';
import { lookUpRoom } from './room-lookup.ts';
import { deskRoutes } from './routes/desk-routes.ts';
import { guestRoutes } from './routes/guest-routes.ts';
import { webhookRoutes } from './routes/webhook-routes.ts';
import { recordExchanges } from './wire-panel/record-exchanges.ts';
import { type WirePanel, wirePanelRoutes } from './wire-panel/wire-panel-routes.ts';

/** What the demo hotel needs from outside. */
export interface DemoDependencies {
  /** Where guests reach this server, without a trailing slash. */
  readonly publicUrl: string;
  /** Where pages reach the proxy. */
  readonly proxyUrl: string;
  readonly merchant: DemoMerchant;
  /** Answers requests below `/public`, `/widgets`, `/payments-desk` and `/docs`. */
  readonly files: Files;
  readonly bookingStorage: BookingStorage;
  /** Shared with the proxy, which signs its webhooks with it. */
  readonly webhookSecret: string;
  /** Where staff reads the payment service's own records, when there is such a page. */
  readonly portalUrl: string | null;
  readonly now: () => Date;
  /** The panel beside every page. */
  readonly wirePanel: WirePanel;
}

const MAX_FORM_BYTES = 16 * 1024;

/** Makes the demo hotel. Nothing is started; the caller serves it. */
export function createDemo(dependencies: DemoDependencies): Hono {
  const { merchant, portalUrl, proxyUrl, publicUrl, now, wirePanel } = dependencies;
  const bookings = new Bookings(dependencies.bookingStorage);
  const payments = new Payments({ merchant, bookings, publicUrl, now });
  const app = new Hono();

  app.use(async (c, next) => {
    const answer = async (): Promise<Response> => {
      await next();
      return c.res;
    };
    await recordExchanges(answer, 'hotel', wirePanel)(c.req.raw);
  });
  app.use(securityHeaders(proxyUrl));
  // Also before anything refuses a request: Back must not show a page of the desk to whoever comes next. A booking’s page has a client
  // secret, which no cache may keep.
  app.on('ALL', ['/bookings/*', '/desk/*'], async (c, next) => {
    await next();
    c.header('cache-control', 'no-store');
  });
  app.use(bodyLimit({ maxSize: MAX_FORM_BYTES }));
  // Comes from no page, and its signature says from whom.
  app.route('/', webhookRoutes({ bookings, secret: dependencies.webhookSecret }));
  // Another site's page can send a form here in the browser of somebody at the desk. Our pages say no-referrer, so their
  // own forms come with the origin `null`: what tells them is `Sec-Fetch-Site`. Every browser sends one of the two headers with a
  // form; what has neither is a person’s own command line.
  const refuseForeignForms = csrf({ origin: publicUrl });
  app.use((c, next) =>
    (c.req.header('origin') ?? c.req.header('sec-fetch-site')) === undefined ? next() : refuseForeignForms(c, next),
  );
  app.route('/', guestRoutes({ bookings, payments, proxyUrl, now }));
  app.route(
    '/',
    deskRoutes({
      bookings,
      payments,
      lookUpRoom: (number) => lookUpRoom(merchant.gateway, number),
      publicUrl,
      proxyUrl,
      portalUrl,
      now,
    }),
  );
  app.route('/', wirePanelRoutes(wirePanel));
  app.route('/', fileRoutes({ files: dependencies.files, proxyUrl }));
  app.notFound(notFound);
  app.onError((error, c) => {
    if (error instanceof HTTPException) {
      return c.html(messagePage({ title: 'Not accepted', text: refusalText(error.status) }), error.status);
    }
    const cause = isInnkeepError(error) ? `${error.code} ${error.message}` : error.message;
    console.error(`demo: ${c.req.method} ${c.req.routePath}: ${cause}`);
    const text = outOfOrderText(c.req.method, c.req.path);
    return c.html(messagePage({ title: 'Out of order', text }), 502);
  });
  return app;
}

function refusalText(status: number): string {
  if (status === 403) return 'This form was not sent from a page of the hotel. Nothing was done.';
  return status === 413 ? 'The form was too large. Nothing was done.' : 'Nothing was done.';
}

/** Says that nothing was charged only where that is certain: where no payment can have begun. */
function outOfOrderText(method: string, path: string): string {
  if (path.startsWith('/desk')) {
    return 'The payment proxy did not answer. Look at the payments before you repeat what you did.';
  }
  return method === 'POST' && path === '/bookings'
    ? 'The hotel’s server could not reach its payment service. Nothing was charged. Please try again in a moment.'
    : 'The hotel’s server cannot see your payment right now. If you have paid, do not pay again: the hotel will hear about it.';
}
