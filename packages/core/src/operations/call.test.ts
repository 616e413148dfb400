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

  it.each<[path: string, asked: object]>([
    ...[{ amount: 1n }, [], null, undefined, 'text'].map((body): [string, object] => ['body', { body }]),
    ...[undefined, '', 'a/b', '../login', 'pay?x=1', 'pay#'].map((operation): [string, object] => [
      'operation',
      { operation },
    ]),
  ])('refuses a bad %s before any request: %o', async (path, asked) => {
    const upstream = fakeUpstream([{}]);
    const sent = call(sampleContext(upstream), { operation: 'authorize', body: {}, ...asked });
    await expect(sent).rejects.toMatchObject({ code: 'invalid_input', path });
    expect(upstream.requests).toHaveLength(0);
  });
});
