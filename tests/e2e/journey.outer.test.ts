import type { Page } from 'playwright';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { demoInBrowser } from '../support/demo-in-browser.ts';
import { bookStay, openHostedPage, payOnHostedPage, signIn } from '../support/guest.ts';
import { watchLayoutShifts } from '../support/layout-shifts.ts';
import { openWatchedPage } from '../support/watched-page.ts';

const demo = demoInBrowser();
let page: Page;
let problems: string[];

beforeEach(async () => {
  ({ page, problems } = await openWatchedPage(demo.browser));
});
afterEach(async () => {
  await page.context().close();
  expect(problems).toEqual([]);
});

test('the confirmation that is open when the hotel gives up waiting says so', async () => {
  await bookStay(page, demo.stack.demoUrl);
  const confirmation = `${page.url()}/confirmation`;
  await openHostedPage(page);
  await page.goto(confirmation);
  const status = page.locator('payment-status');
  await expect.poll(() => status.getAttribute('state')).toBe('waiting');
  // As the proxy answers an hour later.
  await page.route(`${demo.stack.proxyUrl}/v1/checkout`, async (route) => {
    const response = await route.fetch();
    const view = await response.json();
    await route.fulfill({ response, json: { ...view, status: 'open', seq: view.seq + 1, nextPollMs: null } });
  });
  const loadedAgain = page.waitForEvent('load');
  await page.evaluate(() => dispatchEvent(new Event('focus')));
  await loadedAgain;
  await status.getByText('Not completed yet').waitFor();
});

test('the desk on the page shows a code to scan, under the page’s policy', async () => {
  await signIn(page, demo.stack.demoUrl);
  const desk = page.locator('payments-desk');
  await desk.getByRole('button', { name: 'Request payment' }).click();
  await desk.getByLabel('Amount').fill('25');
  await desk.getByLabel('Reference').fill('RES-QR');
  await desk.getByRole('button', { name: 'Create link' }).click();
  await desk.getByRole('button', { name: 'QR code' }).click();
  const code = desk.getByRole('img', { name: 'QR code' });
  await expect.poll(() => code.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBeGreaterThan(0);
});

test('a desk whose person has signed out asks to sign in', async () => {
  await signIn(page, demo.stack.demoUrl);
  await page.context().clearCookies();
  await page.locator('payments-desk').evaluate((desk) => {
    // As the element does when a secret has ended.
    void (desk as unknown as { getClientSecret(): Promise<string> }).getClientSecret().catch(() => {});
  });
  await page.getByText('Who are you?').waitFor();
  // The answer that says so.
  expect(problems.splice(0)).toEqual([expect.stringContaining('401')]);
});

describe.each([375, 1280])('nothing jumps at %i px', (width) => {
  test('on the page to pay and on the confirmation', async () => {
    const guest = await openWatchedPage(demo.browser, { viewport: { width, height: 800 } });
    const { page } = guest;
    const shifts = await watchLayoutShifts(page);
    await page.goto(demo.stack.demoUrl);
    expect(await shifts()).toEqual([]);
    for (const plan of ['Pay the whole stay now', 'Leave a card, pay at the hotel']) {
      await bookStay(page, demo.stack.demoUrl, plan);
      await page.locator('[client-secret]').getByRole('button').waitFor();
      expect(await shifts()).toEqual([]);
      await openHostedPage(page);
      await payOnHostedPage(page);
      await page.getByRole('heading', { name: 'Your stay is booked' }).waitFor();
      await page.locator('payment-status [part~="receipt"]').getByText('4242').waitFor();
      expect(await shifts()).toEqual([]);
    }
    await page.context().close();
    expect(guest.problems).toEqual([]);
  });
});
