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

  it('shows no card data in errors and views', async () => {
    const views: unknown[] = [];
    const upstream = fakeUpstream([
      { returnCode: '4', returnText: 'card 4242424242424242 with code 123 is not accepted', echo: input },
    ]);
    const context = sampleContext(upstream, {
      onRequest: (view) => views.push(view),
      onResponse: (view) => views.push(view),
    });
    const error = await createToken(context, input).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: 'declined',
      returnText: 'card [redacted] with code [redacted] is not accepted',
    });
    const shown = JSON.stringify(views) + JSON.stringify(error) + String(error);
    expect(shown).not.toContain('4242424242424242');
    expect(shown).not.toMatch(/\b123\b/);
    expect(shown).toContain('424242......4242');
  });

  it.each([null, '', ' ', 'OTHER\u0000'])(
    'takes its own provider where the answer names %j',
    async (serviceProvider) => {
      const upstream = fakeUpstream([{ ...sampleResponse(readSample('create-token'), 'success'), serviceProvider }]);
      expect(await createToken(sampleContext(upstream), input)).toMatchObject({ serviceProvider: 'SANDBOX_DIRECT' });
    },
  );
});
