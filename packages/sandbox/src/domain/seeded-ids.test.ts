import { expect, it } from 'vitest';
import { SeededIds } from './seeded-ids.ts';

it('never gives an id twice and never one that could be a card number', () => {
  const ids = new SeededIds('seed');
  const given = Array.from({ length: 20_000 }, () => ids.next('transaction'));
  expect(new Set(given).size).toBe(given.length);
  expect(given.filter((id) => /\d{12,}/.test(id))).toEqual([]);
});
