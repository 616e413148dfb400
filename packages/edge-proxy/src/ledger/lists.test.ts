import { expect, test } from 'vitest';
import { withoutToken } from './lists.ts';

test.each([
  ['', null],
  ['12/30', null],
  ['2029-12-31', '2029-12-31'],
])('a card that an older version stored until %j is listed until %j, without its token', (tokenValidUntil, day) => {
  const result = { kind: 'card', token: '9876', tokenValidUntil };
  const shown = { kind: 'card', token: undefined, tokenValidUntil: day };
  expect(withoutToken({ result, attempts: [{ result }] })).toEqual({ result: shown, attempts: [{ result: shown }] });
  expect(withoutToken({ result: { total: 1 } })).toEqual({ result: { total: 1 } });
});
