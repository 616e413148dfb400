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
  const wrong = Object.entries(errors);
  return layout({
    title: 'Book your stay',
    scripts: ['/public/stay-total.js'],
    body: html`<main class="wide">
      ${wrong.length === 0 ? welcome() : problems(wrong)}
      <form class="book" id="book" method="post" action="/bookings" novalidate>
        <fieldset class="rooms" id="room">
          <legend>Choose your room</legend>
          ${errors.room === undefined ? '' : fieldError('room', errors.room)}
          ${ROOMS.map(
            (room) => html`<label class="room room-${room.id}">
              <input type="radio" name="room" value="${room.id}" data-rate="${room.nightlyRate}" ${form.room === room.id ? html`checked` : ''} required>
              <span class="room-picture" aria-hidden="true"></span>
              <span class="room-name">${room.name}</span>
              <span class="room-text">${room.description}</span>
              <span class="room-details">${room.details}</span>
              <span class="room-price">${formatMoney({ value: room.nightlyRate, currency: HOTEL_CURRENCY })} <small>per night</small></span>
            </label>`,
          )}
        </fieldset>
        <fieldset class="plans" id="plan">
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
          <div class="submit">
            <p class="stay-total" aria-live="polite" data-currency="${HOTEL_CURRENCY}"></p>
            <button class="primary" type="submit">Continue to payment</button>
          </div>
        </div>
      </form>
    </main>`,
  });
}

function welcome(): Markup {
  return html`<section class="hero">
      <div>
        <h1>Sleep under the northern lights</h1>
        <p>Twelve rooms at the end of the lake road. Book in a minute, pay safely.</p>
        <p class="hero-action"><a class="primary" href="#book">Choose your room</a></p>
      </div>
    </section>
    <ul class="promises">
      <li><strong>Breakfast included</strong> Bread from our oven, jam from the garden.</li>
      <li><strong>Quiet at night</strong> No road, no lamp, and a call when the lights come.</li>
      <li><strong>Your room is held</strong> 24 hours, while you make up your mind.</li>
    </ul>`;
}

// A guest whose form came back wants the form, not the picture.
function problems(wrong: ReadonlyArray<readonly [field: string, text: string]>): Markup {
  return html`<div class="form-head">
    <h1>Almost there</h1>
    <div class="notice-problem" role="alert">
      <ul>
        ${wrong.map(([field, text]) => html`<li><a href="#${field}">${text}</a></li>`)}
      </ul>
    </div>
  </div>`;
}
