import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { cards } from '../src/money/card-routes.ts';
import type { Json } from '../test-support/client.ts';
import { postAfterEdit } from '../test-support/edited-proxy.ts';
import { AURORA } from '../test-support/environment.ts';

const KEYED_ENTRY = { moto: true, merchantKeys: [{ ...AURORA.merchantKeys[0], scopes: ['moto'] }] };
const CARD = { cardNo: '4242424242424242', valid: '2031-12-31' };

/** What a card with one more field is refused with. */
async function refusal(name: string): Promise<Json> {
  const answer = await postAfterEdit(KEYED_ENTRY, { path: '/v1/cards', body: { ...CARD, [name]: 'x' } }, [
    ['/v1/cards', cards(env)],
  ]);
  return { http: answer.status, ...(await answer.json<Json>()) };
}

test.each(['cardholder', 'card_no2', 'expiryMonth'])('an unknown field is named: %s', async (name) => {
  expect(await refusal(name)).toMatchObject({ http: 400, code: 'invalid_request', param: name });
});

test.each(['4242424242424242', '4242 4242 4242 4242', 'n4242-4242-4242-4242', '424242', 'pan424242', '737'])(
  'an unknown field whose name may be of a card is not: %s',
  async (name) => {
    const refused = await refusal(name);
    expect(refused).toMatchObject({ http: 400, code: 'invalid_request' });
    expect(refused).not.toHaveProperty('param');
    expect(JSON.stringify({ ...refused, traceId: '' })).not.toContain(name);
  },
);
