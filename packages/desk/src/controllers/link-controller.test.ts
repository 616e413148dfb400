import { beforeEach, expect, vi } from 'vitest';
import { json } from '../../test-support/fake-desk.ts';
import {
  all,
  click,
  fake,
  mount,
  prepareRefund,
  requestPayment,
  settle,
  test,
  textOf,
} from '../../test-support/fixture.ts';

const [OPEN, OTHER] = ['cs_01J00000000000000000000003', 'cs_01J00000000000000000000009'];
/** Has the calls for links, oldest first, answered now. */
let answers: (() => Promise<void>)[];
beforeEach(() => {
  const [open] = fake.payments.filter(({ id }) => id === OPEN);
  if (open) fake.payments.push({ ...open, id: OTHER, reference: 'RES-9000' });
  answers = [];
  fake.intercept = ({ path }) => {
    const [, session] = /^checkout-sessions\/(\w+)\/link$/.exec(path) ?? [];
    if (!session) return undefined;
    const url = `https://pay.hotel.example/pay/${session}_link`;
    const link = json({ url, qrUrl: `${url}/qr.svg`, expiresAt: '2026-12-01T10:00:00.000Z' });
    return new Promise((resolve) => {
      answers.push(() => {
        resolve(link);
        return settle();
      });
    });
  };
});

const links = (desk: Parameters<typeof all>[0]): string[] =>
  all<HTMLInputElement>(desk, '.pay-link input').map(({ value }) => value);

test('shows no payment the link of the one that was selected before', async () => {
  const details = await mount('payment-details', { payment: OPEN });
  await click(details, 'Show link');
  details.payment = OTHER;
  await settle();
  await answers[0]?.();
  expect([textOf(details).includes('RES-9000'), links(details)]).toEqual([true, []]);
  await click(details, 'Show link');
  await answers[1]?.();
  expect(links(details)).toEqual([`https://pay.hotel.example/pay/${OTHER}_link`]);
});

test('makes a link of its own for a request although that of the one before is still awaited', async () => {
  const desk = await mount('payments-desk');
  await requestPayment(desk, '50');
  await click(desk, 'Close');
  await requestPayment(desk, '60');
  expect(answers).toHaveLength(2);
  await answers[0]?.();
  expect([textOf(desk).includes('€60.00'), links(desk)]).toEqual([false, []]);
  await answers[1]?.();
  const [, second] = fake.at('checkout-sessions');
  expect(second?.body).toMatchObject({ amount: { value: 6000 } });
  expect(textOf(desk)).toContain('€60.00');
  expect(links(desk)).toEqual([`https://pay.hotel.example/pay/cs_01J${'51'.padStart(23, '0')}_link`]);
});

test('shows the link that is awaited although a payment of before is refunded meanwhile', async () => {
  const [paid] = fake.payments;
  const details = await mount('payment-details', { payment: paid?.id });
  await prepareRefund(details, { reason: 'service' });
  const { intercept } = fake;
  let refunded = (): void => {};
  fake.intercept = (call) =>
    call.path === 'reversals'
      ? new Promise((resolve) => {
          refunded = () => resolve(json({ id: 'rv_1', status: 'succeeded' }));
        })
      : intercept?.(call);
  await click(details, 'Refund €330.00');
  details.payment = OPEN;
  await settle();
  await click(details, 'Show link');
  refunded();
  await settle();
  await answers[0]?.();
  expect(links(details)).toHaveLength(1);
});

test('forgets a link when its payment leaves the page, but not when it is moved', async () => {
  const details = await mount('payment-details', { payment: OPEN });
  await click(details, 'Show link');
  await answers[0]?.();
  document.body.append(document.createElement('main'));
  document.querySelector('main')?.append(details);
  await settle();
  expect(links(details)).toHaveLength(1);
  details.remove();
  await settle();
  document.body.append(details);
  await settle();
  expect(links(details)).toEqual([]);
});

test('does not say of a link that it was copied when it was the one before', async () => {
  let copied = (): void => {};
  const isCopied = new Promise<void>((resolve) => {
    copied = resolve;
  });
  vi.spyOn(navigator.clipboard, 'writeText').mockReturnValue(isCopied);
  const details = await mount('payment-details', { payment: OPEN });
  await click(details, 'Show link');
  await answers[0]?.();
  await click(details, 'Copy');
  details.payment = OTHER;
  await settle();
  await click(details, 'Show link');
  await answers[1]?.();
  copied();
  await settle();
  expect(textOf(details)).not.toContain('Copied');
});

test('shows nothing of another proxy’s payment once it speaks with the next one', async () => {
  const details = await mount('payment-details', { payment: OPEN });
  await click(details, 'Show link');
  await answers[0]?.();
  fake.payments = [];
  details.endpoint = 'https://pay.other.example';
  await settle();
  expect([textOf(details).includes('RES-3000'), links(details)]).toEqual([false, []]);
});

test('shows no link where the answer has none', async () => {
  fake.intercept = ({ path }) => (path.endsWith('/link') ? json({}) : undefined);
  const details = await mount('payment-details', { payment: OPEN });
  await click(details, 'Show link');
  expect([textOf(details).includes('We couldn’t read the response.'), links(details)]).toEqual([true, []]);
});
