import type { Browser, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { bookStay, launchBrowser, openHostedPage, payOnHostedPage } from '../support/guest.ts';
import { type StackProcess, startStackProcess } from '../support/stack-process.ts';

let stack: StackProcess;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  [stack, browser] = await Promise.all([startStackProcess(), launchBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});
beforeEach(async () => {
  page = await (await browser.newContext({ locale: 'en-US', viewport: { width: 375, height: 800 } })).newPage();
});
afterEach(() => page.context().close());

describe('the front desk, on a phone', () => {
  test('charges the card on file and gives a part of it back', async () => {
    await bookStay(page, stack.demoUrl, 'Leave a card, pay at the hotel');
    await openHostedPage(page);
    await payOnHostedPage(page);
    await page.getByRole('heading', { name: 'Your stay is booked' }).waitFor();

    await openNewestBooking();
    await page.getByLabel('Amount in EUR').fill('165.00');
    await page.getByLabel('Reason').selectOption('Late charge');
    await page.getByRole('button', { name: 'Charge', exact: true }).click();
    await page.getByText('Charge of €165.00: succeeded.').waitFor();
    await page.getByLabel('Give back').fill('65.00');
    await page.getByRole('button', { name: 'Reverse' }).click();
    await page.getByText('Reversal of €65.00: succeeded.').waitFor();
    await page.getByLabel('Give back').fill('100.01');
    await page.getByRole('button', { name: 'Reverse' }).click();
    await page.getByText('400 invalid_request').waitFor();

    const ledger = await (await fetch(`${stack.sandboxUrl}/__sandbox/ledger`)).json();
    expect(ledger.charges.map((charge: { amount: number }) => charge.amount)).toEqual([16_500]);
    expect(ledger.reversals.map((reversal: { amount: number }) => reversal.amount)).toEqual([6_500]);
  });

  test('hands out a link that a guest pays without JavaScript', async () => {
    await bookStay(page, stack.demoUrl, 'Pay a deposit of 30 % now');
    await openNewestBooking();
    await page.getByRole('button', { name: 'Make a link and a QR code' }).click();
    await expect
      .poll(() =>
        page.getByRole('img', { name: 'QR code' }).evaluate((image) => (image as HTMLImageElement).naturalWidth),
      )
      .toBeGreaterThan(0);
    const link = (await page.getByRole('link', { name: 'Open the payment page' }).getAttribute('href')) ?? '';

    const guest = await (await browser.newContext({ javaScriptEnabled: false, locale: 'en-US' })).newPage();
    await guest.goto(link);
    await guest.getByText('99.00').first().waitFor();
    await guest.getByRole('button').first().click();
    await guest.waitForURL(/\/payment\?/);
    await payOnHostedPage(guest);
    await guest.waitForURL(`${stack.proxyUrl}/**`);
    await guest.getByText('4242').first().waitFor();
    await guest.context().close();

    await expect
      .poll(async () => {
        await openNewestBooking();
        return page.locator('.money-rows .badge').first().textContent();
      })
      .toBe('succeeded');
  });
});

async function openNewestBooking(): Promise<void> {
  await page.goto(`${stack.demoUrl}/desk`);
  await page.locator('.list a').first().click();
  await page.waitForURL('**/desk/*');
}
