import type { CheckoutView } from '@innkeep/core/contract';
import { expect, it } from 'vitest';
import { type CheckoutPage, checkoutPage, messagePage } from './checkout-page.ts';
import { MESSAGES } from './messages.ts';

const VIEW: CheckoutView = {
  ...{ id: 'cs_1', kind: 'payment', status: 'open', final: false, seq: 1, terms: 3, returned: false, livemode: true },
  ...{ amount: { value: 12_000, currency: 'EUR' }, surcharge: false, hotelName: 'Aurora', acceptedBrands: [] },
  ...{ reference: 'RES-1', description: null, receipt: null, error: null, expiresAt: '', nextPollMs: null },
};
const PAY = { payAction: '/pay/x' };
const RECEIPT = {
  base: { value: 12_000, currency: 'EUR' },
  total: { value: 12_240, currency: 'EUR' },
  surcharge: { percent: 2, amount: { value: 240, currency: 'EUR' } },
  maskedCard: '424242......4242',
  completedAt: '',
};

/** What a guest reads, line by line: `*` before a sum, `[…]` for a button, `↻` when the page loads itself again. */
function read(html: unknown): string {
  const refresh = /http-equiv="refresh" content="(.*?)"/.exec(String(html));
  const body = /<main>(.*)<\/main>/s.exec(String(html))?.[1] ?? '';
  const marked = body
    .replaceAll(/<button>(.*?)<\/button>/g, '[$1]')
    .replaceAll(' class="sum"><dt>', '>*')
    .replaceAll('</dt><dd>', ' ')
    .replaceAll(/<form method="post" action="(.*?)">/g, '$1 ')
    .replaceAll(/<img src="(.*?)".*?>/g, '$1 ');
  return [...(refresh === null ? [] : [`↻${refresh[1]}`]), ...marked.split(/<.*?>/)].filter(Boolean).join(' | ');
}

const OPEN_TEXT = 'You will enter your card on the secure page of the payment service.';

it.each<[string, Partial<CheckoutView>, Partial<CheckoutPage>, string]>([
  [
    'an open session',
    {},
    PAY,
    `Aurora | Your payment | ${OPEN_TEXT} | *Amount €120.00 | Reference RES-1 | /pay/x?terms=3 [Pay now]`,
  ],
  [
    'everything there is to say',
    { livemode: false, surcharge: true, description: 'Lake Room' },
    { ...PAY, notice: 'Please check', qrSource: '/qr' },
    `Aurora | Your payment | Test mode: no real money | Please check | ${OPEN_TEXT} | Lake Room | *Amount €120.00 | Reference RES-1 | A surcharge may be added for some cards; you will see it before you pay. | /pay/x?terms=3 [Pay now] | /qr  | Scan to pay on your phone`,
  ],
  [
    'a card to store',
    { kind: 'card', amount: null },
    PAY,
    `Aurora | Store your card | ${OPEN_TEXT} | Reference RES-1 | /pay/x?terms=3 [Continue]`,
  ],
  [
    'the code of a card to store',
    { kind: 'card', amount: null },
    { qrSource: '/qr' },
    `Aurora | Store your card | ${OPEN_TEXT} | Reference RES-1 | You can close this tab. | /qr  | Scan to store your card with your phone`,
  ],
  [
    'a card that may be stored',
    { kind: 'card', amount: null, status: 'unknown' },
    PAY,
    'Aurora | We don’t know yet whether your card was stored | The hotel will confirm the result to you. | Reference RES-1',
  ],
  [
    'a declined card',
    { error: { code: 'declined' } },
    PAY,
    'Aurora | The card was declined | Nothing was charged. | *Amount €120.00 | Reference RES-1 | /pay/x?terms=3 [Try again]',
  ],
  [
    'an attempt that failed otherwise',
    { error: { code: 'upstream_failed' } },
    PAY,
    'Aurora | The payment did not go through | Nothing was charged. | *Amount €120.00 | Reference RES-1 | /pay/x?terms=3 [Try again]',
  ],
  [
    'a guest who went away',
    { error: { code: 'canceled_by_guest' } },
    {},
    'Aurora | You canceled | Nothing was charged. | *Amount €120.00 | Reference RES-1 | You can close this tab.',
  ],
  [
    'a payment under way',
    { status: 'pending' },
    { ...PAY, qrSource: '/qr' },
    `Aurora | Not finished yet | ${OPEN_TEXT} | *Amount €120.00 | Reference RES-1 | /pay/x?terms=3 [Back to the payment page]`,
  ],
  [
    'a guest who is back, and offers nothing that looks like paying again',
    { status: 'pending', returned: true },
    PAY,
    '↻3 | Aurora | Not finished yet | This page updates by itself. | *Amount €120.00 | Reference RES-1',
  ],
  [
    'a guest who is back in a tab of the payment',
    { status: 'pending', returned: true },
    {},
    '↻3 | Aurora | Not finished yet | This page updates by itself. | *Amount €120.00 | Reference RES-1',
  ],
  [
    'a guest who is back, and waits at another address than that of the return',
    { status: 'pending', returned: true },
    { waitAddress: '/again' },
    '↻3; url=/again | Aurora | Not finished yet | This page updates by itself. | *Amount €120.00 | Reference RES-1',
  ],
  [
    'a guest who came back through the abort, and can still go on',
    { status: 'pending' },
    { ...PAY, waitAddress: '/again' },
    '↻10; url=/again | Aurora | Not finished yet | This page updates by itself. | *Amount €120.00 | Reference RES-1 | /pay/x?terms=3 [Back to the payment page]',
  ],
  [
    'one that has expired, and may still turn out to be paid',
    { status: 'expired', nextPollMs: 60_000 },
    {},
    '↻60 | Aurora | This payment has expired | Already paid? Please wait, this page updates by itself. | *Amount €120.00 | Reference RES-1',
  ],
  [
    'a card that may still turn out to be stored, at another address than that of the return',
    { kind: 'card', amount: null, status: 'expired', nextPollMs: 60_000 },
    { waitAddress: '/again' },
    '↻60; url=/again | Aurora | This request has expired | This page updates by itself. | Reference RES-1',
  ],
  [
    'one that has expired for good',
    { status: 'expired', final: true },
    {},
    'Aurora | This payment has expired | Please ask the hotel for a new link. | *Amount €120.00 | Reference RES-1 | You can close this tab.',
  ],
  [
    'an unknown outcome',
    { status: 'unknown', error: { code: 'declined' } },
    PAY,
    'Aurora | We don’t know yet whether the payment went through | Please do not pay again. The hotel will confirm the result to you. | *Amount €120.00 | Reference RES-1',
  ],
  [
    'an unknown outcome, in a tab, without a surcharge that is still to be seen',
    { status: 'unknown', surcharge: true },
    {},
    'Aurora | We don’t know yet whether the payment went through | Please do not pay again. The hotel will confirm the result to you. | *Amount €120.00 | Reference RES-1 | You can close this tab.',
  ],
  [
    'a payment with its surcharge',
    { status: 'succeeded', surcharge: true, receipt: RECEIPT },
    {},
    'Aurora | Payment received | Thank you. The hotel will send you a confirmation. | Amount €120.00 | Card surcharge (2%) €2.40 | *Total €122.40 | Card 424242......4242 | Reference RES-1 | You can close this tab.',
  ],
  [
    'a payment whose total is not known',
    { status: 'succeeded', receipt: { ...RECEIPT, total: null, maskedCard: null } },
    {},
    'Aurora | Payment received | Thank you. The hotel will send you a confirmation. | Amount €120.00 | Card surcharge (2%) €2.40 | Reference RES-1 | You can close this tab.',
  ],
  [
    'a payment without a surcharge',
    { status: 'succeeded', receipt: { ...RECEIPT, surcharge: null } },
    {},
    'Aurora | Payment received | Thank you. The hotel will send you a confirmation. | *Amount €120.00 | Card 424242......4242 | Reference RES-1 | You can close this tab.',
  ],
])('shows %s', (_, view, page, expected) => {
  expect(read(checkoutPage({ view: { ...VIEW, ...view }, locale: 'en', messages: MESSAGES.en, ...page }))).toBe(
    expected,
  );
});

it('writes a surcharge as the language does', () => {
  const view = { ...VIEW, receipt: { ...RECEIPT, surcharge: { ...RECEIPT.surcharge, percent: 1.25 } } };
  expect(read(checkoutPage({ view, locale: 'de', messages: MESSAGES.de }))).toContain('Kartenzuschlag (1,25\u00A0%)');
});

it.each([
  ['de', '1.234,50\u00A0€'],
  ['de-AT', '€\u00A01.234,50'],
  ['de-CH', '234.50'],
])('writes an amount and names the language as %s does', (locale, amount) => {
  const view = { ...VIEW, amount: { value: 123_450, currency: 'EUR' } };
  const page = checkoutPage({ view, locale, messages: MESSAGES.de });
  expect(read(page)).toContain(amount);
  expect(String(page)).toContain(`<html lang="${locale}">`);
});

it('names no percentage that the record does not', () => {
  const view = { ...VIEW, receipt: { ...RECEIPT, surcharge: { ...RECEIPT.surcharge, percent: 0 } } };
  expect(read(checkoutPage({ view, locale: 'en', messages: MESSAGES.en }))).toContain('| Card surcharge €2.40 |');
});

it('shows a message, and loads itself again where it is told to', () => {
  const page = { locale: 'en', messages: MESSAGES.en } as const;
  expect([read(messagePage(page, 'notFound')), read(messagePage(page, 'refused', 5))]).toEqual([
    'Page not found | Please check the address, or ask the hotel for a new link.',
    '↻5 | Please try again in a moment | This page cannot be shown right now. Your payment is as it was. This page updates by itself.',
  ]);
});
