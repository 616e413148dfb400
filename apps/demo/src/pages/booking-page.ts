import { html } from 'hono/html';
import { type Booking, noShowFee } from '../booking/booking.ts';
import { formatMoney, formatTime } from '../booking/format.ts';
import { holdUntil } from '../booking/hotel-time.ts';
import { bookingSummary } from './booking-summary.ts';
import { layout, type Markup } from './layout.ts';

/** Where the guest pays or leaves a card. The element knows the session, never the amount. */
export function bookingPage(input: { booking: Booking; clientSecret: string; proxyUrl: string }): Markup {
  const { booking } = input;
  const title = booking.plan === 'guarantee' ? 'Guarantee your stay' : 'Pay for your stay';
  return layout({
    title,
    body: html`<main class="narrow">
      <h1>${title}</h1>
      <p class="lead">We keep the room for you until ${formatTime(holdUntil(booking))}.</p>
      <div class="two">
        <section class="checkout" aria-label="Payment">
          ${checkoutElement(input)}
        </section>
        ${bookingSummary(booking)}
      </div>
    </main>`,
  });
}

function checkoutElement({ booking, clientSecret, proxyUrl }: Parameters<typeof bookingPage>[0]): Markup {
  // The light-DOM child is what a guest without JavaScript sees.
  const fallback = html`<form method="post" action="/bookings/${booking.id}/link"><button class="primary" type="submit">Continue on our payment page</button></form>`;
  if (booking.plan !== 'guarantee') {
    return html`<pay-widget endpoint="${proxyUrl}" client-secret="${clientSecret}">${fallback}</pay-widget>`;
  }
  return html`<p class="small">Nothing is charged now. If you neither arrive nor cancel, we charge the first night
    (${formatMoney(noShowFee(booking))}) to this card.</p>
    <save-card-widget endpoint="${proxyUrl}" client-secret="${clientSecret}">${fallback}</save-card-widget>`;
}
