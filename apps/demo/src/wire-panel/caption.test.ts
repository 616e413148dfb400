import { describe, expect, test } from 'vitest';
import { captionOf } from './caption.ts';
import type { ExchangeDetails } from './correlate.ts';
import type { Participant, Server } from './exchange.ts';

const EUR = (value: number) => ({ amount: { value, currency: 'EUR' } });

describe('the sentence of an exchange', () => {
  test.each<[Participant, Server, string, Partial<ExchangeDetails>, string]>([
    ['browser', 'hotel', 'GET /', {}, 'The guest opens the hotel’s page'],
    ['browser', 'hotel', 'POST /bookings', {}, 'The guest books a room'],
    ['browser', 'hotel', 'GET /bookings/ABC/confirmation', {}, 'The guest is back on the hotel’s page'],
    [
      'hotel',
      'proxy',
      'PUT /v1/checkout-sessions/by-key/ABC',
      { requestFields: EUR(33_000) },
      'The hotel’s server orders €330.00',
    ],
    [
      'hotel',
      'proxy',
      'PUT /v1/checkout-sessions/by-key/ABC',
      { requestFields: { amount: { value: 500, currency: 'JPY' } } },
      'The hotel’s server orders ¥500',
    ],
    [
      'hotel',
      'proxy',
      'PUT /v1/checkout-sessions/by-key/ABC',
      { requestFields: { kind: 'card' } },
      'The hotel’s server asks for a card as a guarantee',
    ],
    [
      'hotel',
      'proxy',
      'PUT /v1/checkout-sessions/by-key/ABC',
      { status: 200, requestFields: EUR(33_000), answerFields: { status: 'open' } },
      'The hotel’s server finds the booking’s payment: open',
    ],
    [
      'hotel',
      'proxy',
      'GET /v1/checkout-sessions/cs_1',
      { answerFields: { status: 'succeeded' } },
      'The hotel’s server reads the payment: succeeded',
    ],
    [
      'hotel',
      'proxy',
      'POST /v1/charges',
      { requestFields: EUR(16_500), answerFields: { status: 'declined' } },
      'The hotel’s server charges the stored card €165.00: declined',
    ],
    [
      'browser',
      'proxy',
      'GET /v1/checkout',
      { answerFields: { status: 'pending' } },
      'The widget asks for the payment’s status: pending',
    ],
    ['browser', 'proxy', 'GET /return/cs_1/n/abort', {}, 'The guest’s browser comes back without a payment'],
    ['browser', 'proxy', 'POST /return/cs_1/n/start', {}, 'The guest tries again from the proxy’s page'],
    ['proxy', 'upstream', 'POST /login', {}, 'The proxy logs in upstream'],
    [
      'proxy',
      'upstream',
      'POST /V2/1234/initpayNoIframe',
      { requestFields: { amount: '33000', currency: 'EUR' } },
      'The proxy opens a payment page for €330.00',
    ],
    [
      'proxy',
      'upstream',
      'GET /1234/paystatus',
      { answerFields: { state: '1' } },
      'The proxy asks for the state: done',
    ],
    [
      'proxy',
      'upstream',
      'POST /V2/1234/pay',
      { requestFields: { amount: '100', currency: 'EUR' }, answerFields: { returnCode: '51' } },
      'The proxy charges the stored card €1.00: declined',
    ],
    ['browser', 'upstream', 'GET /1234/hosted/payment', {}, 'The guest’s browser goes to the payment page'],
    [
      'browser',
      'upstream',
      'POST /1234/hosted/payment',
      { requestFields: { action: 'pay' } },
      'The guest sends the card to the payment service, and to nobody else',
    ],
    [
      'proxy',
      'hotel',
      'POST /webhooks/innkeep',
      { requestFields: { type: 'checkout.succeeded' } },
      'The proxy tells the hotel’s server: checkout.succeeded',
    ],
    ['proxy', 'upstream', 'POST /login', { status: 401 }, 'The proxy logs in upstream — refused'],
    ['browser', 'upstream', 'GET /elsewhere', {}, 'A request from the browser to the upstream'],
  ])('%s to %s: %s', (from, to, line, details, sentence) => {
    expect(captionOf(detailsOf(line, details), { from, to })).toBe(sentence);
  });

  test('repeats no word that is not a plain state', () => {
    const details = detailsOf('GET /v1/checkout', { answerFields: { status: 'sk_test_1234567890' } });
    expect(captionOf(details, { from: 'browser', to: 'proxy' })).toBe('The widget asks for the payment’s status');
  });
});

function detailsOf(line: string, details: Partial<ExchangeDetails>): ExchangeDetails {
  const [method = '', path = ''] = line.split(' ');
  return {
    method,
    url: new URL(path, 'http://h'),
    requestHeaders: new Headers(),
    requestFields: undefined,
    ...details,
  };
}
