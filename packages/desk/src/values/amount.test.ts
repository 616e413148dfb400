import { expect, test } from 'vitest';
import { parseAmount, writeAmount } from './amount.ts';

test.each([
  ['20', 'EUR', 'de', 2000],
  ['20,00', 'EUR', 'de', 2000],
  ['20.5', 'EUR', 'de', 2050],
  [' 20,00 € ', 'EUR', 'de', 2000],
  ['1.234,50', 'EUR', 'de', 123_450],
  ['1,234.50', 'EUR', 'de', 123_450],
  ['1.234', 'EUR', 'de', 123_400],
  ['1,234', 'EUR', 'en', 123_400],
  ['1.234.567', 'EUR', 'en', 123_456_700],
  ["1'234.50", 'CHF', 'de-CH', 123_450],
  ['EUR 7', 'EUR', 'en', 700],
  ['٢٠٫٥٠', 'EUR', 'ar-EG', 2050],
  ['1500', 'JPY', 'en', 1500],
  ['1,250', 'KWD', 'de', 1250],
  ['1,5', 'KWD', 'de', 1500],
])('reads %s %s in %s', (text, currency, locale, value) => {
  expect(parseAmount(text, currency, locale)).toBe(value);
});

test.each([
  ['', 'EUR', 'en'],
  ['0', 'EUR', 'en'],
  ['-5', 'EUR', 'en'],
  ['1.234', 'EUR', 'en'],
  ['1,234', 'EUR', 'de'],
  ['1.23.456', 'EUR', 'de'],
  ['1,234,50', 'EUR', 'en'],
  ['20,', 'EUR', 'de'],
  ['20,5', 'JPY', 'de'],
  ['1e3', 'EUR', 'en'],
  ['USD 5', 'EUR', 'en'],
  ['1.234,567,89', 'EUR', 'de'],
  ['99999999999999999', 'EUR', 'en'],
])('refuses %s %s in %s', (text, currency, locale) => {
  expect(parseAmount(text, currency, locale)).toBeUndefined();
});

test('writes an amount that it reads again', () => {
  for (const locale of ['en', 'de', 'ar', 'de-CH', 'ar-EG']) {
    for (const [value, currency] of [
      [123_450, 'EUR'],
      [1500, 'JPY'],
      [1250, 'KWD'],
    ] as const)
      expect(parseAmount(writeAmount(value, currency, locale), currency, locale)).toBe(value);
  }
});
