import { html } from 'hono/html';
import type { Booking } from '../booking/booking.ts';
import { bookingSummary, newPaymentForm } from './booking-page.ts';
import { formatMoney } from './format.ts';
import { layout, type Markup } from './layout.ts';

/** What the hotel's server read from the proxy about a payment. */
export interface PaymentState {
  readonly status: 'open' | 'pending' | 'succeeded' | 'failed' | 'canceled' | 'expired' | 'unknown';
  readonly final: boolean;
  readonly paid: { readonly value: number; readonly currency: string } | null;
}

const HEADINGS: Readonly<Record<PaymentState['status'], string>> = {
  open: 'Your payment has not started yet',
  pending: 'We are waiting for your payment',
  succeeded: 'Your stay is booked',
  failed: 'The payment did not go through',
  canceled: 'You canceled the payment',
  expired: 'The payment took too long',
  unknown: 'We are checking your payment',
};

const TEXTS: Readonly<Record<PaymentState['status'], string>> = {
  open: 'Go back to your booking to pay.',
  pending: 'This page updates by itself. You can also close it: we will know all the same.',
  succeeded: 'Thank you. We are looking forward to your visit.',
  failed: 'Nothing was charged. You can try again with the same or another card.',
  canceled: 'Nothing was charged. Your room is still on hold for you.',
  expired: 'We heard nothing back in time. If a payment still arrives, we will see it.',
  unknown: 'Please do not pay again. The hotel will check with the payment service and contact you.',
};

/** The return page: the hotel's own word (works without JavaScript) beside the live receipt. */
export function confirmationPage(input: { booking: Booking; payment: PaymentState; proxyUrl: string }): Markup {
  const { booking, payment, proxyUrl } = input;
  return layout({
    title: HEADINGS[payment.status],
    script: '/public/confirmation.js',
    body: html`<main class="narrow" data-payment="${payment.status}" data-final="${String(payment.final)}">
      <h1>${HEADINGS[payment.status]}</h1>
      <p class="lead">${TEXTS[payment.status]}</p>
      <div class="two">
        ${bookingSummary(booking)}
        <section aria-label="Payment">
          <payment-status endpoint="${proxyUrl}">
            <p>${payment.paid === null ? TEXTS[payment.status] : `Paid: ${formatMoney(payment.paid)}`}</p>
          </payment-status>
          ${payment.status === 'open' ? html`<p><a class="primary" href="/bookings/${booking.id}">Back to your booking</a></p>` : ''}
          ${payment.final && (payment.status === 'failed' || payment.status === 'canceled') ? newPaymentForm(booking) : ''}
        </section>
      </div>
    </main>`,
  });
}
