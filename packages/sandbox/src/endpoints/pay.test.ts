import { expect } from 'vitest';
import { Caller, HOTEL } from '../../test-support/caller.ts';
import { it } from '../../test-support/it.ts';

it('charges a token from createToken', async ({ api }) => {
  const tokenNo = await api.token();
  const { status, json } = await api.pay({ tokenNo });
  expect(status).toBe(200);
  expect(json).toEqual({
    cardType: '4',
    cardTypeCode: 'VISA',
    cardNo: '424242......4242',
    serviceProvider: 'SANDBOX_DIRECT',
    transactionID: expect.any(String),
    returnCode: '0',
  });
  expect(api.sandbox.control.ledger().charges).toEqual([
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

it('charges the token of a hosted tokenization and then answers with amount and surchargeApplied', async ({ api }) => {
  const { json: init } = await api.initToken();
  await api.submit(init.viewUrl);
  const { token } = (await api.transaction(init.requestID)).json;
  const { json } = await api.pay({ tokenNo: token, serviceProvider: 'SANDBOX_HOSTED' });
  expect(json).toMatchObject({ returnCode: '0', amount: 12000, surchargeApplied: false });
});

it('charges twice when asked twice: there is no idempotency', async ({ api }) => {
  const tokenNo = await api.token();
  const first = await api.pay({ tokenNo });
  const second = await api.pay({ tokenNo });
  expect(first.json.transactionID).not.toBe(second.json.transactionID);
  expect(api.sandbox.control.ledger().charges).toHaveLength(2);
});

it('declines an unknown token, and a token of another customer, with the field', async ({ api }) => {
  const unknown = await api.pay({ tokenNo: 'NOPE' });
  expect([unknown.status, unknown.json.returnCode, unknown.json.field]).toEqual([200, '1', 'tokenNo']);
  const foreign = await api.json('/V2/other/pay', {
    ...HOTEL,
    serviceProvider: 'SANDBOX_DIRECT',
    tokenNo: await api.token(),
    amount: '100',
    currency: 'EUR',
  });
  expect(foreign.json.field).toBe('tokenNo');
  expect(api.sandbox.control.ledger().charges).toEqual([]);
});

it('declines a token whose card has expired meanwhile', async ({ api }) => {
  const { json: token } = await api.createToken({ valid: '2026-09-30' });
  api.sandbox.control.clock({ advanceSeconds: 31 * 86_400 });
  await api.login();
  expect((await api.pay({ tokenNo: token.tokenNo })).json.returnCode).toBe('1');
});

it('counts amounts in major units when told so', async () => {
  const api = await Caller.loggedIn({ amountUnit: 'major' });
  const { json: init } = await api.initpay({ amount: '121', supportedFeatures: 'surcharge' });
  await api.sandbox.control.complete({ requestID: init.requestID, outcome: 'paid', surchargePercent: 2.5 });
  expect((await api.transaction(init.requestID)).json).toMatchObject({ amount: 124.03, surchargeAmount: 3.03 });
  expect(await (await api.raw((await api.initpay({ amount: '121' })).json.viewUrl)).text()).toContain('€121.00');
});
