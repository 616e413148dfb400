// Every scenario over real HTTP. A scenario without a row here fails the last test.
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { expect, it } from 'vitest';
import { type Caller, HOTEL, type InitAnswer } from '../../packages/sandbox/test-support/caller.ts';
import { servedCaller } from './served-caller.ts';

const played = new Set<string>();

function scenario(name: string, behaviour: string, play: (caller: Caller) => Promise<void>): void {
  played.add(name);
  it(`${name}: ${behaviour}`, async () => play(await servedCaller()));
}

function cardOf(caller: Caller, name: string): string {
  return inputOf(caller, { name, lever: 'card' });
}

function amountOf(caller: Caller, name: string): string {
  return inputOf(caller, { name, lever: 'amount' });
}

function inputOf(caller: Caller, { name, lever }: { name: string; lever: string }): string {
  const row = caller.sandbox.control.magic().rows.find((one) => one.scenario === name && one.lever === lever);
  if (row === undefined) throw new Error(`no ${lever} for ${name}`);
  return row.input;
}

/** A hosted payment made with the scenario's amount. */
async function hosted(caller: Caller, name: string): Promise<{ init: InitAnswer; left: Response }> {
  const { json: init } = await caller.initpay({ amount: amountOf(caller, name) });
  return { init, left: await caller.submit(init.viewUrl) };
}

async function statusOf(caller: Caller, init: InitAnswer): Promise<unknown> {
  return (await caller.paystatus(init.requestID)).json.state;
}

async function recordOf(caller: Caller, init: InitAnswer): Promise<Readonly<Record<string, unknown>>> {
  return (await caller.transaction(init.requestID)).json;
}

function chargesOf(caller: Caller): number {
  return caller.sandbox.control.ledger().charges.length;
}

scenario('approved', 'charges and answers 0', async (caller) => {
  expect((await caller.pay({ tokenNo: await caller.token() })).json.returnCode).toBe('0');
  expect(chargesOf(caller)).toBe(1);
});

for (const [name, text] of [
  ['declined', 'Card declined'],
  ['insufficient-funds', 'Insufficient funds'],
  ['declined-for-security', 'Declined for security reasons'],
  ['call-issuer', 'Call the card issuer'],
  ['expired-card', 'The card has expired'],
] as const) {
  scenario(name, 'declines on all three levers, direct and hosted, and charges nothing', async (caller) => {
    expect((await caller.createToken({ cardNo: cardOf(caller, name) })).json.returnCode).toBe('1');
    const byName = await caller.createToken({ cardText: inputOf(caller, { name, lever: 'name' }) });
    expect(byName.json.returnCode).toBe('1');
    const tokenNo = await caller.token();
    expect((await caller.pay({ tokenNo, amount: amountOf(caller, name) })).json.returnCode).toBe('1');
    const { init } = await hosted(caller, name);
    const { json } = await caller.paystatus(init.requestID);
    expect(json).toEqual({ state: 2, result: `ERROR=${encodeURIComponent(text)}` });
    expect(chargesOf(caller)).toBe(0);
  });
}

scenario('declines-later', 'stores the card fine and declines when it is charged', async (caller) => {
  const cardNumber = cardOf(caller, 'declines-later');
  const { json: init } = await caller.initToken();
  await caller.submit(init.viewUrl, { cardNumber });
  const { token } = await recordOf(caller, init);
  expect(token).toEqual(expect.any(String));
  expect((await caller.pay({ tokenNo: token })).json.returnCode).toBe('1');
  expect(chargesOf(caller)).toBe(0);
});

scenario('surcharged', 'adds a surcharge only when the feature was asked for', async (caller) => {
  for (const [supportedFeatures, surchargeApplied] of [['surcharge', true] as const, ['', false] as const]) {
    const { json: init } = await caller.initpay({ supportedFeatures });
    await caller.submit(init.viewUrl, { cardNumber: cardOf(caller, 'surcharged') });
    await caller.submit(init.viewUrl, { action: 'confirm' });
    expect(await recordOf(caller, init)).toMatchObject({ amount: surchargeApplied ? 12300 : 12000, surchargeApplied });
  }
  // What rounds to nothing is none.
  const { json: init } = await caller.initpay({ supportedFeatures: 'surcharge', amount: '10' });
  await caller.submit(init.viewUrl, { cardNumber: cardOf(caller, 'surcharged') });
  expect(await recordOf(caller, init)).toMatchObject({ amount: 10, surchargeApplied: false });
});

scenario('surcharge-not-asked', 'adds a surcharge although nobody asked', async (caller) => {
  const { json: init } = await caller.initpay({ supportedFeatures: '' });
  await caller.submit(init.viewUrl, { cardNumber: cardOf(caller, 'surcharge-not-asked') });
  await caller.submit(init.viewUrl, { action: 'confirm' });
  expect(await recordOf(caller, init)).toMatchObject({ amount: 12300, surchargeAmount: 300 });
});

scenario('slow', 'delivers a hosted result after 5 polls or 10 seconds, and direct answers late', async (caller) => {
  const { init } = await hosted(caller, 'slow');
  const states = [];
  for (let poll = 1; poll <= 5; poll += 1) states.push(await statusOf(caller, init));
  expect(states).toEqual([0, 0, 0, 0, 1]);
  const { init: timed } = await hosted(caller, 'slow');
  expect(await statusOf(caller, timed)).toBe(0);
  caller.sandbox.control.clock({ advanceSeconds: 10 });
  expect(await statusOf(caller, timed)).toBe(1);
  const started = performance.now();
  await caller.pay({ tokenNo: await caller.token(), amount: amountOf(caller, 'slow') });
  expect(performance.now() - started).toBeGreaterThanOrEqual(19);
});

scenario('never-finishes', 'charges and stays in state 0', async (caller) => {
  const { init } = await hosted(caller, 'never-finishes');
  caller.sandbox.control.clock({ advanceSeconds: 4_000 });
  expect([await statusOf(caller, init), chargesOf(caller)]).toEqual([0, 1]);
});

scenario('finishes-late', 'delivers its result after 45 minutes', async (caller) => {
  const { init } = await hosted(caller, 'finishes-late');
  caller.sandbox.control.clock({ advanceSeconds: 44 * 60 });
  expect(await statusOf(caller, init)).toBe(0);
  caller.sandbox.control.clock({ advanceSeconds: 60 });
  expect(await statusOf(caller, init)).toBe(1);
});

scenario('answer-lost', 'charges and destroys the connection', async (caller) => {
  const tokenNo = await caller.token();
  const amount = amountOf(caller, 'answer-lost');
  await expect(caller.pay({ tokenNo, amount })).rejects.toMatchObject({
    name: 'TypeError',
    cause: { code: 'UND_ERR_SOCKET' },
  });
  expect(chargesOf(caller)).toBe(1);
  expect(caller.sandbox.control.requests().requests.at(-1)).toMatchObject({ operation: 'pay', answer: null });
  const { json: init } = await caller.initpay({ amount });
  await expect(caller.submit(init.viewUrl)).rejects.toThrow(TypeError);
  expect([await statusOf(caller, init), chargesOf(caller)]).toEqual([1, 2]);
});

scenario('error-500-after-charge', 'charges and answers 500', async (caller) => {
  const tokenNo = await caller.token();
  const response = await payRaw(caller, tokenNo, amountOf(caller, 'error-500-after-charge'));
  expect([response.status, chargesOf(caller)]).toEqual([500, 1]);
  const { init, left } = await hosted(caller, 'error-500-after-charge');
  expect(left.status).toBe(500);
  expect(await left.text()).toContain('Please do not pay again');
  expect([await statusOf(caller, init), chargesOf(caller)]).toEqual([1, 2]);
});

scenario('garbage-200', 'charges and answers 200 with a body that is cut off', async (caller) => {
  const response = await payRaw(caller, await caller.token(), amountOf(caller, 'garbage-200'));
  const body = await response.text();
  expect([response.status, chargesOf(caller)]).toEqual([200, 1]);
  expect(() => JSON.parse(body)).toThrow(SyntaxError);
  const { init } = await hosted(caller, 'garbage-200');
  await expect(statusOf(caller, init)).rejects.toThrow(SyntaxError);
  await expect(statusOf(caller, init)).rejects.toThrow(SyntaxError);
  expect(await statusOf(caller, init)).toBe(1);
});

scenario('html-page', 'charges and answers 200 with a page', async (caller) => {
  const response = await payRaw(caller, await caller.token(), amountOf(caller, 'html-page'));
  expect(response.headers.get('content-type')).toContain('text/html');
  expect([response.status, chargesOf(caller)]).toEqual([200, 1]);
  const { init } = await hosted(caller, 'html-page');
  const poll = await caller.raw(init.stateRetrivalUrl, { headers: { Authorization: `Bearer ${caller.bearer}` } });
  expect(poll.headers.get('content-type')).toContain('text/html');
});

played.add('duplicate-return');
it('duplicate-return: visits the success address itself and sends the guest there too', async () => {
  const visits: string[] = [];
  const callbackFetch = async ({ url }: Request): Promise<Response> => {
    visits.push(url);
    return new Response();
  };
  const { left } = await hosted(await servedCaller({ callbackFetch }), 'duplicate-return');
  expect([visits, left.headers.get('location')]).toEqual([
    ['https://hotel.test/success?x=1'],
    'https://hotel.test/success?x=1',
  ]);
});

scenario('record-late', 'completes the record on the 4th reading', async (caller) => {
  const { init } = await hosted(caller, 'record-late');
  expect(await statusOf(caller, init)).toBe(1);
  const statuses = [];
  for (let reading = 1; reading <= 4; reading += 1) statuses.push((await recordOf(caller, init)).status);
  expect(statuses).toEqual(['_pending', '_pending', '_pending', '_done']);
});

for (const [name, contradiction] of [
  ['record-wrong-amount', { amount: 6619 }],
  ['record-power-of-ten', { amount: 661900 }],
  ['record-wrong-currency', { currency: 'USD' }],
  ['record-wrong-request', { requestID: expect.stringMatching(/X$/) }],
] as const) {
  scenario(name, 'reports success with a record that contradicts the request', async (caller) => {
    const { init } = await hosted(caller, name);
    expect(await statusOf(caller, init)).toBe(1);
    expect(await recordOf(caller, init)).toMatchObject({ status: '_done', returnCode: '0', ...contradiction });
    expect(caller.sandbox.control.ledger().charges).toMatchObject([{ amount: Number(amountOf(caller, name)) }]);
  });
}

scenario('status-flips', 'says done first and error ever after', async (caller) => {
  const { init } = await hosted(caller, 'status-flips');
  const states = [await statusOf(caller, init), await statusOf(caller, init), await statusOf(caller, init)];
  expect([states, chargesOf(caller)]).toEqual([[1, 2, 2], 1]);
});

scenario('bearer-expires', 'stops taking the bearer token in the middle of polling', async (caller) => {
  const { init } = await hosted(caller, 'bearer-expires');
  expect((await caller.paystatus(init.requestID)).status).toBe(401);
  expect((await caller.paystatus(init.requestID)).status).toBe(401);
  await caller.login();
  expect(await statusOf(caller, init)).toBe(1);
  caller.sandbox.control.scenario({ operation: 'pay', scenario: 'bearer-expires' });
  expect((await caller.pay({ tokenNo: 'T' })).status).toBe(401);
});

scenario('double-reversal', 'reverses although nothing is left', async (caller) => {
  const amount = amountOf(caller, 'double-reversal');
  const { transactionID } = (await caller.pay({ tokenNo: await caller.token(), amount })).json;
  const codes = [];
  for (let time = 1; time <= 2; time += 1) {
    codes.push((await caller.reversal({ transactionID, amount })).json.returnCode);
  }
  expect(codes).toEqual(['0', '0']);
  expect(caller.sandbox.control.ledger().charges).toMatchObject([{ amount: 6624, reversedAmount: 13248 }]);
});

scenario('late-reversal', 'takes the payment and declines its reversal', async (caller) => {
  const tokenNo = await caller.token(cardOf(caller, 'late-reversal'));
  const { transactionID } = (await caller.pay({ tokenNo })).json;
  expect((await caller.reversal({ transactionID })).json.returnCode).toBe('1');
  expect(caller.sandbox.control.ledger().reversals).toEqual([]);
});

scenario('numeric-return-code', 'writes returnCode as a number', async (caller) => {
  const cardNo = cardOf(caller, 'numeric-return-code');
  const { tokenNo, returnCode } = (await caller.createToken({ cardNo })).json;
  const paid = (await caller.pay({ tokenNo })).json;
  const { json: init } = await caller.initpay({ amount: amountOf(caller, 'numeric-return-code') });
  await caller.submit(init.viewUrl);
  const record = await recordOf(caller, init);
  expect([returnCode, paid.returnCode, init.returnCode, record.returnCode]).toEqual([0, 0, 0, 0]);
});

scenario('rejected', 'carries nothing out and says so', async (caller) => {
  const { control } = caller.sandbox;
  for (const operation of ['login', 'pay', 'initpayNoIframe', 'gateway'] as const) {
    control.scenario({ operation, scenario: 'rejected' });
  }
  expect((await caller.pay({ tokenNo: 'T' })).json.returnCode).toBe('1');
  expect((await caller.initpay()).json.returnCode).toBe('1');
  const gateway = await caller.raw(`/1234/API/RMS/roomreq?api_key=${'0123456789'.repeat(4)}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: 'transno=1&roomreq=101&mandator=1',
  });
  expect([gateway.status, await gateway.text()]).toEqual([200, expect.stringContaining('<RC>1</RC>')]);
  expect((await caller.login()).status).toBe(401);
  expect(control.ledger().hosted).toEqual([]);
});

scenario('request-lost', 'breaks the connection and carries nothing out', async (caller) => {
  const tokenNo = await caller.token();
  caller.sandbox.control.scenario({ operation: 'pay', scenario: 'request-lost' });
  await expect(caller.pay({ tokenNo })).rejects.toMatchObject({ cause: { code: 'UND_ERR_SOCKET' } });
  expect(chargesOf(caller)).toBe(0);
});

scenario('unavailable', 'carries nothing out and answers 503, for every operation', async (caller) => {
  const { control } = caller.sandbox;
  const { operations } = control.scenarios().scenarios.find(({ name }) => name === 'unavailable') ?? { operations: [] };
  const { json: init } = await caller.initpay();
  const tokenNo = await caller.token();
  for (const operation of operations) control.scenario({ operation, scenario: 'unavailable' });
  const calls = [
    () => payRaw(caller, tokenNo, '100'),
    () => caller.raw(init.stateRetrivalUrl, { headers: { Authorization: `Bearer ${caller.bearer}` } }),
    () => caller.post('/login', { username: 'demo', password: 'demo-password' }),
  ];
  for (const call of calls) {
    expect((await call()).status).toBe(503);
    expect((await call()).status).toBe(200);
  }
  expect(chargesOf(caller)).toBe(1);
});

for (const status of [400, 401, 407, 408, 413, 417, 421, 422, 425, 429, 301, 302, 303, 307, 308]) {
  scenario(`status-${status}`, `carries nothing out and answers ${status}, and points nowhere`, async (caller) => {
    caller.sandbox.control.scenario({ operation: 'pay', scenario: `status-${status}` });
    const response = await payOnce(caller, await caller.token());
    expect([response.statusCode, response.headers.location]).toEqual([status, undefined]);
    expect(chargesOf(caller)).toBe(0);
  });
}

const redirects = [301, 302, 303, 307, 308].map((status) => [`redirect-${status}`, status] as const);
for (const [name, status] of [...redirects, ['redirected', 307] as const]) {
  scenario(name, 'carries nothing out and points to another origin', async (caller) => {
    caller.sandbox.control.scenario({ operation: 'pay', scenario: name });
    const response = await payRaw(caller, await caller.token(), '100');
    expect([response.status, response.headers.get('location')]).toEqual([status, 'https://elsewhere.invalid/']);
    expect(chargesOf(caller)).toBe(0);
  });
}

scenario('outcome-pending', 'charges and says neither yes nor no', async (caller) => {
  caller.sandbox.control.scenario({ operation: 'pay', scenario: 'outcome-pending' });
  const response = await payRaw(caller, await caller.token(), '100');
  expect(await response.json()).toEqual({ returnCode: '96', returnText: 'outcome pending' });
  expect(chargesOf(caller)).toBe(1);
});

scenario('foreign-urls', 'answers an init with addresses on another origin', async (caller) => {
  caller.sandbox.control.scenario({ operation: 'initpayNoIframe', scenario: 'foreign-urls' });
  const { json: init } = await caller.initpay();
  const origins = [new URL(init.viewUrl).origin, new URL(init.stateRetrivalUrl).origin];
  expect(origins).toEqual(['https://elsewhere.invalid', 'https://elsewhere.invalid']);
});

it('plays every scenario that there is', async () => {
  const caller = await servedCaller();
  const names = caller.sandbox.control.scenarios().scenarios.map(({ name }) => name);
  expect([...played].toSorted()).toEqual(names.toSorted());
});

it('obeys every magic row: card, amount and name choose the scenario that they name', async () => {
  const caller = await servedCaller({ callbackFetch: () => Promise.resolve(new Response()) });
  const { control } = caller.sandbox;
  const chosen: Record<string, string | null | undefined> = {};
  for (const { lever, input } of control.magic().rows) {
    const { json: init } = await caller.initpay(lever === 'amount' ? { amount: input } : {});
    const fields = { card: { cardNumber: input }, amount: {}, name: { cardholder: input.toUpperCase() } }[lever];
    await caller.submit(init.viewUrl, fields).catch(() => undefined);
    await caller.submit(init.viewUrl, { action: 'confirm' }).catch(() => undefined);
    chosen[`${lever} ${input}`] = control.ledger().hosted.at(-1)?.scenario;
  }
  const promised = control.magic().rows.map(({ lever, input, scenario: name }) => [`${lever} ${input}`, name]);
  expect(chosen).toEqual(Object.fromEntries(promised));
});

it('charges although the caller hangs up while it waits for the answer', async () => {
  const caller = await servedCaller({ slowAnswerMs: 60_000 });
  const tokenNo = await caller.token();
  const hangUp = new AbortController();
  const waiting = payRaw(caller, tokenNo, amountOf(caller, 'slow'), { signal: hangUp.signal });
  while (chargesOf(caller) === 0) await new Promise((resolve) => setImmediate(resolve));
  hangUp.abort();
  await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
  expect(chargesOf(caller)).toBe(1);
  expect((await caller.pay({ tokenNo })).json.returnCode).toBe('0');
});

const payBody = (tokenNo: string, amount: string) => ({
  ...{ ...HOTEL, serviceProvider: 'SANDBOX_DIRECT' },
  ...{ tokenNo, amount, currency: 'EUR', text: '' },
});

const payRaw = (caller: Caller, tokenNo: string, amount: string, init?: RequestInit): Promise<Response> =>
  caller.post('/V2/1234/pay', payBody(tokenNo, amount), init);

/** Without fetch, which sends again after a 421 and hides a 407. */
async function payOnce(caller: Caller, tokenNo: string): Promise<IncomingMessage> {
  const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${caller.bearer}` };
  const sending = request(`${caller.origin}/V2/1234/pay`, { method: 'POST', headers, agent: false });
  sending.end(JSON.stringify(payBody(tokenNo, '100')));
  const [response] = (await once(sending, 'response')) as [IncomingMessage];
  response.resume();
  return response;
}
