import { describe, expect, it } from 'vitest';
import { fakeUpstream, readSample, sampleContext, sampleResponse } from '../../test-support/fake-upstream.ts';
import { initCreateTokenNoIframe } from './init-create-token-no-iframe.ts';

const sample = readSample('init-create-token-no-iframe');
const input = {
  cardInfoRefID: 'booking-1234',
  callbackSuccessUrl: new URL('https://hotel.example/return/success'),
  callbackAbortUrl: 'https://hotel.example/return/abort',
};

describe('initCreateTokenNoIframe', () => {
  it('sends the golden request and reads the golden answer', async () => {
    const upstream = fakeUpstream([sampleResponse(sample, 'success')]);
    const result = await initCreateTokenNoIframe(sampleContext(upstream), input);
    expect(upstream.requests[0]?.url).toBe(`https://pay.example${sample.path}`);
    expect(JSON.parse(upstream.requests[0]?.body ?? '')).toEqual(sample.request);
    expect(result.viewUrl.pathname).toBe('/create');
    expect(result.request).toEqual({
      operation: 'initCreateTokenNoIframe',
      surcharge: false,
      cardInfoRefID: 'booking-1234',
    });
  });
});
