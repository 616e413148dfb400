/** Mounting, waiting and looking, for the element tests. */
import axe from 'axe-core';
import { test as base, vi } from 'vitest';
import { browser } from '../src/controllers/hosted-page.ts';
import '../src/define-all.ts';
import type { CheckoutElement } from '../src/base/checkout-element.ts';
import type { PayState } from '../src/state/pay-state.ts';
import { ENDPOINT, type FakeProxy, installFakeProxy, SECRET, SESSION_ID } from './fake-proxy.ts';

/** The proxy of the test that runs. */
export let proxy: FakeProxy;

/** A test with a proxy of its own, which leaves nothing of itself behind. */
export const test = base.extend('proxy', { auto: true }, ({ onTestFinished }) => {
  onTestFinished(cleanUp);
  proxy = installFakeProxy();
  return proxy;
});

export type ElementTag = 'pay-widget' | 'save-card-widget' | 'payment-status';

/** A window that the test opened in the place of a real one. */
interface FakeWindow {
  opener: unknown;
  closed: boolean;
  location: string;
  document: { title: string; dir: string; body: { textContent: string } };
  close(): void;
  urls: string[];
}

function fakeWindow(): FakeWindow {
  const urls: string[] = [];
  const tab: FakeWindow = {
    opener: 'the page',
    closed: false,
    get location() {
      return urls.at(-1) ?? 'about:blank';
    },
    set location(url) {
      // As in a sandbox that its windows do not escape.
      if (tab.opener === null) throw new DOMException('Only its opener may navigate it.', 'SecurityError');
      urls.push(url);
    },
    document: { title: '', dir: '', body: { textContent: '' } },
    close() {
      this.closed = true;
    },
    urls,
  };
  return tab;
}

/** Stands in for the browser's navigation; tests run in a frame, so each says what kind of page it is. */
export function fakeNavigation({ framed = false } = {}): { windows: FakeWindow[]; left: string[] } {
  const windows: FakeWindow[] = [];
  const left: string[] = [];
  vi.spyOn(browser, 'isFramed').mockReturnValue(framed);
  vi.spyOn(browser, 'assign').mockImplementation((url) => void left.push(url));
  vi.spyOn(browser, 'openTab').mockImplementation(() => {
    const tab = fakeWindow();
    windows.push(tab);
    // The controller uses these members of a window and no other.
    return tab as unknown as Window;
  });
  return { windows, left };
}

export function create(tag: ElementTag, properties: Partial<CheckoutElement> = {}): CheckoutElement {
  const element = document.createElement(tag) as CheckoutElement;
  element.locale = 'en';
  Object.assign(element, { endpoint: ENDPOINT, ...properties });
  return element;
}

const address = location.href;

/** Puts the page at the address that the guest comes back to from the hosted page. */
export function returnFromHostedPage(id = SESSION_ID): void {
  const url = new URL(address);
  url.searchParams.set('checkout_session', id);
  history.replaceState(null, '', url);
}

/** Keeps what an earlier document of this page has stored of a session. */
export function keep(kept: object = { clientSecret: SECRET }, { id = SESSION_ID, ageMs = 0 } = {}): void {
  localStorage.setItem(`innkeep:${id}`, JSON.stringify({ endpoint: ENDPOINT, at: Date.now() - ageMs, ...kept }));
}

/** The guest comes back with a session, and with what was kept of it. */
export function comeBackWith(...[kept, options]: Parameters<typeof keep>): void {
  returnFromHostedPage(options?.id);
  keep(kept, options);
}

/** How the guest came to this document. */
export function arrive(entry: Partial<PerformanceNavigationTiming>): void {
  // The one entry, and all of it that is read.
  vi.spyOn(performance, 'getEntriesByType').mockReturnValue([entry as PerformanceNavigationTiming]);
}

export function setHidden(isHidden: boolean): void {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(isHidden ? 'hidden' : 'visible');
  document.dispatchEvent(new Event('visibilitychange'));
}

let listening = new AbortController();

/** Listens on the page for the length of one test. */
export function listen<Name extends keyof DocumentEventMap>(
  name: Name,
  listener: (event: DocumentEventMap[Name]) => void,
): void {
  document.addEventListener(name, listener, { signal: listening.signal });
}

/** Leaves nothing of a test behind; every element stops what it was doing. */
export async function cleanUp(): Promise<void> {
  history.replaceState(null, '', address);
  document.body.replaceChildren();
  await settle();
  listening.abort();
  listening = new AbortController();
  sessionStorage.clear();
  localStorage.clear();
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
}

/** Mounts an element with a session and waits until it has shown its first answer. */
export async function mount(tag: ElementTag, properties?: Partial<CheckoutElement>): Promise<CheckoutElement> {
  const element = create(tag, properties ?? { clientSecret: SECRET });
  document.body.append(element);
  await settle();
  return element;
}

/** Lets every promise that is ready run, and the elements render. Never waits for a timer. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 60; turn++) await Promise.resolve();
}

export function part<Type extends HTMLElement = HTMLElement>(element: HTMLElement, name: string): Type | null {
  return element.shadowRoot?.querySelector<Type>(`[part~="${name}"]`) ?? null;
}

export function text(element: HTMLElement): string {
  return element.shadowRoot?.textContent?.replace(/\s+/g, ' ').trim() ?? '';
}

/** Every violation axe finds in the element, as readable lines. */
export async function violations(element: HTMLElement): Promise<string[]> {
  const { violations } = await axe.run(element, { rules: { region: { enabled: false } } });
  return violations.flatMap(({ id, nodes }) => nodes.map(({ failureSummary }) => `${id}: ${failureSummary}`));
}

/** Waits for the element to reach a state. */
export async function reached(element: CheckoutElement, state: PayState): Promise<void> {
  if (element.state === state) return;
  await new Promise<void>((resolve) => {
    element.addEventListener('pay-statechange', ({ detail }) => detail.to === state && resolve());
  });
  await settle();
}
