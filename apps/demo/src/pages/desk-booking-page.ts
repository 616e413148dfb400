import { html } from 'hono/html';
import { type Booking, noShowFee } from '../booking/booking.ts';
import { formatMoney } from '../booking/format.ts';
import type { Account } from '../payments.ts';
import { bookingSummary } from './booking-page.ts';
import { statusBadge } from './desk-page.ts';
import { layout, type Markup } from './layout.ts';

/** What the desk was told after its last action. */
export interface DeskNotice {
  readonly isProblem: boolean;
  readonly text: string;
}

/** One booking at the reception desk: charge the stored card, give money back, send a link, settle what is unknown. */
export function deskBookingPage(input: {
  booking: Booking;
  account: Account;
  link: { readonly url: string; readonly qrUrl: string } | null;
  notice: DeskNotice | null;
}): Markup {
  const { booking, account, link, notice } = input;
  const { session, charges, reversals } = account;
  const isPaid = session?.kind === 'payment' && session.status === 'succeeded';
  const hasCard = session?.kind === 'card' && session.status === 'succeeded';
  const isPayable = session !== null && (session.status === 'open' || session.status === 'pending');
  return layout({
    title: `${booking.reference} at the desk`,
    body: html`<main class="narrow">
      <p><a href="/desk">Reception desk</a></p>
      <h1>${booking.reference}</h1>
      ${notice === null ? '' : html`<p class="${notice.isProblem ? 'notice-problem' : 'notice-good'}" role="status">${notice.text}</p>`}
      <div class="two">
        ${bookingSummary(booking)}
        <div class="stack">
          <section class="card">
            <h2>Payments</h2>
            ${session === null ? html`<p>None yet.</p>` : moneyRow({ ...session, what: session.kind === 'card' ? 'Card on file' : 'Hosted payment' })}
            ${charges.map((charge) => moneyRow({ ...charge, what: `Charge, ${charge.reason.replace('_', ' ')}` }))}
            ${reversals.map((reversal) => moneyRow({ ...reversal, what: 'Reversal' }))}
          </section>
          ${
            hasCard
              ? html`<section class="card">
                  <h2>Charge the card on file</h2>
                  <form class="inline" method="post" action="/desk/${booking.id}/charge">
                    <input type="hidden" name="key" value="${chargeKey(booking, 'no_show')}">
                    <input type="hidden" name="reason" value="no_show">
                    <button class="primary" type="submit">No-show: charge ${formatMoney(noShowFee(booking))}</button>
                  </form>
                  <form class="inline" method="post" action="/desk/${booking.id}/charge">
                    <input type="hidden" name="key" value="${chargeKey(booking, 'balance')}">
                    <input type="hidden" name="reason" value="balance">
                    <button class="secondary" type="submit">Charge the stay, ${formatMoney(booking.total)}</button>
                  </form>
                </section>`
              : ''
          }
          ${isPaid ? reverseForm(booking, session.id) : ''}
          ${charges.filter((charge) => charge.status === 'succeeded').map((charge) => reverseForm(booking, charge.id))}
          ${
            isPayable
              ? html`<section class="card">
                  <h2>Pay by link</h2>
                  ${
                    link === null
                      ? html`<form method="post" action="/desk/${booking.id}/link"><button class="secondary" type="submit">Make a link and a QR code</button></form>`
                      : html`<p><a href="${link.url}">Open the payment page</a></p>
                          <p><img src="${link.qrUrl}" width="180" height="180" alt="QR code of the payment page"></p>`
                  }
                </section>`
              : ''
          }
        </div>
      </div>
    </main>`,
  });

  function moneyRow(row: {
    readonly id: string;
    readonly what: string;
    readonly status: string;
    readonly amount: { readonly value: number; readonly currency: string } | null;
    readonly error: { readonly code: string; readonly message: string } | null;
  }): Markup {
    return html`<div class="money">
      <p><strong>${row.what}</strong> ${row.amount === null ? '' : formatMoney(row.amount)} ${statusBadge(row.status)}</p>
      ${row.error === null ? '' : html`<p class="small">${row.error.message}</p>`}
      ${row.status === 'unknown' ? resolveForm(row.id) : ''}
    </div>`;
  }

  function resolveForm(id: string): Markup {
    return html`<form class="resolve" method="post" action="/desk/${booking.id}/resolve">
      <input type="hidden" name="id" value="${id}">
      <label for="evidence-${id}">What did the payment service’s own portal show?</label>
      <input id="evidence-${id}" name="evidence" maxlength="200" required>
      <button class="secondary" type="submit" name="status" value="succeeded">It went through</button>
      <button class="secondary" type="submit" name="status" value="failed">It did not</button>
    </form>`;
  }
}

// The key is fixed when the page is made. The same page sent twice repeats one operation, and so does a page made after an
// answer got lost, since the booking has not learned of a new operation yet.
function chargeKey(booking: Booking, reason: string): string {
  return `${booking.id}-${reason}-${booking.chargeIds.length}`;
}

function reverseForm(booking: Booking, payment: string): Markup {
  const key = `${booking.id}-reverse-${booking.reversalIds.length}`;
  return html`<section class="card">
    <h2>Give money back</h2>
    <form class="inline" method="post" action="/desk/${booking.id}/reverse">
      <input type="hidden" name="key" value="${key}">
      <input type="hidden" name="payment" value="${payment}">
      <label for="amount-${payment}">Amount in ${booking.total.currency}, empty for all that is left</label>
      <input id="amount-${payment}" name="amount" inputmode="decimal" placeholder="50.00">
      <button class="secondary" type="submit">Reverse</button>
    </form>
  </section>`;
}
