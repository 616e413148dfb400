import { afterEach, expect, vi } from 'vitest';
import { json, SECRET, SESSION_ID, VIEW_URL, view } from '../../../test-support/fake-proxy.ts';
import {
  create,
  fakeNavigation,
  listen,
  mount,
  part,
  proxy,
  reached,
  setHidden,
  settle,
  test,
  text,
} from '../../../test-support/fixture.ts';
import { mountInState } from '../../../test-support/states.ts';
import { browser } from '../../controllers/hosted-page.ts';

afterEach(() => setHidden(false));

function setOnline(isOnline: boolean): void {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(isOnline);
  dispatchEvent(new Event(isOnline ? 'online' : 'offline'));
}

test.each([
  ['the browser', null],
  ['a script of the page that answers with nothing', undefined],
])('window blocked by %s: shows a link to the hosted page, goes on waiting and reports no error', async (_, tab) => {
  const { left } = fakeNavigation({ framed: true });
  vi.mocked(browser.openTab).mockReturnValue(tab as null);
  const errors = vi.fn();
  listen('pay-error', errors);
  const widget = await mount('pay-widget', { clientSecret: SECRET });
  part(widget, 'button')?.click();
  await settle();
  expect([widget.state, left]).toEqual(['waiting', []]);
  const [status, link] = [part(widget, 'status'), part<HTMLAnchorElement>(widget, 'link')];
  expect(link).toMatchObject({ href: VIEW_URL, target: '_blank', rel: 'noreferrer' });
  expect(status?.textContent?.trim()).toBe('Not completed yet');
  expect(errors).not.toHaveBeenCalled();
  proxy.moveTo('succeeded');
  await reached(widget, 'succeeded');
});

test('closed window: goes on waiting, asks whenever it is woken, and offers the page again', async () => {
  const { windows } = fakeNavigation();
  vi.useFakeTimers();
  const widget = await mount('pay-widget', { clientSecret: SECRET, presentation: 'tab' });
  proxy.moveTo('pending', { nextPollMs: 60_000 });
  await widget.start();
  windows[0]?.close();
  // By the second time it knows that the window is closed.
  for (const round of [1, 2]) {
    const reads = proxy.reads.length;
    dispatchEvent(new Event('focus'));
    await settle();
    expect([round, widget.state, proxy.reads.length - reads]).toEqual([round, 'waiting', 1]);
    expect(text(widget)).toContain('Page closed? You can open it again.');
    expect(part<HTMLAnchorElement>(widget, 'link')?.href).toBe(VIEW_URL);
    vi.advanceTimersByTime(1_000);
  }
  proxy.moveTo('canceled');
  await vi.advanceTimersByTimeAsync(90_000);
  expect(widget.state).toBe('canceled');
  // The window of the next attempt is another one.
  await widget.start();
  await settle();
  expect([widget.state, part(widget, 'hint')?.textContent]).toEqual(['waiting', 'This page updates by itself.']);
});

test('closed window of a guest who has come back and may have paid: offers nothing to pay with', async () => {
  const { windows } = fakeNavigation();
  const widget = await mount('pay-widget', { clientSecret: SECRET, presentation: 'tab' });
  await widget.start();
  // A return makes no new version of the session.
  proxy.current = { ...proxy.current, returned: true };
  windows[0]?.close();
  dispatchEvent(new Event('focus'));
  await settle();

  expect(widget.checkout?.returned).toBe(true);
  expect(part(widget, 'hint')?.textContent).toBe('This page updates by itself.');
  expect(part(widget, 'action')).toBeNull();
});

test('window closed before the address arrives: waits, with the link', async () => {
  const { windows } = fakeNavigation();
  const widget = await mount('pay-widget', { clientSecret: SECRET, presentation: 'tab' });
  const started = widget.start();
  windows[0]?.close();

  expect(await started).toBe('waiting');
  await settle();
  expect(windows[0]?.urls).toEqual([]);
  expect(part<HTMLAnchorElement>(widget, 'link')?.href).toBe(VIEW_URL);
});

test('an answer that was overtaken by a newer one changes nothing', async () => {
  proxy.moveTo('unknown', { seq: 5 });
  const widget = await mount('pay-widget');
  proxy.current = view({ error: { code: 'declined' }, seq: 4 });
  await widget.resume();
  await settle();

  expect(widget.state).toBe('unknown');
});

test('offline and back: says so, never fails, and looks at once when the network returns', async () => {
  const widget = await mountInState('waiting', proxy);
  proxy.intercept = () => Promise.reject(new TypeError('Failed to fetch'));
  setOnline(false);
  await settle();
  expect(widget.state).toBe('waiting');
  expect(text(widget)).toContain('You are offline');

  vi.useFakeTimers();
  vi.advanceTimersByTime(5_000);
  proxy.intercept = undefined;
  proxy.moveTo('succeeded');
  setOnline(true);
  await settle();
  expect(widget.state).toBe('succeeded');
});

test('offline at the first look: recovers by itself when the network returns', async () => {
  proxy.intercept = () => Promise.reject(new TypeError('Failed to fetch'));
  const widget = await mount('pay-widget');
  expect(widget.state).toBe('error');
  expect(text(widget)).toContain('No connection');

  proxy.intercept = undefined;
  setOnline(true);
  await settle();
  expect(widget.state).toBe('idle');
});

test('waits as long as the proxy asks, and up to a tenth longer by chance', async () => {
  vi.useFakeTimers();
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
  proxy.moveTo('pending', { nextPollMs: 2000 });
  await mount('pay-widget');
  // What was read on connecting counts: the first poll comes when the proxy asks for it.
  expect(proxy.reads).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1990);
  expect(proxy.reads).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(20);
  expect(proxy.reads).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(2080);
  expect(proxy.reads).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(30);
  expect(proxy.reads).toHaveLength(3);
});

test('paid in another tab after a decline here: shows it when the guest comes back', async () => {
  const widget = await mountInState('failed', proxy);
  proxy.moveTo('succeeded');
  setHidden(true);
  setHidden(false);
  await reached(widget, 'succeeded');
});

test('seen again while the page opens: the start goes on', async () => {
  await mountInState('opening', proxy);
  setHidden(true);
  setHidden(false);
  await settle();
  expect(proxy.starts[0]?.signal?.aborted).toBe(false);
});

test('cancel ends the watching of a payment whose outcome is unknown', async () => {
  vi.useFakeTimers();
  proxy.moveTo('unknown', { nextPollMs: 1000 });
  const widget = await mount('pay-widget');
  const before = proxy.reads.length;
  widget.cancel();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(proxy.reads).toHaveLength(before);
  expect(widget.state).toBe('unknown');
});

test('back from the hosted page through the back-forward cache: waits, with the way to go on', async () => {
  const { left } = fakeNavigation();
  const widget = await mount('pay-widget');
  await widget.start();
  await settle();
  expect(text(widget)).toContain('Opening the secure page…');

  dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
  await settle();
  expect(text(widget)).toContain('Waiting for confirmation…');
  expect(part<HTMLAnchorElement>(widget, 'link')).toMatchObject({ href: VIEW_URL, target: '_self' });
  expect(left).toHaveLength(1);
});

test.each([
  ['the same attempt', {}],
  ['another attempt', { seq: 7 }],
])('still here when the proxy next tells of %s: waits, and opens nothing', async (_, change) => {
  const { left } = fakeNavigation();
  vi.useFakeTimers();
  const widget = await mount('pay-widget');
  await widget.start();
  await settle();
  expect(part(widget, 'title')?.textContent).toBe('Opening the secure page…');
  proxy.current = { ...proxy.current, ...change };
  await vi.advanceTimersByTimeAsync(30);
  expect(part(widget, 'title')?.textContent).toBe('Waiting for confirmation…');
  expect(part<HTMLAnchorElement>(widget, 'link')?.href).toBe('seq' in change ? undefined : VIEW_URL);
  expect([left.length, proxy.starts.length]).toEqual([1, 1]);
});

test('the next attempt begins elsewhere: offers its hosted page, not that of the one before', async () => {
  const { windows } = fakeNavigation();
  const widget = await mount('pay-widget', { clientSecret: SECRET, presentation: 'tab' });
  await widget.start();
  proxy.moveTo('canceled');
  proxy.viewUrl += '2';
  proxy.moveTo('pending');
  dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
  await settle();
  expect(part<HTMLAnchorElement>(widget, 'link')?.href).toBeUndefined();

  part(widget, 'link')?.click();
  await settle();
  expect(windows.flatMap(({ urls }) => urls)).toEqual([VIEW_URL, `${VIEW_URL}2`]);
  expect(part<HTMLAnchorElement>(widget, 'link')?.href).toBe(`${VIEW_URL}2`);
});

test('two elements on one page: each answers for its own session', async () => {
  fakeNavigation();
  const other = 'cs_01J0000000000000000000000B';
  proxy.intercept = ({ secret, method }) => {
    if (!secret.startsWith(other)) return undefined;
    const mine = view({ id: other, status: method === 'POST' ? 'pending' : 'open', nextPollMs: 60_000 });
    return json({ ...mine, viewUrl: `${VIEW_URL}2` });
  };
  const first = await mount('pay-widget', { clientSecret: SECRET });
  const second = await mount('pay-widget', { clientSecret: `${other}_x` });
  await second.start();

  expect([first.state, second.state]).toEqual(['idle', 'waiting']);
  expect(Object.keys(localStorage)).toEqual([`innkeep:${other}`]);
  proxy.moveTo('succeeded');
  await first.resume();
  expect([first.state, second.state]).toEqual(['succeeded', 'waiting']);
});

test('moved in the DOM: goes on as if nothing had happened', async () => {
  const { windows } = fakeNavigation();
  const widget = await mount('pay-widget', { clientSecret: SECRET, presentation: 'tab' });
  const reads = proxy.reads.length;
  const started = widget.start();
  const place = document.createElement('section');
  document.body.append(place);
  place.append(widget);

  expect(await started).toBe('waiting');
  expect(windows[0]).toMatchObject({ closed: false, urls: [VIEW_URL] });
  document.body.prepend(widget);
  await settle();
  expect(widget.state).toBe('waiting');
  expect(proxy.reads.length).toBeLessThanOrEqual(reads + 1);
  proxy.moveTo('succeeded');
  await reached(widget, 'succeeded');
});

test('removed while the page opens: closes the window and forgets the request', async () => {
  const { windows } = fakeNavigation();
  const widget = await mountInState('opening', proxy, { presentation: 'tab' });
  widget.remove();
  await settle();

  expect(windows[0]).toMatchObject({ closed: true, urls: [] });
  expect(proxy.starts[0]?.signal?.aborted).toBe(true);
});

test('a site that never hands out a secret: the guest can leave, and the window closes', async () => {
  const { windows } = fakeNavigation();
  const getClientSecret = (): Promise<string> => new Promise(() => {});
  const widget = await mount('pay-widget', { getClientSecret, presentation: 'tab' });
  const started = widget.start();
  widget.cancel();

  expect(await started).toBe('idle');
  expect(windows[0]?.closed).toBe(true);
});

test('200 mounts: no listener, timer, observer or request is left behind', async () => {
  vi.useFakeTimers();
  const balance = { listeners: 0, observers: 0 };
  for (const target of [window, document]) {
    const add = target.addEventListener.bind(target);
    vi.spyOn(target, 'addEventListener').mockImplementation((type: string, listener: unknown, options: unknown) => {
      balance.listeners++;
      const { signal } = options as { signal: AbortSignal };
      signal.addEventListener('abort', () => balance.listeners--);
      add(type, listener as EventListener, options as AddEventListenerOptions);
    });
  }
  vi.spyOn(MutationObserver.prototype, 'observe').mockImplementation(() => balance.observers++);
  vi.spyOn(MutationObserver.prototype, 'disconnect').mockImplementation(() => balance.observers--);
  proxy.moveTo('pending');

  for (let round = 0; round < 200; round++) {
    const widget = create('pay-widget', { clientSecret: SECRET });
    document.body.append(widget);
    await settle();
    expect(widget.state).toBe('waiting');
    widget.remove();
    await settle();
  }
  const sent = proxy.requests.length;
  expect([balance, vi.getTimerCount()]).toEqual([{ listeners: 0, observers: 0 }, 0]);
  // Longer than the proxy's pace for another look: nobody is there any more to ask.
  await vi.advanceTimersByTimeAsync(10_000);
  expect(proxy.requests).toHaveLength(sent);
});

test('stops waiting when told to, and can go on', async () => {
  fakeNavigation();
  const widget = await mountInState('waiting', proxy);
  widget.cancel();
  await settle();
  const sent = proxy.requests.length;
  dispatchEvent(new Event('focus'));
  setHidden(false);
  await settle();

  expect(widget.state).toBe('idle');
  expect(proxy.requests).toHaveLength(sent);
  await widget.start();
  expect(widget.state).toBe('waiting');
});

test('storage that throws is survived', async () => {
  const { left } = fakeNavigation();
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError');
  });
  vi.spyOn(Storage.prototype, 'removeItem').mockImplementation(() => {
    throw new DOMException('denied', 'SecurityError');
  });
  const widget = await mount('pay-widget');
  await widget.start();
  expect(left).toEqual([VIEW_URL]);
  proxy.moveTo('succeeded');
  await reached(widget, 'succeeded');
  expect(localStorage.getItem(`innkeep:${SESSION_ID}`)).toBeNull();
});
