import { expect, test } from 'vitest';
import { withoutToken } from './lists.ts';

test('a card is listed without its token, and with no last day that an older version stored as no date', () => {
  const result = { kind: 'card', token: '9876', tokenValidUntil: '12/30' };
  const shown = { kind: 'card', token: undefined, tokenValidUntil: null };
  expect(withoutToken({ result, attempts: [{ result }] })).toEqual({ result: shown, attempts: [{ result: shown }] });
  expect(withoutToken({ result: { total: 1 } })).toEqual({ result: { total: 1 } });
});
