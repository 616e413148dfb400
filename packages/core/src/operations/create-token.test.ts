import { describe, expect, it } from 'vitest';
import { fakeUpstream, readSample, sampleContext, sampleResponse } from '../../test-support/fake-upstream.ts';
import { createToken } from './create-token.ts';

const sample = readSample('create-token');
const input = { cardNo: '4242424242424242', valid: '2028-12-31', cvc: '123', cardText: 'A. Guest' };

describe('createToken', () => {
  it('sends the golden request and reads the golden answer', async () => {
    const upstream = fakeUpstream([sampleResponse(sample, 'success')]);
    const result = await createToken(sampleContext(upstream), input);
    expect(JSON.parse(upstream.requests[0]?.body ?? '')).toEqual(sample.request);
    expect(result).toEqual({ ...sampleResponse(sample, 'success'), raw: sampleResponse(sample, 'success') });
  });

  it('leaves the cvc out and sends an empty cardText when they are not given', async () => {
    const upstream = fakeUpstream([sampleResponse(sample, 'success')]);
    await createToken(sampleContext(upstream), { cardNo: input.cardNo, valid: input.valid });
    const body = JSON.parse(upstream.requests[0]?.body ?? '') as object;
    expect(body).not.toHaveProperty('cvc');
    expect(body).toMatchObject({ cardText: '' });
  });

  it.each([null, '', ' ', 'OTHER\u0000'])(
    'takes its own provider where the answer names %j',
    async (serviceProvider) => {
      const upstream = fakeUpstream([{ ...sampleResponse(readSample('create-token'), 'success'), serviceProvider }]);
      expect(await createToken(sampleContext(upstream), input)).toMatchObject({ serviceProvider: 'SANDBOX_DIRECT' });
    },
  );
});
