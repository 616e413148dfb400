import { isInnkeepError } from '@innkeep/core/errors';
import { type Context, Hono } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { type Booking, parseStay } from '../booking/booking.ts';
import type { Bookings } from '../booking/bookings.ts';
import { hotelDay, noShowFrom } from '../booking/hotel-time.ts';
import { parseKeyedCard } from '../booking/keyed-card.ts';
import { type Employee, STAFF } from '../booking/staff.ts';
import { deskPage } from '../pages/desk-page.ts';
import { deskRoomsPage } from '../pages/desk-rooms-page.ts';
import { deskTelephonePage } from '../pages/desk-telephone-page.ts';
import { notFound } from '../pages/message-page.ts';
import { signInPage } from '../pages/sign-in-page.ts';
import { DESK_SECONDS, type Payments } from '../payments.ts';
import type { RoomAnswer } from '../room-lookup.ts';
import { readForm } from './read-form.ts';

interface SignedIn {
  readonly Variables: { readonly employee: Employee };
}

// The payments of a booking are below: few bookings, so that they stay visible.
const MAX_ROWS = 3;
const COOKIE = 'desk_employee';
/** Each desk session of a browser has a cookie that expires with it: the name ends with its id, which is no secret; the value is its person. */
const SESSION_COOKIE = 'desk_session_';

/** What the hotel’s own system does at the front desk: sign people in, find bookings, key in a card. The rest is `<payments-desk>`. */
export function deskRoutes(input: {
  bookings: Bookings;
  payments: Payments;
  lookUpRoom: (number: string) => Promise<RoomAnswer>;
  publicUrl: string;
  proxyUrl: string;
  portalUrl: string | null;
  now: () => Date;
}): Hono<SignedIn> {
  const { bookings, payments, lookUpRoom, publicUrl, proxyUrl, portalUrl, now } = input;
  const app = new Hono<SignedIn>();
  const cookieOptions = {
    path: '/desk',
    httpOnly: true,
    sameSite: 'Strict',
    secure: publicUrl.startsWith('https:'),
  } as const;

  app.post('/desk/sign-in', async (c) => {
    const { employee = '' } = await readForm(c);
    // Nobody has a password here, so nothing is gained by forging what only says who was chosen.
    setCookie(c, COOKIE, employee, cookieOptions);
    await closeDesks(c, { except: employee });
    return c.redirect('/desk', 303);
  });

  app.use('/desk/*', async (c, next) => {
    const employee = STAFF.find(({ id }) => id === getCookie(c, COOKIE));
    // Another tab may have opened one while somebody signed out or in.
    await closeDesks(c, { except: employee?.id });
    if (employee === undefined) return c.req.method === 'GET' ? c.html(signInPage()) : c.text('Sign in first.', 401);
    c.set('employee', employee);
    return next();
  });

  app.post('/desk/sign-out', async (c) => {
    await closeDesks(c, { except: undefined });
    deleteCookie(c, COOKIE, { path: '/desk' });
    return c.redirect('/desk', 303);
  });

  app.post('/desk/secret', async (c) => {
    const employee = c.get('employee');
    const { id, clientSecret } = await payments.openDesk(employee);
    setCookie(c, `${SESSION_COOKIE}${id}`, employee.id, { ...cookieOptions, maxAge: DESK_SECONDS });
    return c.text(clientSecret);
  });

  app.get('/desk', (c) => {
    const query = (c.req.query('q') ?? '').trim();
    const found = bookings.list().filter((booking) => matches(booking, query));
    const rows = found.slice(0, MAX_ROWS);
    return c.html(deskPage({ rows, query, isCut: found.length > rows.length, proxyUrl, portalUrl, now: now() }));
  });

  app.get('/desk/rooms', async (c) => {
    const number = (c.req.query('room') ?? '').trim();
    return c.html(deskRoomsPage(number === '' ? null : await lookUpRoom(number)));
  });

  app.get('/desk/telephone', (c) => {
    if (!payments.takesKeyedCards) return notFound(c);
    return c.html(
      deskTelephonePage({ form: { room: 'lake', nights: '2', arrival: today() }, errors: {}, today: today() }),
    );
  });

  app.post('/desk/telephone', async (c) => {
    if (!payments.takesKeyedCards) return notFound(c);
    const form = await readForm(c);
    const stay = parseStay({ ...form, plan: 'guarantee' }, today());
    const keyed = parseKeyedCard(form, today());
    const again = (errors: Readonly<Record<string, string>>, problem: string | null) =>
      c.html(deskTelephonePage({ form, errors, problem, today: today() }), 400);
    if ('errors' in stay || 'errors' in keyed) {
      const errors = { ...('errors' in stay ? stay.errors : {}), ...('errors' in keyed ? keyed.errors : {}) };
      return again(errors, null);
    }
    try {
      // The booking is made last: without a card there is nothing to hold it with.
      const keyedCard = await payments.keyInCard(keyed.card);
      const booking = bookings.add(stay.stay, { now: now(), keyedCard });
      return c.redirect(placeOf(booking), 303);
    } catch (error) {
      if (!isInnkeepError(error)) throw error;
      return again({}, cardProblem(error.code));
    }
  });

  app.post('/desk/:id/no-show', async (c) => {
    const booking = bookings.get(c.req.param('id'));
    // No page of ours has such a form.
    if (booking?.keyedCard == null || now() < noShowFrom(booking)) return notFound(c);
    await payments.chargeNoShow(booking, booking.keyedCard, c.get('employee').id);
    return c.redirect(placeOf(booking), 303);
  });
  return app;

  function today(): string {
    return hotelDay(now());
  }

  /** Ends the desk sessions of this browser: a page that stays open has their secrets. What cannot be ended stays remembered. */
  async function closeDesks(c: Context, { except }: { except: string | undefined }): Promise<void> {
    const close = async ([name, person]: [string, string]): Promise<void> => {
      if (!name.startsWith(SESSION_COOKIE) || person === except) return;
      if (await payments.closeDesk(name.slice(SESSION_COOKIE.length))) deleteCookie(c, name, { path: '/desk' });
    };
    await Promise.all(Object.entries(getCookie(c)).map(close));
  }
}

/** The booking in the list, and its payments in the desk. */
function placeOf({ reference }: Booking): string {
  return `/desk?q=${reference}#q=${reference}`;
}

function matches({ reference, guest, room }: Booking, query: string): boolean {
  return `${reference} ${guest} ${room.name}`.toLocaleLowerCase('en').includes(query.toLocaleLowerCase('en'));
}

function cardProblem(code: string): string {
  switch (code) {
    case 'upstream_rejected':
      return 'The payment service does not take this card.';
    case 'not_found':
      return 'This proxy does not accept keyed-in cards: it is not the build for them, or the key lacks the permission.';
    case 'invalid_request':
      return 'Check the card’s number and expiry date.';
    default:
      return 'There was no clear answer. It is safe to key the card in again.';
  }
}
