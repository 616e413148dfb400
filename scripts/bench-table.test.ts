import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type BenchResults, PAGE, RESULTS_FILE, withBenchTable } from './bench-table.ts';

const page = readFileSync(PAGE, 'utf8');
const results = JSON.parse(readFileSync(RESULTS_FILE, 'utf8')) as BenchResults;

test('the page shows the figures that were measured last', () => {
  expect(withBenchTable(page, results)).toBe(page);
});

test.each(Object.keys(results.rows))('another figure of "%s" would not pass', (what) => {
  const { rows } = results;
  const changed = { ...rows, [what]: { product: 1, floor: 2, ratio: '0.50' } };
  const written = withBenchTable(page, { ...results, rows: changed });
  expect(written).toContain(`| ${what} | 1 | 2 | 0.50 |`);
  expect(withBenchTable(written, results)).toBe(page);
});
