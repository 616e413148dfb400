import type { CheckoutErrorCode, CheckoutView } from '@innkeep/core/contract';
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
    .replaceAll(/<\/?bdi>/g, '')
    .replaceAll(/<form method="post" action="(.*?)">/g, '$1 ')
    .replaceAll(/<img src="(.*?)".*?>/g, '$1 ');
  return [...(refresh === null ? [] : [`↻${refresh[1]}`]), ...marked.split(/<.*?>/)].filter(Boolean).join(' | ');
}

const SECURE = 'You will enter your card on the secure page of the payment service.';
const OWED = '*Amount €120.00 | Reference RES-1';
const FREE = 'Nothing was charged.';
const WAITING = `Not finished yet | This page updates by itself. | ${OWED}`;
const GO_ON = '/pay/x?terms=3 [Back to the payment page]';
const AGAIN = '/pay/x?terms=3 [Try again]';
const DOUBT =
  'We don’t know yet whether the payment went through | Please do not pay again. The hotel will confirm the result to you.';
const PAID = 'Payment received | Thank you. The hotel will send you a confirmation.';
const SURCHARGED = 'Amount €120.00 | Card surcharge (2%) €2.40';
const CLOSE = 'You can close this tab.';

const CARD = { kind: 'card', amount: null } as const;
const PENDING = { status: 'pending' } as const;
const BACK = { ...PENDING, returned: true };
const LATE = { status: 'expired', nextPollMs: 60_000 } as const;
const ELSEWHERE = { waitAddress: '/again' };
const QR = { qrSource: '/qr' };
const failed = (code: CheckoutErrorCode) => ({ error: { code } });
const paid = (receipt: Partial<NonNullable<CheckoutView['receipt']>>) =>
  ({ status: 'succeeded', receipt: { ...RECEIPT, ...receipt } }) as const;

it.each<[string, Partial<CheckoutView>, Partial<CheckoutPage>, string, reload?: string]>([
  ['an open session', {}, PAY, `Your payment | ${SECURE} | ${OWED} | /pay/x?terms=3 [Pay now]`],
  [
    'everything there is to say',
    { livemode: false, surcharge: true, description: 'Lake Room' },
    { ...PAY, ...QR, notice: 'Please check' },
    `Your payment | Test mode: no real money | Please check | ${SECURE} | Lake Room | ${OWED} | A surcharge may be added for some cards; you will see it before you pay. | /pay/x?terms=3 [Pay now] | /qr  | Scan to pay on your phone`,
  ],
  ['a card to store', CARD, PAY, `Store your card | ${SECURE} | Reference RES-1 | /pay/x?terms=3 [Continue]`],
  [
    'the code of a card to store',
    CARD,
    { ...PAY, ...QR },
    `Store your card | ${SECURE} | Reference RES-1 | /pay/x?terms=3 [Continue] | /qr  | Scan to store your card with your phone`,
  ],
  [
    'a card that may be stored',
    { ...CARD, status: 'unknown' },
    PAY,
    'We don’t know yet whether your card was stored | The hotel will confirm the result to you. | Reference RES-1',
  ],
  ['nothing to start', {}, {}, `Your payment | Please ask the hotel for a new link. | ${OWED} | ${CLOSE}`],
  ['a declined card', failed('declined'), PAY, `The card was declined | ${FREE} | ${OWED} | ${AGAIN}`],
  [
    'an attempt that failed otherwise',
    failed('upstream_failed'),
    PAY,
    `The payment did not go through | ${FREE} | ${OWED} | ${AGAIN}`,
  ],
  [
    'a guest who went away',
    { ...failed('canceled_by_guest'), surcharge: true },
    {},
    `You canceled | ${FREE} | ${OWED} | ${CLOSE}`,
  ],
  ['a payment under way', PENDING, { ...PAY, ...QR }, `Not finished yet | ${SECURE} | ${OWED} | ${GO_ON}`],
  [
    'a guest who is back, and offers nothing that looks like paying again, nor a surcharge before it',
    { ...BACK, surcharge: true },
    PAY,
    WAITING,
    '3',
  ],
  ['a guest who is back in a tab of the payment', BACK, {}, WAITING, '3'],
  ['a guest who waits at another address than that of the return', BACK, ELSEWHERE, WAITING, '3; url=/again'],
  [
    'a guest who came back through the abort, and can still go on',
    PENDING,
    { ...PAY, ...ELSEWHERE },
    `${WAITING} | ${GO_ON}`,
    '10; url=/again',
  ],
  [
    'one that has expired, and may still turn out to be paid',
    LATE,
    {},
    `This payment has expired | Already paid? Please wait, this page updates by itself. | ${OWED}`,
    '60',
  ],
  [
    'a card that may still turn out to be stored, at another address than that of the return',
    { ...CARD, ...LATE },
    ELSEWHERE,
    'This request has expired | This page updates by itself. | Reference RES-1',
    '60; url=/again',
  ],
  [
    'one that has expired for good',
    { status: 'expired', final: true },
    {},
    `This payment has expired | Please ask the hotel for a new link. | ${OWED} | ${CLOSE}`,
  ],
  ['an unknown outcome', { status: 'unknown', ...failed('declined') }, PAY, `${DOUBT} | ${OWED}`],
  [
    'an unknown outcome, in a tab, without a surcharge that is still to be seen',
    { status: 'unknown', surcharge: true },
    {},
    `${DOUBT} | ${OWED} | ${CLOSE}`,
  ],
  [
    'a payment with its surcharge',
    { ...paid({}), surcharge: true },
    {},
    `${PAID} | ${SURCHARGED} | *Total €122.40 | Card 424242......4242 | Reference RES-1 | ${CLOSE}`,
  ],
  [
    'a payment whose total is not known',
    paid({ total: null, maskedCard: null }),
    {},
    `${PAID} | ${SURCHARGED} | Reference RES-1 | ${CLOSE}`,
  ],
  [
    'a payment without a surcharge',
    paid({ surcharge: null }),
    {},
    `${PAID} | *Amount €120.00 | Card 424242......4242 | Reference RES-1 | ${CLOSE}`,
  ],
])('shows %s', (_, view, page, text, reload) => {
  const shown = checkoutPage({ view: { ...VIEW, ...view }, locale: 'en', messages: MESSAGES.en, ...page });
  expect(read(shown)).toBe(`${reload === undefined ? '' : `↻${reload} | `}Aurora | ${text}`);
});

it('keeps what the hotel wrote in its own direction', () => {
  const hebrew = { hotelName: '5 כוכבים', description: '2 לילות.', reference: '17-א' };
  const page = String(checkoutPage({ view: { ...VIEW, ...hebrew }, locale: 'en', messages: MESSAGES.en }));
  for (const text of Object.values(hebrew)) expect(page).toContain(`<bdi>${text}</bdi>`);
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

it('begins no line in French with a mark', () => {
  expect(JSON.stringify(MESSAGES.fr)).not.toMatch(/ [?!:;]/);
});

it('names no percentage that the record does not', () => {
  const view = { ...VIEW, receipt: { ...RECEIPT, surcharge: { ...RECEIPT.surcharge, percent: 0 } } };
  expect(read(checkoutPage({ view, locale: 'en', messages: MESSAGES.en }))).toContain('| Card surcharge €2.40 |');
});

it('shows a message, and loads itself again where it is told to', () => {
  const page = { locale: 'en', messages: MESSAGES.en } as const;
  expect([read(messagePage(page, 'notFound')), read(messagePage(page, 'refused', 5))]).toEqual([
    'Page not found | Please check the address, or ask the hotel for a new link.',
    '↻5 | Please try again in a moment | This page cannot be shown right now. Your payment has not changed. This page updates by itself.',
  ]);
});
