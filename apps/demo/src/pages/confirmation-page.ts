import type { CheckoutAttempt, CheckoutSession } from '@innkeep/core/merchant';
import { html } from 'hono/html';
import { type Booking, dueNow, noShowFee } from '../booking/booking.ts';
import { brandOf, shortCard } from '../booking/card-brand.ts';
import { formatDay, formatMoney, formatTime } from '../booking/format.ts';
import { bookingSummary } from './booking-summary.ts';
import { layout, type Markup } from './layout.ts';

/** How the payment stands: an open session as its last attempt has ended. */
type Standing = CheckoutSession['status'] | CheckoutAttempt['status'];

type Words = Readonly<Record<Standing, { readonly heading: string; readonly text: string }>>;

const WORDS: Words = {
  open: { heading: 'Your payment has not started yet', text: 'Go back to your booking to pay.' },
  pending: {
    heading: 'We are waiting for your payment',
    text: 'You can close this page; we will still hear about your payment.',
  },
  succeeded: { heading: 'Your stay is booked', text: 'Thank you. We are looking forward to your visit.' },
  declined: {
    heading: 'Your card was declined',
    text: 'Nothing was charged, and your room is still on hold for you. Please try another card, or ask your bank.',
  },
  failed: {
    heading: 'The payment did not go through',
    text: 'Nothing was charged, and your room is still on hold for you. You can try again with the same or another card.',
  },
  canceled: {
    heading: 'The payment was canceled',
    text: 'Nothing was charged, and your room is still on hold for you.',
  },
  abandoned: {
    heading: 'The payment took too long',
    text: 'We heard nothing back in time. If you have paid, do not pay again: we will still hear about it.',
  },
  expired: {
    heading: 'The payment took too long',
    text: 'We heard nothing back in time. If a payment still arrives, we will see it.',
  },
  unknown: {
    heading: 'We are checking your payment',
    text: 'Please do not pay again. The hotel will check with the payment service and contact you.',
  },
};

/** Of a guest who only leaves a card. */
const CARD_WORDS: Words = {
  ...WORDS,
  open: { heading: 'We do not have your card yet', text: 'Go back to your booking to leave one.' },
  pending: {
    heading: 'We are waiting for your card',
    text: 'You can close this page; we will still hear about your card.',
  },
  failed: { ...WORDS.failed, heading: 'Your card was not saved' },
  canceled: { ...WORDS.canceled, heading: 'You left no card' },
  abandoned: {
    heading: 'Saving your card took too long',
    text: 'We heard nothing back in time. If you have left your card, we will still hear about it.',
  },
  expired: {
    heading: 'Saving your card took too long',
    text: 'We heard nothing back in time. If your card still arrives, we will see it.',
  },
  unknown: {
    heading: 'We are checking your card',
    text: 'Please do not leave it again. The hotel will check with the payment service and contact you.',
  },
};

const RELEASED = {
  heading: 'Your hold has ended',
  text: 'We kept the room for 24 hours and received no payment. Nothing was charged. You are welcome to book again.',
};

const REFUNDED = {
  heading: 'Your payment was refunded',
  text: 'You get back all that you paid. Please ask the hotel if you do not know why.',
};

/** Where the element has no button to go on with: it knows nothing of an attempt that was given up. */
const WAYS_BACK: Readonly<Partial<Record<Standing, string>>> = {
  open: 'Back to your booking',
  abandoned: 'Back to your booking',
  expired: 'Back to your booking',
};

function standingOf({ status, attempts }: CheckoutSession): Standing {
  return status === 'open' ? (attempts.at(-1)?.status ?? status) : status;
}

/** The return page: the hotel's own word and receipt (works without JavaScript) beside the live element. */
export function confirmationPage(input: {
  booking: Booking;
  /** Null for a booking by telephone, which has its card already, and where the page to pay was never reached. */
  session: CheckoutSession | null;
  proxyUrl: string;
  isHoldOver: boolean;
}): Markup {
  const { booking, session, proxyUrl, isHoldOver } = input;
  const standing = session === null ? (booking.keyedCard === null ? 'open' : 'succeeded') : standingOf(session);
  const isReleased = isHoldOver && (standing === 'open' || (standing === 'expired' && session?.final === true));
  const isRefunded = session !== null && refundOf(session) === 'all';
  const words = booking.plan === 'guarantee' ? CARD_WORDS : WORDS;
  const { heading, text } = isReleased ? RELEASED : isRefunded ? REFUNDED : words[standing];
  const wayBack = isHoldOver ? undefined : WAYS_BACK[standing];
  // The element knows no other end of an attempt.
  const shown = standing === 'declined' ? 'failed' : standing;
  return layout({
    title: heading,
    scripts: ['/public/confirmation.js'],
    body: html`<main class="narrow" data-payment="${shown}" data-final="${String(session?.final ?? true)}">
      <h1>${heading}</h1>
      <p class="lead">${text}</p>
      <div class="two">
        <div class="stack">
          ${session === null || isReleased ? '' : liveStatus({ booking, session, proxyUrl, text })}
          ${wayBack === undefined ? '' : backToPay(booking, wayBack)}
          ${isReleased ? html`<p><a class="primary" href="/">Book again</a></p>` : ''}
          ${standing === 'succeeded' && !isRefunded ? whatNext(booking, session) : ''}
        </div>
        ${bookingSummary(booking)}
      </div>
    </main>`,
  });
}

/** The page to pay has the same session again, and the next attempt. */
function backToPay(booking: Booking, text: string): Markup {
  return html`<p><a class="primary" href="/bookings/${booking.id}">${text}</a></p>`;
}

// The client secret is this guest's own: with it the page tells the same in another browser than the one that paid. After a
// declined card the element offers the next attempt in place; its child does so without JavaScript.
function liveStatus(input: { booking: Booking; session: CheckoutSession; proxyUrl: string; text: string }): Markup {
  const { booking, session, proxyUrl, text } = input;
  const standing = standingOf(session);
  const canTryAgain = session.status === 'open' && standing !== 'open' && standing !== 'abandoned';
  return html`<section class="checkout ${reserveFor(session)}" aria-label="Payment">
    <payment-status endpoint="${proxyUrl}" client-secret="${booking.checkout?.clientSecret ?? ''}">
      <p>${text}</p>
      ${canTryAgain ? backToPay(booking, 'Try again') : ''}
    </payment-status>
    ${session.status === 'succeeded' ? html`<noscript>${receipt(session)}</noscript>` : ''}
    ${session.reversed !== null && refundOf(session) !== 'none' ? html`<p class="small">Refunded since: ${formatMoney(session.reversed)}.</p>` : ''}
  </section>`;
}

/** How much of what was paid the guest has back. */
function refundOf({ result, reversed }: CheckoutSession): 'none' | 'some' | 'all' {
  if (result === null || !('total' in result) || reversed === null || reversed.value <= 0) return 'none';
  return reversed.value < result.total.value ? 'some' : 'all';
}

function receipt({ result, completedAt }: CheckoutSession): Markup {
  if (result === null) return html``;
  const card =
    result.maskedCard === null
      ? ''
      : html`<dt>Card</dt><dd>${brandOf(result.maskedCard)} ${shortCard(result.maskedCard)}</dd>`;
  const when = completedAt === null ? '' : html`<dt>On</dt><dd>${formatTime(completedAt)}</dd>`;
  if (!('total' in result))
    return html`<div class="card receipt"><h2>Card saved</h2><dl class="details">${card}${when}</dl></div>`;
  const { base, surcharge, total } = result;
  return html`<div class="card receipt">
    <h2>Receipt</h2>
    <dl class="details">
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

function whatNext(booking: Booking, session: CheckoutSession | null): Markup {
  const due = dueNow(booking);
  const rest = due === null ? booking.total : { ...booking.total, value: booking.total.value - due.value };
  const isAllPaid = rest.value === 0 && (session === null || refundOf(session) === 'none');
  return html`<section class="card next">
    <h2>What happens next</h2>
    <ul>
      <li>Your room is ready from 15:00 on ${formatDay(booking.arrival)}. Tell us <strong>${booking.reference}</strong> at the desk.</li>
      ${rest.value > 0 ? html`<li>You pay ${formatMoney(rest)} at the hotel.</li>` : ''}
      ${isAllPaid ? html`<li>Everything is paid.</li>` : ''}
      ${due === null ? html`<li>If you neither arrive nor cancel, we charge the first night, ${formatMoney(noShowFee(booking))}.</li>` : ''}
    </ul>
    <button class="secondary" type="button" data-print>Print this page</button>
  </section>`;
}
