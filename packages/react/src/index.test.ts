import { createElement, StrictMode, useEffect, version } from 'react';
import { createRoot, hydrateRoot, type Root } from 'react-dom/client';
import { renderToString } from 'react-dom/server.browser';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PATIENT } from '../../../scripts/test-limits.ts';
import { PaymentStatus, PayWidget, SaveCardWidget, type WidgetProps } from './index.ts';

const ENDPOINT = 'https://pay.hotel.example';
const ID = 'cs_01J0000000000000000000000A';
const SECRET = `${ID}_0123456789012345678901234567890123456789abc`;
const VIEW = {
  id: ID,
  kind: 'payment',
  status: 'open',
  final: false,
  seq: 1,
  terms: 1,
  amount: { value: 12_000, currency: 'EUR' },
  hotelName: 'Hotel Aurora',
  acceptedBrands: [],
  reference: 'RES-1234',
  error: null,
  expiresAt: '2099-01-01T00:00:00Z',
};
/** As a page sets an element up. */
const PROPS = { endpoint: ENDPOINT, clientSecret: SECRET, locale: 'en' } as const;

let box: HTMLElement;
let root: Root | undefined;
let problems: unknown[][];

beforeEach(() => {
  problems = [];
  for (const level of ['error', 'warn'] as const) {
    vi.spyOn(console, level).mockImplementation((...words) => {
      if (!String(words[0]).startsWith('Lit is in dev mode')) problems.push(words);
    });
  }
  vi.stubGlobal('fetch', async () => Response.json(VIEW));
  box = document.body.appendChild(document.createElement('div'));
});

afterEach(async () => {
  root?.unmount();
  box.remove();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** Waits, also while the machine is busy loading the elements. */
const until = <Value>(check: () => Value): Promise<Value> => vi.waitFor(check, PATIENT);

/** Renders nothing, and says when React has taken the page over. */
function Ready({ onReady }: { onReady: () => void }): null {
  useEffect(onReady);
  return null;
}

/** Renders on a server, then lets React take over. */
async function hydrate(component: typeof PayWidget, props: WidgetProps): Promise<HTMLElement> {
  const onReady = vi.fn();
  const widget = createElement(component, props, createElement('a', { href: '/desk' }, 'Desk'));
  const page = createElement(StrictMode, null, widget, createElement(Ready, { onReady }));
  box.innerHTML = renderToString(page);
  const element = box.firstElementChild as HTMLElement;
  root = hydrateRoot(box, page);
  await until(() => expect(onReady).toHaveBeenCalled());
  expect(box.firstElementChild).toBe(element);
  await until(() => expect(element.getAttribute('state')).not.toBeNull());
  return element;
}

describe(`React ${version}`, () => {
  it('takes over what the server rendered, without a warning, and then sets properties and listeners', async () => {
    const onPayReady = vi.fn();
    const props: WidgetProps = { ...PROPS, className: 'wide', id: 'pay', onPayReady };
    expect(renderToString(createElement(PayWidget, props))).toBe(
      '<pay-widget id="pay" class="wide" defer-hydration=""></pay-widget>',
    );
    expect(customElements.get('pay-widget')).toBeUndefined();
    const element = await hydrate(PayWidget, props);
    await until(() => expect(onPayReady).toHaveBeenCalledTimes(1));
    expect(onPayReady.mock.calls[0]?.[0].detail.checkout.id).toBe(ID);
    expect(element.querySelector('a')?.textContent).toBe('Desk');
    expect([element.className, element.getAttribute('client-secret')]).toEqual(['wide', null]);
    expect(problems).toEqual([]);
  });

  it('calls getClientSecret inside the click after server rendering, and the latest listener', async () => {
    const getClientSecret = vi.fn(async () => Promise.reject<string>(new Error('The server is down.')));
    const first = vi.fn();
    const latest = vi.fn();
    const props = { endpoint: ENDPOINT, getClientSecret, locale: 'en' } as const;
    const element = await hydrate(PayWidget, { ...props, onPayError: first });
    const again = createElement(PayWidget, { ...props, onPayError: latest });
    const onReady = vi.fn();
    root?.render(createElement(StrictMode, null, again, createElement(Ready, { onReady, key: 'again' })));
    await until(() => expect(onReady).toHaveBeenCalled());
    const button = await until(() => {
      const found = element.shadowRoot?.querySelector('button');
      if (!found) throw new Error('There is no button yet');
      return found;
    });
    button.click();
    await until(() => expect(latest).toHaveBeenCalledTimes(1));
    expect(getClientSecret).toHaveBeenCalledTimes(1);
    expect(latest.mock.calls[0]?.[0].detail).toMatchObject({ code: 'secret_failed', recoverable: true });
    expect(first).not.toHaveBeenCalled();
  });

  it('gives the element as its ref, and takes settings and listeners back', async () => {
    const ref = { current: null as InstanceType<typeof HTMLElement> | null };
    root = createRoot(box);
    const onPayStateChange = vi.fn();
    root.render(
      createElement(PayWidget, { ...PROPS, theme: 'dark', noRetry: true, onPayStateChange, ref } as WidgetProps),
    );
    await until(() => expect(ref.current).toMatchObject({ theme: 'dark', noRetry: true, state: 'idle' }));
    root.render(createElement(PayWidget, { endpoint: ENDPOINT, ref } as WidgetProps));
    await until(() => expect(ref.current).toMatchObject({ theme: 'auto', noRetry: false, clientSecret: undefined }));
    const element = ref.current;
    root.unmount();
    element?.dispatchEvent(new CustomEvent('pay-statechange'));
    expect(onPayStateChange).not.toHaveBeenCalled();
  });

  it('hears each event by the prop that is named after it', async () => {
    const heard: string[] = [];
    const outcomes = ['Completed', 'Failed', 'Canceled', 'Expired', 'Unknown'];
    const names = ['Ready', 'BeforeOpen', 'StateChange', ...outcomes, 'Continue', 'Error'];
    const listeners = Object.fromEntries(names.map((name) => [`onPay${name}`, () => void heard.push(name)]));
    const element = await hydrate(PayWidget, { ...PROPS, ...listeners });
    await until(() => expect(heard).toEqual(['Ready']));
    for (const name of names) element.dispatchEvent(new CustomEvent(`pay-${name.toLowerCase()}`));
    expect(heard.slice(1)).toEqual(names);
    // It was defined before.
    expect(problems).toEqual([]);
  });

  it.each([
    ['save-card-widget', SaveCardWidget],
    ['payment-status', PaymentStatus],
  ])('has %s as well', async (tag, component) => {
    const element = await hydrate(component as typeof PayWidget, PROPS);
    expect(element.localName).toBe(tag);
    expect(problems).toEqual([]);
  });
});
