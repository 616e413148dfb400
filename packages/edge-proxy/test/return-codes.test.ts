/** Codes other than 0: which are declines, which leave the outcome open, and which are not kept. */
import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test, vi } from 'vitest';
import { type Property, parseProperty } from '../src/properties/configured-properties.ts';
import { accessTokenObjectName } from '../src/upstream/account-of.ts';
import { createSession, type Json, startAttempt } from '../test-support/client.ts';
import { AURORA } from '../test-support/environment.ts';
import { charge, postReversal, read, useMoneyFakes } from '../test-support/money.ts';

const fakes = useMoneyFakes('CODE');

async function reverse(name: string, payment: string): Promise<Json> {
  return (await postReversal(fakes.key(name), { payment })).json();
}

test.each([
  ['96', {}, 'unknown'],
  [96, {}, 'unknown'],
  ['12', { transactionID: 'T-9' }, 'unknown'],
  ['12', {}, 'declined'],
  ['05', { transactionID: '' }, 'declined'],
] as const)('a reversal and a charge answered with %j %j are %s', async (returnCode, more, status) => {
  const { id } = await charge(fakes.key('paid'), { reference: `${fakes.reference}-paid` });
  fakes.upstream.overrides.reversal = () => Response.json({ returnCode, returnText: 'outcome pending', ...more });
  const reversal = await reverse('r', id);
  const isUnknown = status === 'unknown';
  expect(reversal).toMatchObject({
    status,
    final: !isUnknown,
    transactionId: null,
    error: { code: isUnknown ? 'outcome_unknown' : 'declined', returnCode: String(returnCode) },
  });
  // What may have gone back stays held, so that it cannot be refunded twice.
  expect(await read(id)).toMatchObject({
    reversed: { value: 0 },
    reversing: { value: isUnknown ? 8_000 : 0 },
  });
  expect((await postReversal(fakes.key('second'), { payment: id })).status).toBe(isUnknown ? 409 : 201);
  fakes.upstream.overrides.pay = () => Response.json({ returnCode, ...more });
  expect(await charge(fakes.key('c'), { reference: fakes.reference })).toMatchObject({
    status,
    error: { returnCode: String(returnCode) },
  });
});

test('a page that is refused names its code, once, for whoever looks why nobody can pay', async () => {
  const lines: string[] = [];
  vi.spyOn(console, 'warn').mockImplementation((line: string) => void lines.push(line));
  fakes.upstream.overrides.initpayNoIframe = () => Response.json({ returnCode: 'P6' });
  for (let times = 0; times < 2; times++) {
    expect((await startAttempt(await createSession())).status).toBe(502);
  }
  const line = { level: 'warn', message: 'return_code_first_seen', property: 'aurora', returnCode: 'P6' };
  const seen = () => lines.map((each) => JSON.parse(each)).filter(({ message }) => message === line.message);
  await expect.poll(seen).toEqual([line]);
});

test('what is no code, and more codes than a service has, are not kept', async () => {
  const lines: string[] = [];
  vi.spyOn(console, 'warn').mockImplementation((line: string) => void lines.push(line));
  const aurora = parseProperty('aurora', JSON.stringify(AURORA)) as Property;
  const object = env.ACCESS_TOKENS.getByName(await accessTokenObjectName({ ...aurora, id: 'many' }));
  await object.noteReturnCode('many', 'a b');
  await object.noteReturnCode('many', 'x'.repeat(17));
  expect(lines).toEqual([]);
  await runInDurableObject(object, async (instance) => {
    for (let code = 1; code <= 1_001; code++) await instance.noteReturnCode('many', String(code));
  });
  expect(lines).toHaveLength(1_000);
});
