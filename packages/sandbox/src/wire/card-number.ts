/** Card brand as the upstream API names it: a numeric code and a textual one. */
export interface CardBrand {
  readonly cardType: string;
  readonly cardTypeCode: string;
}

/** A card as the sandbox remembers it: the mask and the brand, never the number. */
export interface MaskedCard extends CardBrand {
  /** First 6 digits, six dots, last 4 digits. */
  readonly cardNo: string;
}

const BRANDS: readonly (CardBrand & { readonly pattern: RegExp })[] = [
  { pattern: /^3[47]/, cardType: '3', cardTypeCode: 'AMEX' },
  { pattern: /^4/, cardType: '4', cardTypeCode: 'VISA' },
  { pattern: /^(5[1-5]|2[2-7])/, cardType: '5', cardTypeCode: 'MASTERCARD' },
  { pattern: /^(30|36|38)/, cardType: '6', cardTypeCode: 'DINERS' },
  { pattern: /^35/, cardType: '7', cardTypeCode: 'JCB' },
];
const OTHER_BRAND: CardBrand = { cardType: '0', cardTypeCode: 'OTHER' };

/** Whether a string of digits passes the Luhn check that every real card number passes. */
export function passesLuhnCheck(digits: string): boolean {
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const digit = Number(digits[digits.length - 1 - index]);
    const doubled = index % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/** First 6 digits, six dots, last 4 digits, whatever the length of the number. */
export function maskCardNumber(digits: string): string {
  return `${digits.slice(0, 6)}......${digits.slice(-4)}`;
}

/** What may be kept of a card number: its mask and its brand. */
export function toMaskedCard(digits: string): MaskedCard {
  const { cardType, cardTypeCode } = BRANDS.find(({ pattern }) => pattern.test(digits)) ?? OTHER_BRAND;
  return { cardNo: maskCardNumber(digits), cardType, cardTypeCode };
}

// One run of digits, or groups as they are printed on cards. Other groups are dates and references. The first digits exclude instants
// and dates (they begin with 1 and 20), which hotels and test suites use as references.
const CARD_NUMBER_SHAPE =
  /(?<!\d)(?!20)(?:[2-6]\d{12,18}|[2-6]\d{3}([ -])\d{4}\1\d{4}\1\d{1,4}|3\d{3}([ -])\d{6}\2\d{4,5})(?!\d)/g;

/** Replaces everything that looks like a card number with its mask: free text ends up in ledger rows, records and logs. */
export function maskCardNumbersIn(text: string): string {
  return text.replace(CARD_NUMBER_SHAPE, (shape) => {
    const digits = shape.replace(/\D/g, '');
    return passesLuhnCheck(digits) ? maskCardNumber(digits) : shape;
  });
}
