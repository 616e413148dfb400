import { expect, test } from 'vitest';
import { SECTIONS } from './page-table.ts';
import { searchWeight } from './search-weight.ts';

test('a guide weighs more than the reference, and the reference more than notes', () => {
  expect(searchWeight('guides/webhooks')).toBeGreaterThan(searchWeight('reference/events'));
  expect(searchWeight('reference/events')).toBeGreaterThan(searchWeight('decisions/0002-toolchain'));
});

test('names only sections and pages that exist', () => {
  const known = SECTIONS.flatMap(({ path, files }) =>
    path === '' ? files.map((each) => (typeof each === 'string' ? each : each.file).toLowerCase()) : [path],
  ).join(' ');
  const paths = ['quick-starts', 'concepts', 'guides', 'packages', 'upstream', 'decisions', 'contributing', 'security'];
  for (const path of [...paths, 'architecture', 'glossary']) {
    expect({ path, weight: searchWeight(path) }).not.toEqual({ path, weight: 1 });
    expect(known).toContain(path);
  }
});
