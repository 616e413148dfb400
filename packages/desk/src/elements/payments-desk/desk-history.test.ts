import { expect, vi } from 'vitest';
import { all, click, fake, mount, one, settle, test, textOf } from '../../../test-support/fixture.ts';

const LINE = '.lines:not(.urgent *) .line';

test('keeps the filter and the payment in the fragment, beside what else is there, and opens with them', async () => {
  location.hash = '#menu=open&status=unknown';
  const desk = await mount('payments-desk');
  expect(fake.at('payments')[0]?.query).toMatchObject({ day: 'today', status: 'unknown' });
  one(desk, LINE).click();
  await settle();
  expect(location.hash).toBe('#menu=open&status=unknown&payment=cs_01J00000000000000000000002');
  desk.remove();
  const again = await mount('payments-desk');
  expect(textOf(one(again, 'payment-details'))).toContain('RES-2000');
  await click(again, 'Back to list');
  expect(location.hash).toBe('#menu=open&status=unknown');
});

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
  const isBack = new Promise((resolve) => addEventListener('popstate', resolve, { once: true }));
  history.back();
  await isBack;
  await look(0);
  await look(1);
  expect(push).toHaveBeenCalledTimes(3);
});
