import { expect, test } from 'vitest';
import { merchant } from '../test-support/client.ts';
import { addHotel } from '../test-support/directory.ts';
import { CHARGE, useMoneyFakes } from '../test-support/money.ts';
import { passSeconds } from '../test-support/objects.ts';

const fakes = useMoneyFakes('OPEN');

/** It only charges: nothing else renews its token. */
async function hotelThatCharges(id: string): Promise<string> {
  const key = `sk_test_${id}_${'k'.repeat(40)}`;
  await addHotel(id, [key]);
  return key;
}

test.each([
  ['leaves it open', 'open', () => Response.json({ returnCode: 0 }, { status: 401 }), 'unknown'],
  ['is a long page', 'page', () => new Response('x'.repeat(70_000), { status: 401 }), 'succeeded'],
])('after a 401 whose body %s, charges go on with a new token', async (_, name, refusal, first) => {
  const key = await hotelThatCharges(`alpine_${name}`);
  let revoked: string | null | undefined;
  fakes.upstream.overrides.pay = ({ headers }) => {
    const token = headers.get('authorization');
    revoked ??= token;
    return token === revoked ? refusal() : Response.json({ transactionID: 'TX-1', returnCode: '0' });
  };
  const charge = async (number: string): Promise<unknown> => {
    const body = { ...CHARGE, reference: `${fakes.reference}${number}` };
    const response = await merchant('/v1/charges', {
      key,
      body,
      headers: { 'idempotency-key': fakes.key(name + number) },
    });
    return ((await response.json()) as { status?: unknown }).status;
  };
  expect(await charge('a')).toBe(first);
  passSeconds(900);
  expect(await charge('b')).toBe('succeeded');
});
