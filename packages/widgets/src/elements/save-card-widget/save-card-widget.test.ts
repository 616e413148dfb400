import { beforeEach, expect } from 'vitest';
import { SESSION_ID, VIEW_URL, view } from '../../../test-support/fake-proxy.ts';
import { fakeNavigation, mount, part, proxy, reached, test, text, violations } from '../../../test-support/fixture.ts';

beforeEach(() => {
  proxy.current = view({ kind: 'card', amount: null });
});

test('is accessible while it offers to save a card', async () => {
  const widget = await mount('save-card-widget');

  expect(await violations(widget)).toEqual([]);
  expect(part(widget, 'button')?.textContent).toContain('Save card');
  expect(part(widget, 'amount')).toBeNull();
});

test('says what its button does: pays, when that is what the session is for', async () => {
  const lazy = await mount('save-card-widget', { getClientSecret: async () => '' });
  expect(part(lazy, 'button')?.textContent).toContain('Save card');
  proxy.current = view();
  const widget = await mount('save-card-widget');
  expect(part(widget, 'button')?.textContent).toContain('Pay €120.00');
});

test('saves a card on the hosted page and shows its last four digits, and no money', async () => {
  const { left } = fakeNavigation();
  const widget = await mount('save-card-widget');
  await widget.start();
  expect(left).toEqual([VIEW_URL]);

  const completedAt = '2026-11-21T10:00:00Z';
  const receipt = { base: null, surcharge: null, total: null, maskedCard: '424242......4242', completedAt };
  proxy.moveTo('succeeded', { receipt });
  await reached(widget, 'succeeded');
  expect(localStorage.getItem(`innkeep:${SESSION_ID}`)).toContain('"succeeded"');
  expect(text(widget)).toContain('Card saved');
  expect(part(widget, 'receipt')?.textContent).toContain('•••• 4242');
  expect(part(widget, 'total')).toBeNull();
  expect(await violations(widget)).toEqual([]);
});

test.each([
  ['failed', 'The card was not saved'],
  ['expired', 'The time to save the card has run out'],
  ['unknown', 'We don’t know yet whether the card was saved'],
] as const)('speaks of the card, not of a payment, when %s', async (status, title) => {
  proxy.moveTo(status);
  const widget = await mount('save-card-widget');

  expect(text(widget)).toContain(title);
  expect(text(widget)).not.toMatch(/\bpay/i);
});
