import { describe, expect } from 'vitest';
import { Caller } from '../../test-support/caller.ts';
import { it } from '../../test-support/it.ts';
import { createSandbox } from '../server/sandbox.ts';

async function transcript(api: Caller): Promise<string[]> {
  const bytes: string[] = [];
  const keep = async (response: Response): Promise<void> => {
    bytes.push(`${response.status} ${JSON.stringify([...response.headers])} ${await response.text()}`);
  };
  bytes.push(JSON.stringify(await api.login()));
  const init = await api.initpay();
  bytes.push(JSON.stringify(init));
  await keep(await api.raw(init.json.viewUrl));
  await keep(await api.submit(init.json.viewUrl));
  bytes.push(JSON.stringify(await api.transaction(init.json.requestID)));
  bytes.push(JSON.stringify(await api.pay({ tokenNo: await api.token() })));
  await keep(await api.raw('/__sandbox/ledger'));
  await keep(await api.raw('/__sandbox/requests'));
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
  const api = new Caller({ sandbox: createSandbox() });
  const first = await transcript(api);
  api.sandbox.control.clock({ advanceSeconds: 60 });
  api.sandbox.control.scenario({ operation: 'pay', scenario: 'declined', times: 3 });
  await api.raw('/__sandbox/reset', { method: 'POST' });
  api.bearer = '';
  expect(await transcript(api)).toEqual(first);
});

it('logs every call with its secrets redacted', async () => {
  const apiKey = 'marker-api-key-marker-api-key-marker-001';
  const options = { password: 'marker-password', apiKey };
  const api = await Caller.loggedIn(options);
  await api.initpay({ description: 'marker-password' });
  await api.raw(`/1234/API/RMS/roomreq?api_key=${apiKey}`, { method: 'POST', body: 'x' });
  await api.raw('/1234/API/RMS/roomreq', { method: 'POST', headers: { 'x-api-key': apiKey } });
  await api.raw('/1234/API/RMS/roomreq', { method: 'POST', headers: { Authorization: `Basic ${btoa(`${apiKey}:`)}` } });
  const { requests } = api.sandbox.control.requests();
  expect(requests.map(({ operation }) => operation)).toEqual([
    'login',
    'initpayNoIframe',
    'gateway',
    'gateway',
    'gateway',
  ]);
  const log = JSON.stringify(requests);
  for (const secret of ['marker-password', apiKey, btoa(`${apiKey}:`), api.bearer]) expect(log).not.toContain(secret);
  expect(requests[1]).toMatchObject({ path: '/V2/1234/initpayNoIframe', answer: { status: 200 } });
  expect(api.sandbox.control.requests(3).requests).toHaveLength(2);
});

it('logs no address by which a page could be opened, no nonce and no credential', async () => {
  const api = await Caller.loggedIn({ productId: { value: 'product-marker', in: 'header', name: 'x-product' } });
  const callbackSuccessUrl = 'https://hotel.example/return/cs_1/nonce-marker?n=nonce-marker';
  const callbackAbortUrl = 'https://guest:pass-marker@hotel.example/?abort-marker';
  const { json } = await api.initpay({
    callbackSuccessUrl,
    callbackAbortUrl,
    description: `See ${callbackSuccessUrl}`,
  });
  await api.raw(json.viewUrl, { headers: { referer: callbackSuccessUrl } });
  await api.submit(json.viewUrl);
  await api.raw(`/login?back=${encodeURIComponent(callbackSuccessUrl)}&nonce=nonce-marker`, {
    headers: { 'x-session-token': 'token-marker', authorization: 'scheme-marker' },
  });
  await api.raw('/1234/API/RMS/roomreq', { method: 'POST', headers: { 'x-product': 'product-marker' } });

  const { requests } = (await api.get<{ requests: { body: unknown }[] }>('/__sandbox/requests')).json;
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
    const api = await Caller.loggedIn();
    for (const [method, path] of [
      ['POST', 'reset'],
      ['POST', 'scenario'],
      ['POST', 'clock'],
      ['POST', 'complete'],
      ['GET', 'requests'],
      ['GET', 'ledger'],
    ] as const) {
      expect((await api.raw(`/__sandbox/${path}`, { method, headers })).status, path).toBe(403);
    }
    expect(api.sandbox.control.requests().requests).toHaveLength(1);
  });

  it.each([
    { host: 'localhost:8790', origin: 'http://localhost:8790' },
    { host: '127.0.0.1:8790' },
    { host: '[::1]:8790' },
    { host: '192.0.2.7:8790' },
    { host: 'pay.example', origin: 'https://pay.example' },
  ])('answer what this machine, an address or the base address’s name sends: %j', async (headers) => {
    const api = await Caller.loggedIn({ baseUrl: 'https://pay.example' });
    expect((await api.raw('/__sandbox/reset', { method: 'POST', headers })).status).toBe(200);
  });

  it('leave the style of the payment page to whoever shows it', async ({ api }) => {
    const answer = await api.raw('/__sandbox/assets/hosted-page.css', { headers: { host: 'sandbox.example' } });
    expect(answer.status).toBe(200);
  });
});

it('notes in the log why a request was refused or declined', async ({ api }) => {
  await api.pay({ tokenNo: 'T', amount: '1.5' });
  await api.pay({ tokenNo: 'T' });
  const { requests } = api.sandbox.control.requests();
  expect(requests.map(({ note }) => note)).toEqual([
    undefined,
    'amount must be 1 to 12 integer digits, above zero, without leading zeros',
    'tokenNo is not a token of this customer',
  ]);
});

it('plays a chosen scenario as often as told, once by default', async ({ api }) => {
  const { control } = api.sandbox;
  const tokenNo = await api.token();
  const codes = async (): Promise<unknown[]> => {
    const answers = [await api.pay({ tokenNo }), await api.pay({ tokenNo }), await api.pay({ tokenNo })];
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
    const api = await Caller.loggedIn();
    const { requestID } = (await api.initpay()).json;
    const errorText = outcome === 'error' ? { errorText: 'Müde & leer' } : {};
    const { status: code } = await api.json('/__sandbox/complete', { requestID, outcome, ...errorText });
    expect([code, (await api.paystatus(requestID)).json]).toEqual([200, status]);
  });

  it('never changes a finished request', async ({ api }) => {
    const { requestID } = (await api.initpay()).json;
    await api.sandbox.control.complete({ requestID, outcome: 'paid' });
    const before = await api.transaction(requestID);
    for (const outcome of ['paid', 'aborted', 'error']) {
      expect((await api.json('/__sandbox/complete', { requestID, outcome })).status).toBe(409);
    }
    expect(await api.transaction(requestID)).toEqual(before);
    expect(api.sandbox.control.ledger().charges).toHaveLength(1);
  });

  it('ends what never finishes by itself, without charging again', async ({ api }) => {
    const { json: init } = await api.initpay({ amount: '6610' });
    await api.submit(init.viewUrl);
    expect((await api.paystatus(init.requestID)).json).toEqual({ state: 0 });
    expect((await api.json('/__sandbox/complete', { requestID: init.requestID, outcome: 'error' })).status).toBe(409);
    await api.sandbox.control.complete({ requestID: init.requestID, outcome: 'paid' });
    expect((await api.paystatus(init.requestID)).json).toMatchObject({ state: 1 });
    expect(api.sandbox.control.ledger().charges).toHaveLength(1);
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
  const api = await Caller.loggedIn();
  const { status, json } = await api.json(`/__sandbox/${route}`, body);
  expect([status, json.field]).toEqual([400, field]);
});

it('refuses an outcome or a surcharge that does not fit the request', async ({ api }) => {
  const { requestID } = (await api.initToken()).json;
  expect((await api.json('/__sandbox/complete', { requestID, outcome: 'paid' })).json.field).toBe('outcome');
  const withPercent = { requestID, outcome: 'tokenized', surchargePercent: 2 };
  expect((await api.json('/__sandbox/complete', withPercent)).json.field).toBe('surchargePercent');
  expect((await api.json('/__sandbox/complete', { requestID: 'X', outcome: 'paid' })).status).toBe(404);
});

it.each([2.345, 0.001, 0, 100.01, '2'])('refuses the surcharge %s, which it could not show', async (percent) => {
  const api = await Caller.loggedIn();
  const { requestID } = (await api.initpay()).json;
  const body = { requestID, outcome: 'paid', surchargePercent: percent };
  const { status, json } = await api.json('/__sandbox/complete', body);
  expect([status, json.field]).toEqual([400, 'surchargePercent']);
  expect((await api.json('/__sandbox/complete', { ...body, surchargePercent: 2.29 })).status).toBe(200);
});

it('adds no surcharge to what the guest has paid already', async ({ api }) => {
  const { json: init } = await api.initpay({ amount: '6610' });
  await api.submit(init.viewUrl);
  const body = { requestID: init.requestID, outcome: 'paid', surchargePercent: 5 };
  const { status, json } = await api.json('/__sandbox/complete', body);
  expect([status, json.field]).toEqual([409, 'surchargePercent']);
});

it('keeps an error an error and masks a card number in it, whatever its text is', async ({ api }) => {
  const end = async (errorText: string): Promise<unknown> => {
    const { requestID } = (await api.initpay()).json;
    await api.sandbox.control.complete({ requestID, outcome: 'error', errorText });
    return (await api.transaction(requestID)).json;
  };
  expect(await end('Canceled by the customer')).toMatchObject({ status: '_error', returnCode: '1' });
  await end('card 4111111111111111 refused');
  expect(api.sandbox.control.ledger().hosted.at(-1)?.errorText).toBe('card 411111......1111 refused');
});

it('remembers only so much and counts what it forgot', async () => {
  const limits = { hosted: 3, charges: 2, tokens: 2, reversals: 1, bearers: 2, requests: 4 };
  const api = await Caller.loggedIn({ limits });
  const inits = [];
  for (let index = 0; index < 5; index += 1) inits.push((await api.initpay()).json);
  for (let index = 0; index < 4; index += 1) await api.pay({ tokenNo: await api.token() });
  const { charges, hosted, tokens, forgotten } = api.sandbox.control.ledger();
  expect([charges.length, hosted.length, tokens.length]).toEqual([2, 3, 2]);
  expect(forgotten).toEqual({ charges: 2, hosted: 2, tokens: 2, reversals: 0 });
  expect(api.sandbox.control.requests().requests).toHaveLength(4);
  expect((await api.paystatus(inits[0]?.requestID ?? '')).status).toBe(404);
  expect((await api.paystatus(inits[4]?.requestID ?? '')).status).toBe(200);
});

it('shows no more of a stored card’s token in the log than its end', async ({ api }) => {
  const tokenNo = await api.token();
  await api.pay({ tokenNo });
  const log = JSON.stringify(api.sandbox.control.requests());
  expect(log).not.toContain(tokenNo);
  expect(log).toContain(`[redacted]${tokenNo.slice(-4)}`);
});

it('keeps a request readable whose error text was cut inside a character', async ({ api }) => {
  const { requestID } = (await api.initpay()).json;
  await api.sandbox.control.complete({ requestID, outcome: 'error', errorText: `${'x'.repeat(499)}😀` });
  expect((await api.paystatus(requestID)).json).toMatchObject({ state: 2 });
});

it('sends the guest back to an address with characters that a header cannot carry', async ({ api }) => {
  const init = await api.initpay({ callbackSuccessUrl: 'https://hotel.example/danke-für-50€' });
  const answer = await api.submit(init.json.viewUrl);
  expect(answer.status).toBe(303);
  expect(answer.headers.get('location')).toBe('https://hotel.example/danke-f%C3%BCr-50%E2%82%AC');
});

it.each([
  ['GET', '/__sandbox/reset', 405],
  ['POST', '/__sandbox/ledger', 405],
  ['GET', '/__sandbox/requests?after=abc', 400],
  ['GET', '/__sandbox/nowhere', 404],
  ['POST', '/V2/1234/refund', 404],
  ['GET', '/V2/1234/pay', 405],
  ['GET', '/login', 405],
])('answers %s %s with %i', async (method, path, status) => {
  const api = await Caller.loggedIn();
  expect((await api.raw(path, { method })).status).toBe(status);
});
