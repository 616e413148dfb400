import { expect, vi } from 'vitest';
import { problem } from '../../test-support/fake-desk.ts';
import {
  all,
  button,
  click,
  fake,
  mount,
  one,
  requestPayment,
  settle,
  test,
  textOf,
} from '../../test-support/fixture.ts';

const OPEN = 'cs_01J00000000000000000000003';
const lost = (): Promise<Response> => Promise.reject(new TypeError('Failed to fetch'));

test.each([true, false])('asks for another try where nothing tries again by itself, online: %s', async (isOnline) => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(isOnline);
  const details = await mount('payment-details', { payment: OPEN });
  const list = await mount('payments-list');
  const desk = await mount('payments-desk');
  fake.intercept = ({ path }) => (path.endsWith('/link') || path === 'payments.csv' ? lost() : undefined);
  await click(details, 'Show link');
  expect(one(details, '[role=alert]').textContent).toBe('No connection. Try again.');
  await click(list, 'Export CSV');
  expect(one(list, '[role=alert]').textContent).toBe('No connection. Try again.');
  await requestPayment(desk);
  expect(one(desk, '.action [role=alert]').textContent).toBe('No connection. Try again.');
});

test('exports once, however often the button is pressed', async () => {
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {});
  const list = await mount('payments-list');
  let fail = (): void => {};
  fake.intercept = ({ path }) =>
    path === 'payments.csv'
      ? new Promise((_, reject) => {
          fail = () => reject(new TypeError('Failed to fetch'));
        })
      : undefined;
  await click(list, 'Export CSV');
  expect(button(list, 'Export CSV').ariaDisabled).toBe('true');
  await click(list, 'Export CSV');
  expect(fake.at('payments.csv')).toHaveLength(1);
  fail();
  await settle();
  expect(button(list, 'Export CSV').ariaDisabled).toBe('false');
  fake.intercept = undefined;
  await click(list, 'Export CSV');
  expect(fake.at('payments.csv')).toHaveLength(2);
  expect(all(list, '[role=alert]')).toEqual([]);
});

test.each([
  ['en', 1, 'Too many requests. Please wait 1 second.'],
  ['de', 1, 'Zu viele Anfragen. Bitte warten Sie 1 Sekunde.'],
  ['de', 2, 'Zu viele Anfragen. Bitte warten Sie 2 Sekunden.'],
  ['ar', 2, 'طلبات كثيرة جدًا. مدة الانتظار: ثانيتان.'],
  ['ar', 3, 'طلبات كثيرة جدًا. مدة الانتظار: 3 ثوان'],
  ['ar', 11, 'طلبات كثيرة جدًا. مدة الانتظار: 11 ثانية.'],
])('says in %s how long %i seconds are', async (locale, retryAfter, sentence) => {
  fake.intercept = () => problem(429, 'rate_limited', { retryAfter });
  expect(textOf(await mount('payments-list', { locale }))).toContain(sentence);
});

test('fills in the number alone where a text of the page’s own asks for it', async () => {
  fake.intercept = () => problem(429, 'rate_limited', { retryAfter: 2 });
  const messages = { tooMany: 'Patientez {n} s.' };
  expect(textOf(await mount('payments-list', { messages }))).toContain('Patientez 2 s.');
});
