import { describe, expect, it, vi } from 'vitest';
import { fakeUpstream, readSample, sampleContext, sampleResponse } from '../../test-support/fake-upstream.ts';
import type { ClientOptions } from '../context.ts';
import { Money } from '../values/money.ts';
import { pay } from './pay.ts';
import { paystatus } from './paystatus.ts';

const sample = readSample('pay');
const input = { tokenNo: 'TK-0001', amount: Money.ofMinor(12000n, 'EUR'), text: 'No-show RES-1234' };
const DONE = { transactionID: 'T', returnCode: '0' };
const OPEN = { returnCode: '96', returnText: 'outcome pending' };

/** A charge that is answered so, and sent once. */
async function answered(answer: object, settings: Partial<ClientOptions> = {}) {
  const upstream = fakeUpstream([answer]);
  try {
    return await pay(sampleContext(upstream, settings), input);
  } finally {
    expect(upstream.requests).toHaveLength(1);
  }
}

describe('pay', () => {
  it('sends the golden request and reads the golden answer', async () => {
    const upstream = fakeUpstream([sampleResponse(sample, 'success')]);
    const result = await pay(sampleContext(upstream), input);
    const [request] = upstream.requests;
    expect(request?.url).toBe(`https://pay.example${sample.path}`);
    expect(request?.headers).toMatchObject({
      accept: 'application/json',
      authorization: 'Bearer token-1',
      'content-type': 'application/json',
    });
    expect(JSON.parse(request?.body ?? '')).toEqual(sample.request);
    expect(result).toEqual({
      transactionID: 'T-2',
      cardType: '4',
      cardNo: '424242......4242',
      cardTypeCode: 'VISA',
      serviceProvider: 'SANDBOX_DIRECT',
      returnCode: '0',
      raw: sampleResponse(sample, 'success'),
    });
  });

  it('reads a numeric returnCode and a repeated amount', async () => {
    const result = await answered(sampleResponse(sample, 'numeric-return-code'));
    expect(result).toMatchObject({ returnCode: '0', surchargeApplied: false });
    expect(result.amount?.equals(input.amount)).toBe(true);
  });

  it('sends whole major units when the upstream takes those', async () => {
    const upstream = fakeUpstream([sampleResponse(sample, 'success')]);
    await pay(sampleContext(upstream, { amountUnit: 'major' }), input);
    expect(JSON.parse(upstream.requests[0]?.body ?? '')).toMatchObject({ amount: '120', text: 'No-show RES-1234' });
  });

  it('sends an empty text when there is none, and takes overrides', async () => {
    const upstream = fakeUpstream([sampleResponse(sample, 'success')]);
    const hotel = { datetime: '2026-01-02T03:04:05', user: 'desk', hotelID: '2', hotelIDType: 'OTHER' };
    const overrides = { serviceProvider: 'SANDBOX_HOSTED', ...hotel };
    await pay(sampleContext(upstream), { tokenNo: 'TK-0001', amount: input.amount, ...overrides });
    expect(JSON.parse(upstream.requests[0]?.body ?? '')).toMatchObject({ text: '', ...overrides });
  });

  it.each([
    ['another amount', { ...DONE, amount: 11999 }, 'amount'],
    ['an amount in the other unit', { ...DONE, amount: 120 }, 'amount'],
    ['a surcharge', { ...DONE, surchargeApplied: true }, 'surchargeApplied'],
    ['a surcharge and the amount ordered', { ...DONE, amount: 12000, surchargeApplied: true }, 'surchargeApplied'],
    ...['true', 'yes', 1, {}].map((surchargeApplied): [string, object, string] => [
      `a surcharge in another form, ${JSON.stringify(surchargeApplied)}`,
      { ...DONE, surchargeApplied },
      'surchargeApplied',
    ]),
    ...[240, 0.01, '2.40', 'some', {}].map((surchargeAmount): [string, object, string] => [
      `a surcharge of ${JSON.stringify(surchargeAmount)}`,
      { transactionID: 'T', returnCode: 0, surchargeAmount },
      'surchargeAmount',
    ]),
    ['an amount as text', { transactionID: 'T', returnCode: '0', amount: '12000' }, 'amount'],
    ['no transactionID', { returnCode: '0' }, 'transactionID'],
    ['a blank transactionID', { returnCode: '0', transactionID: ' ' }, 'transactionID'],
    ['a transactionID that lost digits', { returnCode: 0, transactionID: 2 ** 60 }, 'transactionID'],
    ['no returnCode', { transactionID: 'T' }, 'returnCode'],
    ['an empty returnCode', { transactionID: 'T', returnCode: '' }, 'returnCode'],
    ['another spelling of zero', { transactionID: 'T', returnCode: '00' }, 'returnCode'],
    ['a blank returnCode', { transactionID: 'T', returnCode: ' ' }, 'returnCode'],
    ['a fraction for a returnCode', { transactionID: 'T', returnCode: 0.5 }, 'returnCode'],
    ['a returnCode that is no code', { transactionID: 'T', returnCode: true }, 'returnCode'],
  ])('does not know the outcome of an answer with %s', async (_, answer, path) => {
    await expect(answered(answer)).rejects.toMatchObject({ code: 'outcome_unknown', path, status: 200 });
  });

  it('is not misled by fields that do not matter', async () => {
    const odd = { cardType: {}, surchargeApplied: 'no', cardNo: null };
    const { raw: _, ...result } = await answered({ transactionID: 'T', returnCode: ' 0 ', ...odd });
    expect(result).toEqual({ transactionID: 'T', returnCode: '0' });
  });

  it.each([
    ...[null, false, 'false', 'No', 0, ''].map((surchargeApplied) => ({ surchargeApplied })),
    ...[null, 0, '0', '0.00', ''].map((surchargeAmount) => ({ surchargeApplied: false, surchargeAmount })),
    ...[' ', ' 0 ', '0,00', '00', '-0', '.0', ' no '].map((none) => ({
      surchargeAmount: none,
      surchargeApplied: none,
    })),
  ])('takes %j for no surcharge', async (fields) => {
    await expect(answered({ transactionID: 'T', returnCode: '0', ...fields })).resolves.toHaveProperty('transactionID');
  });

  it('is declined with any other returnCode, whatever else is missing', async () => {
    const answer = { returnCode: 1, returnText: 'card 4242424242424242 refused for TK-0001' };
    await expect(answered(answer)).rejects.toMatchObject({
      code: 'declined',
      returnCode: '1',
      returnText: 'card [redacted] refused for [redacted]',
    });
  });

  it.each([
    ['a transaction id', { returnCode: '5', transactionID: 'T-9' }, { returnCode: '5', transactionId: 'T-9' }],
    ['a transaction id that was rounded', { returnCode: 5, transactionID: 2 ** 53 }, { transactionId: '[redacted]' }],
    ['something else for a transaction id', { returnCode: 5, transactionID: {} }, { transactionId: '[redacted]' }],
    ['a transaction id that is a number', { returnCode: 5, transactionID: 9 }, { transactionId: '9' }],
    ['code 96', OPEN, OPEN],
    ['code 96 as a number', { returnCode: 96 }, { returnCode: '96' }],
    ['code 96 with a zero in front', { returnCode: '096' }, { returnCode: '096' }],
    ['code 96 between blanks', { returnCode: ' 96 ' }, { returnCode: '96' }],
    ['code 68', { returnCode: '68' }, { returnCode: '68' }],
    ['code 91', { returnCode: '91' }, { returnCode: '91' }],
  ])('does not know the outcome of a refusal with %s', async (_, answer, details) => {
    const message = expect.stringContaining('was answered with returnCode');
    await expect(answered(answer)).rejects.toMatchObject({ code: 'outcome_unknown', status: 200, message, ...details });
  });

  it.each([
    { returnCode: '5', transactionID: '' },
    { returnCode: '5', transactionID: ' ' },
    { returnCode: '5', transactionID: null },
    { returnCode: '960' },
    { returnCode: '9' },
    { returnCode: '6' },
    { returnCode: '-96' },
  ])('takes %j for a decline', async (answer) => {
    await expect(answered(answer)).rejects.toMatchObject({ code: 'declined' });
  });

  it('takes the codes in doubt from the settings', async () => {
    const settings = { uncertainReturnCodes: ['007', 'n7 '] };
    const codeOf = async (returnCode: unknown): Promise<string> =>
      answered({ returnCode }, settings).catch((error) => error.code);
    expect(await codeOf(7)).toBe('outcome_unknown');
    expect(await codeOf('N7')).toBe('outcome_unknown');
    expect(await codeOf('96')).toBe('declined');
    expect(await codeOf('70')).toBe('declined');
  });

  it('does not run in a page unless the caller takes the risk, where reads do', async () => {
    const upstream = fakeUpstream([sampleResponse(sample, 'success')]);
    const reading = fakeUpstream([sampleResponse(readSample('paystatus'), 'pending')]);
    vi.stubGlobal('document', { defaultView: {} });
    try {
      await expect(pay(sampleContext(upstream), input)).rejects.toMatchObject({ code: 'configuration' });
      expect(upstream.requests).toHaveLength(0);
      await pay(sampleContext(upstream, { dangerouslyAllowBrowser: true }), input);
      expect(upstream.requests).toHaveLength(1);
      await paystatus(sampleContext(reading), { requestID: 'R-1' });
      expect(reading.requests).toHaveLength(1);
    } finally {
      vi.unstubAllGlobals();
    }
  });

  it('passes an abort through before it is sent, and does not know the outcome after', async () => {
    const reason = new Error('guest left');
    const early = fakeUpstream([sampleResponse(sample, 'success')]);
    await expect(pay(sampleContext(early), input, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(early.requests).toHaveLength(0);

    const controller = new AbortController();
    const late = fakeUpstream([
      () => {
        controller.abort(reason);
        return new Promise<Response>(() => undefined);
      },
    ]);
    await expect(pay(sampleContext(late), input, { signal: controller.signal })).rejects.toMatchObject({
      code: 'outcome_unknown',
      cause: reason,
    });
  });
});
