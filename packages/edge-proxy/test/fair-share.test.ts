/** A hotel whose payment service is dead, or whose guests storm it, beside others: who is refused, with what, and what goes on by itself. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { acquirePermit, type CallFor, countCall, isRefused, type Permit } from '../src/upstream/call-budget.ts';
import { createSession, type Json, merchant, retrieve, send, startAttempt } from '../test-support/client.ts';
import { KEYS } from '../test-support/environment.ts';
import { charge, useMoneyFakes } from '../test-support/money.ts';
import { passSeconds, runSessionAlarm } from '../test-support/objects.ts';

const fakes = useMoneyFakes('FAIR');
const UPSTREAM = 'https://pay.test';
const others = (name: string) => ({ reference: `${fakes.reference}-${name}` });

let permits: Permit[];
beforeEach(() => {
  permits = [];
});
afterEach(() => {
  makeRoom();
});

/** Calls that hang. */
function hang(count: number, call: Partial<CallFor> = {}): void {
  const all = { receiver: UPSTREAM, property: 'aurora', source: 'cs_hanging', ...call };
  for (let nth = 0; nth < count; nth++) permits.push(countCall(all));
}

function makeRoom(): void {
  for (const permit of permits.splice(0)) permit.end();
}

function start(clientSecret: string, origin = 'https://aurora.test'): Promise<Response> {
  return startAttempt({ clientSecret }, { origin });
}

/** Status, code and the time to wait. */
async function refusal(answer: Response): Promise<unknown[]> {
  return [answer.status, (await answer.json<Json>()).code, answer.headers.get('retry-after')];
}

test('the storm of one hotel is answered 429, and the guests of another open their pages', async () => {
  const [own, other] = [await createSession(others('own')), await createBorealis()];
  hang(256);
  expect(await refusal(await start(own.clientSecret))).toEqual([429, 'rate_limited', '1']);
  expect(await retrieve(own.id)).toMatchObject({ status: 'open' });
  expect((await start(other, 'https://borealis.test')).status).toBe(200);
  makeRoom();
  expect((await start(own.clientSecret)).status).toBe(200);
});

test('a charge and a reversal are sent whatever else is under way', async () => {
  hang(2_048, { property: 'everybody' });
  hang(256);
  const made = await charge(fakes.key('full'), others('full'));
  expect(made).toMatchObject({ status: 'succeeded' });
  const body = { payment: made.id };
  const headers = { 'idempotency-key': fakes.key('back') };
  expect((await merchant('/v1/reversals', { body, headers })).status).toBe(201);
  await expect.poll(() => fakes.upstream.count('webhook')).toBe(2);
  await expect.poll(() => waiting()).toMatchObject({ waiting: 0 });
});

test('a message to the gateway is refused while half of the hotel’s calls hang, and starts are not', async () => {
  hang(128);
  const headers = { authorization: `Bearer ${KEYS.aurora}`, 'content-type': 'text/xml' };
  const answer = await send('/v1/gateway/RMS/roomreq', { method: 'POST', body: '<a/>', headers });
  expect(await refusal(answer)).toEqual([429, 'rate_limited', '1']);
  expect((await start((await createSession(others('guest'))).clientSecret)).status).toBe(200);
});

test('every permit comes back, whatever the call comes to', async () => {
  const session = await createSession(others('back'));
  for (const answer of [
    () => new Response(null, { status: 500 }),
    () => Response.json({ returnCode: '5' }),
    undefined,
  ]) {
    fakes.upstream.overrides.initpayNoIframe = answer;
    await start(session.clientSecret);
    passSeconds(61);
    await runSessionAlarm(session.id);
  }
  const free = Array.from({ length: 300 }, () =>
    acquirePermit('start', { receiver: UPSTREAM, property: 'aurora', source: 'cs_free' }),
  ).filter((permit) => !isRefused(permit));
  for (const permit of free) if (!isRefused(permit)) permit.end(true);
  expect(free.length).toBe(256);
});

async function createBorealis(): Promise<string> {
  const change = { returnUrl: 'https://borealis.test/', surcharge: false };
  return (await createSession({ ...others('other'), ...change }, KEYS.borealis)).clientSecret;
}

async function waiting(): Promise<Json | undefined> {
  const list = await (await merchant('/v1/webhook-endpoints')).json<{ data: Json[] }>();
  return list.data[0];
}
