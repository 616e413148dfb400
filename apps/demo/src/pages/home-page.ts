import { html } from 'hono/html';
import type { Plan, StayErrors } from '../booking/booking.ts';
import { formatMoney } from '../booking/format.ts';
import { HOTEL_CURRENCY, ROOMS } from '../booking/rooms.ts';
import { fieldError } from './form-field.ts';
import { layout, type Markup } from './layout.ts';
import { stayFields } from './stay-fields.ts';

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
          ${stayFields({ form, errors, today: input.today, nameLabel: 'Your name', nameAutocomplete: 'name' })}
          <button class="primary" type="submit">Continue to payment</button>
        </div>
      </form>
    </main>`,
  });
}
