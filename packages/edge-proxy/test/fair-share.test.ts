/** A hotel whose payment service is dead, or whose guests storm it, beside others: who is refused, with what, and what goes on by itself. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { acquirePermit, type CallFor, countCall, isRefused, type Permit } from '../src/upstream/call-budget.ts';
import {
  createSession,
  type Json,
  merchant,
  retrieve,
  send,
  startAttempt,
  startSession,
} from '../test-support/client.ts';
import { KEYS } from '../test-support/environment.ts';
import { charge, useMoneyFakes } from '../test-support/money.ts';
import { passSeconds, runLedgerAlarm, runSessionAlarm } from '../test-support/objects.ts';

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

test('starts that hang are refused after the eighth once polls have failed, until one of them is answered', async () => {
  const sessions: string[] = [];
  for (let nth = 0; nth < 3; nth++) sessions.push((await startSession(others(`poll-${nth}`))).id);
  passSeconds(120);
  fakes.upstream.overrides.paystatus = () => Promise.reject(new TypeError('Network connection lost.'));
  for (const id of sessions) await runSessionAlarm(id);
  hang(8);
  passSeconds(20);
  const { clientSecret } = await createSession(others('ninth'));
  expect(await refusal(await start(clientSecret))).toEqual([503, 'upstream_unavailable', '20']);
  permits[0]?.end(true);
  expect((await start(clientSecret)).status).toBe(200);
});

test('a payment goes on being watched after its polls were deferred', async () => {
  const { id } = await startSession(others('watched'));
  hang(2_048, { property: 'everybody' });
  fakes.upstream.pay(id);
  for (let nth = 0; nth < 5; nth++) {
    passSeconds(5);
    await runSessionAlarm(id);
  }
  expect(fakes.upstream.count('paystatus')).toBe(0);
  expect(await retrieve(id)).toMatchObject({ status: 'pending' });
  makeRoom();
  passSeconds(60);
  await runSessionAlarm(id);
  expect(await retrieve(id)).toMatchObject({ status: 'succeeded' });
});

test('looks at a payment service that does not answer are a second apart for one hotel, and resume with the first answer', async () => {
  const sessions: string[] = [];
  for (let nth = 0; nth < 9; nth++) sessions.push((await startSession(others(`slow-${nth}`))).id);
  passSeconds(120);
  fakes.upstream.overrides.paystatus = () => new Response(null, { status: 503 });
  const polls = async (): Promise<number> => {
    const before = fakes.upstream.count('paystatus');
    for (const id of sessions) await runSessionAlarm(id);
    return fakes.upstream.count('paystatus') - before;
  };
  expect(await polls()).toBe(3);
  passSeconds(30);
  expect(await polls()).toBe(1);
  delete fakes.upstream.overrides.paystatus;
  passSeconds(60);
  expect(await polls()).toBeGreaterThan(5);
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

test('a webhook to a host that is full goes out later, with all of its attempts', async () => {
  hang(128, { receiver: 'hooks.aurora.test', property: 'everybody' });
  const { id } = await startSession(others('hook'));
  fakes.upstream.pay(id);
  passSeconds(30);
  await runSessionAlarm(id);
  await expect.poll(() => waiting()).toMatchObject({ waiting: 1, status: 'active' });
  await runLedgerAlarm();
  expect(fakes.upstream.count('webhook')).toBe(0);
  makeRoom();
  passSeconds(60);
  await runLedgerAlarm();
  await expect.poll(() => waiting()).toMatchObject({ waiting: 0, lastFailureAt: null });
  expect(fakes.upstream.count('webhook')).toBe(1);
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
