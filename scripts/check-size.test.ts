import { expect, it } from 'vitest';
import { findBudgetProblems, findOversize } from './check-size.ts';

const BUDGET = { name: 'checkout', path: 'dist/checkout/checkout-client.js', limit: '2 KiB', gzip: true };

it('accepts a gzip budget in KiB', () => {
  expect(findBudgetProblems('a', [BUDGET])).toEqual([]);
});

it.each([
  ['kilobytes of 1,000', { ...BUDGET, limit: '2 kB' }],
  ['brotli', { ...BUDGET, gzip: false }],
  ['no limit', { name: 'checkout', gzip: true }],
  ['no name', { path: 'a.js', limit: '2 KiB', gzip: true }],
])('refuses %s', (_, budget) => {
  expect(findBudgetProblems('a', [budget])).toHaveLength(1);
});

it('refuses a file without budgets', () => {
  expect(findBudgetProblems('a', [])).toHaveLength(1);
});

it('finds what is over its budget', () => {
  const measurements = [
    { name: 'checkout', passed: false, size: 2049, sizeLimit: 2048 },
    { name: 'polling', passed: true, size: 100, sizeLimit: 2048 },
  ];
  expect(findOversize('a', measurements)).toEqual([{ file: 'a', message: 'checkout: 2.00 KiB of 2.00 KiB' }]);
});
