import type { Charge, CheckoutAttempt, CheckoutSession, Reversal } from '@innkeep/core/merchant';
import { html } from 'hono/html';
import { type Booking, dueNow, noShowFee, type Price } from '../booking/booking.ts';
import { shortCard } from '../booking/card-brand.ts';
import { formatMoney, formatTime } from '../booking/format.ts';
import { noShowFrom } from '../booking/hotel-time.ts';
import type { Account, StoredCard } from '../payments.ts';
import { bookingSummary } from './booking-summary.ts';
import { deskLayout, statusBadge } from './desk-layout.ts';
import type { Markup } from './layout.ts';
import { unknownPanel } from './unknown-panel.ts';

/** What the desk was told after its last action. */
export interface DeskNotice {
  readonly isProblem: boolean;
  readonly text: string;
}

/** What the desk's page of one booking shows. */
export interface DeskBooking {
  readonly booking: Booking;
  readonly account: Account;
  /** Whether the evening of the arrival day has come. */
  readonly canChargeNoShow: boolean;
  readonly portalUrl: string | null;
  readonly link: { readonly url: string; readonly qrUrl: string } | null;
  readonly notice: DeskNotice | null;
  /** What was typed, after a problem. */
  readonly form: Readonly<Record<string, string>>;
}

/** One booking at the reception desk: charge the stored card, give money back, send a link, settle what is unknown. */
export function deskBookingPage(input: DeskBooking): Markup {
  const { booking, account, notice } = input;
  const { session } = account;
  const isPayable = session !== null && (session.status === 'open' || session.status === 'pending');
  return deskLayout({
    title: `${booking.reference} at the desk`,
    place: '/desk',
    isBelow: true,
    body: html`<h1>${booking.guest}</h1>
      <p class="lead">${booking.reference} · <a href="/bookings/${booking.id}/confirmation">what the guest sees</a></p>
      ${notice === null ? '' : html`<p class="${notice.isProblem ? 'notice-problem' : 'notice-good'}" role="status">${notice.text}</p>`}
      <div class="two">
        <div class="stack">
          <section class="card">
            <h2>Payments</h2>
            ${moneyRows(input)}
          </section>
          ${account.card === null ? '' : chargeCard(input)}
          ${isPayable ? linkCard(input) : ''}
        </div>
        <div class="stack">
          ${account.card === null ? '' : cardOnFile(account.card)}
          ${bookingSummary(booking)}
        </div>
      </div>`,
  });
}

function moneyRows({ booking, account, portalUrl, form }: DeskBooking): Markup {
  const { session, charges, reversals } = account;
  if (session === null && charges.length === 0) return html`<p>Nothing was charged yet.</p>`;
  return html`<ul class="money-rows">
    ${session === null ? '' : sessionRow(session)}
    ${charges.map((charge) => row({ ...charge, what: `Charge: ${charge.reason.replace('_', '-')}`, kind: 'charge', left: leftOfCharge(charge) }))}
    ${reversals.map(({ attempt: _, ...reversal }: Reversal) => row({ ...reversal, what: 'Reversal', kind: 'reversal', left: null }))}
  </ul>`;

  function sessionRow(guest: CheckoutSession): Markup {
    const what = guest.kind === 'card' ? 'Guest’s card' : 'Guest’s payment';
    return html`<li>
      ${moneyLine({ what, amount: paidOrAsked(guest), status: guest.status })}
      ${newsOf(guest.id)}
      ${guest.attempts.length === 0 ? '' : html`<ol class="money-rows attempts">${guest.attempts.map((attempt) => attemptRow(guest.id, attempt))}</ol>`}
    </li>`;
  }

  function attemptRow(id: string, attempt: CheckoutAttempt): Markup {
    return row({
      ...attempt,
      id,
      attempt: attempt.number,
      kind: 'session',
      what: `Attempt ${attempt.number}, ${formatTime(attempt.startedAt)}`,
      amount: paidOrAsked(attempt),
      left: leftOfAttempt(attempt),
    });
  }

  function row(entry: {
    readonly id: string;
    readonly attempt?: number;
    readonly what: string;
    readonly kind: 'session' | 'charge' | 'reversal';
    readonly status: string;
    readonly amount: Price | null;
    readonly error: { readonly message: string } | null;
    readonly left: Price | null;
  }): Markup {
    return html`<li>
      ${moneyLine(entry)}
      ${entry.error === null ? '' : html`<p class="small">${entry.error.message}</p>`}
      ${entry.kind === 'session' ? '' : newsOf(entry.id)}
      ${entry.status === 'unknown' ? unknownPanel(booking, entry, portalUrl) : ''}
      ${entry.left === null || entry.left.value <= 0 ? '' : reverseForm(booking, { ...entry, left: entry.left, form })}
    </li>`;
  }

  function newsOf(id: string): Markup {
    const news = booking.news[id];
    return news === undefined
      ? html``
      : html`<p class="small">Reported by webhook at ${formatTime(news.at)}: <code>${news.type}</code></p>`;
  }
}

function moneyLine({ what, amount, status }: { what: string; amount: Price | null; status: string }): Markup {
  return html`<p class="money-line"><span>${what}</span> <strong>${amount === null ? '' : formatMoney(amount)}</strong> ${statusBadge(status)}</p>`;
}

function cardOnFile({ brand, maskedCard, expires, from, since }: StoredCard): Markup {
  return html`<section class="card card-on-file">
    <h2>Card on file</h2>
    <p class="card-face"><strong>${brand}</strong> <span>${shortCard(maskedCard)}</span></p>
    <dl class="details">
      ${expires === null ? '' : html`<dt>Expires</dt><dd>${formatMonth(expires)}</dd>`}
      <dt>From</dt><dd>${from === 'guest' ? 'the guest, on the payment page' : 'the desk, keyed in'}</dd>
      ${since === null ? '' : html`<dt>Since</dt><dd>${formatTime(since)}</dd>`}
    </dl>
  </section>`;
}

function chargeCard({ booking, canChargeNoShow, form }: DeskBooking): Markup {
  const action = `/desk/${booking.id}/charge`;
  const key = html`<input type="hidden" name="key" value="${chargeKey(booking)}">`;
  return html`<section class="card">
    <h2>Charge the card on file</h2>
    <form class="grid charge" method="post" action="${action}">
      ${key}
      <div class="field">
        <label for="charge-amount">Amount in ${booking.total.currency}</label>
        <input id="charge-amount" name="amount" inputmode="decimal" autocomplete="off" value="${form.payment === undefined ? (form.amount ?? '') : ''}" placeholder="${plain(dueNow(booking) ?? booking.total)}" required>
      </div>
      <div class="field">
        <label for="charge-reason">Reason</label>
        <select id="charge-reason" name="reason">
          ${REASONS.map(([value, text]) => html`<option value="${value}" ${form.reason === value ? html`selected` : ''}>${text}</option>`)}
        </select>
      </div>
      <div class="field whole-row">
        <label for="charge-text">Note for the statement, if any</label>
        <input id="charge-text" name="text" maxlength="40" autocomplete="off" value="${form.text ?? ''}">
      </div>
      <button class="primary" type="submit">Charge</button>
    </form>
    ${
      canChargeNoShow
        ? html`<form class="no-show" method="post" action="${action}">
            ${key}
            <input type="hidden" name="reason" value="no_show">
            <button class="secondary" type="submit">No-show: charge ${formatMoney(noShowFee(booking))}</button>
          </form>`
        : html`<p class="small">A no-show can be charged from ${formatTime(noShowFrom(booking))} on.</p>`
    }
  </section>`;
}

const REASONS = [
  ['deposit', 'Deposit'],
  ['balance', 'Balance of the stay'],
  ['late_charge', 'Late charge'],
  ['other', 'Something else'],
] as const;

function linkCard({ booking, link }: DeskBooking): Markup {
  return html`<section class="card">
    <h2>Pay by link</h2>
    ${
      link === null
        ? html`<p class="small">For a guest on the phone, or one at the desk who wants to pay on their own phone.</p>
            <form method="post" action="/desk/${booking.id}/link"><button class="secondary" type="submit">Make a link and a QR code</button></form>`
        : html`<p><a href="${link.url}">Open the payment page</a></p>
            <p class="qr"><img src="${link.qrUrl}" width="180" height="180" alt="QR code of the payment page"></p>`
    }
  </section>`;
}

function reverseForm(
  booking: Booking,
  payment: {
    readonly id: string;
    readonly attempt?: number;
    readonly left: Price;
    readonly form: DeskBooking['form'];
  },
): Markup {
  const { id, attempt, left, form } = payment;
  const number = attempt === undefined ? '' : String(attempt);
  const field = attempt === undefined ? `amount-${id}` : `amount-${id}-${attempt}`;
  const typed = form.payment === id && (form.attempt ?? '') === number ? (form.amount ?? '') : '';
  return html`<form class="inline" method="post" action="/desk/${booking.id}/reverse">
    <input type="hidden" name="key" value="${booking.id}-reverse-${booking.reversalIds.length}">
    <input type="hidden" name="payment" value="${id}">
    ${number === '' ? '' : html`<input type="hidden" name="attempt" value="${number}">`}
    <label for="${field}">Amount to give back in ${left.currency}. Leave it empty to give back all ${formatMoney(left)} that is left.</label>
    <input id="${field}" name="amount" inputmode="decimal" autocomplete="off" value="${typed}" placeholder="${plain(left)}">
    <button class="secondary" type="submit">Reverse</button>
  </form>`;
}

// The key is fixed when the page is made. The same page sent twice repeats one operation, and so does a page made after an
// answer got lost, since the booking has not learned of a new operation yet.
function chargeKey(booking: Booking): string {
  return `${booking.id}-charge-${booking.chargeIds.length}`;
}

/** With the surcharge, once it is paid. */
function paidOrAsked({ amount, result }: Pick<CheckoutAttempt, 'amount' | 'result'>): Price | null {
  return result?.kind === 'payment' ? result.total : amount;
}

function leftOfAttempt({ result, reversed, reversing }: CheckoutAttempt): Price | null {
  if (result?.kind !== 'payment' || result.transactionId === null) return null;
  return minus(result.total, [reversed, reversing]);
}

function leftOfCharge({ status, transactionId, amount, reversed, reversing }: Charge): Price | null {
  // The proxy reverses by transaction: without one there is nothing it could name.
  return status === 'succeeded' && transactionId !== null ? minus(amount, [reversed, reversing]) : null;
}

function minus(total: Price, parts: ReadonlyArray<Price | null>): Price {
  return { ...total, value: parts.reduce((left, part) => left - (part?.value ?? 0), total.value) };
}

function plain(price: Price): string {
  return (price.value / 100).toFixed(2);
}

/** `2031-12-31…` → `12/31`, as on the card. */
function formatMonth(date: string): string {
  const [, year, month] = /^\d\d(\d\d)-(\d\d)/.exec(date) ?? [];
  return year === undefined || month === undefined ? date : `${month}/${year}`;
}
