import { expect, it } from 'vitest';
import { Caller } from '../../test-support/caller.ts';

async function callerWithCharge(): Promise<{ caller: Caller; transactionID: unknown }> {
  const caller = await Caller.loggedIn();
  const { json } = await caller.pay({ tokenNo: await caller.token() });
  return { caller, transactionID: json.transactionID };
}

it('reverses a payment and answers with an id of its own', async () => {
  const { caller, transactionID } = await callerWithCharge();
  const { status, json } = await caller.reversal({ transactionID });
  expect(status).toBe(200);
  expect(json).toEqual({
    cardType: '4',
    serviceProvider: 'SANDBOX_DIRECT',
    transactionID: expect.any(String),
    returnCode: '0',
  });
  expect(json.transactionID).not.toBe(transactionID);
  const { charges, reversals } = caller.sandbox.control.ledger();
  expect(charges[0]).toMatchObject({ amount: 12000, reversedAmount: 12000 });
  expect(reversals).toEqual([
    expect.objectContaining({ paymentTransactionID: transactionID, amount: 12000, currency: 'EUR' }),
  ]);
});

it('reverses in parts and never more than is left', async () => {
  const { caller, transactionID } = await callerWithCharge();
  expect((await caller.reversal({ transactionID, amount: '7000' })).json.returnCode).toBe('0');
  const tooMuch = await caller.reversal({ transactionID, amount: '5001' });
  expect([tooMuch.json.returnCode, tooMuch.json.field]).toEqual(['1', 'amount']);
  expect((await caller.reversal({ transactionID, amount: '5000' })).json.returnCode).toBe('0');
  expect((await caller.reversal({ transactionID, amount: '1' })).json.returnCode).toBe('1');
  expect(caller.sandbox.control.ledger().reversals).toHaveLength(2);
});

it('declines a reversal of an unknown payment or in another currency', async () => {
  const { caller, transactionID } = await callerWithCharge();
  expect((await caller.reversal({ transactionID: 'NOPE' })).json.field).toBe('transactionID');
  expect((await caller.reversal({ transactionID, currency: 'USD' })).json.field).toBe('currency');
  expect(caller.sandbox.control.ledger().reversals).toEqual([]);
});

it('reverses a hosted payment by the transactionID of its record, surcharge included', async () => {
  const caller = await Caller.loggedIn();
  const { json: init } = await caller.initpay({ supportedFeatures: 'surcharge' });
  await caller.sandbox.control.complete({ requestID: init.requestID, outcome: 'paid', surchargePercent: 2.5 });
  const { transactionID } = (await caller.transaction(init.requestID)).json;
  const { json } = await caller.reversal({ transactionID, amount: '12300', serviceProvider: 'SANDBOX_HOSTED' });
  expect(json.returnCode).toBe('0');
});
