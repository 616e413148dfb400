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
