import { holdsCardNumber } from '@innkeep/core/values';
import { expect, test } from 'vitest';
import { holdsCard } from './card-number.ts';

/** Digits of four scripts. */
const ZEROS = ['0', '\u0660', '\u06f0', '\uff10'];
/** What may stand between groups of them, and a letter, which may not. */
const BETWEEN = ' -x\u2013\u00a0\u2011\u202f\u2212\u3000';

const isRight = (text: string): boolean => holdsCard(text) === holdsCardNumber(text, { issued: true });

test('says what the proxy says of any digits in any groups', () => {
  // The same sequence each time: what fails here fails again.
  let state = 7;
  const next = (below: number): number => {
    state = (state * 48_271) % 0x7fffffff;
    return state % below;
  };
  const digit = (): string => String.fromCharCode((ZEROS[next(4)] ?? '0').charCodeAt(0) + next(10));
  const texts = Array.from({ length: 8_000 }, () =>
    Array.from({ length: 12 + next(20) }, () => (next(6) === 0 ? BETWEEN.charAt(next(9)) : digit())).join(''),
  );
  expect(texts.filter((text) => !isRight(text))).toEqual([]);
  expect(texts.filter(holdsCard).length).toBeGreaterThan(100);
});

test.each([
  '403acbb5-6b73-4856-9257-30633dc52168',
  '42424242-4242-4242-0000-000000000000',
  'RES 4242 4242-4242 4242, please',
  '4242  4242 4242 4242',
  '4222222222222',
  '42424242424242424242',
  'cs_01J00000000000000000000001',
])('says what the proxy says of %s', (text) => {
  expect(isRight(text)).toBe(true);
});
