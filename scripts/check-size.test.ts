import { expect, it } from 'vitest';
import { findBudgetProblems, findOversize, sizeTable, withSizeTable } from './check-size.ts';

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

const MEASURED = [
  'cdn/widgets.js',
  './checkout',
  './merchant',
  './webhooks',
  './context + ./operations/pay',
  '.',
  'worker bundle',
].map((name, index) => ({ name, passed: true, size: 1024 * index + 1, sizeLimit: 10_240 }));

it('tells the README every size, rounded up', () => {
  const lines = sizeTable(MEASURED).split('\n');
  expect(lines).toHaveLength(2 + MEASURED.length);
  expect(lines[2]).toMatch(/\| +0\.5 kB \| +10 kB \|$/);
  expect(lines.at(-1)).toMatch(/\| +6\.5 kB \|/);
});

it('refuses to tell of a budget that is gone', () => {
  expect(() => sizeTable(MEASURED.slice(1))).toThrow('cdn/widgets.js');
});

it('puts the table between its marks and leaves the rest alone', () => {
  const readme = 'a\n<!-- sizes: written by scripts/check-size.ts --write -->\nold\n<!-- /sizes -->\nb\n';
  const fresh = withSizeTable(readme, 'TABLE');
  expect(fresh).toBe('a\n<!-- sizes: written by scripts/check-size.ts --write -->\n\nTABLE\n\n<!-- /sizes -->\nb\n');
  expect(withSizeTable(fresh, 'TABLE')).toBe(fresh);
  expect(() => withSizeTable('no marks', 'TABLE')).toThrow('no marks');
});
