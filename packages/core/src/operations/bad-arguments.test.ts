import { describe, expect, it } from 'vitest';
import { fakeUpstream, sampleOptions } from '../../test-support/fake-upstream.ts';
import { type Client, createClient } from '../client.ts';

const OPERATIONS = [
  'createToken',
  'pay',
  'reversal',
  'initpayNoIframe',
  'initCreateTokenNoIframe',
  'paystatus',
  'transaction',
  'waitForResult',
] as const satisfies readonly (keyof Client)[];
const NOTHING: readonly unknown[] = [undefined, null, 'x'];

describe('operations without a usable input', () => {
  it.each(OPERATIONS.flatMap((operation) => NOTHING.map((input) => ({ operation, input }))))(
    '$operation refuses $input before any request',
    async ({ operation, input }) => {
      const upstream = fakeUpstream([{}]);
      const client = createClient(sampleOptions({ fetch: upstream.fetch }));
      await expect(client[operation](input as never)).rejects.toMatchObject({ code: 'invalid_input' });
      expect([...upstream.requests, ...upstream.logins]).toEqual([]);
    },
  );

  it.each(NOTHING)('watch refuses %j before any request', async (input) => {
    const upstream = fakeUpstream([{}]);
    const client = createClient(sampleOptions({ fetch: upstream.fetch }));
    await expect(client.watch(input as never).next()).rejects.toMatchObject({ code: 'invalid_input' });
    expect([...upstream.requests, ...upstream.logins]).toEqual([]);
  });
});
