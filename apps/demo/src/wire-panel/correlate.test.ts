import { describe, expect, test } from 'vitest';
import { type ExchangeDetails, idsIn } from './correlate.ts';

const SESSION = `cs_${'A'.repeat(26)}`;
const CHARGE = `ch_${'B'.repeat(26)}`;
const BOOKING = 'C'.repeat(20);

describe('the ids that an exchange speaks of', () => {
  test.each<[string, Partial<ExchangeDetails> & { path?: string }, string[]]>([
    ['the path of a booking', { path: `/bookings/${BOOKING}/confirmation` }, [`booking:${BOOKING}`]],
    ['where a redirect leads', { path: '/bookings', location: `/bookings/${BOOKING}` }, [`booking:${BOOKING}`]],
    [
      'a guest’s authorization, without the secret',
      { path: '/v1/checkout', requestHeaders: new Headers({ authorization: `Bearer ${SESSION}_${'x'.repeat(43)}` }) },
      [SESSION],
    ],
    [
      'what the hotel orders, and what it gets',
      {
        path: '/v1/checkout-sessions',
        requestFields: { reference: 'RES-ABC123', returnUrl: `http://h/bookings/${BOOKING}/confirmation` },
        answerFields: { id: SESSION },
      },
      ['RES-ABC123', `booking:${BOOKING}`, SESSION],
    ],
    [
      'an order upstream, and its request',
      { path: '/V2/1/initpayNoIframe', requestFields: { cardInfoRefID: SESSION }, answerFields: { requestID: 'R1' } },
      [SESSION, 'request:R1'],
    ],
    ['a status poll', { path: '/1/paystatus?requestid=R1' }, ['request:R1']],
    ['a hosted page', { path: `/1/hosted/payment?PD=${btoa('{"requestID":"R1","viewKey":"V"}')}` }, ['request:R1']],
    [
      'a charge upstream',
      { path: '/V2/1/pay', requestFields: { text: `${CHARGE} no_show RES-ABC123` } },
      [CHARGE, 'RES-ABC123'],
    ],
    ['a reversal upstream', { path: '/V2/1/reversal', requestFields: { transactionID: 'T1' } }, ['transaction:T1']],
    ['an event, at any depth', { path: '/hooks', requestFields: { data: { object: { id: SESSION } } } }, [SESSION]],
    ['a login', { path: '/login', requestFields: { username: 'u' }, answerFields: { access_token: 't' } }, []],
    [
      'a list, which speaks of everything',
      { path: '/v1/charges', answerFields: { object: 'list', data: [{ id: CHARGE }] } },
      [],
    ],
    ['a hosted page of somebody else', { path: '/1/hosted/payment?PD=???' }, []],
  ])('%s', (_what, { path = '/', ...details }, ids) => {
    const url = new URL(path, 'http://h');
    expect(idsIn({ method: 'GET', url, requestHeaders: new Headers(), requestFields: undefined, ...details })).toEqual(
      ids,
    );
  });
});
