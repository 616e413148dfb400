/** The three calls of a hosted journey: what leaves, and what is made of each answer. */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { FakeUpstream } from '../../test-support/fake-upstream.ts';
import { useLog } from '../../test-support/log.ts';
import {
  HOSTED,
  OPEN_SESSION,
  PENDING_ATTEMPT,
  RECORDED,
  TERMS as SURCHARGED_TERMS,
} from '../../test-support/records.ts';
import { anotherHotel, fakeTokenObject, lateTokenObject } from '../../test-support/upstream.ts';
import { unseal } from '../http/seal.ts';
import type { AttemptRecord, Terms } from './attempt-record.ts';
import { NEW_WATCH } from './attempt-watch.ts';
import { cardTokenAad, openHostedPage, pollRecord, pollState } from './hosted-calls.ts';

const ID = `cs_${'A'.repeat(26)}`;
const ATTEMPT_ID = `${ID}-2`;
const TERMS: Terms = { ...SURCHARGED_TERMS, surcharge: false };
/** What the session would ask of a further attempt: nothing here is about it. */
const NEXT_TERMS: Terms = { version: 2, amount: { value: 1, currency: 'EUR' }, surcharge: true, description: null };
const SESSION = { ...OPEN_SESSION, id: ID, terms: NEXT_TERMS, reference: 'RES-1234', createdAt: 0 };
const CARD = { kind: 'card', terms: { ...TERMS, amount: null } } as const;
const WITH_SURCHARGE = { terms: SURCHARGED_TERMS };
const RETURNS = { success: 'https://proxy.test/s', abort: 'https://proxy.test/a', nonceHash: HOSTED.nonceHash };

let upstream: FakeUpstream;
const warnings = useLog('warn');

beforeEach(() => {
  upstream = new FakeUpstream().install();
});

/** The second attempt of a session. */
function attempted({
  kind = 'payment',
  ...changes
}: Partial<AttemptRecord> & { readonly kind?: 'payment' | 'card' } = {}) {
  const attempt: AttemptRecord = { ...PENDING_ATTEMPT, number: 2, terms: TERMS, ...changes };
  return { session: { ...SESSION, kind }, attempt };
}

function warned(): unknown {
  return warnings.at(-1);
}

/** What the log says of a call that came to nothing. */
function warning(operation: string, code: string, more = {}): object {
  return { level: 'warn', message: 'upstream', operation, property: 'aurora', resource: ID, code, ...more };
}

describe('opening a page', () => {
  const open = (terms: Partial<Terms> = {}, { bindings } = fakeTokenObject(), property = anotherHotel()) => {
    const asked = { session: SESSION, number: 2, terms: { ...TERMS, ...terms }, returns: RETURNS };
    return openHostedPage(bindings, property, asked);
  };

  test('asks for the amount, and keeps what the payment is watched with', async () => {
    const hosted = await open({ surcharge: true });
    expect(JSON.parse(upstream.last('initpayNoIframe').body)).toMatchObject({
      amount: '12000',
      currency: 'EUR',
      resNo: 'RES-1234',
      description: '2 nights',
      supportedFeatures: 'surcharge',
      cardInfoRefID: ATTEMPT_ID,
      callbackSuccessUrl: RETURNS.success,
      callbackAbortUrl: RETURNS.abort,
    });
    const requestID = `R-1-${ATTEMPT_ID}`;
    expect(hosted).toEqual({
      ...HOSTED,
      requestID,
      stateRetrivalUrl: `https://pay.test/api/1234/paystatus?requestid=${requestID}&serviceProvider=TEST_HOSTED`,
      viewUrl: `https://view.test/payment?PD=${btoa(requestID)}`,
    });
  });

  test('asks in the unit of the hotel, which is kept', async () => {
    const unit = { amountUnit: 'major' } as const;
    expect(await open({}, undefined, anotherHotel(unit))).toMatchObject(unit);
    expect(JSON.parse(upstream.last('initpayNoIframe').body)).toMatchObject({ amount: '120' });
  });

  test('asks for no surcharge that the terms do not allow, and describes nothing without words', async () => {
    await open({ description: null });
    expect(JSON.parse(upstream.last('initpayNoIframe').body)).toMatchObject({ supportedFeatures: '', description: '' });
  });

  test('asks for a card when there is no amount', async () => {
    await open({ amount: null });
    const sent = { cardInfoRefID: ATTEMPT_ID, callbackSuccessUrl: RETURNS.success, callbackAbortUrl: RETURNS.abort };
    expect(JSON.parse(upstream.last('initCreateTokenNoIframe').body)).toMatchObject(sent);
    expect(upstream.count('initpayNoIframe')).toBe(0);
  });

  test.each([
    ['a payment', {}, 'initpayNoIframe'],
    ['a card', { amount: null }, 'initCreateTokenNoIframe'],
  ])(
    'refuses the request of an earlier attempt, whose record would pay both: %s',
    async (_what, changes, operation) => {
      const { attempt } = attempted();
      const earlier = { ...attempt, number: 1, hosted: { ...HOSTED, requestID: `R-1-${ATTEMPT_ID}` } };
      const terms = { ...TERMS, ...changes };
      const asked = { session: { ...SESSION, attempts: [earlier] }, number: 2, terms, returns: RETURNS };
      const opened = openHostedPage(fakeTokenObject().bindings, anotherHotel(), asked);
      await expect(opened).rejects.toMatchObject({ code: 'invalid_response', path: 'requestID' });
      expect(warned()).toEqual(warning(operation, 'invalid_response', { field: 'requestID' }));
    },
  );

  test.each([
    ['a payment', {}],
    ['a card', { amount: null }],
  ])('ends at one time limit, the access token included: %s', async (_what, changes) => {
    await expect(open(changes, lateTokenObject(30_000))).rejects.toMatchObject({ name: 'TimeoutError' });
    expect(upstream.requests).toEqual([]);
  });
});

describe('the state', () => {
  const poll = () => pollState(fakeTokenObject().bindings, anotherHotel(), attempted());
  const done = (objectID: string) => ({ seen: 'state_done', objectID });

  test.each([
    [{ state: 0 }, { seen: 'state_open' }],
    [{ state: 1, result: 'PAYOBJID=4711' }, done('PAYOBJID=4711')],
    [{ state: 1, result: ' tokenobjid=815' }, done(' tokenobjid=815')],
    [{ state: 1, result: {} }, done('')],
    [{ state: 1 }, done('')],
    [{ state: 2, result: 'ERROR=Aborted' }, { seen: 'state_error' }],
  ])('of %j is %j', async (answer, observation) => {
    upstream.overrides.paystatus = () => Response.json(answer);
    expect(await poll()).toEqual({ observation });
    expect(upstream.last('paystatus').url.href).toBe(HOSTED.stateRetrivalUrl);
    expect(warnings).toEqual([]);
  });

  test('that the payment service does not have is missing', async () => {
    upstream.overrides.paystatus = () => new Response('no', { status: 404 });
    expect(await poll()).toEqual({ observation: { seen: 'time' }, isMissing: true });
  });

  test('at an address that the hotel does not trust any more has moved, and is not asked for', async () => {
    const moved = { ...anotherHotel(), baseUrl: 'https://new.test/api' };
    const before = upstream.count('paystatus');
    const polled = await pollState(fakeTokenObject().bindings, moved, attempted());
    expect(polled).toEqual({ observation: { seen: 'time' }, isMoved: true });
    expect(upstream.count('paystatus')).toBe(before);
  });

  test('that cannot be read only says that time has passed, and the log says why', async () => {
    upstream.overrides.paystatus = () => new Response('no', { status: 500 });
    expect(await poll()).toEqual({ observation: { seen: 'time' } });
    expect(warned()).toEqual(warning('paystatus', 'upstream_status'));
  });
});

describe('the record', () => {
  const RECORD = {
    amount: 12_000,
    cardInfoRefID: ATTEMPT_ID,
    currency: 'EUR',
    maskedCardNo: '424242......4242',
    operation: 'initpayNoIframe',
    paymentObjID: 'PAYOBJID=4711',
    requestID: 'R-1',
    returnCode: '0',
    serviceProvider: 'TEST_HOSTED',
    status: '_done',
    surchargeApplied: false,
    transactionID: 'TX-1',
  };
  const CARD_RECORD = {
    ...RECORD,
    amount: 0,
    currency: undefined,
    operation: 'initCreateTokenNoIframe',
    paymentObjID: undefined,
    token: 'TOKEN-SECRET-9876',
    tokenValidUntil: '2029-12-31',
  };
  const SURCHARGED = { amount: 12_360, surchargeAmount: 360, surchargePercentUsed: 3, surchargeApplied: true };
  const DONE = { ...NEW_WATCH, doneSeenAt: 1 };
  const eur = (value: number) => ({ value, currency: 'EUR' });

  const poll = (
    answer: Record<string, unknown> | Response,
    changes: Parameters<typeof attempted>[0] = {},
    { property = anotherHotel(), tokenObject = fakeTokenObject() } = {},
  ) => {
    upstream.overrides.transaction = () => (answer instanceof Response ? answer : Response.json(answer));
    return pollRecord(tokenObject.bindings, property, attempted(changes));
  };

  test('of a payment brings what was paid, and by which card', async () => {
    expect(await poll(RECORD)).toEqual({
      observation: { seen: 'record_consistent' },
      result: {
        kind: 'payment',
        total: eur(12_000),
        base: eur(12_000),
        surcharge: null,
        paymentObjectId: '4711',
        transactionId: 'TX-1',
        maskedCard: '424242......4242',
      },
    });
    expect(upstream.last('transaction').url.searchParams.get('requestid')).toBe('R-1');
    expect(warnings).toEqual([]);
  });

  test.each([
    [1.7, 1.7],
    [-3, 0],
    [undefined, 0],
  ])('of a payment with a surcharge of %j per cent says %j, which nothing is compared with', async (used, percent) => {
    const answer = { ...RECORD, ...SURCHARGED, surchargePercentUsed: used };
    expect(await poll(answer, WITH_SURCHARGE)).toMatchObject({
      observation: { seen: 'record_consistent' },
      result: { total: eur(12_360), base: eur(12_000), surcharge: { amount: eur(360), percent } },
    });
  });

  test('is held against the largest surcharge that the hotel allows', async () => {
    const property = anotherHotel({ maxSurchargePercent: 2 });
    expect(await poll({ ...RECORD, ...SURCHARGED }, WITH_SURCHARGE, { property })).toMatchObject({
      observation: { seen: 'record_contradicts', code: 'record_mismatch' },
    });
  });

  test('without card and transaction leaves them out', async () => {
    const bare = { ...RECORD, maskedCardNo: undefined, transactionID: undefined, paymentObjID: undefined };
    const nothing = { result: { paymentObjectId: null, transactionId: null, maskedCard: null } };
    expect(await poll(bare, { watch: { ...DONE, objectID: '' } })).toMatchObject(nothing);
    expect(await poll(bare, { watch: { ...NEW_WATCH, errorSeenAt: 1 } })).toMatchObject({
      observation: { seen: 'record_contradicts', code: 'record_mismatch', showsMoney: true },
      recorded: { amount: eur(12_000), transactionId: null, paymentObjectId: null },
    });
  });

  test.each(['', '  ', 'T77\r\n', '4242424242424242'])('of the transaction %j names none', async (transactionID) => {
    const unnamed = { observation: { seen: 'record_consistent' }, result: { transactionId: null } };
    expect(await poll({ ...RECORD, transactionID })).toMatchObject(unnamed);
  });

  test.each([
    [' payobjid=4711 ', '4711'],
    ['4711', '4711'],
    ['', '4711'],
    [null, '4711'],
  ])('belongs to what the state has named %j', async (objectID, paymentObjectId) => {
    expect(await poll(RECORD, { watch: { ...DONE, objectID } })).toMatchObject({ result: { paymentObjectId } });
  });

  test('of another payment than the state has named contradicts', async () => {
    expect(await poll(RECORD, { watch: { ...DONE, objectID: 'PAYOBJID=1' } })).toMatchObject({
      observation: { seen: 'record_contradicts', code: 'record_mismatch', showsMoney: true },
    });
  });

  test('that is done with an error code says that the card was refused', async () => {
    expect(await poll({ ...RECORD, returnCode: '51' })).toMatchObject({
      observation: { seen: 'record_contradicts', showsMoney: false, refusal: 'declined' },
    });
  });

  test.each([
    ['TOKENOBJID=815', '815'],
    ['1OBJID=815', '1OBJID=815'],
    ['a/TOKENOBJID=815', 'a/TOKENOBJID=815'],
    ['', null],
  ])('of a card whose state names %j brings its token, sealed', async (objectID, tokenObjectId) => {
    const property = anotherHotel();
    const { observation, result } = await poll(CARD_RECORD, { ...CARD, watch: { ...DONE, objectID } }, { property });
    expect(observation).toEqual({ seen: 'record_consistent' });
    expect(result).toEqual({
      kind: 'card',
      sealedToken: expect.any(String),
      tokenLast4: '9876',
      tokenValidUntil: '2029-12-31',
      tokenKeptUntil: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      tokenObjectId,
      serviceProvider: 'TEST_HOSTED',
      transactionId: 'TX-1',
      maskedCard: '424242......4242',
    });
    const { sealedToken } = result as { sealedToken: string };
    const aad = `card-token:aurora:${ATTEMPT_ID}`;
    expect(cardTokenAad(SESSION, { number: 2 })).toBe(aad);
    expect(await unseal(sealedToken, aad, [property.password])).toBe('TOKEN-SECRET-9876');
  });

  test.each([
    ['OTHER', 'OTHER'],
    [undefined, 'TEST_HOSTED'],
    [' ', 'TEST_HOSTED'],
  ])('of a card whose record names the provider %j belongs to %j', async (named, serviceProvider) => {
    expect((await poll({ ...CARD_RECORD, serviceProvider: named }, CARD)).result).toMatchObject({ serviceProvider });
  });

  test.each([
    ['12/27', null, '2027-11-28T10:00:00.000Z'],
    ['2026-12-07T00:00:00', '2026-12-07', '2026-12-07T23:00:00.000Z'],
  ])('of a card valid until %j says %j, and is kept until %s', async (tokenValidUntil, day, tokenKeptUntil) => {
    const property = anotherHotel({ keepCardsDays: 365 });
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-28T10:00:00Z') });
    const { result } = await poll({ ...CARD_RECORD, tokenValidUntil }, CARD, { property });
    expect(result).toMatchObject({ tokenValidUntil: day, tokenKeptUntil });
  });

  test.each([
    ['is not done', { ...RECORD, status: '_open' }, {}],
    ['is not found', new Response('no', { status: 404 }), { isMissing: true }],
  ])('that %s is not readable yet', async (_what, answer, more) => {
    expect(await poll(answer)).toEqual({ observation: { seen: 'record_not_readable' }, ...more });
  });

  test('that contradicts keeps its figures, and the log names the field', async () => {
    const lie = { ...RECORD, ...SURCHARGED, surchargeApplied: undefined };
    expect(await poll(lie)).toEqual({
      observation: { seen: 'record_contradicts', code: 'record_mismatch', showsMoney: true },
      recorded: {
        ...RECORDED,
        amount: eur(12_360),
        base: eur(12_000),
        surcharge: { amount: eur(360), percent: 3 },
        wireAmount: 12_360,
      },
    });
    expect(warned()).toEqual(warning('transaction', 'record_mismatch', { field: 'surchargeAmount' }));
  });

  const surcharge = (surchargeAmount: number) => ({ amount: 360, surchargeAmount, surchargeApplied: true });
  test.each([
    ['no surcharge: all of it is the base', { amount: 11_999 }, { amount: eur(11_999), base: eur(11_999) }],
    ['nothing but a surcharge', surcharge(360), { base: eur(0), surcharge: { amount: eur(360), percent: 0 } }],
    ['more surcharge than amount', surcharge(361), { amount: eur(360), base: null }],
    ['money that is no amount of its currency', { amount: 119.995 }, { amount: null, base: null, wireAmount: 119.995 }],
    ['a currency nobody knows', { currency: 'ZZZ' }, { amount: null, currency: 'ZZZ', wireAmount: 12_000 }],
    ['more digits than any amount has', { amount: 1e12 }, { amount: null, base: null, wireAmount: null }],
    ['no amount at all', { amount: undefined }, { amount: null, base: null, wireAmount: null }],
    [
      'blanks and long texts',
      { currency: ' ', transactionID: ` ${'T'.repeat(101)} `, paymentObjID: `PAYOBJID=${'P'.repeat(101)}` },
      { currency: null, transactionId: 'T'.repeat(100), paymentObjectId: 'P'.repeat(100) },
    ],
    [
      'little',
      { transactionID: undefined, paymentObjID: undefined, maskedCardNo: undefined, returnCode: '5', currency: 'USD' },
      { transactionId: null, paymentObjectId: null, maskedCard: null, returnCode: '5', currency: 'USD' },
    ],
    ['a card number in the clear', { amount: 1, maskedCardNo: '4242424242424242' }, { maskedCard: '424242......4242' }],
    ['a token in place of a payment', { paymentObjID: 'TOKENOBJID=9' }, { paymentObjectId: 'TOKENOBJID=9' }],
    ['a long mask', { amount: 1, maskedCardNo: `424242${'.'.repeat(200)}4242` }, { maskedCard: '[redacted]' }],
  ])('that contradicts with %s', async (_what, changes, recorded) => {
    const observation = { seen: 'record_contradicts' };
    expect(await poll({ ...RECORD, ...changes })).toMatchObject({ observation, recorded });
  });

  test('of an older attempt with a blank provider is asked of the hotel’s own', async () => {
    const hosted = { ...HOSTED, serviceProvider: ' ' };
    expect(await poll(RECORD, { hosted })).toMatchObject({ observation: { seen: 'record_consistent' } });
    expect(upstream.last('transaction').url.searchParams.get('serviceProvider')).toBe('TEST_HOSTED');
  });

  test('that contradicts without showing money says so', async () => {
    const observation = { seen: 'record_contradicts', showsMoney: false };
    expect(await poll({ ...RECORD, returnCode: '5' })).toMatchObject({ observation });
  });

  test('of a card that brings no token contradicts', async () => {
    expect(await poll({ ...CARD_RECORD, token: undefined }, CARD)).toMatchObject({
      observation: { seen: 'record_contradicts', showsMoney: false },
      recorded: { amount: null, base: null, surcharge: null, wireAmount: 0 },
    });
  });

  test.each([
    ['five seconds before the attempt is said to have failed', 5_000, { watch: NEW_WATCH }],
    ['thirty seconds once the state says that it exists', 30_000, { watch: DONE }],
    ['thirty seconds once the attempt has ended, whatever the state said', 30_000, { status: 'failed' }],
    ['thirty seconds once its guest has gone', 30_000, { status: 'abandoned' }],
  ] as const)('may take %s', async (_what, limitMs, changes) => {
    expect(await poll(RECORD, changes, { tokenObject: lateTokenObject(limitMs) })).toEqual({
      observation: { seen: 'record_not_readable', isUnanswered: true },
    });
    expect(warned()).toMatchObject({ code: 'timeout' });
  });
});
