import { describe, expect, it } from 'vitest';
import { parseAmount } from './amount.ts';

describe('parseAmount', () => {
  it.each([
    [{ amount: ['120.00', 'EUR'] }, { value: 12_000, currency: 'EUR' }],
    [{ amount: ['120.00 EUR'] }, { value: 12_000, currency: 'EUR' }],
    [
      { amount: ['120.00'], currency: 'EUR' },
      { value: 12_000, currency: 'EUR' },
    ],
    [{ amount: ['0.1', 'eur'] }, { value: 10, currency: 'EUR' }],
    [{ amount: ['1500', 'JPY'] }, { value: 1500, currency: 'JPY' }],
    [{ amount: ['1.234', 'KWD'] }, { value: 1234, currency: 'KWD' }],
    [{ amount: ['90071992547409.91', 'EUR'] }, { value: Number.MAX_SAFE_INTEGER, currency: 'EUR' }],
    [{}, undefined],
  ])('reads %j', (flags, money) => {
    expect(parseAmount(flags)).toEqual(money);
  });

  it.each([
    [{ amount: ['120,00', 'EUR'] }, 'cannot be read'],
    [{ amount: ['1e3', 'EUR'] }, 'cannot be read'],
    [{ amount: ['1.005', 'EUR'] }, 'at most 2 decimals'],
    [{ amount: ['1.5', 'JPY'] }, 'at most 0 decimals'],
    [{ amount: ['90071992547409.92', 'EUR'] }, 'too large'],
    [{ amount: ['0.00', 'EUR'] }, 'not more than zero'],
    [{ amount: ['-5', 'EUR'] }, 'not more than zero'],
    [{ amount: ['5', 'XXQ'] }, 'ISO 4217'],
    [{ amount: ['120.00'] }, 'has no currency'],
    [{ amount: ['120.00', 'EUR', 'cs_1'] }, 'more than an amount and a currency'],
    [{ amount: ['120.00', 'EUR'], currency: 'USD' }, '--currency says USD'],
    [{ currency: 'EUR' }, 'without --amount'],
  ])('refuses %j', (flags, message) => {
    expect(() => parseAmount(flags)).toThrow(message);
  });

  it('names the option that it read', () => {
    for (const text of ['1.005 EUR', '0 EUR', '5', '5 EUR EUR'])
      expect(() => parseAmount({ amount: [text] }, '--max-reversal "120.00 EUR"')).toThrow(/^--max-reversal: “/);
  });
});
