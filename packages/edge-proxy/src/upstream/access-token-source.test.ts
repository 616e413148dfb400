/** The copies of access tokens and the doubts that one isolate keeps, and what it reports. */
import { describe, expect, test, vi } from 'vitest';
import { useClock } from '../../test-support/clock.ts';
import { FakeUpstream } from '../../test-support/fake-upstream.ts';
import { useLog } from '../../test-support/log.ts';
import { anotherHotel, fakeTokenObject, tokenAnswer } from '../../test-support/upstream.ts';
import { hotelSnapshot } from '../properties/hotel-snapshot.ts';
import {
  accessTokenObject,
  accessTokenSource,
  healthReporter,
  isUnresolvedUpstream,
  recordUnresolved,
} from './access-token-source.ts';
import { accessTokenObjectName, accountOf } from './account-of.ts';
import { upstreamContext } from './upstream-client.ts';
import { callReporter, loginToUpstream, upstreamOptions } from './upstream-options.ts';

const NOW = Date.parse('2026-06-01T12:00:00Z');

useClock(NOW);
const lines = useLog('log', 'warn', 'error');

/** A hotel, its token object, and the source that asks it. */
function source() {
  const tokenObject = fakeTokenObject();
  const property = anotherHotel();
  return { tokenObject, property, get: accessTokenSource(tokenObject.bindings, property) };
}

describe('a copy', () => {
  test.each([
    ['for ten seconds', 3_600_000, 10_000],
    ['no longer than its token', 5_000, 5_000],
  ])('serves %s', async (_, livesMs, servesMs) => {
    const { tokenObject, property, get } = source();
    tokenObject.getToken.mockResolvedValueOnce(tokenAnswer({ expiresAt: NOW + livesMs }));
    expect(await get({})).toBe('token-1');
    vi.setSystemTime(NOW + servesMs - 1);
    tokenObject.getToken.mockResolvedValue(tokenAnswer({ token: 'token-2' }));
    expect(await get({})).toBe('token-1');
    vi.setSystemTime(NOW + servesMs);
    expect(await get({})).toBe('token-2');
    const call = [property.id, null, undefined, accountOf(property)];
    expect(tokenObject.getToken.mock.calls).toEqual([call, call]);
  });

  test('of a hotel that nobody uses any more is let go when another hotel gets one', async () => {
    // Later than everything that the other tests have left.
    const later = NOW + 86_400_000;
    vi.setSystemTime(later);
    const { tokenObject, get } = source();
    tokenObject.getToken.mockResolvedValue(tokenAnswer({ expiresAt: later + 3_600_000 }));
    await get({});
    vi.setSystemTime(later + 10_000);
    await source().get({});
    // Back then it would still have served.
    vi.setSystemTime(later);
    await get({});
    expect(tokenObject.getToken).toHaveBeenCalledTimes(2);
  });

  test('that was refused is asked for again, with the token that was refused', async () => {
    const { tokenObject, property, get } = source();
    await get({});
    tokenObject.getToken.mockResolvedValue(tokenAnswer({ token: 'token-2' }));
    expect(await get({ rejected: 'token-1' })).toBe('token-2');
    expect(tokenObject.getToken).toHaveBeenLastCalledWith(property.id, 'token-1', undefined, accountOf(property));
    expect(await get({ rejected: 'token-1' })).toBe('token-2');
    expect(tokenObject.getToken).toHaveBeenCalledTimes(2);
  });

  test('ends when its token object has no token any more', async () => {
    const { tokenObject, get } = source();
    await get({});
    tokenObject.getToken.mockResolvedValueOnce({ ok: false, code: 'authentication_failed' });
    await expect(get({ rejected: 'token-1' })).rejects.toMatchObject({ code: 'authentication_failed' });
    await get({});
    expect(tokenObject.getToken).toHaveBeenCalledTimes(3);
  });

  test.each([
    [new DOMException('late', 'TimeoutError'), 'timeout'],
    [new TypeError('Network connection lost.'), 'internal'],
  ])('is not there when its token object does not answer: %s', async (failure, code) => {
    const { tokenObject, property, get } = source();
    tokenObject.getToken.mockRejectedValue(failure);
    await expect(get({})).rejects.toMatchObject({ name: 'InnkeepError', code, message: `No access token: ${code}` });
    // The log has what nobody is told; what is late is no fault of its own.
    const line = { level: 'error', message: 'token_failed', property: property.id, error: String(failure) };
    expect(lines).toEqual(code === 'internal' ? [line] : []);
  });

  test.each([
    ['id', { id: 'elsewhere' }],
    ['base address', { baseUrl: 'https://pay2.test/api' }],
    ['customer', { customerId: '9' }],
    ['user name', { username: 'other' }],
    ['allowed origin', { allowedOrigins: ['https://pay2.test'] }],
  ])('belongs to the account: another %s has another token object', async (_what, changes) => {
    const { tokenObject, property } = source();
    const name = await accessTokenObjectName(property);
    expect(name).toMatch(/^at_[0-9a-f]{64}$/);
    expect(await accessTokenObjectName({ ...property, ...changes })).not.toBe(name);
    expect(await accessTokenObjectName({ ...property, password: 'rotated' })).toBe(name);
    await (await accessTokenObject(tokenObject.bindings, property)).noteReturnCode(property.id, '5');
    expect(tokenObject.getByName).toHaveBeenCalledWith(name);
    expect(tokenObject.noteReturnCode).toHaveBeenCalledWith(property.id, '5');
  });
});

describe('a doubt', () => {
  test('comes and goes with what the token object says', async () => {
    const { tokenObject, property, get } = source();
    tokenObject.getToken.mockResolvedValueOnce(tokenAnswer({ isUnresolved: true }));
    await get({});
    expect(isUnresolvedUpstream(property)).toBe(true);
    // An older token object says nothing.
    await get({ rejected: 'token-1' });
    expect(isUnresolvedUpstream(property)).toBe(false);
  });

  test('is about one hotel at one address', () => {
    const property = anotherHotel();
    recordUnresolved(property, true);
    expect(isUnresolvedUpstream({ ...property, username: 'other' })).toBe(true);
    expect(isUnresolvedUpstream({ ...property, id: 'elsewhere' })).toBe(false);
    expect(isUnresolvedUpstream({ ...property, baseUrl: 'https://pay2.test/api' })).toBe(false);
    recordUnresolved(property, false);
    expect(isUnresolvedUpstream(property)).toBe(false);
  });

  test('that nobody has heard of for ten minutes is let go when something is heard of another hotel', () => {
    // Later than everything that the other tests have left.
    const later = NOW + 2 * 86_400_000;
    vi.setSystemTime(later);
    const [left, used] = [anotherHotel(), anotherHotel()];
    recordUnresolved(left, true);
    recordUnresolved(used, true);
    vi.setSystemTime(later + 599_999);
    recordUnresolved(used, true);
    expect(isUnresolvedUpstream(left)).toBe(true);
    vi.setSystemTime(later + 600_000);
    recordUnresolved(anotherHotel(), false);
    expect([isUnresolvedUpstream(left), isUnresolvedUpstream(used)]).toEqual([false, true]);
  });

  test('begins with a failure, which is reported with its resource and its time', async () => {
    const { tokenObject, property } = source();
    const report = healthReporter(tokenObject.bindings, property, 'cs_1');
    report(false);
    expect(isUnresolvedUpstream(property)).toBe(true);
    const reported = [{ source: 'cs_1', isUp: false, at: NOW, property: property.id }];
    await expect.poll(() => tokenObject.reportHealth.mock.calls).toEqual([reported]);
  });

  test('ends with a success that the token object believes; without a doubt a success is not reported', async () => {
    const { tokenObject, property } = source();
    const report = healthReporter(tokenObject.bindings, property, 'cs_1');
    recordUnresolved(property, true);
    tokenObject.reportHealth.mockResolvedValue(false);
    report(true);
    await expect.poll(() => isUnresolvedUpstream(property)).toBe(false);
    const reported = { source: 'cs_1', isUp: true, at: NOW, property: property.id };
    expect(tokenObject.reportHealth.mock.calls).toEqual([[reported]]);
    report(true);
    expect(isUnresolvedUpstream(property)).toBe(false);
  });

  test('stays when the report is lost, so that the next success is reported too', async () => {
    const { tokenObject, property } = source();
    tokenObject.reportHealth.mockRejectedValue(new Error('away'));
    const report = healthReporter(tokenObject.bindings, property, 'cs_1');
    report(false);
    await expect.poll(() => tokenObject.reportHealth).toHaveBeenCalledTimes(1);
    report(true);
    await expect.poll(() => tokenObject.reportHealth).toHaveBeenCalledTimes(2);
    expect(isUnresolvedUpstream(property)).toBe(true);
  });
});

describe('options', () => {
  const allowedOrigins = ['https://other.test'];
  const property = anotherHotel({ uncertainReturnCodes: ['7'], expiresInUnit: 'minutes', allowedOrigins });

  test('take what a resource has kept, and the rest from the property', async () => {
    const hotel = { ...hotelSnapshot(property), customerId: 'kept', hotelID: 'kept', amountUnit: 'major' } as const;
    const { bindings } = fakeTokenObject();
    // Not what the resource before it has kept.
    await upstreamContext(bindings, property, { id: 'cs_1', hotel: { ...hotel, customerId: 'other' } });
    expect(await upstreamContext(bindings, property, { id: 'cs_2', hotel, timeoutMs: 7 })).toMatchObject({
      baseUrl: 'https://pay.test/api',
      customerId: 'kept',
      hotel: { hotelID: 'kept', hotelIDType: 'TEST_PMS', user: 'web', timeZone: 'Europe/Vienna' },
      providers: { direct: 'TEST_DIRECT', hosted: 'TEST_HOSTED' },
      amountUnit: 'major',
      uncertainReturnCodes: ['7'],
      statusOrigins: { baseUrl: 'https://pay.test/api', origins: ['https://other.test'] },
      viewOrigins: { origins: ['https://other.test', 'https://view.test'] },
      timeoutMs: 7,
      maxNetworkRetries: 0,
    });
    expect(upstreamOptions(property)).toMatchObject({ expiresInUnit: 'minutes', timeoutMs: 30_000 });
  });

  test.each([
    ['a success', { status: 200, body: {} }, [true]],
    ['a failure', { status: 500, code: 'upstream_status' }, [false]],
    ['no answer', { code: 'network' }, [false]],
    ['a page in the place of JSON', { status: 200, code: 'invalid_response' }, [false]],
    ['a strange field', { status: 200, code: 'invalid_response', path: 'state', body: {} }, []],
    ['a refusal', { status: 404, code: 'upstream_status' }, []],
  ])('log each call, and say what %s shows of the service', (_what, answer, expected) => {
    const seen: boolean[] = [];
    const report = callReporter(property, { resource: 'cs_1', onHealth: (isUp) => seen.push(isUp) });
    report({ operation: 'paystatus', attempt: 1, durationMs: 7, ...answer });
    expect(seen).toEqual(expected);
    const { body: _, path: field, ...rest } = { body: undefined, path: undefined, ...answer };
    const level = 'code' in answer ? 'warn' : 'info';
    const call = { operation: 'paystatus', property: property.id, resource: 'cs_1', durationMs: 7 };
    expect(lines).toEqual([{ level, message: 'upstream', ...call, ...rest, field }]);
  });

  test('of a login bring the credentials, and allow one repetition', async () => {
    const upstream = new FakeUpstream().install();
    const seen: boolean[] = [];
    let isBroken = true;
    upstream.overrides.login = () => {
      const answer = isBroken ? Promise.reject(new TypeError('Network connection lost.')) : undefined;
      isBroken = false;
      return answer;
    };
    const { accessToken } = await loginToUpstream(anotherHotel(), (isUp) => seen.push(isUp));
    expect(accessToken.reveal()).toBe('token-1');
    expect(upstream.count('login')).toBe(2);
    const credentials = { username: 'aurora-user', password: 'aurora-password-marker' };
    expect(JSON.parse(upstream.last('login').body)).toMatchObject(credentials);
    expect(seen).toEqual([false, true]);
  });
});
