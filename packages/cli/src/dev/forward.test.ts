import { expect, test } from 'vitest';
import { forward } from './forward.ts';

test.each([
  ['nobody', () => Promise.reject(new TypeError('fetch failed')), undefined, '→ nobody listens there yet; what then'],
  ['a site that fails', async () => new Response(null, { status: 500 }), 500, /^→ 500 in \d+ ms: what then$/],
  ['a site that takes it', async () => new Response(null, { status: 204 }), 204, /^→ 204 in \d+ ms$/],
])('says what becomes of an event brought to %s', async (_, fetch, status, text) => {
  const delivery = { headers: {}, body: new Uint8Array(), fetch, otherwise: 'what then' };
  const delivered = await forward('http://127.0.0.1:1/hooks', delivery);
  expect(delivered).toEqual({ status, text: expect.stringMatching(text) });
});
