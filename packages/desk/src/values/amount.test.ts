import { expect, test } from 'vitest';
import { parseAmount, readAmount, writeAmount } from './amount.ts';

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
  ['١٢٫٣٤٥', 'KWD', 'ar', 12_345],
  ['١٬٢٣٤', 'KWD', 'ar', 1_234_000],
  ['١٬٢٣٤', 'EUR', 'ar-MA', 123_400],
  ['١٬٢٣٤٫٥٠', 'EUR', 'ar', 123_450],
  ['12.345', 'KWD', 'ar-KW', 12_345],
  ['12.345', 'KWD', 'ar-EG', 12_345],
  ['12.345', 'KWD', 'en', 12_345],
  ['12,345.000', 'KWD', 'en', 12_345_000],
  ['12,345,678', 'KWD', 'en', 12_345_678_000],
  ['1234,567', 'KWD', 'en', 1_234_567],
  ['0,345', 'KWD', 'en', 345],
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
  ['0.345', 'EUR', 'de'],
  ['١٢٫٣٤٥', 'EUR', 'ar'],
  ['١٢٫٣٤٫٥', 'KWD', 'ar'],
  ['١٬٢٣', 'KWD', 'ar'],
  ['1.234٬567', 'KWD', 'ar'],
])('refuses %s %s in %s', (text, currency, locale) => {
  expect(parseAmount(text, currency, locale)).toBeUndefined();
});

test.each([
  ['12,345', 'KWD', 'en'],
  ['12.345', 'KWD', 'de'],
  ['12.345', 'KWD', 'de-AT'],
  ['12,345', 'KWD', 'ar-KW'],
  ['12,345', 'KWD', 'de-CH'],
])('says of %s %s in %s which two amounts it can be', (text, currency, locale) => {
  expect(readAmount(text, currency, locale)).toEqual([12_345, 12_345_000]);
  expect(parseAmount(text, currency, locale)).toBeUndefined();
});

test('writes an amount that it reads again', () => {
  for (const locale of ['en', 'de', 'ar', 'de-CH', 'de-AT', 'ar-EG', 'ar-KW', 'ar-MA', 'fr', 'fa']) {
    for (const [value, currency] of [
      [123_450, 'EUR'],
      [1500, 'JPY'],
      [1250, 'KWD'],
    ] as const)
      expect(parseAmount(writeAmount(value, currency, locale), currency, locale)).toBe(value);
  }
});
