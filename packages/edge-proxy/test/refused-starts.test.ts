/** Starts that the payment service refuses although it takes the login: nobody can pay, so the status says so. */
import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeEach, expect, test } from 'vitest';
import { type Property, parseProperty } from '../src/properties/configured-properties.ts';
import { accessTokenObjectName } from '../src/upstream/account-of.ts';
import { createSession, type Json, merchant, startAttempt } from '../test-support/client.ts';
import { KEYS, TEST_ENVIRONMENT } from '../test-support/environment.ts';
import { useFakes } from '../test-support/harness.ts';
import { passSeconds } from '../test-support/objects.ts';

const fakes = useFakes();
const aurora = parseProperty('aurora', TEST_ENVIRONMENT.PROPERTY_AURORA) as Property;
const OK = { status: 'ok' };
const REFUSED = { status: 'refuses_starts' };
let day = 0;

beforeEach(async () => {
  day += 1;
  passSeconds(day * 86_400);
  // Ends what the test before has left.
  await startOnce();
  await expect.poll(stored).toEqual([]);
});

const tokenObject = async () => env.ACCESS_TOKENS.getByName(await accessTokenObjectName(aurora));
const upstreamOf = async (key: string = KEYS.aurora): Promise<unknown> =>
  ((await (await merchant('/v1/status', { key })).json()) as Json).upstream;

async function stored(): Promise<unknown> {
  return runInDurableObject(await tokenObject(), (_object, { storage }) => {
    const { record } = storage.sql.exec<{ record: string }>('SELECT record FROM access_token').one();
    return (JSON.parse(record) as Json).refusedStarts ?? [];
  });
}

function answerStarts(status: number, operation = 'initpayNoIframe'): void {
  fakes.upstream.overrides[operation] = () => new Response(null, { status });
}

/** Starts a new session. Its id. */
async function startOnce(expected = 200, overrides: Json = {}): Promise<string> {
  const session = await createSession(overrides);
  expect((await startAttempt(session)).status).toBe(expected);
  return session.id;
}

test.each([
  [401, 503],
  [403, 502],
  [404, 502],
])('three sessions in a row refused with %i are said, of that hotel alone, until one starts', async (code, answer) => {
  answerStarts(code);
  const refused = [await startOnce(answer), await startOnce(answer)];
  await expect.poll(stored).toEqual(refused);
  expect(await upstreamOf()).toEqual(OK);
  refused.push(await startOnce(answer));
  await expect.poll(upstreamOf).toEqual(REFUSED);
  expect(await upstreamOf(KEYS.borealis)).toEqual(OK);
  // However long nobody starts, and although the login is taken again and again.
  await evictDurableObject(await tokenObject());
  passSeconds(2 * 86_400);
  expect(await upstreamOf()).toEqual(REFUSED);
  await startOnce(answer);
  expect([await upstreamOf(), await stored()]).toEqual([REFUSED, refused]);
  fakes.upstream.overrides = {};
  await startOnce();
  await expect.poll(upstreamOf).toEqual(OK);
});

test('one session counts once, however often its guest tries again', async () => {
  answerStarts(403);
  const session = await createSession();
  for (let nth = 0; nth < 4; nth++) expect((await startAttempt(session)).status).toBe(502);
  const another = await startOnce(502);
  await expect.poll(stored).toEqual([session.id, another]);
  expect(await upstreamOf()).toEqual(OK);
});

test('a token that had ended too early is no refusal, once the next one is taken', async () => {
  let answers = 0;
  fakes.upstream.overrides.initpayNoIframe = () => {
    answers += 1;
    return answers === 1 ? new Response(null, { status: 401 }) : undefined;
  };
  await startOnce();
  await expect.poll(stored).toEqual([]);
});
