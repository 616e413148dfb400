import { expect, test } from 'vitest';
import { healthOf, isKnownDown, noteHealth } from './upstream-health.ts';

test('down for ten seconds after a failure, or until something succeeds', () => {
  const failed = noteHealth(false, 1_000);
  expect(isKnownDown(failed, 1_000)).toBe(true);
  expect(isKnownDown(failed, 10_999)).toBe(true);
  expect(isKnownDown(failed, 11_000)).toBe(false);
  expect(isKnownDown(noteHealth(true, 2_000), 2_000)).toBe(false);
});

test.each([
  ['a read that succeeds', { operation: 'paystatus', status: 200 }, true],
  ['a login that succeeds', { operation: 'login', status: 200 }, true],
  ['no answer', { operation: 'transaction', code: 'network' }, false],
  ['a 5xx', { operation: 'login', status: 503, code: 'upstream_status' }, false],
  ['an unreadable answer', { operation: 'paystatus', status: 200, code: 'invalid_response' }, false],
  [
    'a readable answer with a strange field',
    { operation: 'transaction', status: 200, code: 'invalid_response', isJson: true },
    undefined,
  ],
  [
    'a readable answer in another unit',
    { operation: 'transaction', status: 200, code: 'amount_unit_mismatch', isJson: true },
    undefined,
  ],
  ['a failure that is JSON', { operation: 'paystatus', status: 500, code: 'upstream_status', isJson: true }, false],
  ['a redirect that is JSON', { operation: 'login', status: 307, code: 'upstream_status', isJson: true }, false],
  ['a redirect', { operation: 'paystatus', status: 302, code: 'upstream_status' }, false],
  [
    'a refusal: whoever refuses is there',
    { operation: 'login', status: 401, code: 'authentication_failed' },
    undefined,
  ],
  ['a charge: its failure says nothing certain', { operation: 'pay', status: 500, code: 'outcome_unknown' }, undefined],
  ['a charge that succeeds', { operation: 'pay', status: 200 }, undefined],
] as const)('%s', (_what, call, isUp) => {
  expect(healthOf(call)).toBe(isUp);
});
