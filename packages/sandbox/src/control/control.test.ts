import { describe, expect, it } from 'vitest';
import { Caller } from '../../test-support/caller.ts';
import { createSandbox } from '../server/sandbox.ts';

async function transcript(caller: Caller): Promise<string[]> {
  const bytes: string[] = [];
  const keep = async (response: Response): Promise<void> => {
    bytes.push(`${response.status} ${JSON.stringify([...response.headers])} ${await response.text()}`);
  };
  bytes.push(JSON.stringify(await caller.login()));
  const init = await caller.initpay();
  bytes.push(JSON.stringify(init));
  await keep(await caller.raw(init.json.viewUrl));
  await keep(await caller.submit(init.json.viewUrl));
  bytes.push(JSON.stringify(await caller.transaction(init.json.requestID)));
  bytes.push(JSON.stringify(await caller.pay({ tokenNo: await caller.token() })));
  await keep(await caller.raw('/__sandbox/ledger'));
  await keep(await caller.raw('/__sandbox/requests'));
  return bytes;
}

it('gives the same bytes for the same seed and the same calls', async () => {
  const first = await transcript(new Caller({ sandbox: createSandbox({ seed: 'a' }) }));
  const second = await transcript(new Caller({ sandbox: createSandbox({ seed: 'a' }) }));
  const other = await transcript(new Caller({ sandbox: createSandbox({ seed: 'b' }) }));
  expect(second).toEqual(first);
  expect(other).not.toEqual(first);
});

it('begins again at reset: same ids, same clock, empty ledger, no scenario', async () => {
  const caller = new Caller({ sandbox: createSandbox() });
  const first = await transcript(caller);
  caller.sandbox.control.clock({ advanceSeconds: 60 });
  caller.sandbox.control.scenario({ operation: 'pay', scenario: 'declined', times: 3 });
  await caller.raw('/__sandbox/reset', { method: 'POST' });
  caller.bearer = '';
  expect(await transcript(caller)).toEqual(first);
});

it('logs every call with its secrets redacted', async () => {
  const apiKey = 'marker-api-key-marker-api-key-marker-001';
  const options = { password: 'marker-password', apiKey };
  const caller = await Caller.loggedIn(options);
  await caller.initpay({ description: 'marker-password' });
  await caller.raw(`/1234/API/RMS/roomreq?api_key=${apiKey}`, { method: 'POST', body: 'x' });
  await caller.raw('/1234/API/RMS/roomreq', { method: 'POST', headers: { 'x-api-key': apiKey } });
  await caller.raw('/1234/API/RMS/roomreq', {
    method: 'POST',
    headers: { Authorization: `Basic ${btoa(`${apiKey}:`)}` },
  });
  const { requests } = caller.sandbox.control.requests();
  expect(requests.map(({ operation }) => operation)).toEqual([
    'login',
    'initpayNoIframe',
    'gateway',
    'gateway',
    'gateway',
  ]);
  const log = JSON.stringify(requests);
  for (const secret of ['marker-password', apiKey, btoa(`${apiKey}:`), caller.bearer])
    expect(log).not.toContain(secret);
  expect(requests[1]).toMatchObject({ path: '/V2/1234/initpayNoIframe', answer: { status: 200 } });
  expect(caller.sandbox.control.requests(3).requests).toHaveLength(2);
});

it('logs no address by which a page could be opened, no nonce and no credential', async () => {
  const caller = await Caller.loggedIn({ productId: { value: 'product-marker', in: 'header', name: 'x-product' } });
  const callbackSuccessUrl = 'https://hotel.example/return/cs_1/nonce-marker?n=nonce-marker';
  const callbackAbortUrl = 'https://guest:pass-marker@hotel.example/?abort-marker';
  const { json } = await caller.initpay({
    callbackSuccessUrl,
    callbackAbortUrl,
    description: `See ${callbackSuccessUrl}`,
  });
  await caller.raw(json.viewUrl, { headers: { referer: callbackSuccessUrl } });
  await caller.submit(json.viewUrl);
  await caller.raw(`/login?back=${encodeURIComponent(callbackSuccessUrl)}&nonce=nonce-marker`, {
    headers: { 'x-session-token': 'token-marker', authorization: 'scheme-marker' },
  });
  await caller.raw('/1234/API/RMS/roomreq', { method: 'POST', headers: { 'x-product': 'product-marker' } });

  const { requests } = (await caller.get<{ requests: { body: unknown }[] }>('/__sandbox/requests')).json;
  const log = JSON.stringify(requests);
  expect(log).not.toMatch(/-marker/);
  expect(log).not.toContain(new URL(json.viewUrl).search.slice(0, 12));
  expect(log).not.toContain('"demo"');
  expect(requests[1]?.body).toMatchObject({ callbackSuccessUrl: 'https://hotel.example/[redacted]' });
  expect(log).toContain('/1234/hosted/payment?PD=');
});

describe('control routes', () => {
  const foreign = [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: 'http://localhost:4000', host: 'localhost:8790' },
    { host: 'evil.example' },
    { host: 'evil.example:8790', origin: 'http://evil.example:8790' },
    { host: '127.0.0.1.evil.example' },
    { host: 'evil.example?.localhost' },
  ];

  it.each(foreign)('refuse what another site sends: %j', async (headers) => {
    const caller = await Caller.loggedIn();
    for (const [method, path] of [
      ['POST', 'reset'],
      ['POST', 'scenario'],
      ['POST', 'clock'],
      ['POST', 'complete'],
      ['GET', 'requests'],
      ['GET', 'ledger'],
    ] as const) {
      expect((await caller.raw(`/__sandbox/${path}`, { method, headers })).status, path).toBe(403);
    }
    expect(caller.sandbox.control.requests().requests).toHaveLength(1);
  });

  it.each([
    { host: 'localhost:8790', origin: 'http://localhost:8790' },
    { host: '127.0.0.1:8790' },
    { host: '[::1]:8790' },
    { host: '192.0.2.7:8790' },
    { host: 'pay.example', origin: 'https://pay.example' },
  ])('answer what this machine, an address or the base address’s name sends: %j', async (headers) => {
    const caller = await Caller.loggedIn({ baseUrl: 'https://pay.example' });
    expect((await caller.raw('/__sandbox/reset', { method: 'POST', headers })).status).toBe(200);
  });

  it('leave the style of the payment page to whoever shows it', async () => {
    const caller = await Caller.loggedIn();
    const answer = await caller.raw('/__sandbox/assets/hosted-page.css', { headers: { host: 'sandbox.example' } });
    expect(answer.status).toBe(200);
  });
});

it('notes in the log why a request was refused or declined', async () => {
  const caller = await Caller.loggedIn();
  await caller.pay({ tokenNo: 'T', amount: '1.5' });
  await caller.pay({ tokenNo: 'T' });
  const { requests } = caller.sandbox.control.requests();
  expect(requests.map(({ note }) => note)).toEqual([
    undefined,
    'amount must be 1 to 12 integer digits, above zero, without leading zeros',
    'tokenNo is not a token of this customer',
  ]);
});

it('plays a chosen scenario as often as told, once by default', async () => {
  const caller = await Caller.loggedIn();
  const { control } = caller.sandbox;
  const tokenNo = await caller.token();
  const codes = async (): Promise<unknown[]> => {
    const answers = [await caller.pay({ tokenNo }), await caller.pay({ tokenNo }), await caller.pay({ tokenNo })];
    return answers.map(({ json }) => json.returnCode);
  };
  control.scenario({ operation: 'pay', scenario: 'declined' });
  expect(await codes()).toEqual(['1', '0', '0']);
  control.scenario({ operation: 'pay', scenario: 'declined', times: 2 });
  expect(control.scenarios().chosen).toEqual([{ operation: 'pay', scenario: 'declined', times: 2 }]);
  expect(await codes()).toEqual(['1', '1', '0']);
  control.scenario({ operation: 'pay', scenario: 'declined', times: 5 });
  control.scenario({ operation: 'pay', scenario: 'declined', times: 0 });
  expect(await codes()).toEqual(['0', '0', '0']);
});

describe('complete', () => {
  it.each([
    ['paid', { state: 1, result: 'PAYOBJID=10000001' }],
    ['aborted', { state: 2, result: 'ERROR=Canceled%20by%20the%20customer' }],
    ['error', { state: 2, result: 'ERROR=M%C3%BCde%20%26%20leer' }],
  ] as const)('ends a hosted payment as %s', async (outcome, status) => {
    const caller = await Caller.loggedIn();
    const { requestID } = (await caller.initpay()).json;
    const errorText = outcome === 'error' ? { errorText: 'Müde & leer' } : {};
    const { status: code } = await caller.json('/__sandbox/complete', { requestID, outcome, ...errorText });
    expect([code, (await caller.paystatus(requestID)).json]).toEqual([200, status]);
  });

  it('ends a hosted tokenization as tokenized', async () => {
    const caller = await Caller.loggedIn();
    const { requestID } = (await caller.initToken()).json;
    await caller.sandbox.control.complete({ requestID, outcome: 'tokenized' });
    expect((await caller.paystatus(requestID)).json).toMatchObject({ state: 1 });
  });

  it('never changes a finished request', async () => {
    const caller = await Caller.loggedIn();
    const { requestID } = (await caller.initpay()).json;
    await caller.sandbox.control.complete({ requestID, outcome: 'paid' });
    const before = await caller.transaction(requestID);
    for (const outcome of ['paid', 'aborted', 'error']) {
      expect((await caller.json('/__sandbox/complete', { requestID, outcome })).status).toBe(409);
    }
    expect(await caller.transaction(requestID)).toEqual(before);
    expect(caller.sandbox.control.ledger().charges).toHaveLength(1);
  });

  it('ends what never finishes by itself, without charging again', async () => {
    const caller = await Caller.loggedIn();
    const { json: init } = await caller.initpay({ amount: '6610' });
    await caller.submit(init.viewUrl);
    expect((await caller.paystatus(init.requestID)).json).toEqual({ state: 0 });
    expect((await caller.json('/__sandbox/complete', { requestID: init.requestID, outcome: 'error' })).status).toBe(
      409,
    );
    await caller.sandbox.control.complete({ requestID: init.requestID, outcome: 'paid' });
    expect((await caller.paystatus(init.requestID)).json).toMatchObject({ state: 1 });
    expect(caller.sandbox.control.ledger().charges).toHaveLength(1);
  });
});

it.each([
  ['scenario', { operation: 'nope', scenario: 'declined' }, 'operation'],
  ['scenario', { operation: 'pay', scenario: 'nope' }, 'scenario'],
  ['scenario', { operation: 'paystatus', scenario: 'double-reversal' }, 'scenario'],
  ['scenario', { operation: 'pay', scenario: 'declined', times: -1 }, 'times'],
  ['clock', { advanceSeconds: -1 }, 'advanceSeconds'],
  ['clock', { seconds: 1 }, 'seconds'],
  ['complete', { requestID: 'X', outcome: 'lost' }, 'outcome'],
])('refuses %s with %j and names the field', async (route, body, field) => {
  const caller = await Caller.loggedIn();
  const { status, json } = await caller.json(`/__sandbox/${route}`, body);
  expect([status, json.field]).toEqual([400, field]);
});

it('refuses an outcome or a surcharge that does not fit the request', async () => {
  const caller = await Caller.loggedIn();
  const { requestID } = (await caller.initToken()).json;
  expect((await caller.json('/__sandbox/complete', { requestID, outcome: 'paid' })).json.field).toBe('outcome');
  const withPercent = { requestID, outcome: 'tokenized', surchargePercent: 2 };
  expect((await caller.json('/__sandbox/complete', withPercent)).json.field).toBe('surchargePercent');
  expect((await caller.json('/__sandbox/complete', { requestID: 'X', outcome: 'paid' })).status).toBe(404);
});

it.each([2.345, 0.001, 0, 100.01, '2'])('refuses the surcharge %s, which it could not show', async (percent) => {
  const caller = await Caller.loggedIn();
  const { requestID } = (await caller.initpay()).json;
  const body = { requestID, outcome: 'paid', surchargePercent: percent };
  const { status, json } = await caller.json('/__sandbox/complete', body);
  expect([status, json.field]).toEqual([400, 'surchargePercent']);
  expect((await caller.json('/__sandbox/complete', { ...body, surchargePercent: 2.29 })).status).toBe(200);
});

it('adds no surcharge to what the guest has paid already', async () => {
  const caller = await Caller.loggedIn();
  const { json: init } = await caller.initpay({ amount: '6610' });
  await caller.submit(init.viewUrl);
  const body = { requestID: init.requestID, outcome: 'paid', surchargePercent: 5 };
  const { status, json } = await caller.json('/__sandbox/complete', body);
  expect([status, json.field]).toEqual([409, 'surchargePercent']);
});

it('keeps an error an error and masks a card number in it, whatever its text is', async () => {
  const caller = await Caller.loggedIn();
  const end = async (errorText: string): Promise<unknown> => {
    const { requestID } = (await caller.initpay()).json;
    await caller.sandbox.control.complete({ requestID, outcome: 'error', errorText });
    return (await caller.transaction(requestID)).json;
  };
  expect(await end('Canceled by the customer')).toMatchObject({ status: '_error', returnCode: '1' });
  await end('card 4111111111111111 refused');
  expect(caller.sandbox.control.ledger().hosted.at(-1)?.errorText).toBe('card 411111......1111 refused');
});

it('remembers only so much and counts what it forgot', async () => {
  const limits = { hosted: 3, charges: 2, tokens: 2, reversals: 1, bearers: 2, requests: 4 };
  const caller = await Caller.loggedIn({ limits });
  const inits = [];
  for (let index = 0; index < 5; index += 1) inits.push((await caller.initpay()).json);
  for (let index = 0; index < 4; index += 1) await caller.pay({ tokenNo: await caller.token() });
  const { charges, hosted, tokens, forgotten } = caller.sandbox.control.ledger();
  expect([charges.length, hosted.length, tokens.length]).toEqual([2, 3, 2]);
  expect(forgotten).toEqual({ charges: 2, hosted: 2, tokens: 2, reversals: 0 });
  expect(caller.sandbox.control.requests().requests).toHaveLength(4);
  expect((await caller.paystatus(inits[0]?.requestID ?? '')).status).toBe(404);
  expect((await caller.paystatus(inits[4]?.requestID ?? '')).status).toBe(200);
});

it('shows no more of a stored card’s token in the log than its end', async () => {
  const caller = await Caller.loggedIn();
  const tokenNo = await caller.token();
  await caller.pay({ tokenNo });
  const log = JSON.stringify(caller.sandbox.control.requests());
  expect(log).not.toContain(tokenNo);
  expect(log).toContain(`[redacted]${tokenNo.slice(-4)}`);
});

it('keeps a request readable whose error text was cut inside a character', async () => {
  const caller = await Caller.loggedIn();
  const { requestID } = (await caller.initpay()).json;
  await caller.sandbox.control.complete({ requestID, outcome: 'error', errorText: `${'x'.repeat(499)}😀` });
  expect((await caller.paystatus(requestID)).json).toMatchObject({ state: 2 });
});

it('sends the guest back to an address with characters that a header cannot carry', async () => {
  const caller = await Caller.loggedIn();
  const init = await caller.initpay({ callbackSuccessUrl: 'https://hotel.example/danke-für-50€' });
  const answer = await caller.submit(init.json.viewUrl);
  expect(answer.status).toBe(303);
  expect(answer.headers.get('location')).toBe('https://hotel.example/danke-f%C3%BCr-50%E2%82%AC');
});

it('refuses an address with a line break in it, by name', async () => {
  const caller = await Caller.loggedIn();
  const answer = await caller.initpay({ callbackAbortUrl: 'https://hotel.example/\nx' });
  expect(JSON.stringify(answer)).toContain('callbackAbortUrl');
});

it.each([
  ['GET', '/__sandbox/reset', 405],
  ['POST', '/__sandbox/ledger', 405],
  ['GET', '/__sandbox/requests?after=abc', 400],
  ['GET', '/__sandbox/nowhere', 404],
])('answers %s %s with %i', async (method, path, status) => {
  const caller = await Caller.loggedIn();
  expect((await caller.raw(path, { method })).status).toBe(status);
});
