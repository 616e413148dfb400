import { expect, it } from 'vitest';
import { findDependencyProblems } from './check-dependencies.ts';

const DECIDED = { '@innkeep/core': ['ky'] };

it('accepts what was decided on, in exact versions', () => {
  const manifest = {
    name: '@innkeep/core',
    dependencies: { ky: 'catalog:' },
    devDependencies: { vitest: '4.1.12', '@innkeep/sandbox': 'workspace:*' },
  };
  expect(findDependencyProblems('package.json', manifest, DECIDED)).toEqual([]);
});

it('refuses a run-time dependency that nobody decided on', () => {
  const manifest = { name: '@innkeep/core', dependencies: { ky: 'catalog:', lodash: '4.17.21' } };
  expect(findDependencyProblems('package.json', manifest, DECIDED)).toEqual([
    expect.objectContaining({ message: expect.stringContaining('lodash') }),
  ]);
});

it('refuses a range', () => {
  const manifest = { name: '@innkeep/core', devDependencies: { vitest: '^4.1.12' } };
  expect(findDependencyProblems('package.json', manifest, DECIDED)).toEqual([
    expect.objectContaining({ message: expect.stringContaining('exact') }),
  ]);
});

it('leaves private packages their own choice', () => {
  expect(
    findDependencyProblems(
      'package.json',
      { name: '@innkeep/demo', private: true, dependencies: { lodash: '4.17.21' } },
      DECIDED,
    ),
  ).toEqual([]);
});
