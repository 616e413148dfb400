// Prevents: a FIDELITY.md that promises what nothing tests any more.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';

const FOLDER = new URL('../../packages/sandbox/', import.meta.url);
const LINK = /^\[(.+)\]\((.+)\)$/;

interface Row {
  readonly behaviour: string;
  readonly source: string;
  readonly test: string;
}

async function rows(): Promise<Row[]> {
  const text = await readFile(new URL('FIDELITY.md', FOLDER), 'utf8');
  return text
    .split('\n')
    .filter((line) => line.startsWith('| ') && !/^\| (Behaviour|Open question|-+) /.test(line))
    .map((line) => {
      const [behaviour = '', , source = '', test = ''] = line
        .slice(2, -2)
        .split(' | ')
        .map((cell) => cell.trim());
      return { behaviour, source, test };
    });
}

it('names in every row of FIDELITY.md a source file and the title of a test that exist', async () => {
  const all = await rows();
  expect(all.length).toBeGreaterThan(100);
  const broken: string[] = [];
  for (const { behaviour, source, test } of all) {
    const [, title = '', testFile = ''] = LINK.exec(test) ?? [];
    const sourceFile = LINK.exec(source)?.[2] ?? '';
    const isTest = title !== '' && testFile.endsWith('.test.ts') && existsSync(new URL(testFile, FOLDER));
    const isSource = sourceFile.endsWith('.ts') && existsSync(new URL(sourceFile, FOLDER));
    const tests = isTest ? await readFile(new URL(testFile, FOLDER), 'utf8') : '';
    if (!isSource || !tests.includes(`'${title}'`)) broken.push(`${behaviour}: ${source} ${test}`);
  }
  expect(broken).toEqual([]);
});
