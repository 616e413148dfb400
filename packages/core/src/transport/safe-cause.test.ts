import { expect, it } from 'vitest';
import { safeCause } from './safe-cause.ts';

const redact = (text: string): string => text.replaceAll('secret', '…');

/** Name, code and text of an error and of everything that caused it. */
function chainOf(error: unknown): unknown[] {
  if (!(error instanceof Error)) return error === undefined ? [] : [error];
  const { name, code, message, cause } = error as Error & { code?: string };
  return [[name, code, message], ...chainOf(cause)];
}

it('keeps name, code and chain, blanks every text, and nothing else stays', () => {
  const socket = Object.assign(new Error('secret reset'), { code: 'ECONN-secret', request: 'secret' });
  const thrown = Object.assign(new TypeError('fetch of secret failed', { cause: socket }), { code: 7, url: 'secret' });
  const copy = safeCause(thrown, redact);
  expect(chainOf(copy)).toEqual([
    ['TypeError', undefined, 'fetch of … failed'],
    ['Error', 'ECONN-…', '… reset'],
  ]);
  expect([Object.keys(copy), Object.keys(Object(copy.cause))]).toEqual([['cause'], ['code']]);
});

it('goes three causes deep, and no further', () => {
  const thrown = [5, 4, 3, 2, 1].reduce<Error | undefined>((cause, nth) => new Error(`${nth}`, { cause }), undefined);
  expect(chainOf(safeCause(thrown, redact)).map((link) => (link as unknown[])[2])).toEqual(['1', '2', '3', '4']);
});

it('takes the first of several errors for the cause, and a cause before them', () => {
  const several = Object.assign(new Error('all'), { errors: [new Error('first'), new Error('second')] });
  expect(chainOf(safeCause(several, redact))).toHaveLength(2);
  expect(chainOf(safeCause(several, redact))[1]).toEqual(['Error', undefined, 'first']);
  const both = Object.assign(new Error('both', { cause: new Error('cause') }), { errors: [new Error('first')] });
  expect(chainOf(safeCause(both, redact))[1]).toEqual(['Error', undefined, 'cause']);
});

it.each([
  ['a text of secret', 'a text of …'],
  [undefined, 'undefined'],
  [{ message: 'no secret error', name: 7 }, 'no … error'],
])('makes an error of %j', (thrown, message) => {
  const copy = safeCause(thrown, redact);
  expect([copy.name, copy.message, copy.cause]).toEqual(['Error', message, undefined]);
});

it.each([Object.create(null), { message: { toString: '' } }])('takes what cannot be written as text', (thrown) => {
  expect(chainOf(safeCause(thrown, redact))).toEqual([['Error', undefined, '[object Object]']]);
});
