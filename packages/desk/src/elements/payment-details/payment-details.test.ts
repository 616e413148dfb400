import { expect, vi } from 'vitest';
import { attempt, EUR, json, payment, problem, text } from '../../../test-support/fake-desk.ts';
import {
  all,
  button,
  click,
  fake,
  focused,
  mount,
  one,
  prepareRefund,
  press,
  send,
  settle,
  test,
  textOf,
} from '../../../test-support/fixture.ts';
import type { PaymentDetails } from './payment-details.ts';

const [PAID, UNKNOWN, OPEN, CARD] = [1, 2, 3, 4].map((n) => `cs_01J0000000000000000000000${n}`);
const show = (id: string | undefined, more: Partial<PaymentDetails> = {}): Promise<PaymentDetails> =>
  mount('payment-details', { payment: id, ...more });

/** A button that is disabled loses the focus only with the next frame. */
const frame = (): Promise<number> => new Promise(requestAnimationFrame);

const REFUND = { amount: '20,00', reason: 'service', note: 'Sauna' };

test('refunds a part once, however often the button is pressed, and shows what is left and who did it', async () => {
  const details = await show(PAID);
  await click(details, 'Refund');
  expect(one<HTMLInputElement>(details, '[name=amount]').value).toBe('330.00');
  expect(focused()).toBe(one(details, '[name=amount]'));
  expect(textOf(details)).toContain('€330.00 left to refund');
  const tooMuch = await send(details, { amount: '330,01' });
  expect(tooMuch).toContain('You can refund up to €330.00.');
  expect(tooMuch).toContain('Select an option.');
  const asked = await send(details, { amount: '20,00', reason: 'service' });
  expect(asked).toContain('Refund €20.00 to card •••• 4242 for RES-1234?');
  const confirm = button(details, 'Refund €20.00');
  confirm.click();
  confirm.click();
  await settle();
  expect(fake.writes).toHaveLength(1);
  expect(fake.writes[0]?.body).toEqual({
    payment: PAID,
    attempt: 1,
    amount: { value: 2000, currency: 'EUR' },
    reason: 'service',
  });
  expect(textOf(details)).toContain('Refunded.');
  expect(textOf(details)).toMatch(/Partially refunded.*Remaining€310\.00.*Refund of €20\.00 · Service issue by anna/);
});

test('writes a reference of digits from left to right in the question in Arabic, too', async () => {
  fake.payments = fake.payments.map((each) => ({ ...each, reference: '2026-11-29/4' }));
  const details = await show(PAID, { locale: 'ar' });
  await click(details, 'إعادة المبلغ');
  await send(details, { reason: 'service' });
  const words = [...one(details, '.message').childNodes].find((node) => node.textContent?.includes('2026')) as Text;
  const leftOf = (part: string): number => {
    const range = document.createRange();
    range.setStart(words, words.data.indexOf(part));
    range.setEnd(words, words.data.indexOf(part) + 1);
    return range.getBoundingClientRect().left;
  };
  expect(leftOf('2026')).toBeLessThan(leftOf('/4'));
});

test('asks with the same key and the same words when the answer is lost, also in a form that is opened again', async () => {
  const details = await show(PAID);
  await prepareRefund(details, REFUND);
  let isLost = true;
  fake.intercept = (call) => {
    if (call.method !== 'POST' || !isLost) return undefined;
    isLost = false;
    fake.intercept = undefined;
    // It arrives, and its answer does not.
    fake.answer(call);
    return Promise.reject(new TypeError('connection lost'));
  };
  expect(await click(details, 'Refund €20.00')).toContain('No response. It may have gone through.');
  await click(details, 'Close');
  await click(details, 'Refund');
  expect(await click(details, 'Try again')).toContain('Refunded.');
  expect(new Set(fake.writes.map(({ key }) => key)).size).toBe(1);
  expect(new Set(fake.writes.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  expect(fake.payments[0]?.reversals).toHaveLength(1);
});

test.each([
  ['401', () => problem(401, 'unauthorized'), true],
  ['403', () => problem(403, 'forbidden'), true],
  ['429', () => problem(429, 'rate_limited'), true],
  ['503', () => problem(503, 'property_unavailable'), true],
  ['400', () => problem(400, 'invalid_request'), false],
  ['404', () => problem(404, 'not_found'), false],
  ['409', () => problem(409, 'not_reversible'), false],
  ['a limit', () => problem(403, 'limit_reached'), false],
])('after a lost answer %s proves nothing unless it is about the refund itself', async (_, answer, isStillLost) => {
  const details = await show(PAID);
  await prepareRefund(details, REFUND);
  let calls = 0;
  fake.intercept = ({ method }) => {
    if (method !== 'POST') return undefined;
    calls += 1;
    return calls === 1 ? Promise.reject(new TypeError('connection lost')) : answer();
  };
  await click(details, 'Refund €20.00');
  await click(details, 'Try again');
  expect(textOf(details).includes('It may have gone through.')).toBe(isStillLost);
  expect(new Set(fake.writes.map(({ key }) => key)).size).toBe(1);
});

test.each([
  ['502', () => problem(502, 'upstream_error')],
  ['500', () => problem(500, 'internal')],
  ['202 of another kind', () => text('<html>')],
  ['an object without an id', () => json({})],
  ['still running', () => problem(409, 'idempotency_in_progress')],
])('takes %s for no outcome', async (_, answer) => {
  const details = await show(PAID);
  await prepareRefund(details, REFUND);
  fake.intercept = ({ method }) => (method === 'POST' ? answer() : undefined);
  await click(details, 'Refund €20.00');
  expect(button(details, 'Try again')).toBeDefined();
});

test('holds an equal second one back, shows both, and sends it only when it is meant', async () => {
  const [one_, other] = [await show(PAID), await show(PAID)];
  for (const each of [one_, other]) await prepareRefund(each, REFUND);
  await click(one_, 'Refund €20.00');
  await click(other, 'Refund €20.00');
  expect(textOf(other)).toMatch(
    /This looks like a duplicate\. Nothing was sent\. Existing€20\.00 · .* · by anna · completed ?NewRefund €20\.00 to/,
  );
  expect(fake.payments[0]?.reversals).toHaveLength(1);
  await click(other, 'It’s a duplicate: don’t send');
  expect(all(other, '.action')).toEqual([]);
  await prepareRefund(other, REFUND);
  await click(other, 'Refund €20.00');
  await click(other, 'Refund €20.00 again');
  expect(fake.writes.at(-1)?.body).toMatchObject({ allowDuplicate: true });
  expect(fake.writes.at(-1)?.key).not.toBe(fake.writes.at(-2)?.key);
  expect(fake.payments[0]?.reversals).toHaveLength(2);
  expect(textOf(other)).toContain('Refunded.');
});

test.each([
  ['sent', 'Processing.'],
  ['unknown', 'We don’t know yet if the refund went through.'],
  ['declined', 'The refund didn’t go through. No money moved.'],
] as const)('says of %s what it means', async (outcome, words) => {
  fake.outcome = outcome;
  const details = await show(PAID);
  await prepareRefund(details, REFUND);
  expect(await click(details, 'Refund €20.00')).toContain(words);
});

test.each([
  [403, 'limit_reached', 'That’s over today’s refund limit.'],
  [403, 'forbidden', 'You don’t have permission to do this.'],
  [409, 'not_reversible', 'Nothing is left, or this can’t be refunded here.'],
  [503, 'upstream_unavailable', 'The payment service isn’t responding. Nothing was sent.'],
])('says of %s %s what to do, and leaves what was typed', async (status, code, words) => {
  const details = await show(PAID);
  await prepareRefund(details, REFUND);
  fake.intercept = ({ method }) => (method === 'POST' ? problem(status, code) : undefined);
  expect(await click(details, 'Refund €20.00')).toContain(words);
  expect(one<HTMLInputElement>(details, '[name=note]').value).toBe('Sauna');
});

test('goes back step by step with Esc', async () => {
  const details = await show(PAID);
  await prepareRefund(details, REFUND);
  await press(one(details, '.message'), 'Escape');
  expect(one<HTMLInputElement>(details, '[name=amount]').value).toBe('20,00');
  await press(one(details, '[name=amount]'), 'Escape');
  expect(all(details, '.action')).toEqual([]);
  expect(focused()?.textContent).toContain('RES-1234');
  expect(fake.writes).toEqual([]);
});

test('still says what came of it when nothing is left to do', async () => {
  const details = await show(PAID);
  await prepareRefund(details, { reason: 'mistake' });
  expect(await click(details, 'Refund €330.00')).toContain('Refunded.Close');
  await click(details, 'Close');
  expect(all(details, '.buttons')).toEqual([]);
});

test('shows the payment that it is given later, and then another one, and says aloud which and its state', async () => {
  const details = await show(undefined);
  expect(textOf(details)).toBe('Select a payment.');
  for (const [payment, said] of [
    [PAID, 'RES-1234: Paid'],
    [OPEN, 'RES-3000: Not paid yet'],
  ] as const) {
    details.payment = payment;
    await settle();
    expect([one(details, 'h2').textContent, one(details, '.live').textContent]).toEqual([said.split(':')[0], said]);
  }
});

test('says aloud why a payment is not shown, and goes to its title once it is', async () => {
  fake.intercept = ({ path }) => (path.startsWith('payments/') ? problem(404, 'not_found') : undefined);
  const details = await show(PAID);
  expect(one(details, '[role=alert]').textContent).toBe('Payment not found.');
  button(details, 'Retry now').focus();
  await click(details, 'Retry now');
  expect(focused()).toBe(button(details, 'Retry now'));
  fake.intercept = undefined;
  await click(details, 'Retry now');
  expect(focused()?.textContent).toBe('RES-1234');
});

test('refunds each of two attempts that were paid', async () => {
  fake.payments[0] = payment({
    flags: ['duplicate'],
    duplicates: [PAID ?? ''],
    attempts: [attempt(), attempt({ number: 2 })],
  });
  const details = await show(PAID);
  expect(textOf(details)).toContain('There’s another payment for this.');
  all(details, '.buttons button')[1]?.click();
  await settle();
  await send(details, { reason: 'duplicate' });
  await click(details, 'Refund €330.00');
  expect(fake.writes[0]?.body).toMatchObject({ attempt: 2 });
});

test('says who deactivated a request, and not that an open page of the payment service takes no payment', async () => {
  const by = { key: 'office', person: 'bert', via: 'desk' } as const;
  const ended = { endedAt: '2026-11-20T09:00:00.000Z', endedBy: by };
  fake.payments.push(payment({ id: `${OPEN}9`, status: 'expired', taken: null, attempts: [], ...ended }));
  expect(textOf(await show(`${OPEN}9`))).toMatch(/Deactivated\. by bert/);
});

test('charges a stored card by the session that stored it, says until when it can, and never that it was paid', async () => {
  fake.change(CARD ?? '', { attempts: [attempt({ amount: null, taken: null, late: true })] });
  const details = await show(CARD);
  expect(textOf(details)).not.toContain('Paid');
  expect(await click(details, 'Charge card')).toMatch(/The card on file can be charged until Dec 31, 2026, 11:59/);
  const asked = await send(details, { amount: '80', reason: 'no_show' });
  expect(asked).toContain('Charge €80.00 to card •••• 4444 for RES-4000?');
  await click(details, 'Charge €80.00');
  expect(fake.writes.map(({ path, body }) => [path, body])).toEqual([
    ['charges', { card: CARD, amount: { value: 8000, currency: 'EUR' }, reference: 'RES-4000', reason: 'no_show' }],
  ]);
  expect(fake.writes[0]?.key).toMatch(/^[0-9a-f-]{36}$/);
  expect(textOf(details)).toContain('Charged.');
});

test('shows what was charged for the reference of a stored card, and what nobody knows of', async () => {
  const charge = { type: 'charge', reference: 'RES-4000', id: 'ch_01J00000000000000000000009' } as const;
  // As another system may write it.
  fake.change(CARD ?? '', { reference: '  res-４000 ' });
  fake.payments.push(
    payment({ ...charge, status: 'unknown', flags: ['unknown'], taken: null, attempts: [] }),
    payment({ ...charge, reference: 'RES-40001', attempts: [] }),
  );
  const details = await show(CARD);
  expect(textOf(details)).toMatch(/Charges for res-４000 .* RES-4000 .* We don’t know if money moved Unknown €330\.00/);
  expect(all(details, '.line')).toHaveLength(1);
  const selected: string[] = [];
  details.addEventListener('desk-select', (event) =>
    selected.push((event as CustomEvent<{ payment: string }>).detail.payment),
  );
  one(details, '.line').click();
  expect(selected).toEqual([charge.id]);
});

test('says of an unknown outcome where to look, and settles it with evidence', async () => {
  const details = await show(UNKNOWN);
  expect(textOf(details)).toContain('Money may have moved. Don’t charge, pay or refund again until this is resolved.');
  await click(details, 'Resolve');
  expect(textOf(details)).toContain(
    `Look for a payment with the reference RES-2000 or ${UNKNOWN}-1. Is it there, and is it for €330.00?`,
  );
  expect(await send(details, { status: 'failed' })).toContain('This field is required.');
  const evidence = 'Portal, 14:30: nothing there';
  expect(await send(details, { evidence })).toContain('didn’t go through? This can’t be undone.');
  await click(details, 'Resolve');
  expect(fake.writes.map(({ path, body }) => [path, body])).toEqual([
    [`checkout-sessions/${UNKNOWN}/resolve`, { status: 'failed', evidence, attempt: 1 }],
  ]);
});

test('shows the link of an open payment again, says whether it was opened, and takes it back', async () => {
  const details = await show(OPEN);
  expect(textOf(details)).toContain('The guest hasn’t opened the payment page yet.');
  await click(details, 'Show link');
  expect(one<HTMLInputElement>(details, '.pay-link input').value).toContain(`/pay/${OPEN}`);
  expect(await click(details, 'Deactivate link')).toContain('its links stop working');
  await click(details, 'Deactivate link');
  expect(fake.writes.at(-1)?.path).toBe(`checkout-sessions/${OPEN}/expire`);
  expect(textOf(details)).toContain('Expired');
  expect(all(details, '.pay-link')).toEqual([]);
});

test('keeps the focus where a link and its QR code come', async () => {
  const details = await show(OPEN);
  const showLink = button(details, 'Show link');
  showLink.focus();
  fake.intercept = () =>
    frame()
      .then(frame)
      .then(() => problem(503, 'upstream_unavailable'));
  await click(details, 'Show link');
  await vi.waitUntil(() => textOf(details).includes('The payment service isn’t responding.'));
  expect(focused()).toBe(showLink);
  fake.intercept = undefined;
  await click(details, 'Show link');
  expect(focused()).toBe(one(details, '.pay-link input'));
  const qr = button(details, 'QR code');
  qr.focus();
  for (const isShown of [true, false]) {
    await click(details, 'QR code');
    expect([focused(), qr.ariaExpanded, all(details, '.qr').length]).toEqual([qr, String(isShown), Number(isShown)]);
  }
});

test('leaves the focus alone that has gone elsewhere before the link came', async () => {
  const details = await show(OPEN);
  button(details, 'Show link').click();
  button(details, 'Deactivate link').focus();
  await settle();
  expect(all(details, '.pay-link')).toHaveLength(1);
  expect(focused()).toBe(button(details, 'Deactivate link'));
});

test('marks the address to be copied by hand where there is no clipboard', async () => {
  vi.spyOn(navigator, 'clipboard', 'get').mockReturnValue(undefined as unknown as Clipboard);
  const details = await show(OPEN);
  await click(details, 'Show link');
  expect(await click(details, 'Copy')).toContain('We couldn’t copy the link. It’s selected: copy it yourself.');
  const address = one<HTMLInputElement>(details, '.pay-link input');
  expect(focused()).toBe(address);
  expect([address.selectionStart, address.selectionEnd]).toEqual([0, address.value.length]);
});

test('quotes the proxy to readers of English alone', async () => {
  const quotes = async (locale: string): Promise<(string | null)[]> =>
    all(await show(UNKNOWN, { locale }), 'q').map((each) => each.textContent);
  expect([await quotes('en'), await quotes('de'), await quotes('ar')]).toEqual([['No record'], [], []]);
});

test('says of a card that nobody has given yet that it was requested', async () => {
  fake.change(CARD ?? '', { status: 'open', card: null, attempts: [] });
  const details = await show(CARD);
  expect(one(details, '.badge').textContent).toBe('Card requested');
});

test.each([
  ['half an answer', () => json({ id: PAID }), 'We couldn’t read the response.'],
  ['a page in place of an answer', () => text('<!doctype html>'), 'We couldn’t read the response.'],
])('says of %s that it is one, and tries again', async (_, answer, words) => {
  fake.intercept = ({ path }) => (path.startsWith('payments/') ? answer() : undefined);
  const details = await show(PAID);
  expect(textOf(details)).toContain(words);
  fake.intercept = undefined;
  expect(await click(details, 'Retry now')).toContain('RES-1234');
});

test.each([
  [
    'failed',
    '2026-11-26T08:07:00.000Z',
    ['Guest opened the payment page', 'Resolved: it didn’t go through', 'Paid · €330.00'],
  ],
  ['succeeded', '2026-11-26T08:01:30.000Z', ['Guest opened the payment page', 'Resolved: it went through']],
] as const)('ends its history with what is so, once: found %s, and paid', async (status, endedAt, expected) => {
  const by = { key: 'desk', person: 'anna', via: 'desk' } as const;
  const resolution = { status, evidence: 'Portal', transactionId: null, at: '2026-11-26T08:01:30.000Z', by };
  const paid = attempt({ startedAt: '2026-11-26T08:00:30.000Z', endedAt, late: true, resolution });
  fake.payments[0] = payment({ createdAt: '2026-11-26T08:00:00.000Z', attempts: [paid] });
  const details = await show(fake.payments[0].id);
  const moments = all(details, '.timeline span:not(.hint)').map((moment) => moment.textContent?.trim() ?? '');
  expect(moments).toHaveLength(expected.length + 1);
  expect(moments.slice(1)).toEqual(expected.map((words) => expect.stringContaining(words)));
});

test('says what was added to the amount that was requested', async () => {
  const surcharge = { amount: EUR(660), percent: 2 };
  fake.payments = [payment({ taken: EUR(33_660), attempts: [attempt(), attempt({ taken: EUR(33_660), surcharge })] })];
  const details = await show(PAID);
  expect(one(details, '.sums').textContent?.replace(/\s+/g, ' ')).toMatch(
    /Requested€330\.00 Surcharge€6\.60 Received€336\.60/,
  );
});
