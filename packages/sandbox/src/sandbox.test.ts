import { describe, expect, it } from 'vitest';
import { Caller } from '../test-support/caller.ts';

describe('a hosted payment', () => {
  it('goes from init over the page to status 1 and a complete record', async () => {
    const caller = await Caller.loggedIn();
    const { json: init } = await caller.initpay();
    expect(await caller.paystatus(init.requestID)).toEqual({ status: 200, json: { state: 0 } });

    const left = await caller.submit(init.viewUrl);
    expect([left.status, left.headers.get('location')]).toEqual([303, 'https://hotel.test/success?x=1']);
    const { json: status } = await caller.get(init.stateRetrivalUrl);
    expect(status).toEqual({ state: 1, result: expect.stringMatching(/^PAYOBJID=\d+$/) });
    expect((await caller.transaction(init.requestID)).json).toMatchObject({
      amount: 12000,
      currency: 'EUR',
      status: '_done',
      returnCode: '0',
      paymentObjID: status.result,
      surchargeApplied: false,
    });
  });
});
