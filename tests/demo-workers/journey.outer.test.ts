// The demo as it is deployed, three Workers from the bundles that would be uploaded: one guest in a browser, the rest over plain HTTP.
import { createSandbox } from '@innkeep/sandbox';
import type { Browser } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as formGuest from '../support/form-guest.ts';
import { bookStay, launchBrowser, openHostedPage, payOnHostedPage } from '../support/guest.ts';
import { openWatchedPage } from '../support/watched-page.ts';
import { startWorkersStack, type WorkersStack } from './workers-stack.ts';

const { follow, press, signIn, visit } = formGuest;

const NO_SHOW = 'No-show: charge €165.00';

let stack: WorkersStack;
let browser: Browser;

/** What the browser received, as text, by path. */
const received: Array<{ readonly path: string; readonly text: string }> = [];

beforeAll(async () => {
  [stack, browser] = await Promise.all([startWorkersStack(), launchBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await stack?.close();
});

test('a guest of the deployed demo books, pays and gets a receipt', async () => {
  const { page, problems } = await openWatchedPage(browser);
  const pending: Array<Promise<void>> = [];
  page.on('response', (response) => {
    const read = async (): Promise<void> => {
      const headers = JSON.stringify(await response.allHeaders());
      // A redirect and a page already left have no body to read.
      const body = await response.text().catch(() => '');
      received.push({ path: new URL(response.url()).pathname, text: `${headers}\n${body}` });
    };
    pending.push(read());
  });
  await bookStay(page, stack.addresses.hotel);
  await openHostedPage(page);
  await payOnHostedPage(page);
  await page.waitForURL('**/confirmation?checkout_session=*');
  await page.getByRole('heading', { name: 'Your stay is booked' }).waitFor();
  const receipt = page.locator('payment-status [part~="receipt"]');
  await receipt.getByText('€330.00').first().waitFor();
  await receipt.getByText('4242').first().waitFor();
  await Promise.all(pending);
  await page.context().close();
  expect(problems).toEqual([]);
});

test('the panel of the deployed demo shows what went between all who take part', async () => {
  const between = async (): Promise<string[]> => {
    const { html } = await visit(`${stack.addresses.hotel}/wire`);
    const rows = html.matchAll(/data-from="(\w+)" data-to="(\w+)"/g);
    return [...new Set(Array.from(rows, ([, from, to]) => `${from} ${to}`))].sort();
  };
  // The webhook follows the payment by a moment.
  await expect
    .poll(between)
    .toEqual(['browser hotel', 'browser proxy', 'browser upstream', 'hotel proxy', 'proxy hotel', 'proxy upstream']);
});

test('no credential is in anything that the browser received', async () => {
  const credentials = [...Object.values(stack.secrets), await bearerToken()];
  received.push({ path: '/wire', text: (await visit(`${stack.addresses.hotel}/wire`)).html });
  expect(received.length).toBeGreaterThan(8);
  for (const credential of credentials) {
    expect(received.filter(({ text }) => text.includes(credential)).map(({ path }) => path)).toEqual([]);
    expect(stack.output()).not.toContain(credential);
  }
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

describe('after everybody forgot', () => {
  test('a booking and its payment go on', async () => {
    const booking = await formGuest.bookStay(stack.addresses.hotel);
    const hosted = await formGuest.openHostedPage(booking);
    await stack.evict('hotel');
    await stack.evict('sandbox');
    await formGuest.payOnHostedPage(hosted);
    await isBooked(booking);
    await stack.evict('hotel');
    expect((await visit(booking.url)).text).toContain('Ada Lovelace');
  });

  test('a card that was keyed in can be charged, by whoever is still signed in', async () => {
    const desk = await keyInCard();
    const before = await chargesOfSandbox();
    await stack.evict('hotel');
    await stack.evict('sandbox');
    await press(await nextDayOf(desk), NO_SHOW);
    expect((await chargesOfSandbox()).slice(before.length)).toEqual([16_500]);
  });

  test('the hotel’s clock stays where it was moved to', async () => {
    const before = await firstArrival();
    await nextDay();
    await stack.evict('hotel');
    expect(Date.parse(await firstArrival()) - Date.parse(before)).toBe(86_400_000);
  });
});

test('a deployed demo says on its pages that it is one, and at the desk that it takes test cards only', async () => {
  const desk = await signIn(stack.addresses.hotel);
  const telephone = await follow(desk, 'Telephone');
  for (const { text } of [await visit(stack.addresses.hotel), desk, telephone])
    expect(text).toContain('No real money moves');
  expect(telephone.text).toContain('Test cards only');
});

test('a charge whose answer breaks off is unknown, and was made once', async () => {
  const desk = await keyInCard();
  const before = await chargesOfSandbox();
  const fault = await visit(`${stack.addresses.hotel}/wire/faults`, {
    method: 'POST',
    body: new URLSearchParams({ choice: 'pay/answer-lost', times: '1' }),
  });
  expect(fault.status).toBe(200);
  const due = await nextDayOf(desk);
  for (const _ of ['once', 'again']) await press(due, NO_SHOW);
  await expect.poll(async () => (await again(desk)).text).toContain('charge.unknown');
  expect((await chargesOfSandbox()).slice(before.length)).toEqual([16_500]);
});

/** A booking by telephone, at the desk. */
async function keyInCard(): Promise<formGuest.Visit> {
  const form = await follow(await signIn(stack.addresses.hotel), 'Telephone');
  const card = { card_number: formGuest.GOOD_CARD, expiry: '12/31', cvc: '737' };
  return press(form, 'Book and save the card', { ...card, guest: 'Ada Lovelace' });
}

/** The guest has not come. */
async function nextDayOf(desk: formGuest.Visit): Promise<formGuest.Visit> {
  await nextDay();
  return again(desk);
}

function again({ url, cookie }: formGuest.Visit): Promise<formGuest.Visit> {
  return visit(url, { headers: { cookie } });
}

async function nextDay(): Promise<void> {
  const body = new URLSearchParams({ step: 'day' });
  expect((await visit(`${stack.addresses.hotel}/wire/clock`, { method: 'POST', body })).status).toBe(200);
}

async function isBooked({ url }: formGuest.Visit): Promise<void> {
  await expect.poll(async () => (await visit(`${url}/confirmation`)).text).toContain('Your stay is booked');
}

/** Amounts that the payment service has taken, oldest first. */
async function chargesOfSandbox(): Promise<number[]> {
  const { charges } = await (await fetch(`${stack.addresses.sandbox}/__sandbox/ledger`)).json();
  return charges.map(({ amount }: { amount: number }) => amount);
}

/** The arrival day that the booking form proposes. */
async function firstArrival(): Promise<string> {
  const { html } = await visit(stack.addresses.hotel);
  return /name="arrival"[^>]*value="([^"]+)"/.exec(html)?.[1] ?? '';
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
