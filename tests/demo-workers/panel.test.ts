import { createSandbox } from '@innkeep/sandbox';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bookStay, launchBrowser, openHostedPage, payOnHostedPage } from '../support/guest.ts';
import { startWorkersStack, type WorkersStack } from './workers-stack.ts';

let stack: WorkersStack;
let browser: Browser;
let page: Page;
let bookingPath: string;

/** What the browser received, as text, by path. */
const received: Array<{ readonly path: string; readonly text: string }> = [];

beforeAll(async () => {
  [stack, browser] = await Promise.all([startWorkersStack(), launchBrowser()]);
  page = await (await browser.newContext({ locale: 'en-US' })).newPage();
  const pending: Array<Promise<void>> = [];
  page.on('response', (response) => {
    const read = async (): Promise<void> => {
      const headers = JSON.stringify(await response.allHeaders());
      // A redirect, a page already left and a stream have no body to read.
      const isStream = (await response.headerValue('content-type'))?.startsWith('text/event-stream') === true;
      const body = isStream ? '' : await response.text().catch(() => '');
      received.push({ path: new URL(response.url()).pathname, text: `${headers}\n${body}` });
    };
    pending.push(read());
  });
  await bookStay(page, stack.addresses.hotel);
  bookingPath = new URL(page.url()).pathname;
  await openHostedPage(page);
  await payOnHostedPage(page);
  await page.getByRole('heading', { name: 'Your stay is booked' }).waitFor();
  await page.locator('payment-status').getByText('4242').first().waitFor();
  await Promise.all(pending);
});
afterAll(async () => {
  await browser?.close();
  await stack?.close();
});

test.each([
  ['browser', 'hotel'],
  ['hotel', 'proxy'],
  ['browser', 'proxy'],
  ['proxy', 'upstream'],
  ['browser', 'upstream'],
  ['proxy', 'hotel'],
])('the panel of the deployed demo shows what went from %s to %s', async (from, to) => {
  // The webhook follows the payment by a moment.
  await expect.poll(() => viewOf('requests')).toMatch(new RegExp(`data-from="${from}" data-to="${to}"`));
});

test('no credential is in anything that the browser received', async () => {
  const credentials = [...Object.values(stack.secrets), await bearerToken()];
  expect(received.length).toBeGreaterThan(8);
  for (const credential of credentials) {
    expect(received.filter(({ text }) => text.includes(credential)).map(({ path }) => path)).toEqual([]);
    expect(stack.output()).not.toContain(credential);
  }
});

test.each([
  ['faults', 'answer-lost'],
  ['clock', '2026-'],
  ['code', 'checkoutSessions.create'],
] as const)('the view “%s” has what it shows', async (view, part) => {
  expect(await viewOf(view)).toContain(part);
});

test('the panel’s feed tells of a request while it is open', async () => {
  const feed = await fetch(`${stack.addresses.hotel}/wire/exchanges?scope=all`);
  const reader = feed.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  const readUntil = async (part: string): Promise<void> => {
    while (!text.includes(part)) text += (await reader?.read())?.value ?? '';
  };
  await readUntil('event: rows');
  await fetch(`${stack.addresses.hotel}/bookings/0000000000NEWREQUEST`);
  await readUntil('/bookings/0000000000NEWREQUEST');
  await reader?.cancel();
});

test('the documentation goes out under its own policy, with a page for what it does not have', async () => {
  const home = await fetch(`${stack.addresses.hotel}/docs/`);
  expect([home.status, home.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(home.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self' .*'sha256-/);
  const twin = await fetch(`${stack.addresses.hotel}/docs/index.md`);
  expect([twin.status, twin.headers.get('content-type')]).toEqual([200, 'text/markdown; charset=utf-8']);
  const list = await fetch(`${stack.addresses.hotel}/docs/llms.txt`);
  expect([list.status, list.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
  const bare = await fetch(`${stack.addresses.hotel}/docs`, { redirect: 'manual' });
  expect([bare.status, bare.headers.get('location')]).toEqual([307, '/docs/']);
  const missing = await fetch(`${stack.addresses.hotel}/docs/no/such/page/`);
  expect([missing.status, missing.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
});

/** A view of the panel, about the booking of this test. */
async function viewOf(view: 'requests' | 'faults' | 'clock' | 'code'): Promise<string> {
  const answer = await fetch(`${stack.addresses.hotel}/wire/view?${new URLSearchParams({ view, from: bookingPath })}`);
  expect(answer.status).toBe(200);
  return answer.text();
}

/** What the sandbox gave the proxy: the same seed and the same call give the same token. */
async function bearerToken(): Promise<string> {
  const { username, password } = stack.secrets;
  const answer = await createSandbox({ username, password }).fetch('https://sandbox.test/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password }),
  });
  const { access_token: token } = (await answer.json()) as { access_token: string };
  expect(token.length).toBeGreaterThan(40);
  return token;
}
