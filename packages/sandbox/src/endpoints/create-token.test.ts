import { expect } from 'vitest';
import { Caller, GOOD_CARD } from '../../test-support/caller.ts';
import { it } from '../../test-support/it.ts';

it('stores a card and answers with its token', async ({ api }) => {
  expect(await api.createToken()).toEqual({
    status: 200,
    json: {
      tokenNo: expect.any(String),
      tokenExpiry: '2030-10-31',
      cardType: '4',
      cardTypeCode: 'VISA',
      cardNo: '424242......4242',
      transactionID: expect.any(String),
      serviceProvider: 'SANDBOX_DIRECT',
      returnCode: '0',
    },
  });
});

it('masks a card number as first 6 digits, six dots, last 4 digits', async ({ api }) => {
  const { json } = await api.createToken({ cardNo: '378282246310005' });
  expect([json.cardNo, json.cardTypeCode]).toEqual(['378282......0005', 'AMEX']);
});

it('accepts only test cards', async ({ api }) => {
  const { status, json } = await api.createToken({ cardNo: '4111111111111111' });
  expect([status, json.field]).toEqual([400, 'cardNo']);
  expect(api.sandbox.control.ledger().tokens).toEqual([]);
});

it('declines an expired card and stores nothing', async ({ api }) => {
  const { status, json } = await api.createToken({ valid: '2026-08-31' });
  expect([status, json.returnCode]).toEqual([200, '1']);
  expect(api.sandbox.control.ledger().tokens).toEqual([]);
  expect((await api.createToken({ valid: '2026-09-01' })).json.returnCode).toBe('0');
});

it('lets a card expire at the end of its month', async ({ api }) => {
  expect((await api.createToken({ valid: '2028-02-03' })).json.tokenExpiry).toBe('2028-02-29');
});

it.each(['4111111111111111', '4111 1111 1111 1111', 'RES-5105-1051-0510-5100', GOOD_CARD])(
  'refuses a reference that holds a card number, real or not: %s',
  async (reference) => {
    const api = await Caller.loggedIn();
    for (const field of ['hotelID', 'cardInfoRefID', 'resNo']) {
      const { status, json } = await api.initpay({ [field]: reference });
      expect([status, json]).toMatchObject([400, { field, reason: 'must not contain a card number' }]);
    }
    expect(api.sandbox.control.ledger().hosted).toEqual([]);
  },
);

it('keeps card numbers and CVC out of answers, ledger and log', async ({ api }) => {
  const secrets = { cvc: '987', cardText: `my card is ${GOOD_CARD}`, user: '4242 4242 4242 4242' };
  const { json } = await api.createToken(secrets);
  await api.pay({ tokenNo: json.tokenNo, text: `for ${GOOD_CARD}` });
  const refused = await api.pay({ tokenNo: GOOD_CARD, [GOOD_CARD]: 'x' });
  await api.get(`/V2/1234/transaction?requestid=${GOOD_CARD}&serviceProvider=SANDBOX_HOSTED`);
  const asName = await api.get(`/V2/1234/transaction?${GOOD_CARD}=1`);
  await api.raw('/V2/1234/pay', { method: 'POST', body: `{"cardNo":"${GOOD_CARD}"` });
  const { control } = api.sandbox;
  const everything = JSON.stringify([json, refused, asName, control.ledger(), control.requests()]);
  expect(everything).toContain('424242......4242');
  expect(everything).not.toMatch(/4242[ -]?4242[ -]?4242/);
  expect(everything).not.toContain('987');
});
