import { expect, vi } from 'vitest';
import { ENDPOINT, problem, SECRET, SESSION_ID, VIEW_URL, view, viewAfter } from '../../../test-support/fake-proxy.ts';
import {
  arrive,
  comeBackWith,
  fakeNavigation,
  keep,
  listen,
  mount,
  part,
  proxy,
  reached,
  returnFromHostedPage,
  settle,
  test,
  text,
  violations,
} from '../../../test-support/fixture.ts';
import { mountInState, STATES } from '../../../test-support/states.ts';

for (const state of STATES.filter((each) => each !== 'opening')) {
  const isNext = state === 'failed' || state === 'canceled';
  test(`is accessible when ${state}, and offers ${isNext ? 'the next attempt' : 'no payment'}`, async () => {
    const { left } = fakeNavigation();
    const status = await mountInState(state, proxy, { getClientSecret: async () => SECRET }, 'payment-status');

    expect(status.state).toBe(state);
    expect(await violations(status)).toEqual([]);
    // In `error` there is a way to look again, and looking is all it does.
    expect(part(status, 'button')?.textContent?.trim()).toBe(isNext || state === 'error' ? 'Try again' : undefined);
    part(status, 'button')?.click();
    await settle();
    expect(left).toEqual(isNext ? [VIEW_URL] : []);
    expect(proxy.starts.map(({ secret }) => secret)).toEqual(isNext ? [SECRET] : []);
  });
}

test('offers the next attempt at another price, too', async () => {
  const { left } = fakeNavigation();
  const status = await mountInState('failed', proxy, {}, 'payment-status');
  proxy.current = { ...proxy.current, amount: { value: 13_000, currency: 'EUR' }, terms: 2, seq: 4 };
  part(status, 'button')?.click();
  await settle();
  expect(part(status, 'title')?.textContent).toBe('The price or details have changed');
  expect(part(status, 'button')?.textContent).toContain('Pay €130.00');
  expect(left).toEqual([]);
  part(status, 'button')?.click();
  await settle();
  expect(left).toEqual([VIEW_URL]);
});

test('picks up the session that left from this tab, waits, and shows the receipt', async () => {
  comeBackWith();
  proxy.moveTo('pending');
  const status = await mount('payment-status', { endpoint: undefined });
  expect(status.state).toBe('waiting');
  expect(status.hasReturned()).toBe(true);
  // Named late, the proxy is the one that it came from.
  status.endpoint = ENDPOINT;
  await settle();
  expect(status.state).toBe('waiting');

  proxy.moveTo('succeeded');
  await reached(status, 'succeeded');
  expect(text(status)).toContain('Payment complete');
  expect(text(status).replace(/\s/g, '')).toContain(
    'Surcharge(1.5%)€1.80Total€121.80CardVISA••••4242ReferenceRES-1234',
  );
  expect(localStorage.getItem(`innkeep:${SESSION_ID}`)).not.toContain(SECRET);
});

test('names no percentage of a surcharge that the record does not', async () => {
  comeBackWith();
  const { receipt } = view({ status: 'succeeded' });
  const surcharge = { amount: { value: 180, currency: 'EUR' }, percent: 0 };
  proxy.current = view({ status: 'succeeded', receipt: receipt && { ...receipt, surcharge } });
  expect(text(await mount('payment-status', {})).replace(/\s/g, '')).toContain('Surcharge€1.80Total');
});

test.each(['/', '', '//'])('knows its proxy with “%s” at the end of its address, too', async (end) => {
  comeBackWith({ endpoint: ENDPOINT + (end ? '' : '/'), clientSecret: SECRET });
  proxy.moveTo('succeeded');
  expect((await mount('payment-status', { endpoint: ENDPOINT + end })).state).toBe('succeeded');
});

test('keeps the session while the outcome can still change', async () => {
  comeBackWith();
  proxy.moveTo('unknown');
  const status = await mount('payment-status', {});

  expect(status.state).toBe('unknown');
  expect(localStorage.getItem(`innkeep:${SESSION_ID}`)).toContain(SECRET);
});

test('believes its own secret, not the address', async () => {
  comeBackWith(undefined, { id: 'cs_01J0000000000000000000000B' });
  const own = 'cs_01J0000000000000000000000C_own';
  const status = await mount('payment-status', { clientSecret: own });

  expect(proxy.reads.map(({ secret }) => secret)).toEqual([own]);
  expect(status.hasReturned()).toBe(false);
});

test('sends a kept secret to no other proxy than the one it came from', async () => {
  comeBackWith({ endpoint: 'https://elsewhere.example', clientSecret: SECRET });
  await mount('payment-status', {});

  expect(proxy.requests).toHaveLength(0);
});

for (const [what, prepare] of Object.entries({
  'nothing was kept': () => returnFromHostedPage(),
  'the address names no session': () => keep(),
  'the address is tampered with': () => {
    returnFromHostedPage('cs_<script>');
    keep();
  },
  'what was kept is damaged': () => {
    returnFromHostedPage();
    localStorage.setItem(`innkeep:${SESSION_ID}`, '{"endpoint":');
  },
})) {
  test(`says secret_missing, and claims nothing about the payment, when ${what}`, async () => {
    const codes: string[] = [];
    listen('pay-error', ({ detail }) => codes.push(`${detail.code} ${detail.recoverable}`));
    prepare();
    const status = await mount('payment-status', {});

    expect(codes).toEqual(['secret_missing false']);
    expect(text(status)).toContain('The result cannot be shown here');
    expect(text(status)).not.toMatch(/fail|not paid/i);
  });
}

test('with `getClientSecret` claims nothing about a payment it knows nothing of', async () => {
  returnFromHostedPage();
  const status = await mount('payment-status', { getClientSecret: async () => SECRET });
  expect(text(status)).toContain('The result cannot be shown here');
  expect(text(status)).not.toContain('Not completed yet');
});

test('with `getClientSecret` a new beginning looks again, and forgets no receipt', async () => {
  proxy.moveTo('succeeded');
  const status = await mount('payment-status', { clientSecret: SECRET, getClientSecret: async () => SECRET });
  status.reset();
  await settle();
  expect(status.state).toBe('succeeded');
});

test.each(['error', 'idle'])(
  'misses no session before the page’s scripts have run, and takes a late one: %s',
  async (state) => {
    returnFromHostedPage();
    arrive({ type: 'navigate', domContentLoadedEventStart: 0 });
    const widget = await mount('pay-widget', {});
    expect(part(widget, 'skeleton')).not.toBeNull();
    if (state === 'idle') widget.getClientSecret = async () => SECRET;
    dispatchEvent(new Event('DOMContentLoaded'));
    await settle();
    expect(widget.state).toBe(state);

    widget.getClientSecret = async () => SECRET;
    await settle();
    expect(widget.state).toBe('idle');
    expect(part(widget, 'button')?.textContent).toContain('Pay now');
  },
);

test('says that nothing is completed while the session is open', async () => {
  proxy.current = view();
  const status = await mount('payment-status');

  expect(part(status, 'title')?.textContent).toBe('Not completed yet');
});

const HOUR = 3_600_000;

test('shows the receipt of an earlier visit without asking anybody, for a week', async () => {
  comeBackWith({ view: viewAfter('succeeded') }, { ageMs: 167 * HOUR });
  const status = await mount('payment-status', {});
  expect(status.state).toBe('succeeded');
  expect(text(status)).toContain('€121.80');
  expect(proxy.requests).toEqual([]);
  status.remove();

  keep({ view: viewAfter('succeeded') }, { ageMs: 169 * HOUR });
  expect((await mount('payment-status', {})).state).toBe('error');
  expect(localStorage).toHaveLength(0);
});

test('shows it without the scripts of the page, when one of them never comes', async () => {
  vi.useFakeTimers();
  arrive({ type: 'navigate', domContentLoadedEventStart: 0 });
  comeBackWith({ view: viewAfter('succeeded') });
  const names: string[] = [];
  listen('pay-completed', ({ type }) => names.push(type));
  const status = await mount('payment-status', {});
  expect(part(status, 'skeleton')).not.toBeNull();
  await vi.advanceTimersByTimeAsync(10_000);
  expect([status.state, text(status)]).toEqual(['succeeded', expect.stringContaining('€121.80')]);
  dispatchEvent(new Event('DOMContentLoaded'));
  await vi.advanceTimersByTimeAsync(10_000);
  expect(names).toEqual(['pay-completed']);
});

test.each(['pending', 'failed', 'canceled', 'expired', 'unknown'] as const)(
  'forgets a session that was %s after a day, its secret with it',
  async (state) => {
    comeBackWith({ clientSecret: SECRET, view: viewAfter(state) }, { ageMs: 25 * HOUR });
    expect((await mount('payment-status', {})).state).toBe('error');
    expect(localStorage).toHaveLength(0);
  },
);

test('believes the proxy more than what it remembers: money that shows late is no failure', async () => {
  comeBackWith({ clientSecret: SECRET, view: viewAfter('failed') });
  proxy.moveTo('succeeded');
  const status = await mount('payment-status', {});
  expect(status.state).toBe('succeeded');
  expect(localStorage.getItem(`innkeep:${SESSION_ID}`)).not.toContain(SECRET);
});

test.each(['failed', 'unknown', 'pending'] as const)(
  'says what it remembers (%s) when the proxy does not answer',
  async (state) => {
    comeBackWith({ clientSecret: SECRET, view: viewAfter(state) });
    proxy.intercept = () => Promise.reject(new TypeError('Failed to fetch'));
    const errors: unknown[] = [];
    listen('pay-error', (event) => errors.push(event.detail));
    const status = await mount('payment-status', {});
    expect(status.state).toBe(state === 'pending' ? 'waiting' : state);
    expect(part(status, 'button')?.textContent?.trim()).toBe(state === 'failed' ? 'Try again' : undefined);
    expect(errors).toEqual([]);
    proxy.intercept = undefined;
    proxy.moveTo('succeeded');
    await status.resume();
    await reached(status, 'succeeded');
  },
);

test('does not hide behind what it remembers that its secret was revoked', async () => {
  comeBackWith({ clientSecret: SECRET, view: viewAfter('pending') });
  proxy.intercept = () => problem(401, 'unauthorized');
  expect((await mount('payment-status', {})).state).toBe('error');
});
