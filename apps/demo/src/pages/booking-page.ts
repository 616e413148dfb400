import { html } from 'hono/html';
import { type Booking, departureOf } from '../booking/booking.ts';
import { formatDay, formatMoney, formatNights } from './format.ts';
import { layout, type Markup } from './layout.ts';

/** Where the guest pays: the summary beside `<pay-widget>`. The widget knows the session, never the amount. */
export function bookingPage(input: { booking: Booking; proxyUrl: string }): Markup {
  const { booking, proxyUrl } = input;
  return layout({
    title: 'Pay for your stay',
    body: html`<main class="narrow">
      <h1>Pay for your stay</h1>
      <div class="two">
        ${bookingSummary(booking)}
        <section aria-label="Payment">
          ${
            booking.payment === null
              ? html`<p>The payment could not be prepared. Nothing was charged.</p>${newPaymentForm(booking)}`
              : html`<pay-widget endpoint="${proxyUrl}" client-secret="${booking.payment.clientSecret}"></pay-widget>
                <noscript><p>The payment button needs JavaScript. Call the front desk and we will send you a payment link.</p></noscript>`
          }
        </section>
      </div>
    </main>`,
  });
}

/** The stay and its price, as the hotel's server knows them. */
export function bookingSummary(booking: Booking): Markup {
  return html`<section class="card summary" aria-label="Your stay">
    <div class="room-picture room-${booking.room.id}" aria-hidden="true"></div>
    <h2>${booking.room.name}</h2>
    <dl>
      <dt>Guest</dt><dd>${booking.guest}</dd>
      <dt>Arrival</dt><dd>${formatDay(booking.arrival)}</dd>
      <dt>Departure</dt><dd>${formatDay(departureOf(booking))}</dd>
      <dt>${formatNights(booking.nights)}</dt><dd>${formatMoney({ ...booking.total, value: booking.room.nightlyRate })} each</dd>
      <dt>Booking</dt><dd>${booking.reference}</dd>
      <dt class="total">Total</dt><dd class="total">${formatMoney(booking.total)}</dd>
    </dl>
  </section>`;
}

/** Starts another payment for the same booking, once the last one is known to have ended without one. */
export function newPaymentForm(booking: Booking): Markup {
  return html`<form method="post" action="/bookings/${booking.id}/payment"><button class="primary" type="submit">Try again</button></form>`;
}
