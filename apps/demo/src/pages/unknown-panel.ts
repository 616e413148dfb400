import { html } from 'hono/html';
import type { Booking, Price } from '../booking/booking.ts';
import { formatMoney } from '../booking/format.ts';
import type { Markup } from './layout.ts';

/** An operation whose outcome nobody knows. */
export interface UnknownOutcome {
  readonly kind: 'session' | 'charge' | 'reversal';
  readonly id: string;
  /** Of a session, which attempt. */
  readonly attempt?: number;
  readonly amount: Price | null;
}

const DO_NOT: Readonly<Record<UnknownOutcome['kind'], string>> = {
  session: 'Do not ask the guest to pay again.',
  charge: 'Do not charge the card again.',
  reversal: 'Do not give the money back again.',
};

/** What to look at, and the form that settles it with what was found. */
export function unknownPanel(booking: Booking, outcome: UnknownOutcome, portalUrl: string | null): Markup {
  const { kind, attempt, amount } = outcome;
  // The payment service knows an attempt by this name.
  const id = attempt === undefined ? outcome.id : `${outcome.id}-${attempt}`;
  return html`<div class="unknown">
    <p><strong>Money may have moved. ${DO_NOT[kind]}</strong> Find out what happened:</p>
    <ol>
      <li>Open ${portalUrl === null ? 'the payment service’s portal' : html`<a href="${portalUrl}">the payment service’s records</a>`}.</li>
      <li>${WHERE_TO_LOOK[kind]({ id, reference: booking.reference, amount: amount === null ? 'the card' : formatMoney(amount) })}</li>
      <li>Write down what you saw, and say how it ended. What you write is kept with the payment.</li>
    </ol>
    ${
      kind === 'session'
        ? html`<form method="post" action="/desk/${booking.id}/refresh"><button class="secondary" type="submit">Ask the proxy to check again</button></form>`
        : ''
    }
    <form class="resolve" method="post" action="/desk/${booking.id}/resolve">
      <input type="hidden" name="id" value="${outcome.id}">
      ${attempt === undefined ? '' : html`<input type="hidden" name="attempt" value="${attempt}">`}
      <div class="field">
        <label for="evidence-${id}">Evidence</label>
        <input id="evidence-${id}" name="evidence" maxlength="200" placeholder="Record shows …" required>
      </div>
      ${
        kind === 'reversal'
          ? ''
          : html`<div class="field">
              <label for="transaction-${id}">Transaction number, if it went through</label>
              <input id="transaction-${id}" name="transactionId" maxlength="60" autocomplete="off">
            </div>`
      }
      <div class="buttons">
        <button class="secondary" type="submit" name="status" value="succeeded">It went through</button>
        <button class="secondary" type="submit" name="status" value="failed">It did not</button>
      </div>
    </form>
  </div>`;
}

interface Clue {
  readonly id: string;
  readonly reference: string;
  readonly amount: string;
}

const WHERE_TO_LOOK: Readonly<Record<UnknownOutcome['kind'], (clue: Clue) => Markup>> = {
  session: ({ id, reference, amount }) =>
    html`Look for a payment with reference <code>${reference}</code> or <code>${id}</code>. Is it there, and is it ${amount}?`,
  charge: ({ id, amount }) => html`Look for a payment of ${amount} whose text begins with <code>${id}</code>.`,
  reversal: ({ reference, amount }) =>
    html`Look at the payment with reference <code>${reference}</code>. Was ${amount} of it given back?`,
};
