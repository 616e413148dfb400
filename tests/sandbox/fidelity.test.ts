// Prevents: a FIDELITY.md that promises what nothing tests any more.
import { existsSync } from 'node:fs';
import { glob, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const FOLDER = new URL('../../packages/sandbox/', import.meta.url);
const [says = '', leavesOpen = ''] = (await readFile(new URL('FIDELITY.md', FOLDER), 'utf8')).split(
  '## What the specification leaves open',
);
const rowsOf = (text: string): string[] =>
  text.split('\n').filter((line) => /^\| (?!Sections|Open question|---)/.test(line));

it('names in every row of a choice the title of a test that exists', async () => {
  const rows = rowsOf(leavesOpen);
  expect(rows.length).toBeGreaterThan(30);
  const broken: string[] = [];
  for (const row of rows) {
    const [, title = '', testFile = ''] = /\[([^[]+)\]\(([^)]+)\) \|$/.exec(row) ?? [];
    const isTest = title !== '' && testFile.endsWith('.test.ts') && existsSync(new URL(testFile, FOLDER));
    const tests = isTest ? await readFile(new URL(testFile, FOLDER), 'utf8') : '';
    if (!tests.includes(`'${title}'`)) broken.push(row);
  }
  expect(broken).toEqual([]);
});

it('names the tests of every endpoint, and none that does not exist', async () => {
  const named = rowsOf(says).flatMap((row) =>
    [...row.matchAll(/\]\(([^)]+\.test\.ts)\)/g)].map(([, file = '']) => file),
  );
  expect(named.filter((file) => !existsSync(new URL(file, FOLDER)))).toEqual([]);
  const endpoints = await Array.fromAsync(glob('src/endpoints/**/*.test.ts', { cwd: fileURLToPath(FOLDER) }));
  expect(endpoints.length).toBeGreaterThan(5);
  expect(endpoints.filter((file) => !named.includes(file.replaceAll('\\', '/')))).toEqual([]);
});
