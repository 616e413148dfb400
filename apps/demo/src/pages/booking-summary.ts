import { html } from 'hono/html';
import { type Booking, departureOf, dueNow } from '../booking/booking.ts';
import { formatDay, formatMoney, formatNights } from '../booking/format.ts';
import type { Markup } from './layout.ts';

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
