import { CHARGE_REASONS, type CheckoutSession } from '@innkeep/core/contract';
import { isInnkeepError, isProblemError } from '@innkeep/core/errors';
import { Money } from '@innkeep/core/values';
import { type Context, Hono } from 'hono';
import { type Booking, noShowFee, ownsPayment, type Price, parseStay } from '../booking/booking.ts';
import type { Bookings } from '../booking/bookings.ts';
import { formatMoney } from '../booking/format.ts';
import { hotelDay, noShowFrom } from '../booking/hotel-time.ts';
import { parseKeyedCard } from '../booking/keyed-card.ts';
import { type DeskNotice, deskBookingPage } from '../pages/desk-booking-page.ts';
import { deskPage } from '../pages/desk-page.ts';
import { deskRoomsPage } from '../pages/desk-rooms-page.ts';
import { deskTelephonePage } from '../pages/desk-telephone-page.ts';
import { notFound } from '../pages/message-page.ts';
import type { Account, Payments } from '../payments.ts';
import type { RoomAnswer } from '../room-lookup.ts';
import { readForm } from './read-form.ts';

type Form = Readonly<Record<string, string>>;

interface Done {
  readonly notice: DeskNotice;
  /** Nothing was done: what was typed stays, to be mended. */
  readonly isRefused?: boolean;
  readonly link?: { readonly url: string; readonly qrUrl: string } | null;
}

// The proxy is asked about every row, and a Worker may ask only some 50 times for one page.
const MAX_ROWS = 20;

/** What the front desk does: look, charge, give back, send a link, key in a card, settle what is unknown. */
export function deskRoutes(input: {
  bookings: Bookings;
  payments: Payments;
  lookUpRoom: (number: string) => Promise<RoomAnswer>;
  portalUrl: string | null;
  now: () => Date;
}): Hono {
  const { bookings, payments, lookUpRoom, portalUrl, now } = input;
  const app = new Hono();

  app.get('/desk', async (c) => {
    const query = (c.req.query('q') ?? '').trim();
    const found = bookings.list().filter((booking) => matches(booking, query));
    const shown = found.slice(0, MAX_ROWS);
    const rows = await Promise.all(shown.map(async (booking) => ({ booking, session: await readOrNull(booking) })));
    return c.html(deskPage({ rows, query, isCut: found.length > shown.length }));
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
    const again = (errors: Form, problem: string | null) =>
      c.html(deskTelephonePage({ form, errors, problem, today: today() }), 400);
    if ('errors' in stay || 'errors' in keyed) {
      const errors = { ...('errors' in stay ? stay.errors : {}), ...('errors' in keyed ? keyed.errors : {}) };
      return again(errors, null);
    }
    try {
      // The booking is made last: without a card there is nothing to hold it with.
      const keyedCard = await payments.keyInCard(keyed.card);
      const booking = bookings.add(stay.stay, { now: now(), keyedCard });
      return c.redirect(`/desk/${booking.id}`, 303);
    } catch (error) {
      if (!isInnkeepError(error)) throw error;
      return again({}, cardProblem(error.code));
    }
  });

  app.get('/desk/:id', (c) => show(c));
  // Where a form was sent to, typed or reloaded later.
  app.get('/desk/:id/:action', (c) => c.redirect(`/desk/${c.req.param('id')}`, 303));

  app.post('/desk/:id/link', (c) =>
    act(c, async (booking) => {
      const link = await payments.createLink(booking);
      return { link, notice: { isProblem: false, text: 'Send this link, or let the guest scan the code.' } };
    }),
  );

  app.post('/desk/:id/charge', (c) =>
    act(c, async (booking, form) => {
      const reason = CHARGE_REASONS.find((candidate) => candidate === form.reason);
      if (reason === undefined) return problem('Choose what the charge is for.');
      if (reason === 'no_show' && now() < noShowFrom(booking)) {
        return problem('The guest may still arrive. A no-show can be charged from the evening of the arrival day.');
      }
      const amount = reason === 'no_show' ? noShowFee(booking) : parseAmount(form.amount, booking);
      if (amount === null) return problem(`Enter an amount in ${booking.total.currency}, such as 50.00.`);
      const order = { amount, reason, text: (form.text ?? '').trim(), key: form.key ?? '' };
      const charge = await payments.chargeCard(booking, order);
      if (charge === null) return problem('There is no card on file for this booking.');
      return told(`Charge of ${formatMoney(charge.amount)}`, charge.status);
    }),
  );

  app.post('/desk/:id/reverse', (c) =>
    act(c, async (booking, form) => {
      const payment = form.payment ?? '';
      if (!ownsPayment(booking, payment)) return problem('This payment belongs to another booking.');
      const isPart = (form.amount ?? '').trim() !== '';
      const amount = isPart ? parseAmount(form.amount, booking) : undefined;
      if (amount === null) return problem(`Enter an amount in ${booking.total.currency}, such as 50.00, or nothing.`);
      const order = { payment, key: form.key ?? '', ...attemptOf(form), ...(amount === undefined ? {} : { amount }) };
      const reversal = await payments.reverse(booking, order);
      return told(`Reversal of ${formatMoney(reversal.amount)}`, reversal.status);
    }),
  );

  app.post('/desk/:id/refresh', (c) =>
    act(c, async (booking) => {
      await payments.lookAgain(booking);
      return { notice: { isProblem: false, text: 'The proxy has checked again. This is the current state.' } };
    }),
  );

  app.post('/desk/:id/resolve', (c) =>
    act(c, async (booking, form) => {
      const id = form.id ?? '';
      if (!ownsPayment(booking, id) && !booking.reversalIds.includes(id)) {
        return problem('This payment belongs to another booking.');
      }
      const evidence = (form.evidence ?? '').trim();
      if (evidence === '') return problem('Write down what you found. Nothing is settled without evidence.');
      const transactionId = (form.transactionId ?? '').trim();
      await payments.resolve(id, {
        status: form.status === 'succeeded' ? 'succeeded' : 'failed',
        evidence,
        ...attemptOf(form),
        ...(transactionId === '' ? {} : { transactionId }),
      });
      return { notice: { isProblem: false, text: 'Settled. The evidence is kept with the payment.' } };
    }),
  );
  return app;

  function today(): string {
    return hotelDay(now());
  }

  /** A list with one row that cannot be read is still a list. */
  async function readOrNull(booking: Booking): Promise<CheckoutSession | null> {
    try {
      return await payments.readSession(booking);
    } catch (error) {
      if (isInnkeepError(error)) return null;
      throw error;
    }
  }

  /** Runs an action and shows the booking again; what the proxy refuses is said in plain words. */
  async function act(c: Context, action: (booking: Booking, form: Form) => Promise<Done>): Promise<Response> {
    const booking = bookings.get(c.req.param('id') ?? '');
    if (booking === undefined) return notFound(c);
    const form = await readForm(c);
    try {
      return await show(c, { form, ...(await action(booking, form)) });
    } catch (error) {
      if (!isInnkeepError(error)) throw error;
      return show(c, { form, ...problem(refusal(error)) });
    }
  }

  async function show(c: Context, done?: Done & { readonly form: Form }): Promise<Response> {
    const booking = bookings.get(c.req.param('id') ?? '');
    if (booking === undefined) return notFound(c);
    const account: Account = await payments.readAccount(booking);
    const isRefused = done?.isRefused === true;
    const page = deskBookingPage({
      booking,
      account,
      canChargeNoShow: now() >= noShowFrom(booking),
      portalUrl,
      link: done?.link ?? null,
      notice: done?.notice ?? null,
      form: isRefused ? done.form : {},
    });
    return c.html(page, isRefused ? 409 : 200);
  }
}

function matches({ reference, guest, room }: Booking, query: string): boolean {
  return `${reference} ${guest} ${room.name}`.toLocaleLowerCase('en').includes(query.toLocaleLowerCase('en'));
}

/** The attempt of a session that a form is about; nothing for a charge. */
function attemptOf({ attempt = '' }: Form): { attempt?: number } {
  return /^\d{1,2}$/.test(attempt) ? { attempt: Number(attempt) } : {};
}

/** An amount as staff type it, with a dot or a comma; null when it is none or not above zero. */
function parseAmount(typed: string | undefined, { total }: Booking): Price | null {
  try {
    const amount = Money.parse((typed ?? '').trim().replace(',', '.'), total.currency).toJSON();
    return amount.value > 0 ? amount : null;
  } catch (error) {
    if (isInnkeepError(error, 'invalid_input')) return null;
    throw error;
  }
}

function problem(text: string): Done {
  return { notice: { isProblem: true, text }, isRefused: true };
}

function told(what: string, status: string): Done {
  const ends: Readonly<Record<string, string>> = {
    unknown: 'unknown. Money may have moved: settle it below before anything else.',
    sent: 'sent, no answer yet. Reload in a moment.',
  };
  return { notice: { isProblem: status !== 'succeeded', text: `${what}: ${ends[status] ?? `${status}.`}` } };
}

function refusal(error: { readonly code: string; readonly message: string }): string {
  if (isProblemError(error) && error.param === 'amount') {
    return 'Nothing was done: the amount is more than is left of the payment, or more than one charge may be.';
  }
  switch (error.code) {
    case 'idempotency_mismatch':
      return 'This form was already used with other values. See the result below, then fill it in again.';
    case 'possible_duplicate':
      return 'The same one is under way or unknown, or was made in the last ten minutes. Look at that one first.';
    case 'network':
    case 'timeout':
      return 'The payment proxy did not answer. Send the same form again; nothing is done twice.';
    default:
      return isProblemError(error)
        ? `Refused, ${error.message.replace(/^The payment proxy answered /, '')}`
        : error.message;
  }
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
