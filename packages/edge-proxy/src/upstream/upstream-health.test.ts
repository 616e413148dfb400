import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type HealthReport,
  healthOf,
  isTakenStart,
  isUnresolved,
  knownDownMs,
  LOGIN_SOURCE,
  noteHealth,
  UNKNOWN_HEALTH,
  type UpstreamHealth,
} from './upstream-health.ts';

const failed = (source: string, at: number): HealthReport => ({ source, isUp: false, at });
const succeeded = (at: number): HealthReport => ({ source: 'cs_any', isUp: true, at });
const THREE = [failed('a', 1_000), failed('b', 2_000), failed('c', 3_000)];
const after = (...reports: HealthReport[]): UpstreamHealth => reports.reduce(noteHealth, UNKNOWN_HEALTH);

test.each([
  ['three resources', THREE],
  ['a login and a resource', [failed(LOGIN_SOURCE, 2_000), failed('a', 3_000)]],
  ['a resource and a login', [failed('a', 2_000), failed(LOGIN_SOURCE, 3_000)]],
  ['two logins', [failed(LOGIN_SOURCE, 1_000), failed(LOGIN_SOURCE, 3_000)]],
  ['what came before, in another order', [failed('c', 3_000), failed('a', 1_000), failed('b', 2_000)]],
  ['polls that took half a minute each', [failed('a', -50_000), failed('b', -20_000), failed('c', 3_000)]],
  ['three of a clock that was set back', [succeeded(90_000), ...THREE]],
  [
    'three after others of a clock that was set back',
    [...['x', 'y', 'z'].map((other) => failed(other, 90_000)), ...THREE],
  ],
  ['one that failed twice beside two others', [failed('a', 1), failed('b', 2), failed('a', 3), failed('c', 3_000)]],
])('down is %s, until ten seconds after the last', (_what, reports) => {
  const health = after(...reports);
  expect(knownDownMs(health, 3_000)).toBe(10_000);
  expect(knownDownMs(health, 12_999)).toBe(1);
  expect(knownDownMs(health, 13_000)).toBe(0);
});

test.each([
  ['nothing', []],
  ['one resource, however often', Array.from({ length: 50 }, (_, i) => failed('a', i * 50))],
  ['two resources, however often', Array.from({ length: 50 }, (_, i) => failed(i % 2 === 0 ? 'a' : 'b', i * 50))],
  ['one attempt to log in', [failed(LOGIN_SOURCE, 3_000)]],
  ['three, with a success after the second', [failed('a', 1), failed('b', 2), succeeded(3), failed('c', 3_000)]],
  ['three, then a success', [failed('a', 1), failed('b', 2), failed('c', 3), succeeded(4)]],
  ['three, and a success of the same instant', [failed('a', 1), failed('b', 2), failed('c', 3), succeeded(3)]],
  ['three whose success is told first', [succeeded(4), failed('a', 1), failed('b', 2), failed('c', 3)]],
  ['three of a clock that was set back since', [failed('a', 90_000), failed('b', 90_001), failed('c', 90_002)]],
  ['three with a minute between the first and the last', [failed('a', -60_000), failed('b', -5), failed('c', 0)]],
])('not down is %s', (_what, reports) => {
  expect(knownDownMs(after(...reports), 3_000)).toBe(0);
});

test('a success that is older than the failures clears nothing', () => {
  expect(knownDownMs(after(failed('a', 5), failed('b', 6), failed('c', 7), succeeded(4)), 7)).toBe(10_000);
});

test('a success ends failures of a clock that was set back', () => {
  expect(isUnresolved(after(failed('a', 90_000), succeeded(3_000)))).toBe(false);
});

test('a success is worth telling after a failure, and only then', () => {
  expect(isUnresolved(UNKNOWN_HEALTH)).toBe(false);
  expect(isUnresolved(after(failed('a', 1)))).toBe(true);
  expect(isUnresolved(after(failed('a', 1), succeeded(2)))).toBe(false);
});

test('whatever comes in whatever order, a success newer than all failures clears, and little is kept', () => {
  const report = fc.record({
    source: fc.constantFrom('a', 'b', 'c', 'd', LOGIN_SOURCE),
    isUp: fc.boolean(),
    at: fc.integer({ min: 0, max: 200_000 }),
  });
  fc.assert(
    fc.property(fc.array(report, { maxLength: 60 }), (reports) => {
      const health = after(...reports);
      expect(health.failures.length).toBeLessThanOrEqual(3);
      expect(knownDownMs(noteHealth(health, succeeded(200_000)), 200_000)).toBe(0);
    }),
  );
});

test.each([
  ['a read that succeeds', { operation: 'paystatus', status: 200 }, true],
  ['a login that succeeds', { operation: 'login', status: 200 }, true],
  ['no answer', { operation: 'transaction', code: 'network' }, false],
  ['a 5xx', { operation: 'login', status: 503, code: 'upstream_status' }, false],
  ['an unreadable answer', { operation: 'paystatus', status: 200, code: 'invalid_response' }, false],
  ['a strange field', { operation: 'transaction', status: 200, code: 'invalid_response', isJson: true }, undefined],
  [
    'a login without a token to read: nobody can pay',
    { operation: 'login', status: 200, code: 'invalid_response', isJson: true },
    false,
  ],
  [
    'a login that a success refuses',
    { operation: 'login', status: 200, code: 'authentication_failed', isJson: true },
    undefined,
  ],
  ['another unit', { operation: 'transaction', status: 200, code: 'amount_unit_mismatch', isJson: true }, undefined],
  ['a failure that is JSON', { operation: 'paystatus', status: 500, code: 'upstream_status', isJson: true }, false],
  ['a redirect that is JSON', { operation: 'login', status: 307, code: 'upstream_status', isJson: true }, false],
  ['a redirect', { operation: 'paystatus', status: 302, code: 'upstream_status' }, false],
  [
    'a refusal: whoever refuses is there',
    { operation: 'login', status: 401, code: 'authentication_failed' },
    undefined,
  ],
  ['a charge: its failure says nothing certain', { operation: 'pay', status: 500, code: 'outcome_unknown' }, undefined],
  ['a charge that succeeds', { operation: 'pay', status: 200 }, true],
  ['a page that opens', { operation: 'initpayNoIframe', status: 200 }, true],
  ['a page that does not open', { operation: 'initpayNoIframe', status: 500, code: 'upstream_status' }, undefined],
] as const)('%s', (_what, call, isUp) => {
  expect(healthOf(call)).toBe(isUp);
});

test.each([
  ['is taken', { operation: 'initpayNoIframe', status: 200 }, true],
  ['is refused', { operation: 'initCreateTokenNoIframe', status: 403, code: 'upstream_status' }, false],
  ['is refused with every token', { operation: 'initpayNoIframe', status: 401, code: 'authentication_failed' }, false],
  ['is at no address', { operation: 'initpayNoIframe', status: 404, code: 'upstream_status' }, false],
  ['may be wrong itself', { operation: 'initpayNoIframe', status: 400, code: 'upstream_status' }, undefined],
  ['is declined', { operation: 'initpayNoIframe', status: 200, code: 'declined' }, undefined],
  ['is not answered', { operation: 'initpayNoIframe', code: 'timeout' }, undefined],
  ['is a poll', { operation: 'paystatus', status: 403, code: 'upstream_status' }, undefined],
  ['is a login', { operation: 'login', status: 401, code: 'authentication_failed' }, undefined],
] as const)('a start that %s', (_what, call, isTaken) => {
  expect(isTakenStart(call)).toBe(isTaken);
});

test('a success counts against what failed at the same moment, in either order', () => {
  expect(after(failed('a', 1_000), succeeded(1_000)).failures).toEqual([]);
  expect(after(succeeded(1_000), failed('a', 1_000)).failures).toEqual([]);
});

test('no more failures are kept than decide', () => {
  const many = after(...['a', 'b', 'c', 'd', 'e'].map((source, at) => failed(source, at)));
  expect(many.failures.map(({ source }) => source)).toEqual(['c', 'd', 'e']);
});

test.each([
  [400, false, undefined],
  [399, true, false],
  [300, true, false],
  [299, true, undefined],
])('a read that ends with %s (JSON: %s) says: %s', (status, isJson, isUp) => {
  expect(healthOf({ operation: 'paystatus', code: 'invalid_response', status, isJson })).toBe(isUp);
});
