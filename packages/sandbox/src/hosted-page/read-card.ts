import { endOfMonth, hasExpired } from '../bookkeeping/book-token.ts';
import type { SubmittedCard } from '../domain/ledger.ts';
import { isTestCard, scenarioOfCard } from '../scenarios/magic-table.ts';
import { maskCardNumbersIn, toMaskedCard } from '../wire/card-number.ts';
import type { World } from '../world/world.ts';
import type { CardField } from './card-form.ts';

/** What a guest entered: a card without its number, or what is wrong with it. */
export type CardEntry =
  | { readonly isValid: true; readonly card: SubmittedCard }
  | { readonly isValid: false; readonly errors: ReadonlyMap<CardField, string> };

/** Reads the card form. The number and the security code do not leave this function. */
export function readCard(world: World, form: URLSearchParams): CardEntry {
  const cardNumber = (form.get('cardNumber') ?? '').replace(/[ -]/g, '');
  const cardholder = maskCardNumbersIn((form.get('cardholder') ?? '').trim().slice(0, 100));
  const valid = toDate(form.get('expiry') ?? '');
  const errors = new Map<CardField, string>();
  if (!/^\d{12,19}$/.test(cardNumber)) errors.set('cardNumber', 'Enter the card number, 12 to 19 digits.');
  else if (!isTestCard(cardNumber))
    errors.set('cardNumber', 'This simulator accepts only its test cards. Please never enter a real card.');
  if (valid === undefined) errors.set('expiry', 'Enter month and year as MM/YY.');
  else if (hasExpired(world, valid)) errors.set('expiry', 'This card has expired.');
  if (!/^\d{3,4}$/.test((form.get('cvc') ?? '').trim())) errors.set('cvc', 'Enter the security code, 3 or 4 digits.');
  if (valid === undefined || errors.size > 0) return { isValid: false, errors };
  const cardScenario = scenarioOfCard(cardNumber).name;
  return { isValid: true, card: { card: toMaskedCard(cardNumber), cardScenario, cardholder, valid } };
}

/** `MM/YY` or `MM/YYYY` → last day of that month. */
function toDate(expiry: string): string | undefined {
  const [, month, year] = /^(0?[1-9]|1[0-2])[/.-]?(20\d{2}|\d{2})$/.exec(expiry.replaceAll(/\s/g, '')) ?? [];
  if (month === undefined || year === undefined) return undefined;
  return endOfMonth(`${year.length === 2 ? `20${year}` : year}-${month.padStart(2, '0')}-01`);
}
