/** When charges are refused because the payment service is down, and when they must not be. */
import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { type Property, parseProperty } from '../src/properties/configured-properties.ts';
import { accessTokenObjectName } from '../src/upstream/account-of.ts';
import { merchant, retrieve, startSession } from '../test-support/client.ts';
import { addHotel } from '../test-support/directory.ts';
import { TEST_ENVIRONMENT } from '../test-support/environment.ts';
import { CHARGE, charge, postCharge, storedText, useMoneyFakes } from '../test-support/money.ts';
import { ids, passSeconds } from '../test-support/objects.ts';

const fakes = useMoneyFakes('HEALTH');

async function pending(): Promise<string> {
  return (await startSession({ reference: fakes.reference })).id;
}

function poll(id: string): Promise<Response> {
  return merchant(`/v1/checkout-sessions/${id}/refresh`, { method: 'POST' });
}

/** Until the reports that nobody waits for have arrived. */
async function untilKnownDown(isDown: boolean): Promise<void> {
  const aurora = parseProperty('aurora', TEST_ENVIRONMENT.PROPERTY_AURORA) as Property;
  const object = env.ACCESS_TOKENS.getByName(await accessTokenObjectName(aurora));
  await expect.poll(async () => (await object.knownDownMs()) > 0).toBe(isDown);
}

const others = (name: string) => ({ reference: `${fakes.reference}-${name}` });

test('a service that is down: refused before anything is stored, with the time to wait, until any success', async () => {
  const sessions = [await pending(), await pending(), await pending()];
  await charge(fakes.key('before'), others('before'));
  // What fails counts when it ended after the last success.
  passSeconds(1);
  fakes.upstream.overrides.paystatus = () => Promise.reject(new TypeError('Network connection lost.'));
  await Promise.all(sessions.map(poll));
  await untilKnownDown(true);
  const paid = fakes.upstream.count('pay');
  const refused = await postCharge(fakes.key('while'), others('while'));
  expect(refused.status).toBe(503);
  expect(await refused.json()).toMatchObject({ code: 'upstream_unavailable' });
  const wait = Number(refused.headers.get('retry-after'));
  expect(wait).toBeGreaterThanOrEqual(1);
  expect(wait).toBeLessThanOrEqual(10);
  expect(fakes.upstream.count('pay')).toBe(paid);
  expect(await storedText(await ids.derive('ch', ['aurora', 'charge', fakes.key('while')]))).toBe('');
  // A page that opens is a success as well, and so is everything else.
  await pending();
  await untilKnownDown(false);
  expect(await charge(fakes.key('while'), others('while'))).toMatchObject({ status: 'succeeded' });
  expect(await retrieve(sessions[0] ?? '')).toMatchObject({ status: 'pending' });
});

test.each([
  ['leaves it open', 'open', () => Response.json({ returnCode: 0 }, { status: 401 }), 'unknown'],
  ['is a long page', 'page', () => new Response('x'.repeat(70_000), { status: 401 }), 'succeeded'],
])('after a 401 whose body %s, charges go on with a new token', async (_, name, refusal, first) => {
  // It only charges: nothing else renews its token.
  const hotel = `alpine_${name}`;
  const key = `sk_test_${hotel}_${'k'.repeat(40)}`;
  await addHotel(hotel, [key]);
  let revoked: string | null | undefined;
  fakes.upstream.overrides.pay = ({ headers }) => {
    const token = headers.get('authorization');
    revoked ??= token;
    return token === revoked ? refusal() : Response.json({ transactionID: 'TX-1', returnCode: '0' });
  };
  const statusOf = async (number: string): Promise<string> => {
    const body = { ...CHARGE, reference: `${fakes.reference}${number}` };
    const headers = { 'idempotency-key': fakes.key(name + number) };
    return (await (await merchant('/v1/charges', { key, body, headers })).json<{ status: string }>()).status;
  };
  expect(await statusOf('a')).toBe(first);
  passSeconds(900);
  expect(await statusOf('b')).toBe('succeeded');
});
