import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type FakeDesk, installFakeDesk } from '../../test-support/fake-desk.ts';
import { all, button, cleanUp, click, enter, mount, one, settle, textOf } from '../../test-support/fixture.ts';

const OPEN = 'cs_01J00000000000000000000003';
let fake: FakeDesk;
beforeEach(() => {
  fake = installFakeDesk();
});
afterEach(cleanUp);

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
  await click(desk, 'Request payment');
  await enter(desk, 'amount', '50');
  await enter(desk, 'reference', 'RES-78');
  one<HTMLFormElement>(desk, '.action form').requestSubmit();
  await settle();
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

test('says that it goes on by itself where it does', async () => {
  const list = await mount('payments-list');
  fake.intercept = lost;
  list.reload();
  await settle();
  expect(textOf(list)).toContain('We’ll reconnect automatically.');
});
