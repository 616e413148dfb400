import { html } from 'hono/html';
import { MAX_NIGHTS, type StayErrors } from '../booking/booking.ts';
import { formatNights } from '../booking/format.ts';
import { described, field } from './form-field.ts';
import type { Markup } from './layout.ts';

/** Who, from when, how long: the same fields for a guest and for the desk. */
export function stayFields(input: {
  form: Readonly<Record<string, string>>;
  errors: StayErrors;
  today: string;
  nameLabel: string;
  nameAutocomplete: string;
}): Markup {
  const { form, errors } = input;
  return html`${field('guest', input.nameLabel, errors.guest, html`<input id="guest" name="guest" autocomplete="${input.nameAutocomplete}" maxlength="60" value="${form.guest ?? ''}" ${described('guest', errors.guest)} required>`)}
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
    )}`;
}
