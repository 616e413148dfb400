import { expect, it } from 'vitest';
import { findParityProblems } from './check-operation-parity.ts';

const FILES = [
  'docs/upstream/pay.md',
  'packages/core/src/operations/pay.test.ts',
  'packages/core/src/operations/pay.ts',
  'packages/sandbox/src/endpoints/pay.ts',
];

it('accepts an operation with all its companions', () => {
  expect(findParityProblems(FILES, {})).toEqual([]);
});

it.each(FILES.filter((file) => file !== 'packages/core/src/operations/pay.ts'))('finds %s missing', (missing) => {
  const files = FILES.filter((file) => file !== missing);
  expect(findParityProblems(files, {})).toEqual([
    { file: 'packages/core/src/operations/pay.ts', message: expect.stringContaining(missing) },
  ]);
  expect(findParityProblems(files, { [missing]: 'because' })).toEqual([]);
});

it('finds an exception that is none any more', () => {
  expect(findParityProblems(FILES, { 'docs/upstream/pay.md': 'because' })).toEqual([
    expect.objectContaining({ file: 'docs/upstream/pay.md' }),
  ]);
});

it('does not pass because it found nothing to look at', () => {
  expect(findParityProblems([], {})).toHaveLength(1);
});
