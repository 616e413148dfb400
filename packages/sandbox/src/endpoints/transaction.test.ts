import { expect } from 'vitest';
import { Caller } from '../../test-support/caller.ts';
import { it } from '../../test-support/it.ts';

it('keeps a complete record of a hosted payment', async ({ api, init }) => {
  await api.submit(init.viewUrl);
  expect((await api.transaction(init.requestID)).json).toEqual({
    amount: 12000,
    cardInfoRefID: 'ref-1',
    creationtime: '2026-09-01T08:00:00',
    currency: 'EUR',
    customer: '1234',
    description: '2 nights',
    maskedCardNo: '424242......4242',
    operation: 'initpayNoIframe',
    paymentObjID: (await api.paystatus(init.requestID)).json.result,
    requestID: init.requestID,
    returnCode: '0',
    serviceProvider: 'SANDBOX_HOSTED',
    status: '_done',
    surchargeApplied: false,
    transactionID: expect.any(String),
  });
});

it('keeps a complete record of a hosted tokenization, with amount 0', async ({ api }) => {
  const { json: init } = await api.initToken();
  await api.submit(init.viewUrl);
  expect((await api.transaction(init.requestID)).json).toEqual({
    amount: 0,
    cardInfoRefID: 'ref-1',
    maskedCardNo: '424242......4242',
    operation: 'initCreateTokenNoIframe',
    requestID: init.requestID,
    returnCode: '0',
    serviceProvider: 'SANDBOX_HOSTED',
    status: '_done',
    token: expect.any(String),
    tokenValidUntil: '2030-12-31',
    transactionID: expect.any(String),
  });
});

it('has a status other than _done before the end and after an error', async ({ api, init }) => {
  expect((await api.transaction(init.requestID)).json).toMatchObject({ status: '_pending', returnCode: '0' });
  await api.submit(init.viewUrl, { action: 'decline' });
  expect((await api.transaction(init.requestID)).json).toMatchObject({
    status: '_error',
    returnCode: '1',
    maskedCardNo: '400000......0002',
  });
});

it('is complete as soon as the time has come, whether or not the status was read', async () => {
  const api = await Caller.loggedIn({ slowAnswerMs: 0 });
  const { control } = api.sandbox;
  const { json: init } = await api.initpay({ amount: '6609' });
  const { json: other } = await api.initpay({ amount: '6609' });
  for (const { viewUrl } of [init, other]) await api.submit(viewUrl);
  expect((await api.transaction(init.requestID)).json.status).toBe('_pending');
  expect(control.ledger().hosted).toMatchObject([{ phase: 'settling' }, { phase: 'settling' }]);
  control.clock({ advanceSeconds: 10 });
  expect((await api.transaction(init.requestID)).json.status).toBe('_done');
  const { requestID } = other;
  await expect(control.complete({ requestID, outcome: 'paid' })).rejects.toMatchObject({ code: 'conflict' });
  expect(control.ledger().hosted).toMatchObject([{ phase: 'done' }, { phase: 'done' }]);
});

it('has an error code for a refused card, and none for a guest who turned back without one', async ({ api }) => {
  const { json: declined } = await api.initpay({ amount: '6601' });
  await api.submit(declined.viewUrl);
  expect((await api.transaction(declined.requestID)).json).toMatchObject({
    status: '_error',
    returnCode: '1',
    maskedCardNo: '424242......4242',
  });
  const { json: canceled } = await api.initpay();
  await api.submit(canceled.viewUrl, { action: 'cancel' });
  expect((await api.transaction(canceled.requestID)).json).toMatchObject({
    status: '_canceled',
    returnCode: '0',
    maskedCardNo: '',
  });
});
