// Prevents: a FIDELITY.md that leads to tests which are not there.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';

const FOLDER = new URL('../../packages/sandbox/', import.meta.url);

it('has a test that exists in every row of FIDELITY.md', async () => {
  const text = await readFile(new URL('FIDELITY.md', FOLDER), 'utf8');
  const rows = text.split('\n').filter((line) => /^\| (?!Open question|---)/.test(line));
  expect(rows.length).toBeGreaterThan(30);
  const testOf = (row: string): string | undefined => /\]\(([^)]+\.test\.ts)\) \|$/.exec(row)?.[1];
  expect(rows.filter((row) => !existsSync(new URL(testOf(row) ?? 'none', FOLDER)))).toEqual([]);
});
