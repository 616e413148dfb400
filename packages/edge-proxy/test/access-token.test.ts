import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeEach, expect, test } from 'vitest';
import { type Property, parseProperty } from '../src/properties/configured-properties.ts';
import { accessTokenObjectName } from '../src/upstream/account-of.ts';
import { createSession, startAttempt } from '../test-support/client.ts';
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

const start = async (): Promise<Response> => startAttempt(await createSession());

async function tokenObject() {
  return env.ACCESS_TOKENS.getByName(await accessTokenObjectName(aurora));
}

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
