import { beforeEach, expect, vi } from 'vitest';
import { SECRET } from '../../test-support/fake-proxy.ts';
import { create, listen, proxy, settle, test } from '../../test-support/fixture.ts';

let heard: string[];

beforeEach(() => {
  heard = [];
});

test('what a server rendered is left alone until the page listens, however long that takes', async () => {
  vi.useFakeTimers();
  const element = create('pay-widget', { clientSecret: SECRET });
  element.setAttribute('defer-hydration', '');
  document.body.append(element);
  const rendered = document.body.innerHTML;
  await vi.advanceTimersByTimeAsync(600_000);
  await settle();
  expect([document.body.innerHTML, element.shadowRoot, proxy.requests]).toEqual([rendered, null, []]);

  listen('pay-ready', ({ type }) => heard.push(type));
  element.removeAttribute('defer-hydration');
  await settle();
  expect(heard).toEqual(['pay-ready']);
  expect(element.getAttribute('state')).toBe('idle');
});

test('a move, or the attribute once more, does not begin again', async () => {
  listen('pay-ready', ({ type }) => heard.push(type));
  const element = create('pay-widget', { clientSecret: SECRET });
  document.body.append(element);
  await settle();
  element.setAttribute('defer-hydration', '');
  document.body.prepend(element);
  element.removeAttribute('defer-hydration');
  await settle();
  expect([heard, proxy.requests.length]).toEqual([['pay-ready'], 1]);
});
