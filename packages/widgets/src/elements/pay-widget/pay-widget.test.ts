import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type FakeProxy, installFakeProxy, SECRET, SESSION_ID, VIEW_URL } from '../../../test-support/fake-proxy.ts';
import { fakeNavigation, mount, part, reached, settle, text, violations } from '../../../test-support/fixture.ts';

let proxy: FakeProxy;

beforeEach(() => {
  proxy = installFakeProxy();
});

afterEach(async () => {
  document.body.replaceChildren();
  await settle();
  sessionStorage.clear();
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

test('is accessible while it offers to pay', async () => {
  const widget = await mount('pay-widget');

  expect(widget.state).toBe('idle');
  expect(await violations(widget)).toEqual([]);
  expect(part(widget, 'button')?.textContent).toContain('Pay €120.00');
});

test('reads the session once, never starts it, and says once that it is ready', async () => {
  const ready = vi.fn();
  document.body.addEventListener('pay-ready', ready, { once: true });
  const widget = await mount('pay-widget');
  widget.requestUpdate();
  await settle();

  expect(proxy.reads).toHaveLength(1);
  expect(proxy.starts).toHaveLength(0);
  expect(ready).toHaveBeenCalledOnce();
});

test('leaves in the same tab and keeps the session for the return', async () => {
  const { left } = fakeNavigation();
  const widget = await mount('pay-widget');
  part(widget, 'button')?.click();
  await settle();

  expect(left).toEqual([VIEW_URL]);
  expect(proxy.starts.map(({ body }) => body)).toEqual([{ presentation: 'redirect' }]);
  expect(JSON.parse(sessionStorage.getItem(`innkeep:${SESSION_ID}`) ?? '')).toEqual({
    endpoint: 'https://pay.hotel.example',
    clientSecret: SECRET,
  });
  expect(widget.state).toBe('waiting');
});

test('opens a new tab from inside a frame, without an opener, and follows the payment to its receipt', async () => {
  const { windows } = fakeNavigation({ framed: true });
  const widget = await mount('pay-widget');
  part(widget, 'button')?.click();
  await settle();

  expect(windows[0]).toMatchObject({ opener: null, urls: [VIEW_URL] });
  expect(await violations(widget)).toEqual([]);

  proxy.moveTo('succeeded');
  await reached(widget, 'succeeded');
  expect(text(widget)).toContain('Payment complete');
  expect(part(widget, 'receipt')?.textContent?.replace(/\s+/g, ' ')).toContain('Total€121.80');
  expect(await violations(widget)).toEqual([]);
});
