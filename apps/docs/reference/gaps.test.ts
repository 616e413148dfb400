import { expect, it } from 'vitest';
import { Gaps } from './gaps.ts';

it('is closed in peace when everything has words', () => {
  const gaps = new Gaps();
  expect(gaps.require('An amount.', 'amount')).toBe('An amount.');
  expect(() => gaps.close()).not.toThrow();
});

it('names everything that has none', () => {
  const gaps = new Gaps();
  gaps.require('', 'one');
  gaps.require(undefined, 'two');
  expect(() => gaps.close()).toThrow('The sources do not say what this is:\n  one\n  two');
});
