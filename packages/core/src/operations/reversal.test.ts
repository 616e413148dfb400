import { describe, expect, it } from 'vitest';
import { fakeUpstream, readSample, sampleContext, sampleResponse } from '../../test-support/fake-upstream.ts';
import { Money } from '../values/money.ts';
import { reversal } from './reversal.ts';

const sample = readSample('reversal');
const input = { transactionID: 'T-2', amount: Money.ofMinor(5000n, 'EUR') };

describe('reversal', () => {
  it('sends the golden request and reads the golden answer', async () => {
    const upstream = fakeUpstream([sampleResponse(sample, 'success')]);
    const result = await reversal(sampleContext(upstream), input);
    expect(upstream.requests[0]?.url).toBe(`https://pay.example${sample.path}`);
    expect(JSON.parse(upstream.requests[0]?.body ?? '')).toEqual(sample.request);
    expect(result).toEqual({
      transactionID: 'T-3',
      cardType: '4',
      serviceProvider: 'SANDBOX_DIRECT',
      returnCode: '0',
      raw: sampleResponse(sample, 'success'),
    });
  });

  it('does not know the outcome without a transactionID', async () => {
    const upstream = fakeUpstream([{ returnCode: '0' }]);
    await expect(reversal(sampleContext(upstream), input)).rejects.toMatchObject({
      code: 'outcome_unknown',
      operation: 'reversal',
      path: 'transactionID',
    });
  });
});
