// Prevents: a FIDELITY.md that promises what nothing tests any more.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';

const FOLDER = new URL('../../packages/sandbox/', import.meta.url);
const LINK = /^\[(.+)\]\((.+)\)$/;

interface Row {
  readonly behaviour: string;
  readonly test: string;
}

async function rows(): Promise<Row[]> {
  const text = await readFile(new URL('FIDELITY.md', FOLDER), 'utf8');
  return text
    .split('\n')
    .filter((line) => line.startsWith('| ') && !/^\| (Behaviour|Open question|-+) /.test(line))
    .map((line) => {
      const cells = line
        .slice(2, -2)
        .split(' | ')
        .map((cell) => cell.trim());
      return { behaviour: cells[0] ?? '', test: cells.at(-1) ?? '' };
    });
}

it('names in every row of FIDELITY.md the title of a test that exists', async () => {
  const all = await rows();
  expect(all.length).toBeGreaterThan(80);
  const broken: string[] = [];
  for (const { behaviour, test } of all) {
    const [, title = '', testFile = ''] = LINK.exec(test) ?? [];
    const isTest = title !== '' && testFile.endsWith('.test.ts') && existsSync(new URL(testFile, FOLDER));
    const tests = isTest ? await readFile(new URL(testFile, FOLDER), 'utf8') : '';
    if (!tests.includes(`'${title}'`)) broken.push(`${behaviour}: ${test}`);
  }
  expect(broken).toEqual([]);
});
