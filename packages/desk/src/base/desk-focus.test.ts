import { expect, vi } from 'vitest';
import { payment, problem, SECRET } from '../../test-support/fake-desk.ts';
import { all, button, click, fake, focused, mount, one, press, settle, test } from '../../test-support/fixture.ts';

/** Goes to another fragment, as Back does. */
async function goTo(hash: string): Promise<void> {
  const isThere = new Promise((resolve) => addEventListener('hashchange', resolve, { once: true }));
  location.hash = hash;
  await isThere;
  await settle();
}

test('goes to the heading when “Today” has brought back today', async () => {
  const list = await mount('payments-list', { filter: { from: '2026-11-20' } });
  button(list, 'Today').focus();
  await click(list, 'Today');
  expect([focused()?.localName, focused()?.textContent]).toEqual(['h2', 'Today']);
});

test.each(['a click', 'Escape', 'Back'])(
  'goes to the search by %s when the list has no line of the payment',
  async (how) => {
    const desk = await mount('payments-desk');
    await goTo('#status=open&payment=cs_01J00000000000000000000001');
    expect(focused()?.localName).toBe('h2');
    if (how === 'Escape') await press(focused() as Element, 'Escape');
    else if (how === 'Back') await goTo('#status=open');
    else {
      button(desk, 'Back to list').focus();
      await click(desk, 'Back to list');
    }
    expect(focused()).toBe(one(desk, '[type=search]'));
  },
);

test('goes back to the line of the payment by Back', async () => {
  const desk = await mount('payments-desk');
  const [line] = all(desk, '.lines:not(.urgent *) .line');
  line?.click();
  await settle();
  await goTo('');
  expect(focused()).toBe(line);
});

test('stays with the payment of a line when another one comes before it', async () => {
  const list = await mount('payments-list');
  const line = (): string | null | undefined => focused()?.querySelector('.reference')?.textContent;
  all(list, '.line').at(-1)?.focus();
  expect(line()).toBe('RES-4000');
  fake.payments = [payment({ reference: 'RES-9000' }, 9), ...fake.payments];
  list.reload();
  await settle();
  expect([all(list, '.line').length, line()]).toEqual([6, 'RES-4000']);
  // Whoever reads further down stays there.
  list.style.cssText = 'display: block; padding-block-end: 200vh';
  scrollTo(0, document.documentElement.scrollHeight);
  fake.payments = fake.payments.slice(1);
  list.reload();
  await settle();
  expect([all(list, '.line').length, line()]).toEqual([5, 'RES-4000']);
  expect(focused()?.getBoundingClientRect().bottom).toBeLessThan(0);
  fake.payments = fake.payments.filter(({ reference }) => reference !== 'RES-4000');
  list.reload();
  await settle();
  expect([all(list, '.line').length, focused()?.localName]).toEqual([4, 'h2']);
});

test('leaves the focus of the page alone when a payment goes by Back', async () => {
  location.hash = '#payment=cs_01J00000000000000000000001';
  await mount('payments-desk');
  const field = document.createElement('input');
  document.body.append(field);
  field.focus();
  await goTo('');
  expect(focused()).toBe(field);
});

test.each([
  ['Retry now', ['read', 'link'], 'Request payment'],
  ['Retry now', ['read'], ''],
  ['Sign in again', ['read', 'link'], 'Request payment'],
] as const)('goes on in the desk when “%s” has worked, with %s', async (name, features, next) => {
  fake.allow(...features);
  const desk = await mount('payments-desk');
  if (name === 'Retry now') fake.intercept = () => problem(503, 'property_unavailable');
  else fake.secrets.clear();
  await click(desk, 'Previous day');
  button(desk, name).focus();
  fake.intercept = undefined;
  fake.secrets.add(SECRET);
  await click(desk, name);
  expect(all(desk, '[role=alert]')).toEqual([]);
  expect(focused()).toBe(next ? button(desk, next) : one(desk, '[type=search]'));
});

test('goes on at the heading of a list of its own when “Retry now” has worked', async () => {
  fake.intercept = () => problem(503, 'property_unavailable');
  const list = await mount('payments-list');
  button(list, 'Retry now').focus();
  fake.intercept = undefined;
  await click(list, 'Retry now');
  expect(focused()?.localName).toBe('h2');
});

test('comes back to the list for a search where there is no room for it beside a payment', async () => {
  const desk = await mount('payments-desk');
  desk.style.inlineSize = '360px';
  one(desk, '.lines .line').click();
  await settle();
  await press(focused() as Element, '/');
  await vi.waitUntil(() => focused()?.matches('[type=search]'));
  expect(all(desk, 'aside')).toEqual([]);
});
