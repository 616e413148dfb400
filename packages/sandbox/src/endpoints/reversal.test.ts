import { expect } from 'vitest';
import { Caller } from '../../test-support/caller.ts';
import { it } from '../../test-support/it.ts';

async function callerWithCharge(): Promise<{ api: Caller; transactionID: unknown }> {
  const api = await Caller.loggedIn();
  const { json } = await api.pay({ tokenNo: await api.token() });
  return { api, transactionID: json.transactionID };
}

it('reverses a payment and answers with an id of its own', async () => {
  const { api, transactionID } = await callerWithCharge();
  const { status, json } = await api.reversal({ transactionID });
  expect(status).toBe(200);
  expect(json).toEqual({
    cardType: '4',
    serviceProvider: 'SANDBOX_DIRECT',
    transactionID: expect.any(String),
    returnCode: '0',
  });
  expect(json.transactionID).not.toBe(transactionID);
  const { charges, reversals } = api.sandbox.control.ledger();
  expect(charges[0]).toMatchObject({ amount: 12000, reversedAmount: 12000 });
  expect(reversals).toEqual([
    expect.objectContaining({ paymentTransactionID: transactionID, amount: 12000, currency: 'EUR' }),
  ]);
});

it('reverses in parts and never more than is left', async () => {
  const { api, transactionID } = await callerWithCharge();
  expect((await api.reversal({ transactionID, amount: '7000' })).json.returnCode).toBe('0');
  const tooMuch = await api.reversal({ transactionID, amount: '5001' });
  expect([tooMuch.json.returnCode, tooMuch.json.field]).toEqual(['1', 'amount']);
  expect((await api.reversal({ transactionID, amount: '5000' })).json.returnCode).toBe('0');
  expect((await api.reversal({ transactionID, amount: '1' })).json.returnCode).toBe('1');
  expect(api.sandbox.control.ledger().reversals).toHaveLength(2);
});

it('declines a reversal of an unknown payment or in another currency', async () => {
  const { api, transactionID } = await callerWithCharge();
  expect((await api.reversal({ transactionID: 'NOPE' })).json.field).toBe('transactionID');
  expect((await api.reversal({ transactionID, currency: 'USD' })).json.field).toBe('currency');
  expect(api.sandbox.control.ledger().reversals).toEqual([]);
});

it('declines a reversal of a magic amount that declines', async () => {
  const { api, transactionID } = await callerWithCharge();
  expect((await api.reversal({ transactionID, amount: '6601' })).json).toEqual({
    serviceProvider: 'SANDBOX_DIRECT',
    returnCode: '1',
  });
  expect(api.sandbox.control.ledger().reversals).toEqual([]);
});

it('plays what control chose for a payment in that payment only', async ({ api }) => {
  const { control } = api.sandbox;
  const lateCard = '4000000000012502';
  for (const [cardNo, returnCode] of [
    ['4242424242424242', '0'],
    [lateCard, '1'],
  ] as const) {
    control.scenario({ operation: 'pay', scenario: 'numeric-return-code' });
    const paid = (await api.pay({ tokenNo: await api.token(cardNo) })).json;
    expect(paid.returnCode).toBe(0);
    expect((await api.reversal({ transactionID: paid.transactionID })).json.returnCode).toBe(returnCode);

    control.scenario({ operation: 'initpayNoIframe', scenario: 'numeric-return-code' });
    const { json: init } = await api.initpay();
    await api.submit(init.viewUrl, { cardNumber: cardNo });
    const { transactionID, returnCode: recorded } = (await api.transaction(init.requestID)).json;
    expect(recorded).toBe(0);
    expect((await api.reversal({ transactionID })).json.returnCode).toBe(returnCode);
  }
  expect(control.ledger().charges[0]).not.toHaveProperty('magicScenario');
});

it('reverses a hosted payment by the transactionID of its record, surcharge included', async ({ api }) => {
  const { json: init } = await api.initpay({ supportedFeatures: 'surcharge' });
  await api.sandbox.control.complete({ requestID: init.requestID, outcome: 'paid', surchargePercent: 2.5 });
  const { transactionID } = (await api.transaction(init.requestID)).json;
  const { json } = await api.reversal({ transactionID, amount: '12300', serviceProvider: 'SANDBOX_HOSTED' });
  expect(json.returnCode).toBe('0');
});
