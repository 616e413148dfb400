import { beforeEach, expect, vi } from 'vitest';
import { ENDPOINT, problem, SECRET, SESSION_ID } from '../../test-support/fake-proxy.ts';
import { create, fakeNavigation, listen, mount, part, proxy, settle, test, text } from '../../test-support/fixture.ts';
import { defineElement } from '../base/define-element.ts';

/** A key that a page must never hold. */
const KEY = `sk_live_${'k'.repeat(32)}`;

let lines: string[];
let faults: string[];
let nth = 0;

beforeEach(() => {
  fakeNavigation();
  lines = [];
  faults = [];
  vi.spyOn(console, 'error').mockImplementation((line: string) => void lines.push(line));
  listen('pay-error', ({ detail }) => faults.push(`${detail.code} ${detail.param ?? '-'} ${detail.message}`));
});

/** An element with a name of its own: what has been said of it is not said again. */
async function named(properties: Parameters<typeof create>[1], attributes: Readonly<Record<string, string>> = {}) {
  const widget = create('pay-widget', properties);
  widget.id = `case-${++nth}`;
  for (const [name, value] of Object.entries(attributes)) widget.setAttribute(name, value);
  document.body.append(widget);
  await settle();
  return widget;
}

/** A network that does not let the call through; the probe goes to the service itself. */
function failNetwork(probe: 'answers' | 'fails'): void {
  const send = proxy.fetch;
  vi.stubGlobal('fetch', async (input: RequestInfo | URL, init?: RequestInit) => {
    if (String(input).endsWith('/healthz') && probe === 'answers') return new Response();
    await send(input, init).catch(() => undefined);
    throw new TypeError('Failed to fetch');
  });
}

test.each<[string, Parameters<typeof create>[1], RegExp, RegExp]>([
  ['no endpoint', { endpoint: undefined, clientSecret: SECRET }, /There is no `endpoint`/, /^secret_missing endpoint /],
  [
    'no secret',
    { clientSecret: undefined },
    /set `client-secret` or `getClientSecret`\. On a return page your server makes a further client secret/,
    /^secret_missing clientSecret /,
  ],
  [
    'getClientSecret without endpoint',
    { endpoint: undefined, getClientSecret: async () => SECRET },
    /There is no `endpoint`/,
    /^secret_missing endpoint /,
  ],
])(
  '%s: after 10 seconds the skeleton gives way to a sentence, and the console says what to set',
  async (_, properties, line, fault) => {
    vi.useFakeTimers();
    const widget = await named(properties);
    vi.advanceTimersByTime(9_999);
    await settle();
    expect(faults).toEqual([]);
    vi.advanceTimersByTime(1);
    await settle();

    expect(faults).toEqual([expect.stringMatching(fault)]);
    expect(lines).toEqual([expect.stringMatching(line)]);
    expect(lines[0]).toContain(`<pay-widget#${widget.id}>`);
    expect(lines[0]).toContain('#troubleshooting');
    expect(part(widget, 'skeleton')).toBeNull();
    expect(text(widget)).toContain('Something went wrong');
  },
);

test('a secret that comes late, but before that, is no mistake', async () => {
  vi.useFakeTimers();
  const widget = await named({});
  vi.advanceTimersByTime(9_000);
  widget.clientSecret = SECRET;
  await settle();
  vi.advanceTimersByTime(60_000);
  await settle();
  expect([lines, faults]).toEqual([[], []]);
});

test.each<[string, Parameters<typeof create>[1], RegExp]>([
  ['an endpoint without scheme', { endpoint: 'pay.hotel.example', clientSecret: SECRET }, /endpoint: must be an http/],
  [
    'an endpoint that is no address',
    { endpoint: 'https://<proxy>', clientSecret: SECRET },
    /endpoint: must be an http/,
  ],
  ['a key of the server in place of a client secret', { clientSecret: KEY }, /secret of your server.*Replace it now/],
  ['a webhook secret in place of a client secret', { clientSecret: `whsec_${'k'.repeat(32)}` }, /Replace it now/],
  ['a session id in place of a client secret', { clientSecret: 'cs_01J0000000000000000000000A' }, /id of a session/],
])('%s is refused before anything is sent', async (_, properties, line) => {
  await named(properties);

  expect(proxy.requests).toEqual([]);
  expect(lines).toEqual([expect.stringMatching(line)]);
  expect(faults).toEqual([expect.stringMatching(/^configuration (endpoint|clientSecret) /)]);
  expect([...lines, ...faults].join()).not.toContain('kkkk');
});

test.each([
  ['clientSecret', 'client-secret'],
  ['client_secret', 'client-secret'],
  ['secret', 'client-secret'],
  ['end-point', 'endpoint'],
  ['endpiont', 'endpoint'],
  ['url', 'endpoint'],
  ['language', 'locale'],
])('the attribute %s is taken for %s', async (wrong, right) => {
  await named({ clientSecret: SECRET }, { [wrong]: SECRET });
  expect(lines).toEqual([expect.stringContaining(`Did you mean \`${right}\`?`)]);
  expect(lines[0]).not.toContain(SECRET);
});

test.each([
  ['getClientSecret', 'async () => {}', 'It is a property'],
  ['messages', '[object Object]', 'It is a property'],
  ['presentation', 'popup', 'the default is used'],
  ['theme', 'blue', 'the default is used'],
  ['locale', '!', 'the default is used'],
])('the attribute %s="%s" is explained', async (name, value, line) => {
  await named({ clientSecret: SECRET }, { [name]: value });
  expect(lines).toEqual([expect.stringContaining(line)]);
});

test('attributes of the page’s own are nobody’s business', async () => {
  await named(
    { clientSecret: SECRET },
    { class: 'x', 'data-test': 'x', 'aria-label': 'x', style: '', slot: 'x', lang: 'de' },
  );
  expect(lines).toEqual([]);
});

test.each<[string, () => Promise<unknown>, RegExp, RegExp]>([
  ['throws', () => Promise.reject(new Error(KEY)), /`getClientSecret` threw an error/, /^secret_failed /],
  ['returns nothing', async () => undefined, /must resolve with the `clientSecret`/, /^secret_missing /],
  [
    'returns an object',
    async () => ({ clientSecret: SECRET }),
    /must resolve with the `clientSecret`/,
    /^secret_missing /,
  ],
])('getClientSecret that %s', async (_, getClientSecret, line, fault) => {
  const widget = await named({ getClientSecret: getClientSecret as () => Promise<string> });
  await widget.start();
  expect(lines).toEqual([expect.stringMatching(line)]);
  expect(faults).toEqual([expect.stringMatching(fault)]);
  expect([...lines, ...faults].join()).not.toMatch(/sk_live|0123456789/);
});

test('getClientSecret that never answers ends after 10 seconds with a way on', async () => {
  vi.useFakeTimers();
  const widget = await named({ getClientSecret: () => new Promise(() => undefined) });
  const started = widget.start();
  await settle();
  vi.advanceTimersByTime(10_000);
  expect(await started).toBe('error');
  expect(lines).toEqual([expect.stringContaining('did not answer within 10 s')]);
  await settle();
  expect(text(widget)).toContain('Try again');
});

test.each<[string, () => Response, RegExp]>([
  ['a revoked secret', () => problem(401, 'unauthorized'), /unauthorized: The payment proxy answered 401/],
  ['another service', () => new Response('<html>'), /Something other than the payment proxy answered/],
  ['a wrong path', () => new Response('no', { status: 404 }), /something other .* 404.*path of the endpoint/i],
])('%s is named', async (_, answer, line) => {
  proxy.intercept = answer;
  await named({ clientSecret: SECRET });
  await expect.poll(() => lines).toEqual([expect.stringMatching(line)]);
  expect(faults).toHaveLength(1);
});

test.each([
  ['an origin that no property lists', 'answers', ENDPOINT, `add ${location.origin} to the \`origins\``],
  ['another path of the proxy', 'answers', `${ENDPOINT}/v1`, 'Check host, port and path of the endpoint.'],
  ['a proxy that does not run', 'fails', 'https://nobody.example', 'nothing answers there'],
] as const)('%s: the console says what to do', async (_, probe, endpoint, line) => {
  failNetwork(probe);
  await named({ clientSecret: SECRET, endpoint });
  await expect.poll(() => lines).toEqual([expect.stringContaining(line)]);
  expect(faults).toEqual([expect.stringMatching(/^network /)]);
});

test('a call that is lost once the session was read says nothing of the origin', async () => {
  const widget = await mount('pay-widget', { clientSecret: SECRET });
  failNetwork('answers');
  vi.useFakeTimers();
  await widget.start();
  await vi.advanceTimersByTimeAsync(200);
  expect(faults).toEqual([expect.stringMatching(/^network /)]);
  expect(lines).toEqual([]);
});

test('another library’s element is named where the tag is taken', () => {
  customElements.define('pay-taken', class extends HTMLElement {});
  defineElement('pay-taken', class extends HTMLElement {});
  expect(lines).toEqual([expect.stringMatching(/^<pay-taken> is defined twice/)]);
});

test('each cause is told once, however often it comes up', async () => {
  proxy.intercept = () => problem(401, 'unauthorized');
  const widget = await named({ clientSecret: SECRET });
  await widget.resume();
  await widget.resume();
  await settle();
  expect(lines).toHaveLength(1);
});

test('an element that is used as documented says nothing', async () => {
  const widget = await mount('pay-widget', { clientSecret: SECRET });
  await widget.start();
  proxy.moveTo('succeeded');
  await widget.resume();
  await settle();
  expect(widget.checkout?.id).toBe(SESSION_ID);
  expect(lines).toEqual([]);
});

test('getClientSecret set by jQuery’s prop, which calls it: the console says so at once, and so does the click', async () => {
  const widget = await named({});
  // A function as the value is called, and what it returns is set.
  Object.assign(widget, { getClientSecret: Promise.resolve(SECRET) });
  await settle();
  expect(lines).toEqual([
    expect.stringMatching(/configuration: `getClientSecret` is no function\. jQuery’s `\.prop` calls/),
  ]);
  expect(lines[0]).not.toContain(SECRET);

  await widget.start();
  expect(faults).toEqual([expect.stringMatching(/^configuration - `getClientSecret` is no function/)]);
  expect(proxy.requests).toEqual([]);
  expect(lines).toHaveLength(1);
});
