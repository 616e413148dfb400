import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, test } from 'vitest';
import { type Property, parseProperty } from '../src/properties/configured-properties.ts';
import { accessTokenObjectName } from '../src/upstream/access-token-source.ts';
import { callReporter } from '../src/upstream/upstream-options.ts';
import { createSession, merchant, startAttempt } from '../test-support/client.ts';
import { AURORA, TEST_ENVIRONMENT } from '../test-support/environment.ts';
import { useFakes } from '../test-support/harness.ts';
import { passSeconds } from '../test-support/objects.ts';

const fakes = useFakes();
const aurora = parseProperty('aurora', TEST_ENVIRONMENT.PROPERTY_AURORA) as Property;
let day = 0;

// Every test has a day of its own, so that no token and no pause of the one before reaches it.
beforeEach(() => {
  day += 1;
  passSeconds(day * 86_400);
});

async function start(): Promise<Response> {
  const session = await createSession();
  return startAttempt(session);
}

async function tokenObject() {
  return env.ACCESS_TOKENS.getByName(await accessTokenObjectName(aurora));
}

test('two hundred guests starting at once on a cold proxy make one login', async () => {
  const sessions = await Promise.all(Array.from({ length: 200 }, () => createSession()));
  const answers = await Promise.all(sessions.map(({ clientSecret }) => startAttempt({ clientSecret })));
  expect(answers.map(({ status }) => status)).toEqual(Array(200).fill(200));
  expect(fakes.upstream.count('login')).toBe(1);
  expect(fakes.upstream.count('initpayNoIframe')).toBe(200);
});

test('a token is used until shortly before its end, then renewed once', async () => {
  await start();
  passSeconds(4_600);
  await start();
  expect(fakes.upstream.count('login')).toBe(1);
  passSeconds(150);
  await Promise.all([start(), start()]);
  expect(fakes.upstream.count('login')).toBe(2);
});

test('a refused token is replaced once, and the call repeated', async () => {
  await start();
  const refused = fakes.upstream.last('initpayNoIframe').headers.get('authorization');
  fakes.upstream.overrides.initpayNoIframe = (request) =>
    request.headers.get('authorization') === refused ? new Response(null, { status: 401 }) : undefined;
  const answers = await Promise.all(Array.from({ length: 20 }, () => start()));
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
  expect(fakes.upstream.count('login')).toBe(2);
});

test('a token refused twice is 503, and the session stays open', async () => {
  const session = await createSession();
  fakes.upstream.overrides.initpayNoIframe = () => new Response(null, { status: 401 });
  const answer = await startAttempt(session);
  expect(answer.status).toBe(503);
  expect(await answer.json()).toMatchObject({ code: 'property_unavailable' });
  expect(await (await merchant(`/v1/checkout-sessions/${session.id}`)).json()).toMatchObject({ status: 'open' });
});

describe('refused logins', () => {
  test.each([401, 403, 400])('with %s are 503 and not repeated for thirty seconds, then a minute', async (status) => {
    fakes.upstream.overrides.login = () => new Response(null, { status });
    expect((await start()).status).toBe(503);
    for (let i = 0; i < 5; i++) expect((await start()).status).toBe(503);
    expect(fakes.upstream.count('login')).toBe(1);
    passSeconds(31);
    expect((await start()).status).toBe(503);
    expect(fakes.upstream.count('login')).toBe(2);
    passSeconds(31);
    expect((await start()).status).toBe(503);
    expect(fakes.upstream.count('login')).toBe(2);
    passSeconds(30);
    fakes.upstream.overrides = {};
    expect((await start()).status).toBe(200);
  });

  test('stay known to an object that was evicted', async () => {
    fakes.upstream.overrides.login = () => new Response(null, { status: 401 });
    await start();
    await evictDurableObject(await tokenObject());
    await start();
    expect(fakes.upstream.count('login')).toBe(1);
  });
});

test('an upstream that is down is asked again at once', async () => {
  fakes.upstream.overrides.login = () => new Response(null, { status: 500 });
  const answer = await start();
  expect(answer.status).toBe(502);
  expect(await answer.json()).toMatchObject({ code: 'upstream_error' });
  fakes.upstream.overrides = {};
  expect((await start()).status).toBe(200);
});

test('a renewal that fails costs nothing while the old token lives', async () => {
  await start();
  passSeconds(4_760);
  fakes.upstream.overrides.login = () => new Response(null, { status: 500 });
  expect((await start()).status).toBe(200);
});

test('the token survives eviction, sealed', async () => {
  await start();
  const token = fakes.upstream.last('initpayNoIframe').headers.get('authorization')?.slice('Bearer '.length) ?? '';
  const rows = await runInDurableObject(await tokenObject(), (_, { storage }) =>
    JSON.stringify(storage.sql.exec('SELECT * FROM access_token').toArray()),
  );
  expect(rows).toContain('v1.');
  expect(rows).not.toContain(token);
  expect(rows).not.toContain(AURORA.password);
  await evictDurableObject(await tokenObject());
  passSeconds(40);
  await start();
  expect(fakes.upstream.count('login')).toBe(1);
});

test('an unknown property gets no token', async () => {
  const answer = await (await tokenObject()).getToken('nobody', null);
  expect(answer).toMatchObject({ ok: false, code: 'configuration' });
});

test.each([
  ['JSON with a strange field leaves', { body: { state: 'perhaps' } }, []],
  ['no JSON at all ends', {}, [false]],
])('an answer that is %s the belief that the payment service is there', (_what, view, told) => {
  const seen: boolean[] = [];
  const report = callReporter(aurora, { onHealth: (isUp) => seen.push(isUp) });
  report({ operation: 'paystatus', attempt: 1, status: 200, code: 'invalid_response', durationMs: 1, ...view });
  expect(seen).toEqual(told);
});

test('an isolate hears of a doubt with its next token, and its next success ends the doubt', async () => {
  await start();
  const object = await tokenObject();
  passSeconds(1);
  // What another isolate saw.
  const report = { source: 'cs_elsewhere', isUp: false, at: Date.now() };
  expect(await object.reportHealth(report)).toBe(true);
  passSeconds(8);
  await start();
  expect(await object.getToken('aurora', null)).toMatchObject({ ok: true, isUnresolved: true });
  passSeconds(2);
  await start();
  await expect.poll(() => object.getToken('aurora', null)).toMatchObject({ isUnresolved: false });
});

test('a report from a clock that is ahead hides no later failure', async () => {
  const object = await tokenObject();
  await object.reportHealth({ source: 'cs_a', isUp: true, at: Date.now() + 3_600_000 });
  passSeconds(1);
  for (const source of ['cs_b', 'cs_c', 'cs_d']) await object.reportHealth({ source, isUp: false, at: Date.now() });
  expect(await object.knownDownMs()).toBe(10_000);
});
