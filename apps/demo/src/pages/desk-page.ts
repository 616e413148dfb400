import type { CheckoutSession } from '@innkeep/core/merchant';
import { html } from 'hono/html';
import type { Booking, Plan } from '../booking/booking.ts';
import { formatDay, formatMoney } from '../booking/format.ts';
import { deskLayout, statusBadge } from './desk-layout.ts';
import type { Markup } from './layout.ts';

const PLAN_WORDS: Readonly<Record<Plan, string>> = { full: 'prepaid', deposit: 'deposit', guarantee: 'card on file' };

/** The reception desk: every booking and the state of its payment. */
export function deskPage(input: {
  rows: ReadonlyArray<{ readonly booking: Booking; readonly session: CheckoutSession | null }>;
  query: string;
  /** Whether there are more than these. */
  isCut: boolean;
}): Markup {
  const { rows, query, isCut } = input;
  return deskLayout({
    title: 'Reception desk',
    place: '/desk',
    body: html`<h1>Reception desk</h1>
      <p class="lead">What the hotel’s own system does with the merchant key. Guests never see these pages.</p>
      <form class="search" method="get" action="/desk" role="search">
        <label for="q">Find a booking</label>
        <input id="q" name="q" type="search" value="${query}" maxlength="60" placeholder="Name or reference">
        <button class="secondary" type="submit">Search</button>
      </form>
      ${rows.length === 0 ? nothingFound(query) : html`<ul class="list">${rows.map(bookingRow)}</ul>`}
      ${isCut ? html`<p class="small">These are the newest ${rows.length}. Search for an older one.</p>` : ''}`,
  });
}

function nothingFound(query: string): Markup {
  if (query === '') {
    return html`<div class="empty card"><p>No booking yet. <a href="/">Make one as a guest</a>, then come back.</p></div>`;
  }
  return html`<div class="empty card"><p>No booking matches “${query}”. <a href="/desk">Show all</a></p></div>`;
}

function bookingRow({ booking, session }: { booking: Booking; session: CheckoutSession | null }): Markup {
  return html`<li class="card">
    <a class="row-link" href="/desk/${booking.id}"><strong>${booking.guest}</strong> <span class="reference">${booking.reference}</span></a>
    <span class="row-stay">${booking.room.name}, ${formatDay(booking.arrival)}</span>
    <span class="row-money">${formatMoney(booking.total)}, ${PLAN_WORDS[booking.plan]}</span>
    ${booking.keyedCard === null ? statusBadge(session?.status ?? 'not known') : html`<span class="badge badge-succeeded">card keyed in</span>`}
  </li>`;
}
