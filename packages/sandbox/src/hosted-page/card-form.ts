import { html } from 'hono/html';
import { MAGIC_ROWS } from '../scenarios/magic-table.ts';
import type { Markup } from './layout.ts';

export type CardField = 'cardNumber' | 'expiry' | 'cvc';

/** What is shown in the card form. Number and security code are never shown again. */
export interface CardFormView {
  readonly isPayment: boolean;
  readonly action: string;
  /** Label of the main button. */
  readonly submitLabel: string;
  readonly values: { readonly expiry: string; readonly cardholder: string };
  readonly errors: ReadonlyMap<CardField, string>;
}

interface Field {
  readonly id: CardField | 'cardholder';
  readonly label: string;
  readonly hint?: string;
  readonly attributes: Markup;
  readonly value?: string;
}

/** The form that takes a card, and the simulator's own tools below it. One form, so that no script is needed. */
export function cardForm(view: CardFormView): Markup {
  const { errors } = view;
  const field = (description: Field): Markup =>
    inputFor(description, description.id === 'cardholder' ? undefined : errors.get(description.id));
  return html`<form method="post" action="${view.action}" autocomplete="on" novalidate>
${errorSummary(view)}
${field({
  id: 'cardNumber',
  label: 'Card number',
  attributes: html`required inputmode="numeric" autocomplete="cc-number" maxlength="23"`,
})}
<div class="pair">
${field({
  id: 'expiry',
  label: 'Expiry',
  hint: 'MM/YY',
  attributes: html`required inputmode="numeric" autocomplete="cc-exp" maxlength="7"`,
  value: view.values.expiry,
})}
${field({
  id: 'cvc',
  label: 'Security code',
  attributes: html`required inputmode="numeric" autocomplete="cc-csc" maxlength="4"`,
})}
</div>
${field({
  id: 'cardholder',
  label: 'Name on card',
  hint: 'optional',
  attributes: html`autocomplete="cc-name" maxlength="100"`,
  value: view.values.cardholder,
})}
<button class="primary" type="submit" name="action" value="pay">${view.submitLabel}</button>
<button class="quiet" type="submit" name="action" value="cancel">Cancel and go back</button>
</form>`;
}

/** Test cards and the button that declines: below the page, so that nobody takes them for part of a real one. */
export function simulatorTools({ isPayment, action }: CardFormView): Markup {
  const cards = MAGIC_ROWS.filter(({ lever }) => lever === 'card').map(
    ({ input, effect }) =>
      html`<li><p><code>${grouped(input)}</code></p><button class="plain scripted" type="button" data-card="${grouped(input)}" aria-label="Use ${grouped(input)}">Use</button><p>${effect}</p></li>`,
  );
  return html`<section class="tools" aria-labelledby="tools">
<h2 id="tools">Simulator tools</h2>
<form method="post" action="${action}"><button class="plain" type="submit" name="action" value="decline">${isPayment ? 'Decline this payment' : 'Decline this card'}</button></form>
<details><summary>Test cards</summary>
<p class="hint">Any future date, any security code and any name (or none) will do.</p>
<ul class="cards">${cards}</ul>
<p class="hint">Amounts and names can do the same: see the table of magic inputs in the sandbox’s README.</p>
</details>
</section>`;
}

function errorSummary({ errors }: CardFormView): Markup | undefined {
  if (errors.size === 0) return undefined;
  const items = [...errors].map(([id, message]) => html`<li><a href="#${id}">${message}</a></li>`);
  return html`<div class="errors" role="alert"><p>Please check what you entered:</p><ul>${items}</ul></div>`;
}

function inputFor({ id, label, hint, attributes, value }: Field, error: string | undefined): Markup {
  const hintText = hint === undefined ? undefined : html` <span>${hint}</span>`;
  const state = error === undefined ? undefined : html` aria-invalid="true" aria-describedby="${id}-error"`;
  const message = error === undefined ? undefined : html`<p class="error" id="${id}-error">${error}</p>`;
  return html`<div class="field"><label for="${id}">${label}${hintText}</label>
<input id="${id}" name="${id}" type="text" value="${value ?? ''}" ${attributes}${state}>${message}</div>`;
}

function grouped(cardNumber: string): string {
  return cardNumber.replace(/(\d{4})(?=\d)/g, '$1 ');
}
