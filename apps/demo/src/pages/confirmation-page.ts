import type { CheckoutSession } from '@innkeep/core/merchant';
import { html } from 'hono/html';
import { type Booking, dueNow, noShowFee } from '../booking/booking.ts';
import { brandOf, shortCard } from '../booking/card-brand.ts';
import { formatDay, formatMoney, formatTime } from '../booking/format.ts';
import { newPaymentForm } from './booking-page.ts';
import { bookingSummary } from './booking-summary.ts';
import { layout, type Markup } from './layout.ts';

type Status = CheckoutSession['status'];

const HEADINGS: Readonly<Record<Status, string>> = {
  open: 'Your payment has not started yet',
  pending: 'We are waiting for your payment',
  succeeded: 'Your stay is booked',
  failed: 'The payment did not go through',
  canceled: 'The payment was canceled',
  expired: 'The payment took too long',
  unknown: 'We are checking your payment',
};

const TEXTS: Readonly<Record<Status, string>> = {
  open: 'Go back to your booking to pay.',
  pending: 'This page updates by itself. You can close it; we will still hear about your payment.',
  succeeded: 'Thank you. We are looking forward to your visit.',
  failed: 'Nothing was charged. You can try again with the same or another card.',
  canceled: 'Nothing was charged. Your room is still on hold for you.',
  expired: 'We heard nothing back in time. If a payment still arrives, we will see it.',
  unknown: 'Please do not pay again. The hotel will check with the payment service and contact you.',
};

const RELEASED = {
  heading: 'Your hold has ended',
  text: 'We kept the room for 24 hours and received no payment. Nothing was charged. You are welcome to book again.',
};

const DECLINED = {
  heading: 'Your card was declined',
  text: 'Nothing was charged. Please try another card, or ask your bank.',
};

function wordsOf(status: Status, session: CheckoutSession | null): typeof DECLINED {
  return session?.error?.code === 'declined' ? DECLINED : { heading: HEADINGS[status], text: TEXTS[status] };
}

/** The return page: the hotel's own word and receipt (works without JavaScript) beside the live element. */
export function confirmationPage(input: {
  booking: Booking;
  /** Null for a booking by telephone, which has its card already. */
  session: CheckoutSession | null;
  proxyUrl: string;
  isHoldOver: boolean;
}): Markup {
  const { booking, session, proxyUrl, isHoldOver } = input;
  const status = session === null ? 'succeeded' : session.status;
  const hasEndedUnpaid = session?.final === true && status !== 'succeeded';
  const isReleased = hasEndedUnpaid && isHoldOver;
  const { heading, text } = isReleased ? RELEASED : wordsOf(status, session);
  return layout({
    title: heading,
    script: '/public/confirmation.js',
    body: html`<main class="narrow" data-payment="${status}" data-final="${String(session?.final ?? true)}">
      <h1>${heading}</h1>
      <p class="lead">${text}</p>
      <div class="two">
        <div class="stack">
          ${hasEndedUnpaid && !isReleased ? newPaymentForm(booking) : ''}
          ${session === null || isReleased ? '' : liveStatus({ booking, session, proxyUrl, text })}
          ${status === 'open' ? html`<p><a class="primary" href="/bookings/${booking.id}">Back to your booking</a></p>` : ''}
          ${isReleased ? html`<p><a class="primary" href="/">Book again</a></p>` : ''}
          ${status === 'succeeded' ? whatNext(booking) : ''}
        </div>
        ${bookingSummary(booking)}
      </div>
    </main>`,
  });
}

// #region payment-status
// The client secret is this guest's own: with it the page tells the same in another browser than the one that paid.
function liveStatus({
  booking,
  session,
  proxyUrl,
  text,
}: {
  booking: Booking;
  session: CheckoutSession;
  proxyUrl: string;
  text: string;
}): Markup {
  return html`<section class="checkout ${reserveFor(session)}" aria-label="Payment">
    <payment-status endpoint="${proxyUrl}" client-secret="${booking.checkout?.clientSecret ?? ''}">
      <p>${text}</p>
    </payment-status>
    ${session.status === 'succeeded' ? html`<noscript>${receipt(session)}</noscript>` : ''}
    ${session.reversed !== null && session.reversed.value > 0 ? html`<p class="small">Refunded since: ${formatMoney(session.reversed)}.</p>` : ''}
  </section>`;
}

// #endregion
function receipt({ result, completedAt }: CheckoutSession): Markup {
  if (result === null) return html``;
  const card =
    result.maskedCard === null
      ? ''
      : html`<dt>Card</dt><dd>${brandOf(result.maskedCard)} ${shortCard(result.maskedCard)}</dd>`;
  const when = completedAt === null ? '' : html`<dt>On</dt><dd>${formatTime(completedAt)}</dd>`;
  if (!('total' in result))
    return html`<div class="card receipt"><h2>Card saved</h2><dl class="facts">${card}${when}</dl></div>`;
  const { base, surcharge, total } = result;
  return html`<div class="card receipt">
    <h2>Receipt</h2>
    <dl class="facts">
      <dt>Stay</dt><dd>${formatMoney(base)}</dd>
      ${surcharge === null ? '' : html`<dt>Card surcharge</dt><dd>${formatMoney(surcharge.amount)}</dd>`}
      <dt class="total">Paid</dt><dd class="total">${formatMoney(total)}</dd>
      ${card}${when}
    </dl>
  </div>`;
}

// The height of the element follows from what it will show: the page keeps that space free, and nothing jumps.
function reserveFor({ status, result }: CheckoutSession): string {
  if (status !== 'succeeded' || result === null) return '';
  if (!('total' in result)) return 'shows-card';
  return result.surcharge === null ? 'shows-receipt' : 'shows-surcharge';
}

function whatNext(booking: Booking): Markup {
  const due = dueNow(booking);
  const rest = due === null ? booking.total : { ...booking.total, value: booking.total.value - due.value };
  return html`<section class="card next">
    <h2>What happens next</h2>
    <ul>
      <li>Your room is ready from 15:00 on ${formatDay(booking.arrival)}. Tell us <strong>${booking.reference}</strong> at the desk.</li>
      <li>${rest.value > 0 ? html`You pay ${formatMoney(rest)} at the hotel.` : 'Everything is paid.'}</li>
      ${due === null ? html`<li>If you neither arrive nor cancel, we charge the first night, ${formatMoney(noShowFee(booking))}.</li>` : ''}
    </ul>
    <button class="secondary" type="button" data-print>Print this page</button>
  </section>`;
}
