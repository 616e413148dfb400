import type { PropertyInput } from '@innkeep/core/contract';
import { expect, it, vi } from 'vitest';
import type { Io } from '../process/io.ts';
import { sha256Of } from '../property/secrets.ts';
import { checkReturnCodes } from './return-codes.ts';

const secretKey = `sk_test_${'a'.repeat(43)}`;

function check(scopes: readonly string[]) {
  const fetch = vi.fn(async () => Response.json({ object: 'list', data: [], nextCursor: null }));
  const property = { merchantKeys: [{ id: 'default', sha256: sha256Of(secretKey), scopes }] };
  const io = { fetch, signal: undefined } as unknown as Io;
  const how = { endpoint: 'https://pay.example', secretKey, property: property as unknown as PropertyInput };
  return { fetch, result: checkReturnCodes(io, how) };
}

it.each([[['checkout', 'events']], [['checkout', 'charges']]])(
  'asks for nothing that a key with the scopes %j may not read: whoever is on call would hear of it',
  async (scopes) => {
    const { fetch, result } = check(scopes);
    expect(await result).toMatchObject({ status: 'skipped', fix: 'Use a key with the scope read.' });
    expect(fetch).not.toHaveBeenCalled();
  },
);

it.each([[['read']], [['charges', 'reversals']]])('reads with the scopes %j', async (scopes) => {
  const { fetch, result } = check(scopes);
  expect(await result).toMatchObject({ status: 'ok' });
  expect(fetch).toHaveBeenCalledTimes(4);
});
