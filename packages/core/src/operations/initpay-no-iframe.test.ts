import { describe, expect, it } from 'vitest';
import { fakeUpstream, readSample, sampleContext, sampleResponse } from '../../test-support/fake-upstream.ts';
import type { ClientOptions } from '../context.ts';
import { Money } from '../values/money.ts';
import { initpayNoIframe } from './initpay-no-iframe.ts';

const sample = readSample('initpay-no-iframe');
const success = sampleResponse(sample, 'success');
const input = {
  amount: Money.ofMinor(12000n, 'EUR'),
  cardInfoRefID: 'booking-1234',
  resNo: 'RES-1234',
  callbackSuccessUrl: 'https://hotel.example/return/success',
  callbackAbortUrl: 'https://hotel.example/return/abort',
  description: '2 nights',
  surcharge: true,
};

/** A request that is answered so. */
const answered = (answer: object, settings: Partial<ClientOptions> = {}) =>
  initpayNoIframe(sampleContext(fakeUpstream([answer]), settings), input);

describe('initpayNoIframe', () => {
  it('sends the golden request and reads the golden answer', async () => {
    const upstream = fakeUpstream([success]);
    const result = await initpayNoIframe(sampleContext(upstream), input);
    expect(JSON.parse(upstream.requests[0]?.body ?? '')).toEqual(sample.request);
    expect(result.viewUrl).toEqual(new URL(String(success.viewUrl)));
    expect(result.stateRetrivalUrl).toBe(success.stateRetrivalUrl);
    expect(result).toMatchObject({ requestID: 'R-1', dateTime: '2026-06-01T12:00:00', returnCode: '0', raw: success });
    expect(result.request).toEqual({
      operation: 'initpayNoIframe',
      amount: input.amount,
      surcharge: true,
      cardInfoRefID: 'booking-1234',
    });
  });

  it('asks for no feature and sends an empty description by default', async () => {
    const upstream = fakeUpstream([success]);
    const { surcharge: _, description: __, ...plain } = input;
    const { request } = await initpayNoIframe(sampleContext(upstream), plain);
    expect(JSON.parse(upstream.requests[0]?.body ?? '')).toMatchObject({ supportedFeatures: '', description: '' });
    expect(request.surcharge).toBe(false);
  });

  it.each([
    ['viewUrl', { ...success, viewUrl: 'https://evil.example/payment?PD=1' }],
    ['stateRetrivalUrl', { ...success, stateRetrivalUrl: 'https://view.example/paystatus' }],
  ])('does not trust %s elsewhere', async (path, answer) => {
    const settings = { viewOrigins: ['https://view.example'] };
    await expect(answered(answer, settings)).rejects.toMatchObject({ code: 'untrusted_url', path });
  });

  it('trusts the origins of its settings, each for its own purpose', async () => {
    const urls = { viewUrl: 'https://view.example/payment?PD=1', stateRetrivalUrl: 'https://status.example/x?y=1' };
    const origins = { viewOrigins: ['https://view.example'], allowedOrigins: ['https://status.example'] };
    const result = await answered({ ...success, ...urls }, origins);
    expect({ ...result, viewUrl: result.viewUrl.href }).toMatchObject(urls);
  });

  it.each([
    ['viewUrl', { ...success, viewUrl: undefined }],
    ['requestID', { ...success, requestID: '' }],
    ['stateRetrivalUrl', { ...success, stateRetrivalUrl: 7 }],
    ['returnCode', { ...success, returnCode: null }],
  ])('refuses an answer with a bad %s', async (path, answer) => {
    await expect(answered(answer)).rejects.toMatchObject({ code: 'invalid_response', path });
  });

  it.each([
    ['OTHER', 'OTHER'],
    ['', 'SANDBOX_HOSTED'],
    [' ', 'SANDBOX_HOSTED'],
    [null, 'SANDBOX_HOSTED'],
    ['OTHER\u0000', 'SANDBOX_HOSTED'],
    ['OTHER 4242424242424242', 'SANDBOX_HOSTED'],
  ])('keeps the provider %j of the answer as %j, which its record can be asked for with', async (named, kept) => {
    expect((await answered({ ...success, serviceProvider: named })).serviceProvider).toBe(kept);
  });
});
