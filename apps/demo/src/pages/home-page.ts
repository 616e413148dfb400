import { html } from 'hono/html';
import { MAX_NIGHTS, type Plan, type StayErrors } from '../booking/booking.ts';
import { formatMoney, formatNights } from '../booking/format.ts';
import { HOTEL_CURRENCY, ROOMS } from '../booking/rooms.ts';
import { layout, type Markup } from './layout.ts';

const PLAN_TEXTS: Readonly<Record<Plan, string>> = {
  full: 'Pay the whole stay now',
  deposit: 'Pay a deposit of 30 % now',
  guarantee: 'Leave a card, pay at the hotel',
};

/** The hotel's front page: choose a room and a date. A plain form; it works without JavaScript. */
export function homePage(input: { form: Readonly<Record<string, string>>; errors: StayErrors; today: string }): Markup {
  const { form, errors } = input;
  return layout({
    title: 'Book your stay',
    body: html`<main class="wide">
      <section class="hero">
        <div>
          <h1>Sleep under the northern lights</h1>
          <p>Twelve rooms at the end of the lake road. Book in a minute, pay safely.</p>
        </div>
      </section>
      <form class="book" method="post" action="/bookings" novalidate>
        <fieldset class="rooms">
          <legend>Choose your room</legend>
          ${errors.room === undefined ? '' : fieldError('room', errors.room)}
          ${ROOMS.map(
            (room) => html`<label class="room room-${room.id}">
              <input type="radio" name="room" value="${room.id}" ${form.room === room.id ? html`checked` : ''} required>
              <span class="room-picture" aria-hidden="true"></span>
              <span class="room-name">${room.name}</span>
              <span class="room-text">${room.description}</span>
              <span class="room-price">${formatMoney({ value: room.nightlyRate, currency: HOTEL_CURRENCY })} <small>per night</small></span>
            </label>`,
          )}
        </fieldset>
        <fieldset class="plans">
          <legend>Secure your booking</legend>
          ${errors.plan === undefined ? '' : fieldError('plan', errors.plan)}
          ${Object.entries(PLAN_TEXTS).map(
            ([plan, text]) => html`<label class="plan">
              <input type="radio" name="plan" value="${plan}" ${form.plan === plan ? html`checked` : ''} required>
              <span>${text}</span>
            </label>`,
          )}
        </fieldset>
        <div class="fields">
          ${field('guest', 'Your name', errors.guest, html`<input id="guest" name="guest" autocomplete="name" maxlength="60" value="${form.guest ?? ''}" ${described('guest', errors.guest)} required>`)}
          ${field('arrival', 'Arrival', errors.arrival, html`<input id="arrival" name="arrival" type="date" min="${input.today}" value="${form.arrival ?? ''}" ${described('arrival', errors.arrival)} required>`)}
          ${field(
            'nights',
            'Nights',
            errors.nights,
            html`<select id="nights" name="nights" ${described('nights', errors.nights)}>
              ${Array.from({ length: MAX_NIGHTS }, (_, index) => index + 1).map(
                (nights) =>
                  html`<option value="${nights}" ${form.nights === String(nights) ? html`selected` : ''}>${formatNights(nights)}</option>`,
              )}
            </select>`,
          )}
          <button class="primary" type="submit">Continue to payment</button>
        </div>
      </form>
    </main>`,
  });
}

function field(name: string, label: string, error: string | undefined, control: Markup): Markup {
  return html`<div class="field"><label for="${name}">${label}</label>${control}${error === undefined ? '' : fieldError(name, error)}</div>`;
}

function fieldError(name: string, text: string): Markup {
  return html`<p class="error" id="${name}-error">${text}</p>`;
}

function described(name: string, error: string | undefined): Markup | string {
  return error === undefined ? '' : html`aria-invalid="true" aria-describedby="${name}-error"`;
}
