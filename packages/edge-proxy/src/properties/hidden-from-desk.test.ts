import { expect, test } from 'vitest';
import { hiddenFromDesk } from './hidden-from-desk.ts';

const KEPT_UNTIL = '2030-01-01T00:00:00Z';
const SECRETS = {
  clientSecret: 'cs_1_secret',
  metadata: { bookingId: '1234', token: 'x' },
  returnUrl: 'https://hotel.example/booking',
  result: { token: 'TOKEN', tokenObjectId: '815', tokenKeptUntil: KEPT_UNTIL },
};

test('what no desk sees is taken out wherever it is, and the rest stays', async () => {
  const body = { object: 'list', data: [{ id: 'cs_1', ...SECRETS, attempts: [SECRETS] }] };
  const shown = await hiddenFromDesk(Response.json(body, { status: 201, headers: { location: '/v1/x' } }));
  expect([shown.status, shown.headers.get('location')]).toEqual([201, '/v1/x']);
  const rest = { metadata: {}, returnUrl: null, result: { tokenObjectId: null, tokenKeptUntil: KEPT_UNTIL } };
  expect(await shown.json()).toEqual({ object: 'list', data: [{ id: 'cs_1', ...rest, attempts: [rest] }] });
});

test('JSON is JSON however it is declared, and nothing at all stays nothing', async () => {
  const headers = { 'content-type': 'application/json; charset=utf-8' };
  expect(await (await hiddenFromDesk(new Response('{"token":"x"}', { headers }))).json()).toEqual({});
  expect((await hiddenFromDesk(new Response(null, { status: 204 }))).status).toBe(204);
});

test('what is no JSON stays as it is', async () => {
  const table = new Response('"token"\r\n', { headers: { 'content-type': 'text/csv' } });
  expect(await (await hiddenFromDesk(table)).text()).toBe('"token"\r\n');
});
