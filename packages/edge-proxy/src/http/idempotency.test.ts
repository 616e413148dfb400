import { Hono } from 'hono';
import { expect, it } from 'vitest';
import { requiredIdempotencyKey } from './idempotency.ts';
import { ProblemError } from './problem.ts';

const app = new Hono()
  .post('/', requiredIdempotencyKey, (c) => c.text(c.get('idempotencyKey')))
  .onError((error, c) => c.text(error instanceof ProblemError ? error.message : `${error}`, 400));

async function send(key: string): Promise<number> {
  const answer = await app.request('/', { method: 'POST', headers: { 'idempotency-key': key } });
  return answer.status;
}

const HEX = 'ca5d598b5485636088630664ebc4e26d';

// Of such keys, one in 5,000 has digits that pass for a card number.
it.each([
  ...[`innkeep-${HEX}`, HEX.toUpperCase(), `RES-1:${HEX}${HEX}`, '403acbb5-6b73-4856-9257-30633dc52168'],
  ...['1763820000129', '42424242-4242-4242-8242-424242424242'],
])('takes the key %s', async (key) => {
  expect(await send(key)).toBe(200);
});

it.each([
  '4242424242424242',
  'RES-4242-4242-4242-4242',
  // Too short for a hash, and without a letter.
  `${HEX.slice(0, 30)}-4242424242424242`,
  'a4242424242424242b',
  // A word beside it, and one that it runs into, do not hide it.
  `${HEX}-4242424242424242`,
  `4242-4242-4242-4242${'a'.repeat(30)}`,
  `${HEX}g4242424242424242`,
])('refuses the key %s, which holds a card number', async (key) => {
  expect(await send(key)).toBe(400);
});
