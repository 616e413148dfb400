import { expect, it } from 'vitest';
import { Caller, HOTEL } from '../../test-support/caller.ts';

it('charges a token from createToken', async () => {
  const caller = await Caller.loggedIn();
  const tokenNo = await caller.token();
  const { status, json } = await caller.pay({ tokenNo });
  expect(status).toBe(200);
  expect(json).toEqual({
    cardType: '4',
    cardTypeCode: 'VISA',
    cardNo: '424242......4242',
    serviceProvider: 'SANDBOX_DIRECT',
    transactionID: expect.any(String),
    returnCode: '0',
  });
  expect(caller.sandbox.control.ledger().charges).toEqual([
    expect.objectContaining({
      transactionID: json.transactionID,
      via: 'pay',
      amount: 12000,
      currency: 'EUR',
      text: 'late check-out',
      tokenNo,
      reversedAmount: 0,
    }),
  ]);
});

it('charges the token of a hosted tokenization and then answers with amount and surchargeApplied', async () => {
  const caller = await Caller.loggedIn();
  const { json: init } = await caller.initToken();
  await caller.submit(init.viewUrl);
  const { token } = (await caller.transaction(init.requestID)).json;
  const { json } = await caller.pay({ tokenNo: token, serviceProvider: 'SANDBOX_HOSTED' });
  expect(json).toMatchObject({ returnCode: '0', amount: 12000, surchargeApplied: false });
});

it('charges twice when asked twice: there is no idempotency', async () => {
  const caller = await Caller.loggedIn();
  const tokenNo = await caller.token();
  const first = await caller.pay({ tokenNo });
  const second = await caller.pay({ tokenNo });
  expect(first.json.transactionID).not.toBe(second.json.transactionID);
  expect(caller.sandbox.control.ledger().charges).toHaveLength(2);
});

it('declines an unknown token, and a token of another customer, with the field', async () => {
  const caller = await Caller.loggedIn();
  const unknown = await caller.pay({ tokenNo: 'NOPE' });
  expect([unknown.status, unknown.json.returnCode, unknown.json.field]).toEqual([200, '1', 'tokenNo']);
  const foreign = await caller.json('/V2/other/pay', {
    ...HOTEL,
    serviceProvider: 'SANDBOX_DIRECT',
    tokenNo: await caller.token(),
    amount: '100',
    currency: 'EUR',
  });
  expect(foreign.json.field).toBe('tokenNo');
  expect(caller.sandbox.control.ledger().charges).toEqual([]);
});

it('declines a token whose card has expired meanwhile', async () => {
  const caller = await Caller.loggedIn();
  const { json: token } = await caller.createToken({ valid: '2026-09-30' });
  caller.sandbox.control.clock({ advanceSeconds: 31 * 86_400 });
  await caller.login();
  expect((await caller.pay({ tokenNo: token.tokenNo })).json.returnCode).toBe('1');
});

it('counts amounts in major units when told so', async () => {
  const caller = await Caller.loggedIn({ amountUnit: 'major' });
  const { json: init } = await caller.initpay({ amount: '121', supportedFeatures: 'surcharge' });
  await caller.sandbox.control.complete({ requestID: init.requestID, outcome: 'paid', surchargePercent: 2.5 });
  expect((await caller.transaction(init.requestID)).json).toMatchObject({ amount: 124.03, surchargeAmount: 3.03 });
  expect(await (await caller.raw((await caller.initpay({ amount: '121' })).json.viewUrl)).text()).toContain('€121.00');
});
