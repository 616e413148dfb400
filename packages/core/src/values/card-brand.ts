/** Brands of cards, by the first digits of a masked number. */

/** The brands that can be named. */
export const CARD_BRANDS = ['visa', 'mastercard', 'maestro', 'amex', 'discover', 'diners', 'jcb', 'unionpay'] as const;

/** The brand of a card that Innkeep has a name for. */
export type CardBrand = (typeof CARD_BRANDS)[number];

// First digits as ISO/IEC 7812 issues them; the first row that fits counts.
const FIRST_DIGITS: readonly (readonly [CardBrand, RegExp])[] = [
  ['visa', /^4/],
  ['mastercard', /^(5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/],
  ['amex', /^3[47]/],
  ['diners', /^3(0[0-5]|095|[689])/],
  ['jcb', /^35(2[89]|[3-8])/],
  ['discover', /^6(011|4[4-9]|5)/],
  ['unionpay', /^62/],
  ['maestro', /^(5[06-9]|6)/],
];

/**
 * The brand of a masked card number, or undefined when its first digits do not show it. For display only: the payment
 * service's own statement counts.
 */
export function cardBrand(maskedCard: string): CardBrand | undefined {
  return FIRST_DIGITS.find(([, digits]) => digits.test(maskedCard))?.[0];
}
