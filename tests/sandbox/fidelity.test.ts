// Prevents: a FIDELITY.md that leads to tests which are not there, and an endpoint that it forgets.
import { existsSync } from 'node:fs';
import { glob, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const FOLDER = new URL('../../packages/sandbox/', import.meta.url);

it('has a test that exists in every row, and the tests of every endpoint', async () => {
  const text = await readFile(new URL('FIDELITY.md', FOLDER), 'utf8');
  const rows = text.split('\n').filter((line) => /^\| (?!Sections|Open question|---)/.test(line));
  expect(rows.length).toBeGreaterThan(40);
  const testsOf = (row: string): string[] => [...row.matchAll(/\]\(([^)]+\.test\.ts)\)/g)].map(([, file = '']) => file);
  const isThere = (file: string): boolean => existsSync(new URL(file, FOLDER));
  expect(rows.filter((row) => testsOf(row).length === 0 || !testsOf(row).every(isThere))).toEqual([]);
  const endpoints = await Array.fromAsync(glob('src/endpoints/**/*.test.ts', { cwd: fileURLToPath(FOLDER) }));
  expect(endpoints.length).toBeGreaterThan(5);
  expect(endpoints.filter((file) => !rows.flatMap(testsOf).includes(file.replaceAll('\\', '/')))).toEqual([]);
});
