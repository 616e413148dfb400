// The sandbox accepts every golden request and answers in the shape of the golden answers. Core is held to the same samples
// in its own tests, so a misreading by either side shows.
import { readFileSync } from 'node:fs';
import { createSandbox } from '@innkeep/sandbox';
import { describe, expect, it } from 'vitest';
import { UPSTREAM } from './sandbox-client.ts';

type Fields = Record<string, unknown>;

interface Sample {
  method: string;
  path: string;
  headers?: Record<string, string>;
  request: Fields | string;
  responses: Record<string, Fields | string>;
}

function readSample(name: string): Sample {
  return JSON.parse(
    readFileSync(new URL(`../../docs/upstream/samples/${name}.json`, import.meta.url), 'utf8'),
  ) as Sample;
}

/** Each field with the type of its value: what two answers to the same question have in common. */
function shapeOf(fields: Fields): Fields {
  const shapes = Object.entries(fields).map(([name, value]) => [name, Array.isArray(value) ? 'array' : typeof value]);
  return Object.fromEntries(shapes.sort());
}

const sandbox = createSandbox({ callbackFetch: async () => new Response() });
let token: unknown = '';
token = (await send(readSample('login').path, readSample('login').request as Fields)).access_token;

async function send(path: string, body?: Fields): Promise<Fields> {
  const response = await sandbox.fetch(`${UPSTREAM}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  expect(response.status).toBe(200);
  return (await response.json()) as Fields;
}

/** Sends a golden request, with ids of this run in place of the sample's. */
async function ask(name: string, ids: Fields = {}): Promise<{ answer: Fields; golden: Fields }> {
  const sample = readSample(name);
  const answer = await send(sample.path, { ...(sample.request as Fields), ...ids });
  return { answer, golden: sample.responses.success as Fields };
}

/** Starts a hosted request, ends it, and reads its status and record. */
async function hosted(name: string, end: 'paid' | 'tokenized' | 'error' | 'open', surchargePercent?: number) {
  const { answer } = await ask(name);
  const requestID = String(answer.requestID);
  if (end !== 'open') {
    await sandbox.control.complete({ requestID, outcome: end, ...(surchargePercent && { surchargePercent }) });
  }
  const at = (path: string): string => path.replace('requestid=R-1', `requestid=${requestID}`);
  const status = await send(at(readSample('paystatus').path));
  // The form without V2 must say the same.
  expect(await send(at(readSample('paystatus').path).replace('/V2', ''))).toEqual(status);
  return {
    status,
    record: end === 'paid' || end === 'tokenized' ? await send(at(readSample('transaction').path)) : {},
  };
}

describe('the sandbox and the golden samples', () => {
  it.each(['login', 'create-token', 'initpay-no-iframe', 'init-create-token-no-iframe'])(
    'agree about %s',
    async (name) => {
      const { answer, golden } = await ask(name);
      expect(shapeOf(answer)).toEqual(shapeOf(golden));
    },
  );

  it('agree about pay and reversal', async () => {
    const { answer: token } = await ask('create-token');
    const { answer: paid, golden: goldenPay } = await ask('pay', { tokenNo: token.tokenNo });
    expect(shapeOf(paid)).toMatchObject(shapeOf(goldenPay));
    const { answer: reversed, golden } = await ask('reversal', { transactionID: paid.transactionID });
    expect(shapeOf(reversed)).toEqual(shapeOf(golden));
  });

  it('agree about every state and record', async () => {
    const golden = { ...readSample('paystatus').responses, ...readSample('transaction').responses } as Record<
      string,
      Fields
    >;
    const states = readSample('paystatus').responses as Record<string, Fields>;
    expect((await hosted('initpay-no-iframe', 'open')).status).toEqual(states.pending);
    expect(shapeOf((await hosted('initpay-no-iframe', 'error')).status)).toEqual(shapeOf(states.error ?? {}));

    const paid = await hosted('initpay-no-iframe', 'paid');
    expect(paid.status).toMatchObject({ state: 1, result: expect.stringMatching(/^PAYOBJID=\d+$/) });
    const records = readSample('transaction').responses as Record<string, Fields>;
    expect(shapeOf(paid.record)).toEqual(shapeOf(records.payment ?? {}));

    const surcharged = await hosted('initpay-no-iframe', 'paid', 2);
    expect(shapeOf(surcharged.record)).toEqual(shapeOf(golden['surcharged-payment'] ?? {}));
    expect(surcharged.record).toMatchObject({ amount: 12240, surchargeAmount: 240, surchargePercentUsed: 2 });

    const kept = await hosted('init-create-token-no-iframe', 'tokenized');
    expect(kept.status).toMatchObject({ state: 1, result: expect.stringMatching(/^TOKENOBJID=\d+$/) });
    expect(shapeOf(kept.record)).toEqual(shapeOf(records.tokenization ?? {}));
  });

  it.each(['gateway-keep-alive', 'gateway-room-request'])('agree about %s', async (name) => {
    const { path, headers = {}, request } = readSample(name);
    const response = await sandbox.fetch(`${UPSTREAM}${path}`, {
      method: 'POST',
      headers: { ...headers, 'x-api-key': '0123456789012345678901234567890123456789' },
      body: new TextEncoder().encode(String(request)),
    });
    expect(response.status).toBe(200);
    expect((await response.text()).length).toBeGreaterThan(0);
  });
});
