import { formatMoney } from '@innkeep/widgets/localization/format';
import { expect, test } from 'vitest';
import { parseAmount, readAmount, writeAmount } from './amount.ts';

const LOCALES = 'en de ar de-CH de-AT ar-EG ar-KW ar-MA fr fa bn mr ne hi my en-IN en-DE en-FI sv'.split(' ');

test.each([
  ['20', 'EUR', 'de', 2000],
  ['20.5', 'EUR', 'de', 2050],
  [' 20,00 € ', 'EUR', 'de', 2000],
  ['1.234,50', 'EUR', 'de', 123_450],
  ['1,234.50', 'EUR', 'de', 123_450],
  ['1.234', 'EUR', 'de', 123_400],
  ['¥ 12.345', 'JPY', 'de-AT', 12_345],
  ['1,234', 'EUR', 'en', 123_400],
  ['1.234.567', 'EUR', 'en', 123_456_700],
  ["1'234.50", 'CHF', 'de-CH', 123_450],
  ['EUR 7', 'EUR', 'en', 700],
  ['1500', 'JPY', 'en', 1500],
  ['1,250', 'KWD', 'de', 1250],
  ['١٢٫٣٤٥', 'KWD', 'ar', 12_345],
  ['١٬٢٣٤', 'KWD', 'ar', 1_234_000],
  ['١٬٢٣٤', 'EUR', 'ar-MA', 123_400],
  ['١٬٢٣٤٫٥٠', 'EUR', 'ar', 123_450],
  ['12.345', 'KWD', 'ar-EG', 12_345],
  ['12.345', 'KWD', 'en', 12_345],
  ['12,345.000', 'KWD', 'en', 12_345_000],
  ['12,345,678', 'KWD', 'en', 12_345_678_000],
  ['1234,567', 'KWD', 'en', 1_234_567],
  ['3,30,000', 'INR', 'en', 33_000_000],
  ['12,34,567.5', 'INR', 'hi', 123_456_750],
  ['৩,৩০,০০০.০০৳', 'BDT', 'bn', 33_000_000],
  ['CA$330.00', 'CAD', 'en', 33_000],
  ['330.00 CAD', 'CAD', 'en', 33_000],
  ['1.234,50 kr.', 'DKK', 'da', 123_450],
  ['330.00 د.إ.', 'AED', 'ar', 33_000],
  ['1’234.50 CHF', 'CHF', 'de-CH', 123_450],
  ['1 234 567,50 €', 'EUR', 'fr', 123_456_750],
  ['1  234', 'EUR', 'fr', 123_400],
  ['20,-', 'EUR', 'de', 2000],
  ['€ 1.234,-- ', 'EUR', 'de-AT', 123_400],
  ['CHF 20.–', 'CHF', 'de-CH', 2000],
  ['1,234.-', 'KWD', 'ar', 1_234_000],
])('reads %s %s in %s', (text, currency, locale, value) => {
  expect(parseAmount(text, currency, locale)).toBe(value);
});

test.each([
  ['', 'EUR', 'en'],
  ['0', 'EUR', 'en'],
  ['-5', 'EUR', 'en'],
  ['20-', 'EUR', 'en'],
  ['1.5,-', 'EUR', 'en'],
  ['1.234', 'EUR', 'en'],
  ['1,234', 'EUR', 'de'],
  ['1.23.456', 'EUR', 'de'],
  ['20,', 'EUR', 'de'],
  ['20,5', 'JPY', 'de'],
  ['1e3', 'EUR', 'en'],
  ['USD 5', 'EUR', 'en'],
  ['99999999999999999', 'EUR', 'en'],
  ['0.345', 'EUR', 'de'],
  ['١٢٫٣٤٥', 'EUR', 'ar'],
  ['١٢٫٣٤٫٥', 'KWD', 'ar'],
  ['1.234٬567', 'KWD', 'ar'],
  ['3,30,00', 'INR', 'en-IN'],
  ['123,45,678', 'INR', 'en-IN'],
  ['0,30,000', 'INR', 'en-IN'],
  ['CA$330.00', 'USD', 'en'],
  ['330,00 kr', 'SEK', 'en'],
  ['330,00 kr 5', 'SEK', 'sv'],
  ['20€50', 'EUR', 'fr'],
  ['20 50', 'EUR', 'fr'],
  ["20'50", 'CHF', 'de-CH'],
  ['20  50', 'EUR', 'fr'],
  ["20' 50", 'CHF', 'de-CH'],
  ['20 \u200f50', 'EUR', 'ar'],
  ['20EUR50', 'EUR', 'fr'],
  ['5 K', 'ZMW', 'en-ZM'],
])('refuses %s %s in %s', (text, currency, locale) => {
  expect(parseAmount(text, currency, locale)).toBeUndefined();
});

test.each([
  ['12,345', 'KWD', 'en'],
  ['12.345', 'KWD', 'de'],
  ['12,345', 'KWD', 'ar-KW'],
  ['12,345', 'KWD', 'de-CH'],
])('says of %s %s in %s which two amounts it can be', (text, currency, locale) => {
  expect(readAmount(text, currency, locale)).toEqual([12_345, 12_345_000]);
  expect(parseAmount(text, currency, locale)).toBeUndefined();
});

test('writes an amount that it reads again', () => {
  for (const locale of LOCALES) {
    for (const [value, currency] of [
      [123_450, 'EUR'],
      [1500, 'JPY'],
      [1250, 'KWD'],
    ] as const) {
      const written = writeAmount(value, currency, locale);
      expect(written).toMatch(/^[\d.,]+$/);
      expect(parseAmount(written, currency, locale)).toBe(value);
    }
  }
});

test('reads what it shows', () => {
  for (const locale of LOCALES) {
    for (const [value, currency] of [
      [2000, 'EUR'],
      [123_456_750, 'INR'],
      [12_345, 'JPY'],
      [33_000, 'CAD'],
      [33_000_000, 'AED'],
      [12_345_500, 'BDT'],
    ] as const)
      expect([locale, parseAmount(formatMoney({ value, currency }, locale), currency, locale)]).toEqual([
        locale,
        value,
      ]);
  }
});
