import { expect, vi } from 'vitest';
import {
  all,
  click,
  enter,
  fake,
  focused,
  mount,
  one,
  press,
  requestPayment,
  settle,
  test,
  textOf,
} from '../../../test-support/fixture.ts';

const LINE = '.lines:not(.urgent *) .line';

test('keeps the filter and the payment in the fragment, beside what else is there, and opens with them', async () => {
  location.hash = '#menu=open&status=unknown';
  const desk = await mount('payments-desk');
  expect(fake.at('payments')[0]?.query).toMatchObject({ day: 'today', status: 'unknown' });
  await click(desk, '9:00 AM');
  expect(location.hash).toBe('#menu=open&status=unknown&payment=cs_01J00000000000000000000002');
  desk.remove();
  const again = await mount('payments-desk');
  expect(textOf(one(again, 'payment-details'))).toContain('RES-2000');
  await click(again, 'Back to list');
  expect(location.hash).toBe('#menu=open&status=unknown');
});

async function step(go: () => void): Promise<void> {
  const isThere = new Promise((resolve) => addEventListener('popstate', resolve, { once: true }));
  go();
  await isThere;
  await settle();
}

test('puts no steps into the history that lead from the list to the list', async () => {
  const desk = await mount('payments-desk');
  const push = vi.spyOn(history, 'pushState');
  const look = async (at: number): Promise<void> => {
    all(desk, LINE)[at]?.click();
    await settle();
  };
  for (const at of [0, 1, 2]) {
    await look(at);
    await click(desk, 'Back to list');
  }
  expect(push).toHaveBeenCalledTimes(1);
  await look(3);
  expect([push.mock.calls.length, location.hash]).toEqual([1, '#payment=cs_01J00000000000000000000004']);
  await click(desk, 'Back to list');

  // To the first list, which has no other before it.
  await step(() => history.back());
  await look(0);
  await look(1);
  expect(push).toHaveBeenCalledTimes(3);
});

test('goes to where Back and links lead although a request is being typed, and keeps what was typed', async () => {
  const desk = await mount('payments-desk');
  await click(desk, '9:02 AM');
  await click(desk, 'Request payment');
  await enter(desk, 'amount', '50');
  await step(() => history.back());
  expect([location.hash, all(desk, 'aside')]).toEqual(['', []]);
  await click(desk, 'Request payment');
  expect(one<HTMLInputElement>(desk, '[name=amount]').value).toBe('50');
  await step(() => {
    location.hash = '#q=res-2';
  });
  expect([fake.at('payments').at(-1)?.query.q, all(desk, 'aside')]).toEqual(['res-2', []]);
  await click(desk, 'Request payment');
  document.body.append(desk);
  await settle();
  expect(all(desk, 'aside')).toHaveLength(1);
});

test('leaves what is open alone when a step is the page’s own', async () => {
  const desk = await mount('payments-desk');
  await requestPayment(desk);
  const link = one<HTMLInputElement>(desk, '.pay-link input').value;
  history.pushState('a dialog of the page', '');
  await step(() => history.back());
  await step(() => {
    location.hash = '#menu=open';
  });
  expect(one<HTMLInputElement>(desk, '.pay-link input').value).toBe(link);
});

test('leaves the fragment of the page as it is where Esc has nothing to close', async () => {
  location.hash = '#/payments';
  const desk = await mount('payments-desk');
  one(desk, LINE).focus();
  await press(focused() as Element, 'Escape');
  expect(location.hash).toBe('#/payments');
});
