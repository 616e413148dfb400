import { expect, test, vi } from 'vitest';
import { createRateLimits, type RateLimits } from './rate-limits.ts';

/** Self-hosted, behind a web server that says who calls in `x-real-ip`. */
const BEHIND = { CLIENT_ADDRESS_HEADER: 'x-real-ip' };
const from = (address: string, name = 'x-real-ip'): Headers => new Headers({ [name]: address });

/** Acts again and again; returns how many of them were allowed. */
async function allowed(
  secondsToWait: RateLimits,
  {
    act = 'guest',
    headers = from('192.0.2.1'),
    times = 700,
  }: { act?: 'guest' | 'failure'; headers?: Headers; times?: number } = {},
): Promise<number> {
  let count = 0;
  for (let nth = 0; nth < times; nth++) if ((await secondsToWait(act, headers)) === 0) count += 1;
  return count;
}

test.each([
  ['guest', 600],
  ['failure', 120],
] as const)('an address may do what counts as %s %i times, then waits, and then may again', async (act, times) => {
  let now = 1_000_000;
  const secondsToWait = createRateLimits(BEHIND, () => now);
  expect(await allowed(secondsToWait, { act })).toBe(times);
  expect(await secondsToWait(act, from('192.0.2.1'))).toBe(1);
  now += 60_000;
  expect(await allowed(secondsToWait, { act })).toBe(times);
});

test('what an address does counts for itself and for this act alone', async () => {
  const secondsToWait = createRateLimits(BEHIND, () => 1_000_000);
  await allowed(secondsToWait);
  expect(await secondsToWait('guest', from('192.0.2.2'))).toBe(0);
  expect(await secondsToWait('failure', from('192.0.2.1'))).toBe(0);
  // One home has a whole network of these.
  await allowed(secondsToWait, { headers: from('2001:db8::1') });
  expect(await secondsToWait('guest', from('2001:db8::2'))).toBeGreaterThan(0);
  expect(await secondsToWait('guest', from('2001:db8:0:1::1'))).toBe(0);
});

test('of a list of addresses the last counts: what stands before came with the request', async () => {
  const secondsToWait = createRateLimits(BEHIND, () => 1_000_000);
  let count = 0;
  for (let nth = 0; nth < 700; nth++) {
    if ((await secondsToWait('guest', from(`198.51.100.${nth % 250},  192.0.2.1 `))) === 0) count += 1;
  }
  expect(count).toBe(600);
  expect(await secondsToWait('guest', from('192.0.2.1'))).toBeGreaterThan(0);
});

test.each([
  ['no header is named', {}, from('192.0.2.1')],
  ['the header that is named is empty', { CLIENT_ADDRESS_HEADER: '' }, from('192.0.2.1')],
  ['the runtime has no such variable', { CLIENT_ADDRESS_HEADER: null }, from('192.0.2.1')],
  ['the header does not come', BEHIND, from('192.0.2.1', 'x-forwarded-for')],
  ['it comes without an address', BEHIND, from('192.0.2.1, ')],
  ['another one is the host’s', BEHIND, from('192.0.2.1', 'cf-connecting-ip')],
])('nobody is limited when %s: a guess would lump all callers together', async (_when, settings, headers) => {
  const secondsToWait = createRateLimits(settings, () => 1_000_000);
  expect(await allowed(secondsToWait, { headers })).toBe(700);
});

test('where the host counts, it counts by the address that it gives, whatever else is sent', async () => {
  const hostOf = () => ({ limit: vi.fn(async ({ key }: { key: string }) => ({ success: key !== '192.0.2.9' })) });
  const [GUEST_LIMIT, FAILURE_LIMIT] = [hostOf(), hostOf()];
  const secondsToWait = createRateLimits({ ...BEHIND, GUEST_LIMIT, FAILURE_LIMIT }, () => 1_000_000);
  const headers = new Headers({ 'cf-connecting-ip': '192.0.2.9', 'x-real-ip': '192.0.2.1' });
  expect([await secondsToWait('guest', headers), GUEST_LIMIT.limit.mock.calls]).toEqual([60, [[{ key: '192.0.2.9' }]]]);
  expect(FAILURE_LIMIT.limit).not.toHaveBeenCalled();
  expect(await secondsToWait('failure', headers)).toBe(60);
  expect(await allowed(secondsToWait, { headers: from('192.0.2.8', 'cf-connecting-ip') })).toBe(700);
  expect(await secondsToWait('guest', from('192.0.2.9'))).toBe(0);
});
