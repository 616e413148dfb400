import type { CheckoutSession } from '@innkeep/core/merchant';
import { html } from 'hono/html';
import type { Booking, Plan } from '../booking/booking.ts';
import { formatDay, formatMoney } from '../booking/format.ts';
import { layout, type Markup } from './layout.ts';

const PLAN_WORDS: Readonly<Record<Plan, string>> = { full: 'prepaid', deposit: 'deposit', guarantee: 'card on file' };

/** The reception desk: every booking and where its payment stands. A real hotel keeps this page behind a staff login. */
export function deskPage(input: {
  rows: ReadonlyArray<{ readonly booking: Booking; readonly session: CheckoutSession | null }>;
  room: { readonly number: string; readonly answer: string } | null;
}): Markup {
  return layout({
    title: 'Reception desk',
    body: html`<main class="narrow">
      <h1>Reception desk</h1>
      <p class="lead">What the hotel’s own system does with the merchant key. Guests never see this page.</p>
      ${
        input.rows.length === 0
          ? html`<p>No booking yet. <a href="/">Make one</a>, then come back.</p>`
          : html`<ul class="list">${input.rows.map(bookingRow)}</ul>`
      }
      <section class="card">
        <h2>Who is in which room?</h2>
        <form class="inline" method="get" action="/desk">
          <label for="room">Room number</label>
          <input id="room" name="room" value="${input.room?.number ?? '101'}" maxlength="10" required>
          <button class="secondary" type="submit">Ask the property-management system</button>
        </form>
        ${input.room === null ? '' : html`<pre tabindex="0" aria-label="Answer">${input.room.answer}</pre>`}
      </section>
    </main>`,
  });
}

function bookingRow({ booking, session }: { booking: Booking; session: CheckoutSession | null }): Markup {
  return html`<li class="card">
    <a href="/desk/${booking.id}"><strong>${booking.reference}</strong> ${booking.guest}</a>
    <span>${booking.room.name}, ${formatDay(booking.arrival)}</span>
    <span>${formatMoney(booking.total)}, ${PLAN_WORDS[booking.plan]}</span>
    ${statusBadge(session?.status ?? 'open')}
  </li>`;
}

/** A payment's status as a word in a coloured pill. */
export function statusBadge(status: string): Markup {
  return html`<span class="badge badge-${status}">${status}</span>`;
}
