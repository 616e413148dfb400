import { describe, expect, it } from 'vitest';
import { fakeUpstream, readSample, sampleContext, sampleResponse } from '../../test-support/fake-upstream.ts';
import { checkRecord, recordedRefusal, showsMoney } from '../hosted/check-record.ts';
import type { AmountUnit } from '../values/money.ts';
import { Money } from '../values/money.ts';
import { transaction } from './transaction.ts';

const sample = readSample('transaction');
const payment = sampleResponse(sample, 'payment');

async function read(answer: object, amountUnit: AmountUnit = 'minor', asked?: Money) {
  const context = sampleContext(fakeUpstream([answer]), { amountUnit });
  return transaction(context, { requestID: 'R-1', ...(asked && { request: { amount: asked } }) });
}

describe('transaction', () => {
  it('asks for the record by id and provider', async () => {
    const upstream = fakeUpstream([payment]);
    await transaction(sampleContext(upstream), { requestID: 'R-1' });
    expect(upstream.requests[0]).toMatchObject({ method: 'GET', url: `https://pay.example${sample.path}` });
    expect(upstream.requests[0]?.headers).not.toHaveProperty('content-type');
  });

  it('reads the golden payment', async () => {
    const { amount, raw, ...rest } = await read(payment);
    expect(amount?.toString()).toBe('120.00 EUR');
    expect(raw).toEqual(payment);
    const { amount: _, ...texts } = payment;
    expect(rest).toEqual(texts);
  });

  it('reads the golden surcharge', async () => {
    const record = await read(sampleResponse(sample, 'surcharged-payment'));
    expect(record.amount?.toString()).toBe('122.40 EUR');
    expect(record.surcharge?.amount.toString()).toBe('2.40 EUR');
    expect(record.surcharge?.percent).toBe(2);
  });

  it('reads the golden tokenization, whose amount of 0 is no money', async () => {
    const record = await read(sampleResponse(sample, 'tokenization'));
    expect(record).toMatchObject({ token: 'TK-0002', tokenValidUntil: '2028-12-31' });
    expect(record).not.toHaveProperty('amount');
  });

  it('reads major units with binary dust, but no half cents', async () => {
    const record = await read(
      { ...payment, amount: 123.69999999999999, surchargeAmount: 3.6, surchargeApplied: true },
      'major',
    );
    expect(record.amount?.minor).toBe(12370n);
    expect(record.surcharge?.amount.minor).toBe(360n);
    expect(await read({ ...payment, amount: 1.005 }, 'major')).not.toHaveProperty('amount');
  });

  it('returns a record with another returnCode, because the record was asked for', async () => {
    expect(await read({ ...payment, returnCode: 1, status: 'failed' })).toMatchObject({
      returnCode: '1',
      status: 'failed',
    });
  });

  it('takes a surcharge of nothing for none', async () => {
    expect(await read({ ...payment, surchargeAmount: 0 })).not.toHaveProperty('surcharge');
  });

  it.each([
    { amount: 120.5 },
    { amount: -12000 },
    { amount: 2 ** 60 },
    { surchargeAmount: 0.5 },
    { surchargeAmount: -5, surchargeApplied: true },
    { currency: 'EURO' },
    { currency: 'eur' },
    { currency: 'ZZZ' },
    { currency: 978 },
  ])('returns a record with %j, but no money that is not exact', async (change) => {
    const answer: Record<string, unknown> = { ...payment, ...change };
    const record = await read(answer, 'minor', Money.ofMinor(12000n, 'EUR'));
    expect(record).toMatchObject({ requestID: payment.requestID, currency: String(answer.currency), raw: answer });
    expect(record).not.toHaveProperty('amount');
    expect(record).not.toHaveProperty('surcharge');
  });

  it.each([
    ['amount', { ...payment, amount: '12000' }],
    ['surchargeAmount', { ...payment, surchargeAmount: '5' }],
    ['surchargeApplied', { ...payment, surchargeApplied: 'false' }],
    ['currency', { ...payment, currency: true }],
    ['returnCode', { ...payment, returnCode: undefined }],
    ['paymentObjID', { ...payment, paymentObjID: {} }],
  ])('refuses a record with a bad %s', async (path, answer) => {
    await expect(read(answer)).rejects.toMatchObject({ code: 'invalid_response', path });
  });

  it('leaves out a number that lost digits: it would name another payment, or another card', async () => {
    const record = await read({ ...payment, transactionID: 20_261_128_120_000_124, token: 2 ** 53, customer: 4711 });
    expect(record).toMatchObject({ amount: Money.ofMinor(12000n, 'EUR'), customer: '4711' });
    expect(record).not.toHaveProperty('transactionID');
    expect(record).not.toHaveProperty('token');
  });

  it.each([
    ['major units for a minor-unit client', 120, 'minor'],
    ['minor units for a major-unit client', 12000, 'major'],
  ] as const)('names %s, also for an init that was stored', async (_, amount, unit) => {
    const asked = Money.ofMinor(12000n, 'EUR');
    const error = { code: 'amount_unit_mismatch' };
    for (const stored of [asked, structuredClone(asked), JSON.parse(JSON.stringify(asked)) as Money]) {
      await expect(read({ ...payment, amount }, unit, stored)).rejects.toMatchObject(error);
      const surcharged = { ...payment, amount: amount + 1, surchargeAmount: 1, surchargeApplied: true };
      await expect(read(surcharged, unit, stored)).rejects.toMatchObject(error);
      expect(await read({ ...payment, amount: amount + 1 }, unit, stored)).toHaveProperty('amount');
      expect(await read({ ...payment, amount, currency: 'USD' }, unit, stored)).toHaveProperty('amount');
    }
  });
});

describe('a record with an odd code', () => {
  it.each(['0\u0000', '00', '-'])('keeps its money: %j', async (returnCode) => {
    const record = await read({ ...payment, returnCode });
    expect(record.amount).toBeDefined();
    expect(showsMoney(record)).toBe(true);
    const asked = { requestID: record.requestID ?? '', operation: 'initpayNoIframe', cardInfoRefID: '' } as const;
    expect(recordedRefusal(asked, record, [])).toBeUndefined();
    expect(checkRecord({ ...asked, cardInfoRefID: record.cardInfoRefID ?? '', surcharge: true }, record)).toEqual({
      decision: 'contradiction',
      code: 'record_mismatch',
      field: 'returnCode',
    });
  });
});

it.each(['2.5', '2.5 %', '', {}])('a percentage of %j spoils no record', async (surchargePercentUsed) => {
  expect(await read({ ...payment, surchargePercentUsed })).toHaveProperty('amount');
});
