import type { CheckoutSession } from '@innkeep/core/merchant';
import { html } from 'hono/html';
import type { Booking } from '../booking/booking.ts';
import { formatMoney } from '../booking/format.ts';
import { bookingSummary, newPaymentForm } from './booking-page.ts';
import { layout, type Markup } from './layout.ts';

type Status = CheckoutSession['status'];

const HEADINGS: Readonly<Record<Status, string>> = {
  open: 'Your payment has not started yet',
  pending: 'We are waiting for your payment',
  succeeded: 'Your stay is booked',
  failed: 'The payment did not go through',
  canceled: 'You canceled the payment',
  expired: 'The payment took too long',
  unknown: 'We are checking your payment',
};

const TEXTS: Readonly<Record<Status, string>> = {
  open: 'Go back to your booking to pay.',
  pending: 'This page updates by itself. You can also close it: we will know all the same.',
  succeeded: 'Thank you. We are looking forward to your visit.',
  failed: 'Nothing was charged. You can try again with the same or another card.',
  canceled: 'Nothing was charged. Your room is still on hold for you.',
  expired: 'We heard nothing back in time. If a payment still arrives, we will see it.',
  unknown: 'Please do not pay again. The hotel will check with the payment service and contact you.',
};

/** The return page: the hotel's own word (works without JavaScript) beside the live receipt. */
export function confirmationPage(input: { booking: Booking; session: CheckoutSession; proxyUrl: string }): Markup {
  const { booking, session, proxyUrl } = input;
  const paid = session.result !== null && 'total' in session.result ? session.result.total : null;
  return layout({
    title: HEADINGS[session.status],
    script: '/public/confirmation.js',
    body: html`<main class="narrow" data-payment="${session.status}" data-final="${String(session.final)}">
      <h1>${HEADINGS[session.status]}</h1>
      <p class="lead">${TEXTS[session.status]}</p>
      <div class="two">
        ${bookingSummary(booking)}
        <section aria-label="Payment">
          <payment-status endpoint="${proxyUrl}">
            <p>${paid === null ? TEXTS[session.status] : `Paid: ${formatMoney(paid)}`}</p>
          </payment-status>
          ${session.status === 'open' ? html`<p><a class="primary" href="/bookings/${booking.id}">Back to your booking</a></p>` : ''}
          ${session.final && session.status !== 'succeeded' ? newPaymentForm(booking) : ''}
        </section>
      </div>
    </main>`,
  });
}
