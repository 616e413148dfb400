import { expect, it } from 'vitest';
import { MAGIC_ROWS } from '../scenarios/magic-table.ts';
import { maskCardNumbersIn, passesLuhnCheck, toMaskedCard } from './card-number.ts';

it('knows only test cards that pass the Luhn check, each with a mask of its own', () => {
  const cards = MAGIC_ROWS.filter(({ lever }) => lever === 'card').map(({ input }) => input);
  expect(cards.filter((card) => !passesLuhnCheck(card))).toEqual([]);
  expect(new Set(cards.map((card) => toMaskedCard(card).cardNo)).size).toBe(cards.length);
});

it.each([
  ['pay 4242424242424242 now', 'pay 424242......4242 now'],
  ['4242-4242-4242-4242', '424242......4242'],
  ['3782 822463 10005', '378282......0005'],
  ['2026-11-21 2026-11-29', '2026-11-21 2026-11-29'],
  ['4242424242424243', '4242424242424243'],
  ['order 1790000000003', 'order 1790000000003'],
  ['order 20261122143005', 'order 20261122143005'],
  ['x44242424242424242424242y', 'x44242424242424242424242y'],
])('masks card numbers in "%s"', (text, masked) => {
  expect(maskCardNumbersIn(text)).toBe(masked);
});
