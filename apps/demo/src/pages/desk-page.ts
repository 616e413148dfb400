import { html } from 'hono/html';
import { type Booking, noShowFee, type Plan } from '../booking/booking.ts';
import { shortCard } from '../booking/card-brand.ts';
import { formatDay, formatMoney, formatTime } from '../booking/format.ts';
import { noShowFrom } from '../booking/hotel-time.ts';
import { deskLayout } from './desk-layout.ts';
import type { Markup } from './layout.ts';

const PLAN_WORDS: Readonly<Record<Plan, string>> = { full: 'prepaid', deposit: 'deposit', guarantee: 'card on file' };

/** The reception desk: the hotel's own bookings, found by name, and the payments, which the element reads from the proxy. */
export function deskPage(input: {
  rows: readonly Booking[];
  query: string;
  /** Whether there are more than these. */
  isCut: boolean;
  proxyUrl: string;
  portalUrl: string | null;
  now: Date;
}): Markup {
  const { rows, query, isCut, proxyUrl, portalUrl, now } = input;
  return deskLayout({
    title: 'Reception desk',
    place: '/desk',
    scripts: ['/payments-desk/desk.js', '/public/desk.js'],
    body: html`<h1>Reception desk</h1>
      <form class="search" method="get" action="/desk" role="search" aria-label="Bookings">
        <label for="q">Find a booking</label>
        <input id="q" name="q" type="search" value="${query}" maxlength="60" placeholder="Name or reference">
        <button class="secondary" type="submit">Search</button>
      </form>
      ${rows.length === 0 ? nothingFound(query) : html`<ul class="list">${rows.map((booking) => bookingRow(booking, now))}</ul>`}
      ${isCut ? html`<p class="small">Showing the newest ${rows.length}. Search to find others.</p>` : ''}
      <payments-desk endpoint="${proxyUrl}"></payments-desk>
      <noscript><p class="notice-problem">Turn on JavaScript to see the payments.</p></noscript>
      ${portalUrl === null ? '' : html`<p class="small">To resolve an unknown payment, check <a href="${portalUrl}">the payment service’s records</a>.</p>`}`,
  });
}

function nothingFound(query: string): Markup {
  if (query === '') {
    return html`<div class="empty card"><p>No bookings yet. <a href="/">Make one as a guest</a>, then come back.</p></div>`;
  }
  return html`<div class="empty card"><p>No bookings match “${query}”. <a href="/desk">Show all</a></p></div>`;
}

function bookingRow(booking: Booking, now: Date): Markup {
  const { guest, reference, room, arrival, total, plan, keyedCard, lastNews } = booking;
  return html`<li class="card">
    <a class="row-link" href="#q=${reference}"><strong>${guest}</strong> <span class="reference">${reference}</span></a>
    <span class="row-stay">${room.name}, ${formatDay(arrival)}</span>
    <span class="row-money">${formatMoney(total)}, ${keyedCard === null ? PLAN_WORDS[plan] : `${shortCard(keyedCard.maskedCard)} keyed in`}</span>
    ${lastNews === null ? '' : html`<span class="row-more small">Reported by webhook at ${formatTime(lastNews.at)}: <code>${lastNews.type}</code></span>`}
    ${keyedCard === null || lastNews?.type.startsWith('charge.') ? '' : html`<div class="row-more">${noShow(booking, now)}</div>`}
  </li>`;
}

// The payments below charge a card that a guest left. One that was keyed in is known to the hotel's server alone.
function noShow(booking: Booking, now: Date): Markup {
  const from = noShowFrom(booking);
  const fee = formatMoney(noShowFee(booking));
  return now < from
    ? html`<span class="small">You can charge the ${fee} no-show fee from ${formatTime(from)}.</span>`
    : html`<form method="post" action="/desk/${booking.id}/no-show"><button class="secondary" type="submit">No-show: charge ${fee}</button></form>`;
}
