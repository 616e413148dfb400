import { describe, expect } from 'vitest';
import { Caller } from '../../test-support/caller.ts';
import { it } from '../../test-support/it.ts';
import type { SandboxOptions } from '../world/settings.ts';
import { createSandbox } from './sandbox.ts';

it('rejects with the reason of an aborted signal, and carries out what was sent before', async () => {
  const { fetch, control } = createSandbox();
  const body = JSON.stringify({ username: 'demo', password: 'demo-password' });
  const request = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body };
  const gone = AbortSignal.abort(new Error('too late'));
  await expect(fetch('https://sandbox.test/login', { ...request, signal: gone })).rejects.toThrow('too late');
  expect(control.requests().requests).toEqual([]);

  control.scenario({ operation: 'login', scenario: 'slow' });
  const hangUp = new AbortController();
  const waiting = fetch('https://sandbox.test/login', { ...request, signal: hangUp.signal });
  while (control.requests().requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
  hangUp.abort(new Error('hung up'));
  await expect(waiting).rejects.toThrow('hung up');
});

it('takes what fetch takes: an address, a URL or a Request, and a body that streams', async () => {
  const { fetch } = createSandbox();
  const body = JSON.stringify({ username: 'demo', password: 'demo-password' });
  const headers = { 'Content-Type': 'application/json' };
  const stream = new Blob([body]).stream();
  const streaming = { method: 'POST', headers, body: stream, duplex: 'half' };
  const answers = await Promise.all([
    fetch('https://sandbox.test/login', { method: 'POST', headers, body }),
    fetch(new URL('https://sandbox.test/login'), streaming),
    fetch(new Request('https://sandbox.test/login', { method: 'POST', headers, body })),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
});

it.each([
  [{ apiKey: 'short' }, 'apiKey'],
  [{ password: '' }, 'password'],
  [{ baseUrl: 'nonsense' }, 'baseUrl'],
  [{ baseUrl: 'localhost:8790' }, 'baseUrl'],
  [{ baseUrl: 'https://pay.test/?hotel=1' }, 'baseUrl'],
  [{ profile: 'other' }, 'profile'],
  [{ limits: { hosted: 0 } }, 'limits.hosted'],
])('refuses the options %j and names the wrong one', (options, name) => {
  expect(() => createSandbox(options as SandboxOptions)).toThrow(`The sandbox option "${name}"`);
});

describe('a sandbox that goes on from a saved state', () => {
  it('finishes the payment, knows the stored card, and repeats no id', async () => {
    const before = await Caller.loggedIn();
    const { json: open } = await before.initpay();
    const tokenNo = await before.token();
    const { json: paid } = await before.pay({ tokenNo });
    before.sandbox.control.scenario({ operation: 'pay', scenario: 'declined' });
    before.sandbox.control.clock({ advanceSeconds: 60 });

    const sandbox = createSandbox();
    expect(sandbox.restore(before.sandbox.save())).toBe(true);
    const after = new Caller({ sandbox });
    after.bearer = before.bearer;
    expect((await after.submit(open.viewUrl)).status).toBe(303);
    expect((await after.get(open.stateRetrivalUrl)).json.state).toBe(1);
    expect((await after.pay({ tokenNo })).json.returnCode).not.toBe('0');
    expect((await after.pay({ tokenNo })).json.transactionID).not.toBe(paid.transactionID);
    expect((await after.initpay()).json.requestID).not.toBe(open.requestID);
    expect(sandbox.control.clock({ advanceSeconds: 0 }).now).toBe('2026-09-01T08:01:00');
    expect(sandbox.control.requests().requests[0]?.seq).toBeGreaterThan(4);
  });

  it('has one row for the charge of a hosted payment, however it is reached', async () => {
    const before = await Caller.loggedIn();
    const { json: init } = await before.initpay();
    await before.submit(init.viewUrl);
    const sandbox = createSandbox();
    sandbox.restore(before.sandbox.save());
    const after = new Caller({ sandbox });
    after.bearer = before.bearer;
    const { json: record } = await after.transaction(init.requestID);
    expect(await after.reversal({ transactionID: String(record.transactionID), amount: '12000' })).toMatchObject({
      json: { returnCode: '0' },
    });
    expect(sandbox.control.ledger().charges).toMatchObject([{ reversedAmount: 12000 }]);
  });

  it('does not change what was saved', async ({ api }) => {
    const saved = api.sandbox.save();
    await api.initpay();
    expect(saved.ledger.hosted.entries.size).toBe(0);
  });

  it('takes no state of another version', async () => {
    const { sandbox } = await Caller.loggedIn();
    const { version: _, ...rest } = sandbox.save();
    const other = createSandbox();
    expect(other.restore({ ...rest, version: 0 as unknown as 2 })).toBe(false);
    expect(other.save().ids.size).toBe(0);
  });
});
