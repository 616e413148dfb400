import { expect, it } from 'vitest';
import { findChangesetProblems } from './check-changesets.ts';

const released = { folder: 'packages/core', manifest: { name: '@innkeep/core', version: '1.2.0' } };
const unreleased = { folder: 'packages/core', manifest: { name: '@innkeep/core', version: '0.0.0' } };
const change = 'packages/core/src/values/money.ts';

function changeset(text: string): { file: string; text: string } {
  return { file: '.changeset/kind-owls-pay.md', text };
}

function messages(...[packages, changesets, changed]: Parameters<typeof findChangesetProblems>): readonly string[] {
  return findChangesetProblems(packages, changesets, changed).map(({ message }) => message);
}

const MINOR = changeset(`---\n'@innkeep/core': minor\n---\n\nMoney can be negated.\n`);

it('accepts a change with a changeset, and tests without one', () => {
  expect(messages([released], [MINOR], [change])).toEqual([]);
  expect(messages([released], [], ['packages/core/src/values/money.test.ts', 'packages/core/README.md'])).toEqual([]);
});

it('accepts an empty changeset as "nothing ships"', () => {
  const empty = changeset('---\n---\n');
  expect(messages([released], [empty], [change, empty.file])).toEqual([]);
});

it('refuses a changed package without one', () => {
  expect(messages([released], [], [change])).toEqual(['@innkeep/core changed and no changeset says so']);
});

it('refuses a first release that nobody announces', () => {
  expect(messages([unreleased], [], [])).toEqual([expect.stringContaining('never released')]);
});

it.each([
  ['an unknown package', `---\n'@innkeep/croe': minor\n---\n\nText.\n`, 'no published package'],
  ['an unknown bump', `---\n'@innkeep/core': huge\n---\n\nText.\n`, 'not major, minor or patch'],
  ['no text', `---\n'@innkeep/core': minor\n---\n`, 'says nothing'],
  ['no front matter', 'Money can be negated.', 'no front matter'],
])('refuses %s', (_, text, message) => {
  expect(messages([released], [changeset(text)], [])).toEqual([expect.stringContaining(message)]);
});
