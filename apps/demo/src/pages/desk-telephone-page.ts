import { html } from 'hono/html';
import { formatMoney } from '../booking/format.ts';
import { HOTEL_CURRENCY, ROOMS } from '../booking/rooms.ts';
import { deskLayout } from './desk-layout.ts';
import { described, field } from './form-field.ts';
import type { Markup } from './layout.ts';
import { stayFields } from './stay-fields.ts';

/**
 * A booking by telephone: staff key in the card. What was typed into the card fields is never shown again, not even after an
 * error or with Back: its script empties them when the page is left. `autocomplete` is off, since a browser at the desk must not
 * remember its guests' cards.
 */
export function deskTelephonePage(input: {
  form: Readonly<Record<string, string>>;
  errors: Readonly<Record<string, string>>;
  problem?: string | null;
  today: string;
}): Markup {
  const { form, errors, problem = null, today } = input;
  const hasProblem = problem !== null || Object.keys(errors).length > 0;
  const cardField = (name: 'card_number' | 'expiry' | 'cvc', label: string, attributes: Markup): Markup =>
    field(
      name,
      label,
      errors[name],
      html`<input id="${name}" name="${name}" inputmode="numeric" autocomplete="off" ${attributes} ${described(name, errors[name])}>`,
    );
  return deskLayout({
    title: 'Telephone booking',
    place: '/desk/telephone',
    scripts: ['/public/desk-telephone.js'],
    body: html`<h1>Telephone booking</h1>
      <p class="lead">The guest reads out the card details and you key them in. The hotel keeps a token it can charge, never the card number.</p>
      <p><strong>Test cards only</strong>, such as <code>4242 4242 4242 4242</code>: the demo’s payment service refuses every other number.</p>
      ${
        hasProblem
          ? html`<p class="notice-problem" role="alert">${problem ?? 'Something is missing.'} The card wasn’t saved: key it in again.</p>`
          : ''
      }
      <form class="stack telephone" method="post" action="/desk/telephone" autocomplete="off" novalidate>
        <fieldset class="card">
          <legend>Stay</legend>
          <div class="grid">
          ${stayFields({ form, errors, today, nameLabel: 'Guest’s name', nameAutocomplete: 'off' })}
          ${field(
            'room',
            'Room',
            errors.room,
            html`<select id="room" name="room" ${described('room', errors.room)}>
              ${ROOMS.map(
                (room) =>
                  html`<option value="${room.id}" ${form.room === room.id ? html`selected` : ''}>${room.name}, ${formatMoney({ value: room.nightlyRate, currency: HOTEL_CURRENCY })}</option>`,
              )}
            </select>`,
          )}
          </div>
        </fieldset>
        <fieldset class="card" data-card>
          <legend>Card</legend>
          <div class="grid">
          ${cardField('card_number', 'Card number', html`maxlength="23" required`)}
          ${cardField('expiry', 'Expires', html`maxlength="7" placeholder="12/31" required`)}
          ${cardField('cvc', 'Security code', html`maxlength="4"`)}
          </div>
        </fieldset>
        <aside class="note" aria-label="What this costs">
          <strong>What this costs.</strong> With the payment page, no system of the hotel sees a card number. With this form
          the desk’s computers, this server and the proxy do: all of them are in scope for PCI DSS, with a far longer
          questionnaire. A payment link avoids that.
        </aside>
        <div><button class="primary" type="submit">Book and save the card</button></div>
      </form>`,
  });
}
