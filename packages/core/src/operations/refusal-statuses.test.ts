import { describe, expect, it } from 'vitest';
import { fakeUpstream, sampleContext } from '../../test-support/fake-upstream.ts';
import { Money } from '../values/money.ts';
import { call } from './call.ts';
import { pay } from './pay.ts';
import { reversal } from './reversal.ts';

const amount = Money.ofMinor(12_000n, 'EUR');
const REFUSING = { refusalStatuses: [400, 422] };

/** How a charge ends that is answered so. */
async function charge(status: number, body: unknown, settings: object = REFUSING): Promise<unknown> {
  const answer = (): Response => new Response(typeof body === 'string' ? body : JSON.stringify(body), { status });
  const upstream = fakeUpstream([answer]);
  const outcome = await pay(sampleContext(upstream, settings), { tokenNo: 'TK-1', amount }).catch((error) => error);
  expect(upstream.requests).toHaveLength(1);
  return outcome;
}

describe('a status that the upstream refuses with', () => {
  it.each([400, 422])('is a decline with the code of its body: %i', async (status) => {
    expect(await charge(status, { returnCode: '51', returnText: 'no funds' })).toMatchObject({
      code: 'declined',
      returnCode: '51',
      returnText: 'no funds',
    });
  });

  it.each([{ errors: ['token'] }, {}, '', '<p>Bad Request</p>'])(
    'without a code was not executed: %j',
    async (body) => {
      expect(await charge(422, body)).toMatchObject({ code: 'upstream_status', status: 422 });
    },
  );

  it.each([
    ['names a transaction', { transactionID: 'T-1' }],
    ['names a transaction beside a code', { returnCode: '51', transactionID: 'T-1' }],
    ['has a code that leaves it open', { returnCode: '96' }],
    ['says that it was executed', { returnCode: '0', transactionID: 'T-1' }],
    ['says 0 and nothing else', { returnCode: 0 }],
    ['is longer than any answer', 'x'.repeat(70_000)],
    ['names a transaction in a list', [{ transactionID: 'T-1' }]],
  ])('leaves the outcome open when its body %s', async (_, body) => {
    expect(await charge(422, body)).toMatchObject({ code: 'outcome_unknown', status: 422 });
  });

  it.each([
    { transactionID: 'T-77' },
    { returnCode: '51', transactionID: 'T-77' },
    { returnCode: '0', transactionID: 'T-77' },
  ])('keeps the id that its body names: %j', async (body) => {
    expect(await charge(400, body)).toMatchObject({ code: 'outcome_unknown', transactionId: 'T-77' });
  });

  it('leaves it open unless somebody has said so', async () => {
    expect(await charge(422, { returnCode: '51' }, {})).toMatchObject({ code: 'outcome_unknown', status: 422 });
    expect(await charge(409, { returnCode: '51' })).toMatchObject({ code: 'outcome_unknown', status: 409 });
  });

  it('counts for reversals, too', async () => {
    const upstream = fakeUpstream([() => Response.json({ returnCode: '12' }, { status: 400 })]);
    const asked = { transactionID: 'T-1', amount };
    await expect(reversal(sampleContext(upstream, REFUSING), asked)).rejects.toMatchObject({ code: 'declined' });
  });
});

describe.each([401, 403])('a %i', (status) => {
  it.each([
    ['says that it was executed', { returnCode: '0', transactionID: 'T-1' }, 'T-1'],
    ['says 0 and nothing else', { returnCode: 0 }],
    ['says 0 in another spelling', { returnCode: ' 00' }],
    ['names a transaction', { transactionID: 'T-1' }, 'T-1'],
    ['names a transaction beside a code', { returnCode: '5', transactionID: 'T-1' }, 'T-1'],
    ['is a list that names a transaction', [{}, { transactionID: 1234 }]],
    ['is a list that says 0', [{ returnCode: ' 00' }]],
    ['is a text in JSON that says 0', JSON.stringify('{"returnCode":"0"}')],
    ['has more members than are read', { ...Array(200).fill('x'), returnCode: 0 }],
    ['is longer than is read', { transactionID: 'T-1', text: 'x'.repeat(70_000) }],
    ['is cut off behind a transaction', '{ "transactionID" : "T-1'],
    ['is cut off behind a 0', '{"transactionID":"","returnCode":0'],
  ])('leaves the outcome open, and is sent once, when its body %s', async (_, body, transactionId = undefined) => {
    expect(await charge(status, body, {})).toMatchObject({ code: 'outcome_unknown', status, transactionId });
  });

  it.each([
    '',
    '<p>Forbidden</p>',
    {},
    { returnCode: '', transactionID: ' ' },
    { returnCode: null },
    { returnCode: '5' },
    { returnCode: 96 },
    { returnCode: { toString: 0 } },
    [{ returnCode: '5', transactionID: ' ' }, { transactionID: null }],
    '{"transactionID": "", "returnCode": "401", "returnText": "0',
  ])('was not executed when its body says nothing else: %j', async (body) => {
    const answer = (): Response => new Response(typeof body === 'string' ? body : JSON.stringify(body), { status });
    const upstream = fakeUpstream([answer, { transactionID: 'T-2', returnCode: '0' }]);
    const outcome = await pay(sampleContext(upstream), { tokenNo: 'TK-1', amount }).catch((error) => error);
    expect(outcome).toMatchObject(status === 401 ? { transactionID: 'T-2' } : { code: 'upstream_status', status });
  });

  it.each([{ returnCode: '0' }, { returnCode: '51' }])('is judged alike for a call by its name: %j', async (body) => {
    const upstream = fakeUpstream([() => Response.json(body, { status })]);
    const code =
      body.returnCode === '0' ? 'outcome_unknown' : status === 401 ? 'authentication_failed' : 'upstream_status';
    const sent = call(sampleContext(upstream), { operation: 'pay', body: { tokenNo: 'TK-1' } });
    await expect(sent).rejects.toMatchObject({ code });
  });

  it('is not read where nothing can be executed', async () => {
    const upstream = fakeUpstream([() => Response.json({ returnCode: '0', transactionID: 'T-1' }, { status })]);
    const sent = call(sampleContext(upstream), { operation: 'ping', body: {} });
    await expect(sent).rejects.toMatchObject({ code: status === 401 ? 'authentication_failed' : 'upstream_status' });
  });
});
