import { expect, it } from 'vitest';
import { CARD_BRANDS, cardBrand } from './card-brand.ts';

it.each([
  ['424242......4242', 'visa'],
  ['555555......4444', 'mastercard'],
  ['222100......0000', 'mastercard'],
  ['272099xxxxxx0000', 'mastercard'],
  ['378282......0005', 'amex'],
  ['353011......0000', 'jcb'],
  ['305693......5904', 'diners'],
  ['385200......3237', 'diners'],
  ['601111......1117', 'discover'],
  ['655555......0000', 'discover'],
  ['622260......0000', 'unionpay'],
  ['501800......0000', 'maestro'],
  ['675964......0000', 'maestro'],
])('%s is of %s', (card, brand) => {
  expect(cardBrand(card)).toBe(brand);
  expect(CARD_BRANDS).toContain(brand);
});

it.each(['', '......4242', '272100......0000', '222000......0000', '900000......0000', 'xxxx4242'])(
  '%j is of no brand that is known',
  (card) => {
    expect(cardBrand(card)).toBeUndefined();
  },
);
