import { expect, test } from 'vitest';
import { chooseLanguage } from './language.ts';

test.each([
  [undefined, 'en', 'en'],
  ['', 'en', 'en'],
  ['*', 'en', 'en'],
  ['de', 'de', 'de'],
  ['de-CH,de;q=0.9,en;q=0.8', 'de', 'de-CH'],
  ['en;q=0.5, es-mx', 'es', 'es-MX'],
  ['pt-BR,es-419;q=0.8', 'es', 'es-419'],
  ['EN-gb', 'en', 'en-GB'],
  ['de-Latn-AT', 'de', 'de-AT'],
  ['fr-FR;q=0, it', 'it', 'it'],
  ['en-u-nu-arab', 'en', 'en'],
  ['de-"><b>', 'de', 'de'],
  ['fr-toolongforatag-', 'fr', 'fr'],
])('%j is read in %s, and its figures written as in %s', (header, language, locale) => {
  expect(chooseLanguage(header)).toEqual({ language, locale });
  expect(Intl.getCanonicalLocales(locale)).toEqual([locale]);
});

test('of a long header the beginning alone is read', () => {
  expect(chooseLanguage(`${'x,'.repeat(490)}de`).language).toBe('de');
  expect(chooseLanguage(`${'x,'.repeat(60_000)}de`).language).toBe('en');
});
