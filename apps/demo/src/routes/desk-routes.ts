import { isInnkeepError } from '@innkeep/core/errors';
import { Money } from '@innkeep/core/values';
import { type Context, Hono } from 'hono';
import { type Booking, noShowFee } from '../booking/booking.ts';
import type { Bookings } from '../booking/bookings.ts';
import { formatMoney } from '../booking/format.ts';
import { type DeskNotice, deskBookingPage } from '../pages/desk-booking-page.ts';
import { deskPage } from '../pages/desk-page.ts';
import { notFound } from '../pages/message-page.ts';
import type { Payments } from '../payments.ts';
import { readForm } from './read-form.ts';

/** What the front desk does: look, charge, give back, send a link, settle what is unknown. */
export function deskRoutes(input: { bookings: Bookings; payments: Payments }): Hono {
  const { bookings, payments } = input;
  const app = new Hono();

  app.get('/desk', async (c) => {
    const number = c.req.query('room');
    const rows = await Promise.all(
      bookings.list().map(async (booking) => ({ booking, session: await payments.readSession(booking) })),
    );
    const room = number === undefined ? null : { number, answer: await lookUpRoom(number) };
    return c.html(deskPage({ rows, room }));
  });

  app.get('/desk/:id', (c) => show(c));

  app.post('/desk/:id/link', (c) =>
    act(c, async (booking) => {
      const link = await payments.createLink(booking);
      return { link, notice: { isProblem: false, text: 'Send this link, or let the guest scan the code.' } };
    }),
  );

  app.post('/desk/:id/charge', (c) =>
    act(c, async (booking, form) => {
      const isNoShow = form.reason === 'no_show';
      const amount = isNoShow ? noShowFee(booking) : booking.total;
      const reason = isNoShow ? 'no_show' : 'balance';
      const charge = await payments.chargeCard(booking, { amount, reason, key: form.key ?? '' });
      if (charge === null) return { notice: { isProblem: true, text: 'There is no card on file for this booking.' } };
      return {
        notice: {
          isProblem: charge.status !== 'succeeded',
          text: `Charge of ${formatMoney(amount)}: ${charge.status}.`,
        },
      };
    }),
  );

  app.post('/desk/:id/reverse', (c) =>
    act(c, async (booking, form) => {
      const typed = (form.amount ?? '').trim();
      const amount = typed === '' ? undefined : Money.parse(typed, booking.total.currency).toJSON();
      const reversal = await payments.reverse(booking, {
        payment: form.payment ?? '',
        key: form.key ?? '',
        ...(amount === undefined ? {} : { amount }),
      });
      const text = `Reversal of ${formatMoney(reversal.amount)}: ${reversal.status}.`;
      return { notice: { isProblem: reversal.status !== 'succeeded', text } };
    }),
  );

  app.post('/desk/:id/resolve', (c) =>
    act(c, async (_booking, form) => {
      const status = form.status === 'succeeded' ? 'succeeded' : 'failed';
      await payments.resolve(form.id ?? '', { status, evidence: form.evidence ?? '' });
      return { notice: { isProblem: false, text: 'Settled. The evidence is kept with the payment.' } };
    }),
  );
  return app;

  /** The system’s answer, or why there is none: the desk stays usable without it. */
  async function lookUpRoom(number: string): Promise<string> {
    try {
      return await payments.lookUpRoom(number);
    } catch (error) {
      if (isInnkeepError(error)) return `No answer: ${error.message}`;
      throw error;
    }
  }

  interface Done {
    readonly notice: DeskNotice;
    readonly link?: { readonly url: string; readonly qrUrl: string } | null;
  }

  /** Runs an action and shows the booking again; what the proxy refuses is said in its own words. */
  async function act(
    c: Context,
    action: (booking: Booking, form: Readonly<Record<string, string>>) => Promise<Done>,
  ): Promise<Response> {
    const booking = bookings.get(c.req.param('id') ?? '');
    if (booking === undefined) return notFound(c);
    try {
      return await show(c, await action(booking, await readForm(c)));
    } catch (error) {
      if (!isInnkeepError(error)) throw error;
      return show(c, { notice: { isProblem: true, text: error.message } });
    }
  }

  async function show(c: Context, done?: Done): Promise<Response> {
    const booking = bookings.get(c.req.param('id') ?? '');
    if (booking === undefined) return notFound(c);
    const account = await payments.readAccount(booking);
    const page = deskBookingPage({
      booking,
      account,
      link: done?.link ?? null,
      notice: done?.notice ?? null,
    });
    return c.html(page, done?.notice.isProblem === true ? 409 : 200);
  }
}
