import { expect, it } from 'vitest';
import { surchargeOn, toDecimal, toMinor, toWireNumber } from './amount.ts';

it.each([
  ['EUR', 12_050n, '120.50'],
  ['JPY', 12_050n, '12050'],
  ['KWD', 12_050n, '12.050'],
  ['CLF', 5n, '0.0005'],
])('writes %s with the digits that ISO 4217 gives it', (currency, minor, decimal) => {
  expect(toDecimal(minor, currency)).toBe(decimal);
});

it.each([
  ['minor', '12000', 12_000n, 12_000],
  ['major', '120', 12_000n, 120],
] as const)('reads and writes amounts in %s units', (unit, digits, minor, wire) => {
  expect(toMinor(digits, { unit, currency: 'EUR' })).toBe(minor);
  expect(toWireNumber(minor, { unit, currency: 'EUR' })).toBe(wire);
});

it('rounds half a unit of a surcharge up', () => {
  expect([surchargeOn(12_000n, 2.5), surchargeOn(20n, 2.5), surchargeOn(19n, 2.5)]).toEqual([300n, 1n, 0n]);
});
