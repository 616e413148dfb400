import type { Browser, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { bookStay, launchBrowser, openHostedPage, payOnHostedPage } from '../support/guest.ts';
import { startWorkersStack, type WorkersStack } from './workers-stack.ts';

let stack: WorkersStack;
let browser: Browser;
let page: Page;
let complaints: string[];

beforeAll(async () => {
  [stack, browser] = await Promise.all([startWorkersStack(), launchBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await stack?.close();
});
beforeEach(async () => {
  page = await (await browser.newContext({ locale: 'en-US' })).newPage();
  complaints = [];
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
});
afterEach(async () => {
  await page.context().close();
});

test('a guest of the deployed demo books, pays and gets a receipt', async () => {
  await bookStay(page, stack.addresses.hotel);
  await openHostedPage(page);
  await payOnHostedPage(page);
  await page.waitForURL('**/confirmation?checkout_session=*');
  await page.getByRole('heading', { name: 'Your stay is booked' }).waitFor();
  const receipt = page.locator('payment-status [part~="receipt"]');
  await receipt.getByText('€330.00').first().waitFor();
  expect(complaints).toEqual([]);
});

test('a booking and its payment outlive the memory of the hotel and of the payment service', async () => {
  await withoutFeed();
  await bookStay(page, stack.addresses.hotel);
  const booking = page.url();
  await openHostedPage(page);
  await stack.evict('hotel');
  await stack.evict('sandbox');
  await payOnHostedPage(page);
  await page.waitForURL('**/confirmation?checkout_session=*');
  await page.getByRole('heading', { name: 'Your stay is booked' }).waitFor();
  await stack.evict('hotel');
  await page.goto(booking);
  expect(await page.locator('main').textContent()).toContain('Ada Lovelace');
});

test('a card left as a guarantee can be charged after everybody forgot', async () => {
  await withoutFeed();
  await bookStay(page, stack.addresses.hotel, 'Leave a card, pay at the hotel');
  await openHostedPage(page);
  await payOnHostedPage(page);
  await page.getByRole('heading', { name: 'Your stay is booked' }).waitFor();
  const id = new URL(page.url()).pathname.split('/')[2];
  await stack.evict('hotel');
  await stack.evict('sandbox');
  await page.goto(`${stack.addresses.hotel}/desk/${id}`);
  await page.getByLabel('Amount in EUR').fill('165.00');
  await page.getByLabel('Reason').selectOption('Late charge');
  await page.getByRole('button', { name: 'Charge', exact: true }).click();
  await page.getByText('Charge of €165.00: succeeded.').waitFor();
});

test('a deployed demo says on its pages that it is one, and at the desk that it takes test cards only', async () => {
  for (const path of ['/', '/desk', '/desk/telephone']) {
    await page.goto(`${stack.addresses.hotel}${path}`);
    await page.getByText('No real money moves').waitFor();
  }
  await page.getByText('Test cards only').waitFor();
});

test('a charge whose answer breaks off is unknown, and was made once', async () => {
  await withoutFeed();
  await bookStay(page, stack.addresses.hotel, 'Leave a card, pay at the hotel');
  await openHostedPage(page);
  await payOnHostedPage(page);
  await page.getByRole('heading', { name: 'Your stay is booked' }).waitFor();
  const before = await chargesOfSandbox();
  const fault = new URLSearchParams({ choice: 'pay/answer-lost', times: '1' });
  expect(
    (
      await fetch(`${stack.addresses.hotel}/wire/faults`, {
        method: 'POST',
        headers: { origin: stack.addresses.hotel },
        body: fault,
      })
    ).ok,
  ).toBe(true);

  await page.goto(`${stack.addresses.hotel}/desk/${new URL(page.url()).pathname.split('/')[2]}`);
  await page.getByLabel('Amount in EUR').fill('12.34');
  await page.getByRole('button', { name: 'Charge', exact: true }).click();
  await page.getByText('Charge of €12.34: unknown. Money may have moved').waitFor();
  expect((await chargesOfSandbox()).slice(before.length)).toEqual([1_234]);
});

test('the hotel’s clock stays where it was moved to after its object was evicted', async () => {
  const before = await firstArrival();
  const form = new URLSearchParams({ step: 'day' });
  expect(
    (
      await fetch(`${stack.addresses.hotel}/wire/clock`, {
        method: 'POST',
        headers: { origin: stack.addresses.hotel },
        body: form,
      })
    ).status,
  ).toBe(200);
  await stack.evict('hotel');
  expect(Date.parse(await firstArrival()) - Date.parse(before)).toBe(86_400_000);
});

/** Amounts that the payment service has taken, oldest first. */
async function chargesOfSandbox(): Promise<number[]> {
  const { charges } = await (await fetch(`${stack.addresses.sandbox}/__sandbox/ledger`)).json();
  return charges.map(({ amount }: { amount: number }) => amount);
}

/** The arrival day that the booking form proposes. */
async function firstArrival(): Promise<string> {
  const form = await (await fetch(stack.addresses.hotel)).text();
  return /name="arrival"[^>]*value="([^"]+)"/.exec(form)?.[1] ?? '';
}

/** A page of the hotel reads the panel's feed, and an object with a reader is not idle. */
async function withoutFeed(): Promise<void> {
  await page.route('**/wire/exchanges?*', (route) => route.abort());
}
