// Prevents: a sandbox that refuses or grows without end under a storm test.
import { expect, it } from 'vitest';
import { Caller } from '../../packages/sandbox/test-support/caller.ts';

it('answers thousands of calls, and forgets old log lines', async () => {
  const caller = await Caller.loggedIn({ limits: { requests: 1_000 } });
  const { requestID } = (await caller.initpay()).json;
  for (let poll = 0; poll < 2_000; poll += 1) expect((await caller.paystatus(requestID)).status).toBe(200);
  expect(caller.sandbox.control.ledger().hosted[0]?.polls).toBe(2_000);
  expect(caller.sandbox.control.requests().requests).toHaveLength(1_000);
});
