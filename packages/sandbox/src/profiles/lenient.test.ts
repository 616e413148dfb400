import { expect, it } from 'vitest';
import { Caller } from '../../test-support/caller.ts';

it('mixes string and numeric returnCode', async () => {
  const caller = await Caller.loggedIn({ profile: 'lenient' });
  const codes = [(await caller.initpay()).json.returnCode, (await caller.initpay()).json.returnCode];
  expect(codes).toEqual(['0', 0]);
});

it('writes dates with a space and masks with x, and reads such dates', async () => {
  const caller = await Caller.loggedIn({ profile: 'lenient' });
  const { json: init } = await caller.initpay({ datetime: '2026-11-21 10:00' });
  expect(init.dateTime).toBe('2026-09-01 08:00');
  expect((await caller.createToken()).json.cardNo).toBe('424242xxxxxx4242');
});

it.each([
  ['4000000000000002', '1', 'Card declined'],
  ['4100000000000019', '2', 'Declined for security reasons'],
  ['4000000000010407', '3', 'Call the card issuer'],
])('declines card %s with the public return code %s and a text', async (cardNo, returnCode, returnText) => {
  const caller = await Caller.loggedIn({ profile: 'lenient' });
  expect((await caller.createToken({ cardNo })).json).toMatchObject({
    returnCode,
    returnText,
    returnTextSP: returnText,
  });
});

it('keeps the code of a decline in the record of a hosted request and in its callback', async () => {
  const bodies: unknown[] = [];
  const callbackFetch = async (request: Request): Promise<Response> => {
    bodies.push(await request.json());
    return new Response();
  };
  const caller = await Caller.loggedIn({ profile: 'lenient', callbackFetch });
  const { json: init } = await caller.initpay();
  await caller.submit(init.viewUrl, { cardNumber: '4100000000000019' });
  const decline = { returnCode: '2', returnText: 'Declined for security reasons', returnCodeSP: 'security' };
  expect((await caller.transaction(init.requestID)).json).toMatchObject({ ...decline, status: '_error' });
  expect(bodies).toMatchObject([decline]);
});

it('answers invalid data with HTTP 200 and return code 4', async () => {
  const caller = await Caller.loggedIn({ profile: 'lenient' });
  expect(await caller.pay({ tokenNo: 'T', amount: '1.5' })).toMatchObject({
    status: 200,
    json: { returnCode: '4', field: 'amount' },
  });
});

it('refuses a gateway request and a wrong call of a tester with a status other than 200', async () => {
  const caller = await Caller.loggedIn({ profile: 'lenient' });
  const headers = { 'x-api-key': '0123456789'.repeat(4), 'Content-Type': 'application/x-www-form-urlencoded' };
  const gateway = await caller.raw('/1234/API/RMS/roomreq', { method: 'POST', headers, body: 'transno=1' });
  expect([gateway.status, await gateway.json()]).toEqual([
    400,
    { error: 'invalid_request', field: 'roomreq', reason: 'is missing or empty' },
  ]);
  expect(await caller.json('/__sandbox/clock', { advanceSeconds: -1 })).toMatchObject({
    status: 400,
    json: { error: 'invalid_request', field: 'advanceSeconds' },
  });
});

it('posts the outcome to the callback address, server to server, once', async () => {
  const visits: { url: string; method: string; body: unknown }[] = [];
  const callbackFetch = async (request: Request): Promise<Response> => {
    visits.push({ url: request.url, method: request.method, body: await request.json() });
    return new Response();
  };
  const caller = await Caller.loggedIn({ profile: 'lenient', callbackFetch });
  const { json: paid } = await caller.initpay();
  await caller.submit(paid.viewUrl);
  await caller.submit(paid.viewUrl);
  const { json: aborted } = await caller.initpay();
  await caller.submit(aborted.viewUrl, { action: 'cancel' });
  expect(visits).toEqual([
    {
      url: 'https://hotel.test/success?x=1',
      method: 'POST',
      body: expect.objectContaining({ requestID: paid.requestID, returnCode: '0', cardNumber: '424242xxxxxx4242' }),
    },
    {
      url: 'https://hotel.test/abort',
      method: 'POST',
      body: expect.objectContaining({ requestID: aborted.requestID, returnCode: '1' }),
    },
  ]);
});

it('goes on when nobody listens at the callback address', async () => {
  const callbackFetch = (): Promise<Response> => Promise.reject(new TypeError('fetch failed'));
  const caller = await Caller.loggedIn({ profile: 'lenient', callbackFetch });
  expect((await caller.submit((await caller.initpay()).json.viewUrl)).status).toBe(303);
});

it('shows none of this in the strict profile', async () => {
  const caller = await Caller.loggedIn({ callbackFetch: () => expect.unreachable('no callback in strict') });
  const { json: init } = await caller.initpay();
  await caller.submit(init.viewUrl);
  expect([init.returnCode, (await caller.initpay()).json.returnCode]).toEqual(['0', '0']);
  expect((await caller.createToken({ cardNo: '4100000000000019' })).json).toEqual({
    serviceProvider: 'SANDBOX_DIRECT',
    returnCode: '1',
  });
});
