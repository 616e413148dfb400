// Which element of a page a session comes back to, once the guest has pressed Back: in a document of its own each time.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { view } from '../../test-support/fake-proxy.ts';
import { arrive, cleanUp } from '../../test-support/fixture.ts';

const ENDPOINT = 'https://pay.hotel.example';
const secretOf = (letter: string): string => `cs_01J000000000000000000000${letter}${letter}_secret`;

let documents = 0;
/** What knows nothing of what the earlier documents of this tab did, but for what they stored. */
async function nextDocument(): Promise<typeof import('./session-memory.ts')> {
  document.body.replaceChildren();
  const address = `./session-memory.ts?document=${++documents}`;
  return import(/* @vite-ignore */ address) as Promise<typeof import('./session-memory.ts')>;
}

/** An element in a place of its own; the custom elements themselves would bind their sessions by themselves. */
function widgetIn(parent: Node, id = ''): Element {
  const element = Object.assign(document.createElement('x-widget'), { id });
  parent.appendChild(element);
  return element;
}

function shadowOf(parent: Node = document.body, { id = '', name = 'hotel-room' } = {}): ShadowRoot {
  const host = Object.assign(document.createElement(name), { id });
  parent.appendChild(host);
  return host.attachShadow({ mode: 'closed' });
}

/** Where two widgets are in the layouts of pages, and their id, if they have one. */
const LAYOUTS: Readonly<Record<string, () => [first: Node, second: Node, id?: string]>> = {
  'beside each other': () => [document.body, document.body],
  'in a shadow root each': () => [shadowOf(), shadowOf()],
  'in one shadow root': () => {
    const root = shadowOf();
    return [root, root];
  },
  'in shadow roots of different hosts': () => [shadowOf(), shadowOf(document.body, { name: 'hotel-spa' })],
  'in shadow roots within shadow roots': () => [shadowOf(shadowOf()), shadowOf(shadowOf())],
  'with one id in a shadow root each': () => [shadowOf(), shadowOf(), 'pay'],
  'in the page and in a shadow root': () => [document.body, shadowOf()],
};

const address = location.href;

beforeEach(() => {
  document.body.replaceChildren();
  arrive({ type: 'back_forward' });
});
afterEach(cleanUp);

test.each(Object.entries(LAYOUTS))('two widgets, %s: each gets its own session back', async (_, layOut) => {
  const lay = (): [Element, Element] => {
    const [first, second, id] = layOut();
    return [widgetIn(first, id), widgetIn(second, id)];
  };
  const before = await nextDocument();
  const [, paid] = lay();
  const memory = new before.SessionMemory(paid);
  memory.remember({ endpoint: ENDPOINT, clientSecret: secretOf('B') });
  memory.keep(view({ id: 'cs_01J000000000000000000000BB', status: 'succeeded' }));

  const back = await nextDocument();
  const [idOfFirst, idOfSecond] = lay().map(
    (widget) => new back.SessionMemory(widget).claim(ENDPOINT, undefined)?.view?.id,
  );
  expect(idOfFirst).toBeUndefined();
  expect(idOfSecond).toBe('cs_01J000000000000000000000BB');
});

test('a host with an id keeps its session when another host comes before it', async () => {
  const before = await nextDocument();
  const memory = new before.SessionMemory(widgetIn(shadowOf(document.body, { id: 'room-2' })));
  memory.remember({ endpoint: ENDPOINT, clientSecret: secretOf('B') });

  const back = await nextDocument();
  shadowOf(document.body, { id: 'room-1' });
  const widget = widgetIn(shadowOf(document.body, { id: 'room-2' }));
  expect(new back.SessionMemory(widget).claim(ENDPOINT, undefined)?.session?.clientSecret).toBe(secretOf('B'));
});

test.each([
  ['A', 'B'],
  ['B', 'A'],
])('of two sessions, %s and then %s, the last one comes back', async (first, last) => {
  const before = await nextDocument();
  const memory = new before.SessionMemory(widgetIn(document.body));
  for (const letter of [first, last]) memory.remember({ endpoint: ENDPOINT, clientSecret: secretOf(letter) });

  const back = await nextDocument();
  const known = new back.SessionMemory(widgetIn(document.body)).claim(ENDPOINT, undefined);
  expect(known?.session?.clientSecret).toBe(secretOf(last));
});

test.each(['back_forward', 'navigate'] as const)(
  'an element that takes the place of another in the same document begins anew, and a reload does not: %s',
  async (type) => {
    arrive({ type });
    const { SessionMemory } = await nextDocument();
    const first = widgetIn(document.body);
    new SessionMemory(first).remember({ endpoint: ENDPOINT, clientSecret: secretOf('B') });
    first.remove();
    expect(new SessionMemory(widgetIn(document.body)).claim(ENDPOINT, undefined)).toBeUndefined();

    arrive({ type: 'reload' });
    const next = await nextDocument();
    expect(new next.SessionMemory(widgetIn(document.body)).claim(ENDPOINT, undefined)).toBeDefined();
  },
);

test.each([
  ['the same address is opened again, and reloaded', 'navigate', ''],
  ['another booking has taken its place, and is reloaded', 'reload', '?booking=2'],
] as const)('begins anew in one entry of the history: %s', async (_, type, search) => {
  const before = await nextDocument();
  const memory = new before.SessionMemory(widgetIn(document.body));
  memory.remember({ endpoint: ENDPOINT, clientSecret: secretOf('A') });
  memory.keep(view({ id: 'cs_01J000000000000000000000AA', status: 'succeeded' }));

  for (const now of [type, 'reload'] as const) {
    arrive({ type: now });
    history.replaceState(null, '', address + search);
    const next = await nextDocument();
    expect(new next.SessionMemory(widgetIn(document.body)).claim(ENDPOINT, undefined)).toBeUndefined();
  }
});

test('comes back to what may still be paid, although another tab has opened its address', async () => {
  const tab = await nextDocument();
  new tab.SessionMemory(widgetIn(document.body)).remember({ endpoint: ENDPOINT, clientSecret: secretOf('A') });
  arrive({ type: 'navigate' });
  const other = await nextDocument();
  expect(new other.SessionMemory(widgetIn(document.body)).claim(ENDPOINT, undefined)).toBeUndefined();
  arrive({ type: 'back_forward' });
  const back = await nextDocument();
  expect(new back.SessionMemory(widgetIn(document.body)).claim(ENDPOINT, undefined)?.session).toBeDefined();
});
