import { expect, test } from 'vitest';
import { isSameAuthor } from './actor.ts';

const author = (key: string, person: string | null) => ({ key, person, via: 'key' }) as const;

test.each([
  ['one person with one key', author('web', 'ann'), author('web', 'ann'), true],
  ['one person with two keys', author('web', 'ann'), author('desk', 'ann'), true],
  ['one person, typed in another case', author('web', 'ann'), author('web', 'Ann'), true],
  ['two people with one key', author('web', 'ann'), author('web', 'bob'), false],
  ['nobody named, one key', author('web', null), author('web', null), true],
  ['nobody named, two keys', author('web', null), author('desk', null), false],
  ['the first not named, one key', author('web', null), author('web', 'bob'), true],
  ['the second not named, one key', author('web', 'ann'), author('web', null), true],
  ['the second not named, two keys', author('web', 'ann'), author('desk', null), false],
])('%s', (_who, one, other, isSame) => {
  expect(isSameAuthor(one, other)).toBe(isSame);
});
