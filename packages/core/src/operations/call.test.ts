import { describe, expect, it } from 'vitest';
import { fakeUpstream, sampleContext } from '../../test-support/fake-upstream.ts';
import { call } from './call.ts';

describe('call', () => {
  it('posts the body as it is and returns the answer unjudged', async () => {
    const upstream = fakeUpstream([{ returnCode: '7', anything: [1] }]);
    const answer = await call(sampleContext(upstream), { operation: 'authorize', body: { a: 1 } });
    expect(upstream.requests[0]).toMatchObject({
      method: 'POST',
      url: 'https://pay.example/V2/4711/authorize',
      body: '{"a":1}',
    });
    expect(answer).toEqual({ returnCode: '7', anything: [1] });
  });

  it.each(['pay', 'reversal', 'createToken'])('keeps the rules of money for %s', async (operation) => {
    const upstream = fakeUpstream([() => new Response('', { status: 503 })]);
    await expect(call(sampleContext(upstream), { operation, body: {} })).rejects.toMatchObject({
      code: 'outcome_unknown',
    });
  });

  it.each([[{ amount: 1n }], [[]], [null], [undefined], ['text']])(
    'refuses a body that is no JSON object before any request',
    async (body) => {
      const upstream = fakeUpstream([{}]);
      await expect(
        call(sampleContext(upstream), { operation: 'authorize', body: body as unknown as Record<string, unknown> }),
      ).rejects.toMatchObject({ code: 'invalid_input', path: 'body' });
      expect(upstream.requests).toHaveLength(0);
    },
  );

  it.each([undefined as never, '', 'a/b', '../login', 'pay?x=1', 'pay#'])(
    'refuses %j as a name before any request',
    async (operation) => {
      const upstream = fakeUpstream([{}]);
      await expect(call(sampleContext(upstream), { operation, body: {} })).rejects.toMatchObject({
        code: 'invalid_input',
        path: 'operation',
      });
      expect(upstream.requests).toHaveLength(0);
    },
  );
});
