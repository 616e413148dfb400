import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { SEALING_KEY } from '../../test-support/environment.ts';
import { useFakes } from '../../test-support/harness.ts';
import { passSeconds } from '../../test-support/objects.ts';
import { type Property, parseProperty } from '../properties/configured-properties.ts';
import { type PropertyBindings, propertiesOf } from '../properties/properties.ts';
import type { AccessTokenObject } from './access-token-object.ts';

const fakes = useFakes();
const REFUSED = { ok: false, code: 'authentication_failed' };
let run = 0;

beforeEach(() => {
  run += 1;
  // A call that is repeated waits for a moment, which none of these tests is about; time limits stay as they are.
  const { setTimeout } = globalThis;
  const atOnce = (act: () => void, ms = 0) => setTimeout(act, ms < 1_000 ? 0 : ms);
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(atOnce as typeof setTimeout);
  vi.spyOn(Math, 'random').mockReturnValue(0);
});

const MARKER = 'aurora-password-marker';
/** The object of this test. */
const object = (): DurableObjectStub<AccessTokenObject> => env.ACCESS_TOKENS.getByName(`token-${run}`);
const getToken = (rejected: string | null = null) => object().getToken('aurora', rejected);
const logins = (): number => fakes.upstream.count('login');

function answerLogins(status: number): void {
  fakes.upstream.overrides.login = () => new Response(null, { status });
}

async function configure(change: Partial<Property>): Promise<void> {
  await runInDurableObject(object(), (instance) => {
    const settings = (instance as unknown as { env: PropertyBindings & { PROPERTY_AURORA: string } }).env;
    const aurora = parseProperty('aurora', settings.PROPERTY_AURORA) as Property;
    vi.spyOn(propertiesOf(settings), 'find').mockResolvedValue({ ...aurora, ...change });
  });
}

async function tokenOf(answer: ReturnType<typeof getToken>): Promise<string | undefined> {
  const given = await answer;
  return given.ok ? given.token : undefined;
}

describe('renewal', () => {
  test.each([
    [4_800, 4_740],
    [100, 80],
  ])('of a token that lives %i seconds comes after %i', async (lifetime, renewed) => {
    fakes.upstream.loginLifetime = lifetime;
    const first = await getToken();
    const live = { ok: true, token: 'token-1', expiresAt: Date.now() + lifetime * 1_000, isUnresolved: false };
    expect(first).toEqual(live);
    passSeconds(renewed - 0.001);
    expect(await getToken()).toEqual(first);
    passSeconds(0.001);
    expect(await tokenOf(getToken())).toBe('token-2');
  });

  test('that fails leaves the old token to everybody who asks, until its very end', async () => {
    const first = await getToken();
    const end = Date.now() + 4_800_000;
    passSeconds(4_790);
    let mayAnswer = false;
    fakes.upstream.overrides.login = async () => {
      while (!mayAnswer) await scheduler.wait(5);
      return new Response(null, { status: 403 });
    };
    const asked = [getToken(), getToken()];
    await expect.poll(() => logins()).toBe(2);
    asked.push(getToken());
    vi.setSystemTime(end - 1);
    mayAnswer = true;
    for (const answer of asked) expect(await answer).toMatchObject({ ...first, isUnresolved: expect.any(Boolean) });
    vi.setSystemTime(end);
    expect(await getToken()).toEqual(REFUSED);
  });

  test('goes on when its caller hangs up, and is one for all who ask meanwhile', async () => {
    const waited = await runInDurableObject(object(), async (instance, ctx) => {
      const waitUntil = vi.spyOn(ctx, 'waitUntil');
      const answers = await Promise.all([instance.getToken('aurora', null), instance.getToken('aurora', null)]);
      expect(answers.map(({ ok }) => ok)).toEqual([true, true]);
      return waitUntil.mock.calls.length;
    });
    expect([waited, logins()]).toEqual([1, 1]);
  });
});

describe('a rejected token', () => {
  test('is replaced if it is the live one, and not otherwise', async () => {
    await getToken();
    expect(await tokenOf(getToken('another'))).toBe('token-1');
    expect(await tokenOf(getToken('token-1'))).toBe('token-2');
    expect(await tokenOf(getToken('token-1'))).toBe('token-2');
  });

  test('is not used again by a later instance, although no other could be obtained', async () => {
    await getToken();
    answerLogins(500);
    expect(await getToken('token-1')).toMatchObject({ ok: false });
    await evictDurableObject(object());
    fakes.upstream.overrides = {};
    expect(await tokenOf(getToken())).toBe('token-2');
  });
});

describe('a stored token', () => {
  test('is sealed, and serves the next instance', async () => {
    await getToken();
    const rows = await runInDurableObject(object(), (_instance, { storage }) =>
      JSON.stringify(storage.sql.exec('SELECT * FROM access_token').toArray()),
    );
    expect(rows).toContain('v1.');
    for (const secret of ['token-1', MARKER]) expect(rows).not.toContain(secret);
    await evictDurableObject(object());
    expect(await tokenOf(getToken())).toBe('token-1');
  });

  test.each([
    ['is opened with the password before', { previousPassword: MARKER }, 'token-1'],
    ['is opened although there is a sealing key since', { sealingKeys: [SEALING_KEY], password: MARKER }, 'token-1'],
    ['that cannot be opened is replaced', {}, 'token-2'],
    ['of another hotel is replaced', { id: 'other', password: MARKER }, 'token-2'],
  ])('%s', async (_what, change, token) => {
    await configure({ sealingKeys: [] });
    await getToken();
    await evictDurableObject(object());
    await configure({ password: 'another', sealingKeys: [], ...change });
    expect(await tokenOf(getToken())).toBe(token);
  });

  test('is opened with an older sealing key, and never with the password alone', async () => {
    await getToken();
    await evictDurableObject(object());
    await configure({ sealingKeys: ['a newer key', SEALING_KEY], password: 'another' });
    expect(await tokenOf(getToken())).toBe('token-1');
    await evictDurableObject(object());
    await configure({ sealingKeys: [] });
    expect(await tokenOf(getToken())).toBe('token-2');
  });

  test('that has ended is replaced', async () => {
    await getToken();
    await evictDurableObject(object());
    passSeconds(4_800);
    answerLogins(500);
    expect(await getToken()).toMatchObject({ ok: false });
    fakes.upstream.overrides = {};
    expect(await tokenOf(getToken())).toBe('token-2');
  });
});

describe('a login that is answered', () => {
  test.each([400, 401, 403, 404, 499, 200])('%i without a token is not repeated for thirty seconds', async (status) => {
    answerLogins(status);
    const refusal = { returnCode: '5', returnText: 'wrong password' };
    if (status === 200) fakes.upstream.overrides.login = () => Response.json(refusal);
    expect(await getToken()).toEqual(REFUSED);
    const before = logins();
    fakes.upstream.overrides = {};
    passSeconds(29.999);
    expect(await getToken()).toEqual(REFUSED);
    expect(logins()).toBe(before);
    passSeconds(0.001);
    expect(await getToken()).toMatchObject({ ok: true });
  });

  test.each([302, 408, 429, 500, 503])(
    '%i says nothing about the password, and is repeated at once',
    async (status) => {
      answerLogins(status);
      const answer = await getToken();
      expect(answer).toMatchObject({ ok: false });
      expect(answer).not.toEqual(REFUSED);
      fakes.upstream.overrides = {};
      expect(await getToken()).toMatchObject({ ok: true });
    },
  );

  test('well forgets the refusals before it', async () => {
    answerLogins(403);
    await getToken();
    passSeconds(30);
    fakes.upstream.overrides = {};
    expect(await getToken()).toMatchObject({ ok: true });
    passSeconds(4_800);
    answerLogins(403);
    expect(await getToken()).toEqual(REFUSED);
    passSeconds(30);
    const before = logins();
    expect(await getToken()).toEqual(REFUSED);
    expect(logins()).toBeGreaterThan(before);
  });

  test('with a refusal is tried again at once with another password, whose refusals are counted anew', async () => {
    answerLogins(403);
    await getToken();
    passSeconds(30);
    await getToken();
    const before = logins();
    await configure({ password: 'another' });
    expect(await getToken()).toEqual(REFUSED);
    passSeconds(30);
    expect(await getToken()).toEqual(REFUSED);
    expect(logins()).toBe(before + 2);
    const { record } = await runInDurableObject(object(), (_instance, { storage }) =>
      storage.sql.exec<{ record: string }>('SELECT record FROM access_token').one(),
    );
    expect(JSON.parse(record)).toEqual({
      property: 'aurora',
      sealed: null,
      expiresAt: 0,
      renewAt: 0,
      refusals: 2,
      blockedUntil: Date.now() + 60_000,
      credential: expect.stringMatching(/^[0-9a-f]{8}$/),
    });
  });
});

test.each(['gone', 'broken'])('the property %s gets no token, and no login is made', async (property) => {
  expect(await object().getToken(property, null)).toEqual({ ok: false, code: 'configuration' });
  expect(logins()).toBe(0);
});

test('a report from a clock that is ahead hides no later failure', async () => {
  await object().reportHealth({ source: 'cs_a', isUp: true, at: Date.now() + 3_600_000 });
  passSeconds(1);
  for (const source of ['cs_b', 'cs_c', 'cs_d']) await object().reportHealth({ source, isUp: false, at: Date.now() });
  expect(await object().knownDownMs()).toBe(10_000);
});

test('a return code that is known is not kept again', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  for (let times = 0; times < 2; times++) await object().noteReturnCode('aurora', '51');
  expect(warn).toHaveBeenCalledOnce();
});
