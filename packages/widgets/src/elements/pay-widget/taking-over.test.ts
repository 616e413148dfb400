// An element that takes the place of another, or comes back to its own: the session goes with it.
import { beforeEach, expect, vi } from 'vitest';
import {
  ENDPOINT,
  json,
  type Outcome,
  SECRET,
  SESSION_ID,
  VIEW_URL,
  view,
  viewAfter,
} from '../../../test-support/fake-proxy.ts';
import {
  arrive,
  create,
  fakeNavigation,
  keep,
  listen,
  mount,
  part,
  proxy,
  returnFromHostedPage,
  settle,
  test,
} from '../../../test-support/fixture.ts';
import type { CheckoutElement } from '../../base/checkout-element.ts';

const lazy = { getClientSecret: async () => SECRET };
const address = location.href;
const OTHER_ID = 'cs_01J00000000000000000000009';

beforeEach(() => {
  returnFromHostedPage();
});

/** What is kept of a session that this guest has come back with. */
function keepAfter(outcome: Outcome, clientSecret?: string): void {
  proxy.moveTo(outcome);
  keep({ clientSecret, view: viewAfter(outcome) });
}

test.each(['pay-widget', 'payment-status'] as const)(
  'a <%s> that was there before another left shows its session',
  async (tag) => {
    keepAfter('pending', SECRET);
    const first = await mount('pay-widget', lazy);
    const next = await mount(tag, lazy);
    expect([first.state, next.state]).toEqual(['waiting', 'idle']);
    first.remove();
    await settle();
    expect(next.state).toBe('waiting');
    expect(part(next, 'button')).toBeNull();
  },
);

test('a result that needs no asking is taken over, too', async () => {
  keepAfter('succeeded');
  const first = await mount('payment-status', {});
  const next = await mount('payment-status', {});
  expect([first.state, next.state]).toEqual(['succeeded', 'idle']);
  first.remove();
  await settle();
  expect(next.state).toBe('succeeded');
});

/** The element of another booking, beside that of the session, and how the page came to have both. */
const BESIDE: Readonly<Record<string, () => Promise<CheckoutElement[]>>> = {
  'put there together': async () => {
    const both = [create('pay-widget', lazy), create('pay-widget', lazy)];
    document.body.append(...both);
    return both;
  },
  'parsed one after the other': async () => {
    const paid = await mount('pay-widget', lazy);
    vi.spyOn(document, 'readyState', 'get').mockReturnValue('loading');
    return [paid, await mount('pay-widget', lazy)];
  },
  'with an id of its own': async () => [
    await mount('pay-widget', lazy),
    await mount('pay-widget', { ...lazy, id: 'room-2' }),
  ],
  // What was started from a place before a reload says nothing of the next element in it.
  'where the page has the secret of the first': async () => {
    arrive({ type: 'reload' });
    history.replaceState(null, '', address);
    proxy.current = { ...proxy.current, id: OTHER_ID };
    const session = { endpoint: ENDPOINT, clientSecret: SECRET.replace(SESSION_ID, OTHER_ID) };
    const path = '../../controllers/session-memory.ts?before';
    const before = (await import(/* @vite-ignore */ path)) as typeof import('../../controllers/session-memory.ts');
    const place = create('pay-widget', lazy);
    document.body.append(place);
    new before.SessionMemory(place).remember(session);
    place.remove();
    return [await mount('pay-widget', session), await mount('pay-widget', lazy)];
  },
};

test.each(Object.entries(BESIDE))('the element of another booking takes nothing over: %s', async (_, lay) => {
  keepAfter('succeeded', SECRET);
  const [paid, other] = (await lay()) as [CheckoutElement, CheckoutElement];
  await settle();
  expect([paid.state, other.state]).toEqual(['succeeded', 'idle']);
  const completed: (EventTarget | null)[] = [];
  listen('pay-completed', ({ target }) => completed.push(target));
  paid.remove();
  await settle();
  // A list may be put in order anew.
  document.body.prepend(other);
  await settle();
  expect([other.state, completed]).toEqual(['idle', []]);
  expect(part(other, 'button')).not.toBeNull();
});

/** Starts from this element, and comes back to its page in another document, where that payment is complete. */
async function leaveFrom(element: CheckoutElement | undefined): Promise<void> {
  history.replaceState(null, '', address);
  fakeNavigation();
  await element?.start();
  const { from } = JSON.parse(localStorage.getItem(`innkeep:${SESSION_ID}`) ?? '');
  // Under another id, since the elements of this document know the one that they have started.
  keep({ clientSecret: SECRET.replace(SESSION_ID, OTHER_ID), view: viewAfter('succeeded'), from }, { id: OTHER_ID });
  proxy.current = { ...viewAfter('succeeded'), id: OTHER_ID };
  returnFromHostedPage(OTHER_ID);
}

test.each([
  ['ids', (nth: number) => ({ id: `room-${nth}` })],
  ['places', () => ({})],
])(
  'of several on the page that the guest left, the one that was clicked has the result: told apart by %s',
  async (_, mark) => {
    const lay = async (): Promise<CheckoutElement[]> => {
      const all = [1, 2, 3].map((nth) => create('pay-widget', { ...lazy, ...mark(nth) }));
      document.body.replaceChildren(...all);
      await settle();
      return all;
    };
    await leaveFrom((await lay())[1]);
    for (const elements of [await lay(), await lay()])
      expect(elements.map(({ state }) => state)).toEqual(['idle', 'succeeded', 'idle']);
    const [before, paid, after] = await lay();
    paid?.remove();
    await settle();
    expect([before?.state, after?.state]).toEqual(['idle', 'idle']);
  },
);

test('what stands in the place of the one that was clicked, with a session of its own, leaves the result to others', async () => {
  await leaveFrom(await mount('pay-widget', lazy));
  proxy.intercept = ({ secret }) => (secret === SECRET ? json(view()) : undefined);
  const both = [create('pay-widget', { clientSecret: SECRET }), create('payment-status')];
  document.body.replaceChildren(...both);
  await settle();
  expect(both.map(({ state }) => state)).toEqual(['idle', 'succeeded']);
});

test('what is the next booking’s already takes nothing over', async () => {
  keepAfter('pending', SECRET);
  const first = await mount('pay-widget', {});
  const begunAnew = await mount('pay-widget', { clientSecret: SECRET, ...lazy });
  begunAnew.clientSecret = undefined;
  await settle();
  first.remove();
  await settle();
  expect(begunAnew.state).toBe('idle');
});

test.each(['succeeded', 'pending'] as const)(
  'removed and put back before the page’s scripts have run, it still shows what it remembers: %s',
  async (status) => {
    keepAfter(status, status === 'pending' ? SECRET : undefined);
    arrive({ type: 'navigate', domContentLoadedEventStart: 0 });
    const codes: string[] = [];
    listen('pay-error', ({ detail }) => codes.push(detail.code));
    const element = await mount('payment-status', {});
    element.remove();
    await settle();
    document.body.append(element);
    await settle();
    dispatchEvent(new Event('DOMContentLoaded'));
    await settle();
    expect(element.state).toBe(status === 'pending' ? 'waiting' : 'succeeded');
    expect(codes).toEqual([]);
  },
);

test('after a new beginning it stays with that, wherever it is put', async () => {
  keepAfter('succeeded');
  const { left } = fakeNavigation();
  const widget = await mount('pay-widget', lazy);
  expect(widget.state).toBe('succeeded');
  widget.reset();
  widget.remove();
  await settle();
  document.body.append(widget);
  await settle();
  expect(widget.state).toBe('idle');
  expect(part(widget, 'button')?.textContent).toContain('Pay now');
  proxy.current = viewAfter('open');
  await widget.start();
  expect(left).toEqual([VIEW_URL]);
});
