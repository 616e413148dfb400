// Prevents: a FIDELITY.md that promises what nothing tests any more.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';

const FOLDER = new URL('../../packages/sandbox/', import.meta.url);
/** A row of the table or an item of a list ends with the title of a test and its file. */
const TEST = /^(?:\| |- ).*\[(.+)\]\(([^)]+)\)(?: +\|)?$/;

it('names in every row of FIDELITY.md the title of a test that exists', async () => {
  const text = await readFile(new URL('FIDELITY.md', FOLDER), 'utf8');
  const rows = text.split('\n').filter((line) => /^(?:\| (?!Open question|-)|- )/.test(line));
  expect(rows.length).toBeGreaterThan(80);
  const broken: string[] = [];
  for (const row of rows) {
    const [, title = '', testFile = ''] = TEST.exec(row) ?? [];
    const isTest = title !== '' && testFile.endsWith('.test.ts') && existsSync(new URL(testFile, FOLDER));
    const tests = isTest ? await readFile(new URL(testFile, FOLDER), 'utf8') : '';
    if (!tests.includes(`'${title}'`)) broken.push(row);
  }
  expect(broken).toEqual([]);
});
