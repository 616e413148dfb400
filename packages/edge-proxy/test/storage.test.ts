import { expect, test } from 'vitest';

test('STORAGE.md has a row for everything that is stored, and for nothing else', () => {
  const sources = Object.values(
    import.meta.glob('../src/**/*.ts', { query: '?raw', import: 'default', eager: true }),
  ).join('\n');
  const register = Object.values(
    import.meta.glob('../STORAGE.md', { query: '?raw', import: 'default', eager: true }),
  ).join('');
  const tables = [...sources.matchAll(/\bCREATE\s+(?:VIRTUAL\s+)?TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?(\w+)/gi)];
  const keys = [...sources.matchAll(/(?:storage|kv)\.put\(\s*'([^']+)'/g)];
  const rows = [...register.matchAll(/^\|\s*`([^`]+)`/gm)];
  const names = (matches: RegExpExecArray[]): string[] => [...new Set(matches.map((match) => match[1] ?? ''))].sort();
  expect(tables.length).toBeGreaterThan(10);
  expect(names(rows)).toEqual(names([...tables, ...keys]));
});
