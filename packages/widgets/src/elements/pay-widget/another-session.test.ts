// One element, and one session after another: what belongs to the one before is not shown, told or opened again.
import { beforeEach, expect, vi } from 'vitest';
import { json, SECRET, SESSION_ID, VIEW_URL, view } from '../../../test-support/fake-proxy.ts';
import {
  arrive,
  comeBackWith,
  fakeNavigation,
  listen,
  mount,
  part,
  proxy,
  reached,
  returnFromHostedPage,
  settle,
  test,
  text,
} from '../../../test-support/fixture.ts';

const OTHER_ID = 'cs_01J0000000000000000000000B';
const OTHER_SECRET = SECRET.replace(SESSION_ID, OTHER_ID);

beforeEach(() => {
  arrive({ type: 'reload', domContentLoadedEventStart: 1 });
});

/** What this page hears of outcomes, and of sessions to pay. */
function told(): string[] {
  const names: string[] = [];
  for (const name of ['pay-ready', 'pay-completed', 'pay-canceled', 'pay-error'] as const)
    listen(name, ({ type }) => names.push(type));
  return names;
}

test.each(['', ', on the address that it came back to'])(
  'once its secret is taken away, the result belongs to the guest before%s',
  async (returned) => {
    fakeNavigation();
    if (returned) returnFromHostedPage();
    const widget = await mount('pay-widget', { clientSecret: SECRET, presentation: 'tab' });
    await widget.start();
    proxy.moveTo('succeeded');
    await reached(widget, 'succeeded');

    const names = told();
    widget.getClientSecret = async () => OTHER_SECRET;
    widget.clientSecret = undefined;
    await settle();
    expect(widget.state).toBe('idle');
    expect(part(widget, 'button')?.textContent).toContain('Pay now');
    expect(text(widget)).not.toContain('€121.80');
    // Put elsewhere on the page it is still the next guest's.
    widget.remove();
    await settle();
    document.body.append(widget);
    await settle();
    expect(widget.state).toBe('idle');
    expect(names).toEqual([]);
  },
);

test('does not say of another session that the price has changed', async () => {
  fakeNavigation();
  const widget = await mount('pay-widget');
  proxy.current = view({ terms: 2 });
  await widget.start();
  await settle();
  expect(part(widget, 'title')?.textContent).toBe('The price or details have changed');
  proxy.current = view({ id: OTHER_ID });
  widget.clientSecret = OTHER_SECRET;
  await settle();
  expect([widget.checkout?.id, part(widget, 'title')]).toEqual([OTHER_ID, null]);
});

test.each([undefined, OTHER_SECRET])('says no more of the result once another session is awaited: %s', async (next) => {
  proxy.moveTo('succeeded');
  const widget = await mount('pay-widget');
  expect(part(widget, 'live')?.textContent).toContain('Payment complete');
  proxy.intercept = () => new Promise(() => {});
  widget.clientSecret = next;
  await settle();
  expect(text(widget)).toBe('');
});

test('without its secret, and without another, it waits for the next one', async () => {
  returnFromHostedPage();
  const widget = await mount('payment-status');
  const names = told();
  widget.clientSecret = undefined;
  await settle();
  expect(part(widget, 'skeleton')).not.toBeNull();
  expect(names).toEqual([]);
});

test.each([
  ['client secret', undefined, 'clientSecret'],
  ['address of its proxy', SECRET, 'endpoint'],
])('in another browser it says that it lacks the %s', async (_, clientSecret, param) => {
  returnFromHostedPage();
  vi.useFakeTimers();
  const params: unknown[] = [];
  listen('pay-error', ({ detail }) => params.push(detail.param));
  await mount('payment-status', { endpoint: undefined, clientSecret });
  vi.advanceTimersByTime(10_000);
  expect(params).toEqual([param]);
});

test.each([
  ['secret', { clientSecret: OTHER_SECRET }, { clientSecret: SECRET }],
  ['secret, with none in its place', { clientSecret: undefined }, { clientSecret: SECRET }],
  ['proxy', { endpoint: 'https://other.hotel.example' }, { clientSecret: SECRET }],
  ['secret, to another than the site gave', { clientSecret: OTHER_SECRET }, { getClientSecret: async () => SECRET }],
])('another %s while the page opens: the one before is not opened', async (_, change, properties) => {
  const { windows } = fakeNavigation();
  const widget = await mount('pay-widget', { clientSecret: undefined, presentation: 'tab', ...properties });
  let answer: (response: Response) => void = () => {};
  proxy.intercept = ({ method }) => (method === 'POST' ? new Promise((resolve) => (answer = resolve)) : undefined);
  const started = widget.start();
  await settle();
  Object.assign(widget, change);
  await settle();
  answer(json({ ...view({ status: 'pending' }), viewUrl: VIEW_URL }));
  expect(await started).toBe('idle');
  expect(proxy.starts[0]?.signal?.aborted).toBe(true);
  expect(windows[0]).toMatchObject({ closed: true, urls: [] });
});

test('started just after another secret was set, it asks for the page of that one', async () => {
  fakeNavigation();
  const widget = await mount('pay-widget', { clientSecret: SECRET, presentation: 'tab' });
  proxy.current = view({ id: OTHER_ID });
  widget.clientSecret = OTHER_SECRET;
  await widget.start();
  expect(proxy.starts.map(({ secret }) => secret)).toEqual([OTHER_SECRET]);
});

test('a session that the scripts of the page set is shown, and not the result that the device remembers', async () => {
  arrive({ type: 'navigate', domContentLoadedEventStart: 0 });
  comeBackWith({ view: view({ status: 'succeeded' }) });
  const names = told();
  const widget = await mount('pay-widget', { clientSecret: undefined });
  proxy.current = view({ id: OTHER_ID });
  widget.clientSecret = OTHER_SECRET;
  await settle();
  arrive({ type: 'navigate', domContentLoadedEventStart: 1 });
  dispatchEvent(new Event('DOMContentLoaded'));
  await settle();
  expect([widget.state, widget.checkout?.id]).toEqual(['idle', OTHER_ID]);
  expect(names).toEqual(['pay-ready']);
});

test('the secret that `getClientSecret` gives may be set as an attribute, too, before it is given or after', async () => {
  const { windows } = fakeNavigation();
  let give: (secret: string) => void = () => {};
  const getClientSecret = (): Promise<string> => new Promise((resolve) => (give = resolve));
  const widget = await mount('pay-widget', { getClientSecret, presentation: 'tab' });
  const started = widget.start();
  widget.clientSecret = SECRET;
  await settle();
  give(`${SECRET}\n`);
  expect(await started).toBe('waiting');
  expect(windows[0]).toMatchObject({ closed: false, urls: [VIEW_URL] });
  expect(proxy.starts).toHaveLength(1);
});

test('a secret that is set while the site still makes another one is the one to pay', async () => {
  const { windows } = fakeNavigation();
  let give: (secret: string) => void = () => {};
  const getClientSecret = (): Promise<string> => new Promise((resolve) => (give = resolve));
  const widget = await mount('pay-widget', { getClientSecret, presentation: 'tab' });
  const started = widget.start();
  widget.clientSecret = OTHER_SECRET;
  await settle();
  give(SECRET);
  expect(await started).toBe('idle');
  await settle();
  expect(windows[0]).toMatchObject({ closed: true, urls: [] });
  expect(proxy.starts).toEqual([]);
  expect(new Set(proxy.reads.map(({ secret }) => secret))).toEqual(new Set([OTHER_SECRET]));
});
