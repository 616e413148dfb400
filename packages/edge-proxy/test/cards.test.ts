import { env } from 'cloudflare:workers';
import { describe, expect, test, vi } from 'vitest';
import { LedgerObject } from '../src/ledger/ledger-object.ts';
import { cards } from '../src/money/card-routes.ts';
import { acquirePermit, isRefused } from '../src/upstream/call-budget.ts';
import { type Json, merchant } from '../test-support/client.ts';
import { postAfterEdit } from '../test-support/edited-proxy.ts';
import { AURORA } from '../test-support/environment.ts';
import { useFakes } from '../test-support/harness.ts';
import { expectProblem } from '../test-support/problem.ts';

const fakes = useFakes();
const KEYED_ENTRY = { moto: true, merchantKeys: [{ ...AURORA.merchantKeys[0], scopes: ['moto'] }] };
const CARD = { cardNo: '4242424242424242', valid: '2031-12-31' };

const TOKEN = {
  returnCode: '0',
  tokenNo: 'TOKEN-SECRET-9876',
  tokenExpiry: '2031-12-31',
  cardType: '2',
  cardTypeCode: 'VISA',
  cardNo: '424242......4242',
};

const keyIn = (edit: Json = KEYED_ENTRY, body: Json = CARD) =>
  postAfterEdit(edit, { path: '/v1/cards', body }, [['/v1/cards', cards(env)]]);

test('a card becomes a token, and whatever the payment service answers, its permit ends', async () => {
  fakes.upstream.overrides.createToken = () => Response.json(TOKEN);
  const answer = await keyIn();
  const { returnCode: _, tokenNo: token, cardNo: maskedCard, ...rest } = TOKEN;
  expect([answer.status, await answer.json()]).toEqual([201, { token, maskedCard, ...rest }]);
  const { url, body } = fakes.upstream.last('createToken');
  expect(url.pathname).toBe('/api/V2/1234/createToken');
  expect(JSON.parse(body)).toMatchObject({ ...CARD, user: AURORA.user });

  fakes.upstream.overrides.createToken = () => new Response('4242424242424242', { status: 503 });
  const refused = await keyIn();
  expect([refused.status, await refused.text()]).toEqual([502, expect.not.stringContaining('4242')]);

  const permits = Array.from({ length: 300 }, () =>
    acquirePermit('start', { receiver: new URL(AURORA.baseUrl).origin, property: 'aurora', source: 'test' }),
  );
  const held = permits.filter((permit) => !isRefused(permit));
  expect(held.length).toBe(256);
  expect((await keyIn()).status).toBe(429);
  for (const permit of held) if (!isRefused(permit)) permit.end(true);
  expect(fakes.upstream.count('createToken')).toBe(2);
});

test.each<[string, number, string, Json, () => Response | Promise<Response>]>([
  ['it declines', 502, 'does not accept this card', CARD, () => Response.json({ returnCode: '5' })],
  ['it has no number', 400, '"detail":"Must be given"', { valid: CARD.valid }, () => Response.json(TOKEN)],
  ['a digit is wrong', 400, '"param":"cardNo"', { ...CARD, cardNo: '4242424242424241' }, () => Response.json(TOKEN)],
  ['its text has two lines', 400, '"param":"cardText"', { ...CARD, cardText: 'a\nb' }, () => Response.json(TOKEN)],
  ['it says nothing', 502, 'a token may exist', CARD, () => Promise.reject(new Error('4242424242424242'))],
  ['it refuses the hotel', 503, 'credentials', CARD, () => new Response(null, { status: 401 })],
  ['it is away', 502, 'cannot be reached', CARD, () => new Response('4242424242424242', { status: 403 })],
])('a card that becomes no token says why: %s', async (_, status, detail, card, answer) => {
  fakes.upstream.overrides.createToken = answer;
  const refused = await keyIn(KEYED_ENTRY, card);
  const text = await refused.text();
  expect([refused.status, text]).toEqual([status, expect.stringContaining(detail)]);
  expect(text).not.toContain('4242');
});

describe('the audit', () => {
  const keyed = async () =>
    (await (await merchant('/v1/audit?action=card_token.read')).json<{ data: readonly Json[] }>()).data;

  test('has who was given a token', async () => {
    fakes.upstream.overrides.createToken = () => Response.json(TOKEN);
    const before = (await keyed()).length;
    expect((await keyIn()).status).toBe(201);
    const [entry, ...older] = await keyed();
    expect(entry).toMatchObject({ resource: null, route: 'POST /v1/cards', by: { key: 'web' } });
    expect(older).toHaveLength(before);
    expect(JSON.stringify(entry)).not.toMatch(/4242|TOKEN/);
    fakes.upstream.overrides.createToken = () => Response.json({ returnCode: '5' });
    expect((await keyIn()).status).toBe(502);
    expect(await keyed()).toHaveLength(before + 1);
  });

  test('that cannot be written keeps the token back, and says what to do', async () => {
    fakes.upstream.overrides.createToken = () => Response.json(TOKEN);
    vi.spyOn(LedgerObject.prototype, 'noteAct').mockRejectedValueOnce(new Error('the disk is full'));
    const refused = await keyIn();
    const text = await refused.text();
    expect([refused.status, text]).toEqual([500, expect.stringContaining('Keying the card in again is safe')]);
    expect(text).not.toContain('TOKEN');
    expect((await keyIn()).status).toBe(201);
  });
});

test('a key without the scope is told that there is nothing', async () => {
  const without = { ...KEYED_ENTRY, merchantKeys: [{ ...AURORA.merchantKeys[0], scopes: ['charges'] }] };
  expect((await keyIn(without)).status).toBe(404);
});

test.each(['4242424242424242', '4242 4242 4242 4242', 'n4242-4242-4242-4242', '424242', 'pan424242', '737'])(
  'an unknown field whose name may be of a card is not: %s',
  async (name) => {
    const answer = await keyIn(KEYED_ENTRY, { ...CARD, [name]: 'x' });
    await expectProblem(answer.clone(), 400, { code: 'invalid_request' });
    const refused = await answer.json<Json>();
    expect(refused).not.toHaveProperty('param');
    expect(JSON.stringify({ ...refused, traceId: '' })).not.toContain(name);
  },
);
