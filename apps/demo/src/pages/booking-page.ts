import { html } from 'hono/html';
import { type Booking, departureOf, dueNow, noShowFee } from '../booking/booking.ts';
import { formatDay, formatMoney, formatNights } from '../booking/format.ts';
import { layout, type Markup } from './layout.ts';

/** Where the guest pays or leaves a card. The element knows the session, never the amount. */
export function bookingPage(input: { booking: Booking; proxyUrl: string }): Markup {
  const { booking } = input;
  const title = booking.plan === 'guarantee' ? 'Guarantee your stay' : 'Pay for your stay';
  return layout({
    title,
    body: html`<main class="narrow">
      <h1>${title}</h1>
      <div class="two">
        ${bookingSummary(booking)}
        <section aria-label="Payment">
          ${
            booking.checkout === null
              ? html`<p>The payment could not be prepared. Nothing was charged.</p>${newPaymentForm(booking)}`
              : checkoutElement(input)
          }
        </section>
      </div>
    </main>`,
  });
}

function checkoutElement({ booking, proxyUrl }: { booking: Booking; proxyUrl: string }): Markup {
  const clientSecret = booking.checkout?.clientSecret ?? '';
  // The light-DOM child is what a guest without JavaScript sees.
  const fallback = html`<form method="post" action="/bookings/${booking.id}/link"><button class="primary" type="submit">Continue on our payment page</button></form>`;
  if (booking.plan !== 'guarantee') {
    return html`<pay-widget endpoint="${proxyUrl}" client-secret="${clientSecret}">${fallback}</pay-widget>`;
  }
  return html`<save-card-widget endpoint="${proxyUrl}" client-secret="${clientSecret}">${fallback}</save-card-widget>
    <p class="small">Nothing is charged now. If you stay away without a word, we charge the first night
    (${formatMoney(noShowFee(booking))}) to this card.</p>`;
}

/** The stay and its price, as the hotel's server knows them. */
export function bookingSummary(booking: Booking): Markup {
  const due = dueNow(booking);
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
      ${due !== null && due.value === booking.total.value ? '' : html`<dt>Due now</dt><dd>${due === null ? 'nothing' : formatMoney(due)}</dd>`}
    </dl>
  </section>`;
}

/** Starts another payment for the same booking, once the last one is known to have ended without one. */
export function newPaymentForm(booking: Booking): Markup {
  return html`<form method="post" action="/bookings/${booking.id}/payment"><button class="primary" type="submit">Try again</button></form>`;
}
