import { describe, expect, it } from 'vitest';
import { fakeUpstream, readSample, sampleContext, sampleResponse } from '../../test-support/fake-upstream.ts';
import { paystatus } from './paystatus.ts';

const sample = readSample('paystatus');

async function read(answer: object) {
  return paystatus(sampleContext(fakeUpstream([answer])), { requestID: 'R-1' });
}

describe('paystatus', () => {
  it.each([
    ['pending', { state: 'pending' }],
    ['payment', { state: 'done', objectType: 'payment', objectID: '7701' }],
    ['tokenization', { state: 'done', objectType: 'token', objectID: '8801' }],
    ['error', { state: 'error', errorText: 'Canceled by the guest.' }],
  ])('reads the golden answer %s', async (name, status) => {
    expect(await read(sampleResponse(sample, name))).toMatchObject(status);
  });

  it('builds the address with and without V2', async () => {
    const upstream = fakeUpstream([{ state: 0 }]);
    const context = sampleContext(upstream);
    await paystatus(context, { requestID: 'R-1' });
    await paystatus(context, { requestID: 'R 1&x', version: 'none', serviceProvider: 'OTHER' });
    expect(upstream.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      `GET https://pay.example${sample.path}`,
      'GET https://pay.example/4711/paystatus?requestid=R+1%26x&serviceProvider=OTHER',
    ]);
  });

  it('uses the given address exactly, if it is trusted', async () => {
    const upstream = fakeUpstream([{ state: 0 }]);
    const context = sampleContext(upstream);
    const stateRetrivalUrl = 'https://pay.example/x/y?b=2&a=%2f&requestid=R-1';
    await paystatus(context, { requestID: 'R-1', stateRetrivalUrl });
    expect(upstream.requests[0]?.url).toBe(stateRetrivalUrl);
    await expect(
      paystatus(context, { requestID: 'R-1', stateRetrivalUrl: 'https://evil.example/' }),
    ).rejects.toMatchObject({ code: 'untrusted_url', path: 'stateRetrivalUrl' });
    expect(upstream.requests).toHaveLength(1);
  });

  it.each([[{ state: 3 }], [{ state: -1 }], [{ state: 99, result: 'x' }]])('keeps polling for %j', async (answer) => {
    expect(await read(answer)).toMatchObject({ state: 'pending', raw: answer });
  });

  it.each([
    ['PAYOBJID=a=b', 'payment', 'a=b'],
    ['payobjid=7', 'payment', '7'],
    ['TOKENOBJID=', 'token', ''],
    ['SOMETHING=1', 'other', 'SOMETHING=1'],
    ['', 'other', ''],
  ])('reads the result %s', async (result, objectType, objectID) => {
    expect(await read({ state: '1', result })).toMatchObject({ state: 'done', objectType, objectID });
  });

  it.each([{}, ['PAYOBJID=7'], true, 1.5, 2 ** 60, null, undefined])(
    'believes a state whose result %j is no text',
    async (result) => {
      expect(await read({ state: 1, result })).toMatchObject({ state: 'done', objectType: 'other', objectID: '' });
      expect(await read({ state: 2, result })).toMatchObject({ state: 'error', errorText: '' });
    },
  );

  it.each([
    ['ERROR=100%25+sure%', '100% sure%'],
    ['ERROR=a%2Bb', 'a+b'],
    ['ERROR=Z%C3%BCrich', 'Zürich'],
    ['ERROR=Z%FCrich', 'Zürich'],
    ['ERROR=%zz%4', '%zz%4'],
    ['no prefix', 'no prefix'],
    ['ERROR=Basic fraud check, bearer unknown.', 'Basic fraud check, bearer unknown.'],
    ['ERROR=card%204242424242424242', 'card [redacted]'],
  ])('decodes %s', async (result, errorText) => {
    expect(await read({ state: 2, result })).toMatchObject({ state: 'error', errorText });
  });

  it.each([
    ['state', {}],
    ['state', { state: null }],
    ['state', { state: 1.5, result: 'PAYOBJID=1' }],
    ['state', { state: 'done' }],
  ])('refuses an answer with a bad %s', async (path, answer) => {
    await expect(read(answer)).rejects.toMatchObject({ code: 'invalid_response', path });
  });
});
