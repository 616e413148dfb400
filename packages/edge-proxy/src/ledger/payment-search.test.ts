import { currencyCodes, minorUnitDigits } from '@innkeep/core/values';
import { describe, expect, test } from 'vitest';
import { amountsIn, readSearch } from './payment-search.ts';

describe('an amount', () => {
  test.each([
    ['330', ['330']],
    ['330,00', ['330']],
    ['330.00', ['330']],
    ['1.330,00', ['1330']],
    ['1,330.00', ['1330']],
    ['1 330,00', ['1330']],
    ['1\u00a0330,50', ['1330.5']],
    ['1’330.50', ['1330.5']],
    ['1.330', ['1330', '1.33']],
    ['1,330', ['1.33', '1330']],
    ['1.234.567', ['1234567']],
    ['0,5', ['0.5']],
    ['007', ['7']],
    ['330 EUR', ['330']],
    ['€ 330', ['330']],
    ['EUR 330,00', ['330']],
    ['٣٣٠٫٥٠', ['330.5']],
    ['١٬٣٣٠', ['1330', '1.33']],
    ['۳۳۰', ['330']],
    ['၃၃၀', ['330']],
    ['CA$330.00', ['330']],
    ['330,00 R$', ['330']],
    ['330,00 kr.', ['330']],
    ['F CFA 1,330', ['1.33', '1330']],
    ['R 330,00', ['330']],
    ['CHF 330.-', ['330']],
    ['330,– €', ['330']],
    ['₹3,30,000.00', ['330000']],
    ['12,34,56,789', ['123456789']],
    ['\u200f330.00\u00a0€', ['330']],
    ['\u200f١٬٣٣٠٫٠٠\u00a0ج.م.\u200f', ['1330']],
  ])('written as %s is read', (text, amounts) => {
    expect(amountsIn(text)).toEqual(amounts);
  });

  test.each(['', 'RES-330', '33,0,0', '1.33.00', '1,2345', '1.330.00', '-5', '3e2', ',50', '3,30,00', 'A330', '330-1'])(
    '%j is none',
    (text) => {
      expect(amountsIn(text)).toEqual([]);
    },
  );
});

test.each('en en-CA en-IN en-SE en-ZA de de-AT de-CH ar ar-EG ar-AE ar-MA fr fr-CA fr-CH bn mr'.split(' '))(
  'every amount is found as %s writes it',
  (locale) => {
    // Four decimals have only units of account, in which nobody pays.
    const paid = [...currencyCodes()].filter((currency) => minorUnitDigits(currency) < 4);
    const missed = paid.flatMap((currency) => {
      const decimals = minorUnitDigits(currency);
      const shown = new Intl.NumberFormat(locale, {
        style: 'currency',
        currency,
        minimumFractionDigits: decimals,
        maximumFractionDigits: decimals,
      }).format(1_234_567);
      return amountsIn(shown.normalize('NFKC').trim()).includes('1234567') ? [] : [shown];
    });
    expect(missed).toEqual([]);
  },
);

const listsOf = (text: string) => {
  const search = readSearch(text);
  return 'id' in search ? search.id : search.readings.map(({ list, isPrefix }) => `${list}${isPrefix ? '…' : ''}`);
};

test.each([
  ['res-12', ['r:RES-12', 'r:RES-12…']],
  ['ＲＥＳ-12 ', ['r:RES-12', 'r:RES-12…']],
  ['straße', ['r:STRASSE', 'r:STRASSE…']],
  ['4242', ['r:4242', 'c:4242', 'a:4242', 'r:4242…']],
  ['•••• 4242', ['r:•••• 4242', 'c:4242', 'r:•••• 4242…']],
  ['٤٢٤٢', ['r:٤٢٤٢', 'c:4242', 'a:4242', 'r:٤٢٤٢…']],
  ['\u200f•••• ٤٢٤٢', ['r:\u200f•••• ٤٢٤٢', 'c:4242', 'r:\u200f•••• ٤٢٤٢…']],
  ['1.330,00', ['r:1.330,00', 'a:1330', 'r:1.330,00…']],
  ['CH_01jz8m4q9t6v2x3y5a7b8c9d0e', 'ch_01JZ8M4Q9T6V2X3Y5A7B8C9D0E'],
  ['rv_01JZ8M4Q9T6V2X3Y5A7B8C9D0E', ['r:RV_01JZ8M4Q9T6V2X3Y5A7B8C9D0E', 'r:RV_01JZ8M4Q9T6V2X3Y5A7B8C9D0E…']],
])('what is typed, %s, is read in every way it can be', (text, lists) => {
  expect(listsOf(text)).toEqual(lists);
});
