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
  ])('written as %s is read', (text, amounts) => {
    expect(amountsIn(text)).toEqual(amounts);
  });

  test.each(['', 'RES-330', '33,0,0', '1.33.00', '1,2345', '1.330.00', '-5', '3e2', ',50'])('%j is none', (text) => {
    expect(amountsIn(text)).toEqual([]);
  });
});

describe('what is typed', () => {
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
    ['1.330,00', ['r:1.330,00', 'a:1330', 'r:1.330,00…']],
    ['CH_01jz8m4q9t6v2x3y5a7b8c9d0e', 'ch_01JZ8M4Q9T6V2X3Y5A7B8C9D0E'],
    ['rv_01JZ8M4Q9T6V2X3Y5A7B8C9D0E', ['r:RV_01JZ8M4Q9T6V2X3Y5A7B8C9D0E', 'r:RV_01JZ8M4Q9T6V2X3Y5A7B8C9D0E…']],
  ])('%s is read in every way it can be', (text, lists) => {
    expect(listsOf(text)).toEqual(lists);
  });
});
