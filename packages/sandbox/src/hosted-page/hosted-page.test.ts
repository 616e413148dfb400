import { expect } from 'vitest';
import { Caller } from '../../test-support/caller.ts';
import { it } from '../../test-support/it.ts';

const SURCHARGE_CARD = '4000000000010704';

it('sends the guest to the success address after paying', async ({ api, init }) => {
  const left = await api.submit(init.viewUrl);
  expect([left.status, left.headers.get('location')]).toEqual([303, 'https://hotel.test/success?x=1']);
});

it('sends the guest to the abort address after canceling, and charges nothing', async ({ api, init }) => {
  const left = await api.submit(init.viewUrl, { action: 'cancel' });
  expect([left.status, left.headers.get('location')]).toEqual([303, 'https://hotel.test/abort']);
  expect(api.sandbox.control.ledger().charges).toEqual([]);
  const canceled = { state: 2, result: 'ERROR=Canceled%20by%20the%20customer' };
  expect((await api.paystatus(init.requestID)).json).toEqual(canceled);
});

it('says on a page that the card was declined and leads back to the abort address', async ({ api, init }) => {
  const left = await api.submit(init.viewUrl, { cardNumber: '4000000000009995' });
  const page = await left.text();
  expect(left.status).toBe(200);
  expect(page).toContain('Insufficient funds');
  expect(page).toContain('href="https://hotel.test/abort"');
  expect((await api.paystatus(init.requestID)).json).toEqual({ state: 2, result: 'ERROR=Insufficient%20funds' });
});

it('declines at the push of a button', async ({ api, init }) => {
  expect(await (await api.submit(init.viewUrl, { action: 'decline' })).text()).toContain('Nothing was charged');
  expect((await api.paystatus(init.requestID)).json.state).toBe(2);
});

it('charges once however often the page is submitted', async ({ api, init }) => {
  const visits = await Promise.all(Array.from({ length: 5 }, () => api.submit(init.viewUrl)));
  expect(visits.map(({ status }) => status)).toEqual([303, 303, 303, 303, 303]);
  await api.submit(init.viewUrl, { action: 'cancel' });
  expect(api.sandbox.control.ledger().charges).toHaveLength(1);
  expect((await api.paystatus(init.requestID)).json.state).toBe(1);
  expect(await (await api.raw(init.viewUrl)).text()).toContain('You will not be charged again');
});

it('shows the surcharge before paying when the feature was asked for', async ({ api }) => {
  const { json: init } = await api.initpay({ supportedFeatures: 'surcharge' });
  const offer = await (await api.submit(init.viewUrl, { cardNumber: SURCHARGE_CARD })).text();
  expect(offer).toMatch(/2\.5%.*€3\.00.*Pay €123\.00/s);
  expect(api.sandbox.control.ledger().charges).toEqual([]);
  expect((await api.submit(init.viewUrl, { action: 'confirm' })).status).toBe(303);
  expect(api.sandbox.control.ledger().charges).toEqual([
    expect.objectContaining({ amount: 12300, surchargeAmount: 300, cardNo: '400000......0704' }),
  ]);
});

it('counts a yes for the offer of its own page, and shows the other one when a second tab has changed it', async () => {
  const api = await Caller.loggedIn();
  const { json: init } = await api.initpay({ supportedFeatures: 'surcharge' });
  const offerOf = async (fields: Record<string, string>): Promise<string> => {
    const page = await (await api.submit(init.viewUrl, fields)).text();
    return /name="offer" value="([^"]+)"/.exec(page)?.[1] ?? '';
  };
  const first = await offerOf({ cardNumber: SURCHARGE_CARD });
  const second = await offerOf({ cardNumber: '5555555555554444', cardholder: 'surcharged' });
  const shown = await api.submit(init.viewUrl, { action: 'confirm', offer: first });
  expect([shown.status, await shown.text()]).toEqual([200, expect.stringContaining('555555......4444')]);
  expect(api.sandbox.control.ledger().charges).toEqual([]);
  expect((await api.submit(init.viewUrl, { action: 'confirm', offer: second })).status).toBe(303);
  expect(api.sandbox.control.ledger().charges).toMatchObject([{ cardNo: '555555......4444' }]);
});

it('takes another card when the guest does not want the surcharge', async ({ api }) => {
  const { json: init } = await api.initpay({ supportedFeatures: 'surcharge' });
  await api.submit(init.viewUrl, { cardNumber: SURCHARGE_CARD });
  expect(await (await api.submit(init.viewUrl, { action: 'another-card' })).text()).toContain('name="cardNumber"');
  await api.submit(init.viewUrl);
  expect((await api.transaction(init.requestID)).json).toMatchObject({ amount: 12000, surchargeApplied: false });
});

it.each([
  [{ cardNumber: '4111111111111111' }, 'accepts only its test cards'],
  [{ cardNumber: '12' }, 'Enter the card number'],
  [{ expiry: '13/30' }, 'Enter month and year'],
  [{ expiry: '08/26' }, 'This card has expired'],
  [{ cvc: '1' }, 'Enter the security code'],
])('refuses %j and says why, without repeating the number', async (fields, message) => {
  const api = await Caller.loggedIn();
  const { json: init } = await api.initpay();
  const answer = await api.submit(init.viewUrl, { cardNumber: '4242424242424242', cvc: '987', ...fields });
  const page = await answer.text();
  expect(answer.status).toBe(422);
  expect(page).toContain(message);
  expect(page).not.toMatch(/value="[^"]*(4111|4242|987)/);
  expect((await api.paystatus(init.requestID)).json).toEqual({ state: 0 });
});

it('keeps card numbers and CVC of the page out of ledger and log', async ({ api }) => {
  const { json: init } = await api.initpay({ supportedFeatures: 'surcharge' });
  await api.submit(init.viewUrl, { cardNumber: SURCHARGE_CARD, cvc: '987', cardholder: SURCHARGE_CARD });
  await api.submit(init.viewUrl, { action: 'confirm' });
  const { control } = api.sandbox;
  const everything = JSON.stringify([control.ledger(), control.requests()]);
  expect(everything).toContain('400000......0704');
  expect(everything).not.toContain(SURCHARGE_CARD);
  expect(everything).not.toContain('987');
});

it('answers 404 for a viewUrl that is not one of its own', async ({ api, init }) => {
  for (const PD of ['', 'nonsense', btoa('{}'), btoa(JSON.stringify({ requestID: init.requestID, viewKey: 'X' }))]) {
    const response = await api.raw(`/1234/hosted/payment?${new URLSearchParams({ PD })}`);
    expect(response.status).toBe(404);
  }
  expect((await api.raw(init.viewUrl.replace('/payment?', '/create?'))).status).toBe(404);
});

it('never lets itself be put into a frame and runs no script of anybody else', async ({ api }) => {
  const { headers } = await api.raw((await api.initpay()).json.viewUrl);
  expect(headers.get('x-frame-options')).toBe('DENY');
  expect(headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(headers.get('referrer-policy')).toBe('no-referrer');
});

it('shows what callers sent as text, not as markup', async ({ api }) => {
  const { json: init } = await api.initpay({ description: '<img src=x onerror=alert(1)>' });
  const page = await (await api.raw(init.viewUrl)).text();
  expect(page).toContain('&lt;img src=x');
  expect(page).not.toContain('<img');
});
