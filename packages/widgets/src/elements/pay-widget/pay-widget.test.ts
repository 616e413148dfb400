import { describe, expect, onTestFinished, vi } from 'vitest';
import { cdp } from 'vitest/browser';
import {
  ENDPOINT,
  installFakeProxy,
  json,
  problem,
  SECRET,
  SESSION_ID,
  VIEW_URL,
  view,
} from '../../../test-support/fake-proxy.ts';
import {
  create,
  fakeNavigation,
  listen,
  mount,
  part,
  proxy,
  reached,
  settle,
  test,
  text,
  violations,
} from '../../../test-support/fixture.ts';
import { mountInState, STATES } from '../../../test-support/states.ts';
import type { CheckoutElement } from '../../base/checkout-element.ts';
import type { PayStateChangeDetail } from '../../events/pay-events.ts';
import { nextState, type PayState } from '../../state/pay-state.ts';
import { PayWidget } from './pay-widget.ts';

// Every language in both themes is looked at on the component page, in the outer ring: names do not depend on colors, nor colors on names.
for (const state of STATES) {
  for (const [theme, locale] of [
    ['light', 'en'],
    ['dark', 'ar'],
  ] as const) {
    test(`is accessible when ${state}, ${theme}, in ${locale}`, async () => {
      fakeNavigation();
      const widget = await mountInState(state, proxy, { theme, locale, getClientSecret: async () => SECRET });
      await expect.poll(() => part(widget, 'base')?.lang).toBe(locale);
      await expect.poll(() => part(widget, 'skeleton')).toBeNull();

      expect(widget.state).toBe(state);
      expect(widget.getAttribute('state')).toBe(state);
      expect(await violations(widget)).toEqual([]);
    });
  }
}

test('leaves in the same tab and keeps the session for the return', async () => {
  const { left } = fakeNavigation();
  const widget = await mount('pay-widget');
  part(widget, 'button')?.click();
  await settle();

  expect(left).toEqual([VIEW_URL]);
  expect(proxy.starts.map(({ body }) => body)).toEqual([{ presentation: 'redirect', terms: 1 }]);
  expect(JSON.parse(localStorage.getItem(`innkeep:${SESSION_ID}`) ?? '')).toMatchObject({
    endpoint: ENDPOINT,
    clientSecret: SECRET,
    view: { status: 'pending' },
  });
  expect(widget.state).toBe('waiting');
});

test.each(['auto', 'redirect'] as const)(
  'opens a new tab from inside a frame, without an opener, and follows the payment to its receipt: %s',
  async (presentation) => {
    const { windows, left } = fakeNavigation({ framed: true });
    const widget = await mount('pay-widget', { clientSecret: SECRET, presentation });
    part(widget, 'button')?.click();
    await settle();

    expect([left, windows]).toMatchObject([[], [{ opener: null, urls: [VIEW_URL] }]]);
    expect(await violations(widget)).toEqual([]);

    proxy.moveTo('succeeded');
    await reached(widget, 'succeeded');
    expect(text(widget)).toContain('Payment complete');
    expect(part(widget, 'receipt')?.textContent?.replace(/\s+/g, ' ')).toContain('Total€121.80');
    expect(JSON.stringify({ ...sessionStorage, ...localStorage })).not.toContain(SECRET);
  },
);

test('opens the window inside the click, in the direction of its text, and asks for the secret after it', async () => {
  const { windows } = fakeNavigation();
  const order: string[] = [];
  const getClientSecret = async (): Promise<string> => {
    order.push(`secret after ${windows.length} window`);
    return SECRET;
  };
  const widget = await mount('pay-widget', { getClientSecret, presentation: 'tab' });
  void widget.start();
  expect(windows).toHaveLength(1);
  const said = 'Opening the secure page…';
  expect(windows[0]?.document).toEqual({ title: said, dir: 'auto', body: { textContent: said } });
  await settle();

  expect(order).toEqual(['secret after 1 window']);
  expect(windows[0]?.urls).toEqual([VIEW_URL]);
});

test('takes a secret that a template has put blanks around', async () => {
  fakeNavigation();
  const widget = create('pay-widget');
  widget.setAttribute('client-secret', `\n  ${SECRET} `);
  document.body.append(widget);

  expect([widget.clientSecret, await widget.start()]).toEqual([SECRET, 'waiting']);
  widget.removeAttribute('client-secret');
  expect(widget.clientSecret).toBeUndefined();
});

test.each<[string, Partial<CheckoutElement>]>([
  ['the property', { clientSecret: `\n${SECRET} ` }],
  ['getClientSecret', { getClientSecret: async () => `\n${SECRET} ` }],
])('takes a secret with blanks around it from %s', async (_, properties) => {
  const { left } = fakeNavigation();
  const widget = await mount('pay-widget', properties);
  expect(await widget.start()).toBe('waiting');
  expect([left, new Set(proxy.requests.map(({ secret }) => secret))]).toEqual([[VIEW_URL], new Set([SECRET])]);
  expect(Object.keys(localStorage)).toEqual([`innkeep:${SESSION_ID}`]);
});

test('can be stopped by the page before anything opens', async () => {
  const { windows } = fakeNavigation();
  const widget = await mount('pay-widget', { clientSecret: SECRET, presentation: 'tab' });
  widget.addEventListener('pay-beforeopen', (event) => event.preventDefault());
  expect(await widget.start()).toBe('idle');

  expect(windows).toHaveLength(0);
  expect(proxy.starts).toHaveLength(0);
});

test('tells each change with its state, both ends and the session, and no secret', async () => {
  fakeNavigation();
  const seen: unknown[] = [];
  for (const name of ['pay-ready', 'pay-beforeopen', 'pay-statechange', 'pay-completed'] as const) {
    listen(name, (event) => {
      expect(event.bubbles && event.composed).toBe(true);
      expect(JSON.stringify(event.detail)).not.toContain(SECRET);
      expect(JSON.stringify(event.detail)).not.toContain(VIEW_URL);
      // `from` and `to` are there for pay-statechange only.
      const { state, from, to, checkout } = event.detail as PayStateChangeDetail;
      seen.push([name, state, ...(from ? [`${from} → ${to}`] : []), checkout?.status]);
    });
  }
  const widget = await mount('pay-widget');
  await widget.start();
  proxy.moveTo('succeeded');
  await reached(widget, 'succeeded');

  expect(seen).toEqual([
    ['pay-ready', 'idle', 'open'],
    ['pay-beforeopen', 'idle', 'open'],
    ['pay-statechange', 'opening', 'idle → opening', 'open'],
    ['pay-statechange', 'waiting', 'opening → waiting', 'pending'],
    ['pay-statechange', 'succeeded', 'waiting → succeeded', 'succeeded'],
    ['pay-completed', 'succeeded', 'succeeded'],
  ]);
});

const OUTCOME_EVENTS = {
  succeeded: 'pay-completed',
  failed: 'pay-failed',
  canceled: 'pay-canceled',
  expired: 'pay-expired',
  unknown: 'pay-unknown',
} as const;

for (const [state, name] of Object.entries(OUTCOME_EVENTS)) {
  test(`announces ${state} with ${name}, to the page and to a screen reader`, async () => {
    const widget = await mountInState('waiting', proxy);
    const heard = vi.fn();
    widget.addEventListener(name, heard);
    proxy.moveTo(state as keyof typeof OUTCOME_EVENTS);
    await reached(widget, state as PayState);

    expect(heard).toHaveBeenCalledOnce();
    expect(part(widget, 'live')?.textContent).toContain(part(widget, 'title')?.textContent);
  });
}

test('keeps the live region empty until something happens, and once nothing is to be said any more', async () => {
  fakeNavigation();
  const widget = await mount('pay-widget');
  const said = (): string | null | undefined => part(widget, 'live')?.textContent;

  expect(said()).toBe('');
  await widget.start();
  await settle();
  expect(said()).not.toBe('');
  widget.cancel();
  await settle();
  expect(widget.state).toBe('idle');
  expect(said()).toBe('');
});

// What each method does in each state; the machine's own table says what it must be.
for (const state of STATES) {
  for (const method of ['start', 'resume', 'cancel', 'reset'] as const) {
    test(`${method}() while ${state} is safe to call twice and sends at most one start`, async () => {
      fakeNavigation();
      const widget = await mountInState(state, proxy);
      const before = proxy.starts.length;
      void widget[method]();
      void widget[method]();
      await settle();

      const mayStart = method === 'start' && ['idle', 'failed', 'canceled', 'error'].includes(state);
      expect(proxy.starts.length - before).toBeLessThanOrEqual(mayStart ? 1 : 0);
      if (method === 'cancel') expect(widget.state).toBe(nextState(state, 'cancel') ?? state);
      if (method === 'reset' && !['waiting', 'opening'].includes(state)) {
        // The session was read again and is what it was.
        expect(widget.state).toBe(state);
      }
    });
  }

  test(`removal and return while ${state} asks for no more than a look`, async () => {
    fakeNavigation();
    const widget = await mountInState(state, proxy);
    const before = proxy.starts.length;
    widget.remove();
    await settle();
    document.body.append(widget);
    await settle();

    expect(proxy.starts).toHaveLength(before);
    expect(widget.state).toBe(state === 'opening' ? 'idle' : state);
  });
}

test('offers no way to pay again while the outcome is unknown, and shows it once it is known', async () => {
  const widget = await mountInState('unknown', proxy, { getClientSecret: async () => SECRET });

  expect(text(widget)).toContain('The hotel will check it. Please do not pay again.');
  expect(widget.shadowRoot?.querySelectorAll('button, a')).toHaveLength(0);
  expect(text(widget)).not.toMatch(/fail|wrong|again\?/i);
  widget.reset();
  expect(await widget.start()).toBe('unknown');
  expect(proxy.starts).toHaveLength(0);

  proxy.moveTo('succeeded');
  await reached(widget, 'succeeded');
});

test('a declined, a canceled and a paid attempt are one session with one secret, each offered in place', async () => {
  const { left } = fakeNavigation();
  const getClientSecret = vi.fn(async () => SECRET);
  const heard: string[] = [];
  for (const name of ['pay-failed', 'pay-canceled', 'pay-completed'] as const) listen(name, () => heard.push(name));
  const widget = await mount('pay-widget', { getClientSecret });
  const clickAndReach = async (label: string, state: 'failed' | 'canceled' | 'succeeded'): Promise<void> => {
    expect(part(widget, 'button')?.textContent?.trim()).toBe(label);
    part(widget, 'button')?.click();
    await reached(widget, 'waiting');
    proxy.moveTo(state, state === 'failed' ? { error: { code: 'declined' } } : {});
    await reached(widget, state);
  };
  await clickAndReach('Pay now', 'failed');
  expect(part(widget, 'status')?.textContent?.trim()).toBe('The card was declined');
  await clickAndReach('Try again', 'canceled');
  expect(part(widget, 'status')?.textContent?.trim()).toBe('You canceled');
  await clickAndReach('Try again', 'succeeded');

  expect(heard).toEqual(['pay-failed', 'pay-canceled', 'pay-completed']);
  expect(new Set(proxy.requests.map(({ secret }) => secret))).toEqual(new Set([SECRET]));
  expect(getClientSecret).toHaveBeenCalledOnce();
  expect(left).toEqual([VIEW_URL, VIEW_URL, VIEW_URL]);
});

test('a site can go on by itself after an attempt without money', async () => {
  for (const state of ['failed', 'canceled'] as const) {
    const widget = await mountInState(state, installFakeProxy(), { noRetry: true });
    expect(part(widget, 'action')).toBeNull();
    expect(await widget.start()).toBe(state);
    widget.removeAttribute('no-retry');
    widget.noRetry = false;
    await settle();
    expect(part(widget, 'button')).not.toBeNull();
  }
});

test.each(['idle', 'failed'] as const)('asks nobody while the session is open and shows %s', async (state) => {
  vi.useFakeTimers();
  await mountInState(state, proxy);
  await vi.advanceTimersByTimeAsync(600_000);
  expect(proxy.reads).toHaveLength(1);
});

test('shows what has changed since, and starts nothing before another click', async () => {
  const { windows } = fakeNavigation();
  const widget = await mountInState('failed', proxy, { presentation: 'tab' });
  const failed = vi.fn();
  listen('pay-failed', failed);
  const amount = { value: 13_000, currency: 'EUR' };
  proxy.current = { ...proxy.current, amount, terms: 2, seq: proxy.current.seq + 1 };
  part(widget, 'button')?.click();
  await reached(widget, 'idle');
  await widget.resume();

  expect(windows[0]).toMatchObject({ closed: true, urls: [] });
  expect(part(widget, 'title')?.textContent).toBe('The price or details have changed');
  expect(part(widget, 'live')?.textContent).toContain('have changed');
  expect(part(widget, 'button')?.textContent).toContain('Pay €130.00');
  expect(failed).not.toHaveBeenCalled();
  expect(await violations(widget)).toEqual([]);

  part(widget, 'button')?.click();
  await reached(widget, 'waiting');
  expect(proxy.starts.map(({ body }) => body)).toMatchObject([{ terms: 1 }, { terms: 2 }]);
  expect(windows[1]?.urls).toEqual([VIEW_URL]);
});

test('tells the end of an attempt once, whatever becomes of the next start', async () => {
  fakeNavigation();
  const failed = vi.fn();
  listen('pay-failed', failed);
  const widget = await mountInState('failed', proxy);
  proxy.intercept = ({ method }) => (method === 'POST' ? problem(503, 'upstream_unavailable') : undefined);
  expect(await widget.start()).toBe('error');
  await widget.resume();

  expect(widget.state).toBe('failed');
  expect(failed).toHaveBeenCalledOnce();
});

test('sends the guest to the hotel when there have been too many attempts', async () => {
  fakeNavigation();
  const widget = await mountInState('failed', proxy);
  proxy.intercept = ({ method }) => (method === 'POST' ? problem(409, 'too_many_attempts') : undefined);
  await widget.start();
  await settle();

  expect(part(widget, 'button')).toBeNull();
  expect(text(widget)).toContain('Please contact the hotel.');
});

test('asks the site for a secret again when the session has expired', async () => {
  const { left } = fakeNavigation();
  const getClientSecret = vi.fn(async () => 'cs_01J0000000000000000000000B_other');
  const widget = await mountInState('expired', proxy, { getClientSecret });
  proxy.current = view({ id: 'cs_01J0000000000000000000000B' });
  part(widget, 'button')?.click();
  await settle();

  expect(proxy.starts.map(({ secret }) => secret)).toEqual(['cs_01J0000000000000000000000B_other']);
  expect(getClientSecret).toHaveBeenCalledOnce();
  expect(left).toHaveLength(1);
});

test('sends the guest to the hotel where nothing can be done on the page', async () => {
  const widget = await mountInState('expired', proxy);
  expect(part(widget, 'button')).toBeNull();
  expect(text(widget)).toContain('Please contact the hotel.');
});

test('shows a late answer after the time is over', async () => {
  proxy.moveTo('expired');
  const widget = await mount('pay-widget');
  expect(text(widget)).toContain('Already paid?');

  proxy.moveTo('succeeded');
  await reached(widget, 'succeeded');
});

test('tries again with the same session after a failed start', async () => {
  const { windows } = fakeNavigation();
  const getClientSecret = vi.fn(async () => SECRET);
  const errors: unknown[] = [];
  const widget = await mount('pay-widget', { getClientSecret, presentation: 'tab' });
  widget.addEventListener('pay-error', ({ detail }) => errors.push([detail.state, detail.code, detail.recoverable]));
  proxy.intercept = ({ method }) => (method === 'POST' ? problem(502, 'upstream_error') : undefined);
  await widget.start();

  expect(errors).toEqual([['error', 'upstream_error', true]]);
  expect(windows[0]?.closed).toBe(true);
  proxy.intercept = undefined;
  await widget.start();
  expect(getClientSecret).toHaveBeenCalledOnce();
  expect(widget.state).toBe('waiting');
  expect(windows[1]?.urls).toEqual([VIEW_URL]);
});

test.each([
  [401, 'unauthorized'],
  [403, 'forbidden'],
  [404, 'not_found'],
] as const)('offers no retry after %i', async (status, code) => {
  const widget = create('pay-widget', { clientSecret: SECRET });
  const errors: unknown[] = [];
  widget.addEventListener('pay-error', ({ detail }) => errors.push([detail.code, detail.recoverable]));
  proxy.intercept = () => problem(status, code);
  document.body.append(widget);
  await settle();

  expect(errors).toEqual([[code, false]]);
  expect(part(widget, 'button')).toBeNull();
  expect(text(widget)).toContain('Please contact the hotel.');
});

test.each(['javascript:alert(1)', 'http://evil.example/', 'data:text/html,x', 'http://localhost:1@evil.example/'])(
  'refuses to go to %s',
  async (url) => {
    const { left, windows } = fakeNavigation();
    proxy.viewUrl = url;
    const widget = await mount('pay-widget');
    expect(await widget.start()).toBe('error');

    expect([...left, ...windows.flatMap(({ urls }) => urls)]).toEqual([]);
    expect(widget.shadowRoot?.querySelector('a')).toBeNull();
  },
);

test('shows what the session came to when it was paid elsewhere before the click', async () => {
  const { windows } = fakeNavigation();
  const widget = await mount('pay-widget', { clientSecret: SECRET, presentation: 'tab' });
  proxy.moveTo('succeeded');
  await widget.start();

  expect(widget.state).toBe('succeeded');
  expect(windows[0]).toMatchObject({ closed: true, urls: [] });
});

test('warns of a surcharge before the payment and of the last minutes', async () => {
  proxy.current = view({ surcharge: true, expiresAt: new Date(Date.now() + 290_000).toISOString() });
  const widget = await mount('pay-widget');

  expect(part(widget, 'surcharge-notice')?.textContent).toContain('surcharge may be added');
  expect(part(widget, 'time-left')?.textContent).toBe('5 minutes left');
});

test.each(['', ', also after an answer that failed'])(
  'looks when the time is over, and leaves the decision to the proxy%s',
  async (failed) => {
    vi.useFakeTimers();
    proxy.current = view({ expiresAt: new Date(Date.now() + 30_000).toISOString() });
    const widget = await mount('pay-widget');
    if (failed) proxy.intercept = () => problem(503, 'upstream_unavailable');
    dispatchEvent(new Event('online'));
    await settle();
    proxy.intercept = undefined;
    proxy.moveTo('expired', { final: true });
    await vi.advanceTimersByTimeAsync(31_000);
    await settle();

    expect(widget.state).toBe('expired');
  },
);

test('keeps the secret out of attributes, addresses, storage keys and the console', async () => {
  const { left } = fakeNavigation();
  const logs = (['log', 'info', 'warn', 'error', 'debug'] as const).map((level) => vi.spyOn(console, level));
  const widget = await mount('pay-widget');
  await widget.start();
  await settle();

  expect(widget.outerHTML + widget.shadowRoot?.innerHTML).not.toContain(SECRET);
  expect(left.join()).not.toContain(SECRET);
  expect(Object.keys({ ...sessionStorage, ...localStorage }).join()).not.toContain(SECRET);
  expect(logs.flatMap((log) => log.mock.calls.flat()).join()).not.toContain(SECRET);
  expect(proxy.requests.every(({ path }) => !path.includes(SECRET))).toBe(true);
});

test('keeps the focus inside when its button goes away', async () => {
  fakeNavigation();
  const widget = await mount('pay-widget');
  part(widget, 'button')?.focus();
  await widget.start();
  await settle();

  expect(widget.shadowRoot?.activeElement).toBe(part(widget, 'status'));
});

test('writes no state to the tag before it has something to show', async () => {
  proxy.intercept = () => new Promise(() => undefined);
  const widget = document.createElement('pay-widget');
  Object.assign(widget, { endpoint: ENDPOINT, clientSecret: SECRET });
  document.body.append(widget);
  await widget.updateComplete;
  expect(widget.getAttributeNames()).toEqual([]);
  widget.clientSecret = undefined;
  widget.getClientSecret = async () => SECRET;
  await widget.updateComplete;
  expect(widget.getAttribute('state')).toBe('idle');
});

test('starts with what was set before it was defined, in the same task', async () => {
  const { left } = fakeNavigation();
  document.body.innerHTML = '<later-widget></later-widget>';
  const widget = document.body.firstElementChild as PayWidget;
  Object.assign(widget, { endpoint: ENDPOINT, clientSecret: SECRET });
  customElements.define('later-widget', class extends PayWidget {});

  expect(await widget.start()).toBe('waiting');
  expect(left).toEqual([VIEW_URL]);
});

test('looks and opens as usual again once an attribute is taken away', async () => {
  const { windows, left } = fakeNavigation();
  const widget = await mount('pay-widget');
  for (const [name, value] of Object.entries({ theme: 'dark', presentation: 'tab' })) widget.setAttribute(name, value);
  for (const name of ['theme', 'presentation']) widget.removeAttribute(name);
  await widget.start();

  expect([widget.theme, widget.presentation]).toEqual(['auto', 'auto']);
  expect([windows.length, left]).toEqual([0, [VIEW_URL]]);
});

test('tells a refusal with the trace id and the field that the proxy named', async () => {
  const details: unknown[] = [];
  listen('pay-error', ({ detail: { code, traceId, param } }) => details.push({ code, traceId, param }));
  const refusal = { code: 'invalid_request', param: 'authorization', traceId: 'trace_4711' };
  proxy.intercept = () => Object.assign(json(refusal), { ok: false, status: 400 });
  await mount('pay-widget');

  expect(details).toEqual([refusal]);
});

test('has a button of at least 44 pixels and fits 280 pixels and less', async () => {
  document.body.style.width = '280px';
  const widget = await mount('pay-widget');
  const { height, right } = part(widget, 'button')?.getBoundingClientRect() ?? new DOMRect();

  expect(height).toBeGreaterThanOrEqual(44);
  expect(right).toBeLessThanOrEqual(widget.getBoundingClientRect().right);
  expect(part(widget, 'base')?.scrollWidth).toBeLessThanOrEqual(280);
  document.body.removeAttribute('style');
});

describe('after an outcome', () => {
  const go = (element: HTMLElement): HTMLAnchorElement | null => part<HTMLAnchorElement>(element, 'continue');

  test.each([
    ['succeeded', 'button'],
    ['failed', 'link'],
    ['unknown', 'button'],
  ] as const)('%s leads on to where the site says', async (status, name) => {
    proxy.moveTo(status);
    const widget = await mount('pay-widget', {
      clientSecret: SECRET,
      continueHref: '/next',
      continueLabel: 'My trip',
    });
    expect(go(widget)?.href).toBe(new URL('/next', location.href).href);
    expect(go(widget)?.textContent).toBe('My trip');
    expect(go(widget)?.className).toBe(name);
    expect(await violations(widget)).toEqual([]);
  });

  test('nothing leads on before there is one, or where the site has set nothing', async () => {
    const widget = await mount('pay-widget', { clientSecret: SECRET, continueHref: '/next' });
    expect(go(widget)).toBeNull();
    proxy.moveTo('succeeded');
    expect(go(await mount('pay-widget'))).toBeNull();
  });

  test('a label alone makes a button that tells the site', async () => {
    proxy.moveTo('succeeded');
    const told = vi.fn();
    listen('pay-continue', ({ detail }) => told(detail.state, detail.checkout?.status));
    const widget = await mount('pay-widget', { clientSecret: SECRET, continueLabel: 'Go on' });
    go(widget)?.click();
    expect(told.mock.calls).toEqual([['succeeded', 'succeeded']]);
  });

  test('a site that takes over keeps the link from being followed', async () => {
    proxy.moveTo('succeeded');
    const widget = await mount('pay-widget', { clientSecret: SECRET, continueHref: '#next' });
    listen('pay-continue', (event) => event.preventDefault());
    const click = new MouseEvent('click', { cancelable: true, bubbles: true });
    go(widget)?.dispatchEvent(click);
    expect(click.defaultPrevented).toBe(true);
  });

  test.each(['javascript:alert(1)', 'data:text/html,x', 'http://'])('%s leads nowhere', async (continueHref) => {
    proxy.moveTo('succeeded');
    expect(go(await mount('pay-widget', { clientSecret: SECRET, continueHref }))).toBeNull();
  });
});

test('names the brands that the hotel accepts, and that of the card on the receipt', async () => {
  proxy.current = view({ acceptedBrands: ['visa', 'mastercard'] });
  const widget = await mount('pay-widget');
  const names = (): (string | null)[] =>
    [...(widget.shadowRoot?.querySelectorAll('[part~=brand]') ?? [])].map((mark) => mark.getAttribute('aria-label'));
  expect(names()).toEqual(['Visa', 'Mastercard']);
  expect(await violations(widget)).toEqual([]);
  proxy.moveTo('succeeded');
  await widget.resume();
  await settle();
  expect(names()).toEqual(['Visa']);
  expect(await violations(widget)).toEqual([]);
});

test('colors follow the page, the system or neither, as the site says', async () => {
  const scheme = async (theme: 'auto' | 'light' | 'dark' | 'system'): Promise<string> => {
    const widget = await mount('pay-widget', { clientSecret: SECRET, theme });
    return getComputedStyle(part(widget, 'base') ?? widget).colorScheme;
  };
  document.body.style.colorScheme = 'dark';
  expect([await scheme('auto'), await scheme('light'), await scheme('system')]).toEqual([
    'dark',
    'light',
    'light dark',
  ]);
  document.body.style.colorScheme = '';
  expect([await scheme('auto'), await scheme('dark')]).toEqual(['normal', 'dark']);
});

test('turns visibly where the system’s colors replace those of every border', async () => {
  const emulate = (value: string): Promise<unknown> =>
    cdp().send('Emulation.setEmulatedMedia', { features: [{ name: 'forced-colors', value }] });
  onTestFinished(() => void emulate(''));
  await emulate('active');
  const widget = await mountInState('waiting', proxy);
  const { borderInlineEndColor, borderTopColor } = getComputedStyle(part(widget, 'spinner') ?? widget);
  expect(borderInlineEndColor).not.toBe(borderTopColor);
});
