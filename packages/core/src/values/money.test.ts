import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { currencyCodes, currencyExponent } from './currencies.ts';
import { Money, type MoneyJson } from './money.ts';
import { fromWireAmount, toWireAmount } from './wire-amount.ts';

const seed = { seed: 20260601 };
const anyCurrency = fc.constantFrom(...currencyCodes());

describe('currencyExponent', () => {
  it.each([
    ['EUR', 2],
    ['JPY', 0],
    ['ISK', 0],
    ['HUF', 2],
    ['MGA', 2],
    ['KWD', 3],
    ['CLF', 4],
    ['UYW', 4],
    ['XCG', 2],
  ])('knows that %s has %i decimals', (currency, exponent) => {
    expect(currencyExponent(currency)).toBe(exponent);
  });

  it.each(['eur', 'XXX', 'XAU', 'DEM', '', 'EURO', '__proto__', 'constructor'])('does not know %j', (code) => {
    expect(currencyExponent(code)).toBeUndefined();
  });

  it('has no code twice', () => {
    expect(currencyCodes()).toHaveLength(new Set(currencyCodes()).size);
    expect(currencyCodes().every((code) => /^[A-Z]{3}$/.test(code))).toBe(true);
    expect(currencyCodes().length).toBeGreaterThan(160);
  });
});

describe('Money', () => {
  it.each([
    ['120', 'EUR', 12000n],
    ['120.5', 'EUR', 12050n],
    ['0.01', 'EUR', 1n],
    ['-0.05', 'EUR', -5n],
    ['7', 'JPY', 7n],
    ['1.234', 'KWD', 1234n],
    ['90071992547409931.99', 'EUR', 9007199254740993199n],
  ])('parses %s %s', (decimal, currency, minor) => {
    expect(Money.parse(decimal, currency).minor).toBe(minor);
  });

  it.each([
    ['1.005', 'EUR'],
    ['1.000', 'EUR'],
    ['1.', 'EUR'],
    ['.5', 'EUR'],
    ['1e3', 'EUR'],
    ['1,00', 'EUR'],
    [' 1', 'EUR'],
    ['+1', 'EUR'],
    ['01', 'EUR'],
    ['', 'EUR'],
    ['1.0', 'JPY'],
    ['١', 'EUR'],
    ['9'.repeat(1000), 'EUR'],
  ])('refuses to parse %j %s', (decimal, currency) => {
    expect(() => Money.parse(decimal, currency)).toThrow(expect.objectContaining({ code: 'invalid_input' }));
  });

  it('refuses floats, unknown currencies and mixed currencies', () => {
    const invalid = expect.objectContaining({ code: 'invalid_input' });
    expect(() => Money.ofMinor(1.5 as unknown as bigint, 'EUR')).toThrow(invalid);
    expect(() => Money.parse(1 as unknown as string, 'EUR')).toThrow(invalid);
    expect(() => Money.ofMinor(1n, 'eur')).toThrow(invalid);
    expect(() => Money.ofMinor(1n, 'EUR').plus(Money.ofMinor(1n, 'USD'))).toThrow(invalid);
    expect(() => Money.fromJSON({ value: 1.5, currency: 'EUR' })).toThrow(invalid);
    expect(() => Money.fromJSON(null as unknown as MoneyJson)).toThrow(invalid);
    expect(() => Money.ofMinor(2n ** 53n, 'EUR').toJSON()).toThrow(invalid);
  });

  it('adds, subtracts and compares', () => {
    const left = Money.parse('120.00', 'EUR');
    const right = Money.parse('2.40', 'EUR');
    expect(left.plus(right).toString()).toBe('122.40 EUR');
    expect(right.minus(left).toDecimal()).toBe('-117.60');
    expect(left.equals(Money.ofMinor(12000n, 'EUR'))).toBe(true);
    expect(left.equals(Money.ofMinor(12000n, 'USD'))).toBe(false);
  });

  it('survives decimal text, for every currency and amount', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), anyCurrency, (minor, currency) => {
        const money = Money.ofMinor(minor, currency);
        expect(Money.parse(money.toDecimal(), currency).minor).toBe(minor);
      }),
      seed,
    );
  });

  it('survives JSON, for every currency and safe amount', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), anyCurrency, (value, currency) => {
        const json = JSON.parse(JSON.stringify(Money.ofMinor(BigInt(value), currency)));
        expect(Money.fromJSON(json).minor).toBe(BigInt(value));
      }),
      seed,
    );
  });
});

describe('amounts on the wire', () => {
  it('survive both ways in minor units, for every currency', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: BigInt(Number.MAX_SAFE_INTEGER) }), anyCurrency, (minor, currency) => {
        const digits = toWireAmount(Money.ofMinor(minor, currency), 'minor');
        expect(digits).toMatch(/^[1-9]\d*$/);
        expect(fromWireAmount(Number(digits), currency, 'minor')?.minor).toBe(minor);
      }),
      seed,
    );
  });

  it('survive both ways in major units, for every currency', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 10n ** 15n - 1n }), anyCurrency, (minor, currency) => {
        const money = Money.ofMinor(minor, currency);
        const overTheWire = JSON.parse(money.toDecimal()) as number;
        expect(fromWireAmount(overTheWire, currency, 'major')?.minor).toBe(minor);
      }),
      { ...seed, numRuns: 2000 },
    );
  });

  it('are whole major units or refused', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 10n ** 18n }), anyCurrency, (minor, currency) => {
        const money = Money.ofMinor(minor, currency);
        const scale = 10n ** BigInt(money.exponent);
        if (minor % scale === 0n) expect(BigInt(toWireAmount(money, 'major')) * scale).toBe(minor);
        else expect(() => toWireAmount(money, 'major')).toThrow(expect.objectContaining({ code: 'invalid_input' }));
      }),
      seed,
    );
  });

  it('never take a fraction of a minor unit for an amount', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10 ** 9 }), fc.integer({ min: 1, max: 999 }), (minor, thousandths) => {
        const value = (minor + thousandths / 1000) / 100;
        expect(fromWireAmount(value, 'EUR', 'major')).toBeUndefined();
      }),
      seed,
    );
  });

  it.each([
    [1.005, 'EUR', 'major'],
    [0.001, 'EUR', 'major'],
    [1.5, 'JPY', 'major'],
    [-1, 'EUR', 'major'],
    [1e14, 'EUR', 'major'],
    [Number.NaN, 'EUR', 'major'],
    [Number.POSITIVE_INFINITY, 'EUR', 'major'],
    [1.5, 'EUR', 'minor'],
    [-1, 'EUR', 'minor'],
    [2 ** 53, 'EUR', 'minor'],
    ['100', 'EUR', 'minor'],
    [null, 'EUR', 'minor'],
    [100, 'EURO', 'minor'],
  ] as const)('refuse %s %s in the %s unit', (value, currency, unit) => {
    expect(fromWireAmount(value, currency, unit)).toBeUndefined();
  });

  it('take binary dust for the amount it stands for', () => {
    expect(fromWireAmount(120.1 + 3.6, 'EUR', 'major')?.minor).toBe(12370n);
    expect(fromWireAmount(19.99, 'EUR', 'major')?.minor).toBe(1999n);
    expect(fromWireAmount(-0, 'EUR', 'minor')?.minor).toBe(0n);
  });
});
