import { type Browser, chromium, type Page } from 'playwright';
import { CHROMIUM_ARGS, findChromium } from '../../scripts/chromium.ts';
import { PATIENT } from '../../scripts/test-limits.ts';
import { GOOD_CARD } from './form-guest.ts';

/** A real Chromium without a window, as patient as the tests. */
export async function launchBrowser(): Promise<Browser> {
  const browser = await chromium.launch({ executablePath: findChromium() ?? '', args: [...CHROMIUM_ARGS] });
  browser.on('context', (context) => context.setDefaultTimeout(PATIENT.timeout));
  return browser;
}

/** Fills the demo hotel's form and ends on the page with the widget. Answers with the checkout session's id. */
export async function bookStay(
  page: Page,
  demoUrl: string,
  plan = 'Pay the whole stay now',
  guest = 'Ada Lovelace',
): Promise<string> {
  await page.goto(demoUrl);
  await page.getByLabel(plan).check();
  await page.getByLabel('Your name').fill(guest);
  await page.getByRole('button', { name: 'Continue to payment' }).click();
  await page.waitForURL('**/bookings/*');
  const clientSecret = await page.locator('[client-secret]').getAttribute('client-secret');
  return (clientSecret ?? '').split('_').slice(0, 2).join('_');
}

/** Signs in at the desk of the demo hotel, as somebody who may do everything there, and waits for its payments. */
export async function signIn(page: Page, demoUrl: string): Promise<void> {
  await page.goto(`${demoUrl}/desk`);
  await page.getByRole('button', { name: /^Max/ }).click();
  await page.locator('payments-desk').getByRole('heading', { name: 'Today' }).waitFor();
}

/** Clicks the widget's button and waits for the payment service's page. */
export async function openHostedPage(page: Page): Promise<void> {
  await page.locator('[client-secret], pay-widget').getByRole('button').click();
  await page.waitForURL(/\/(payment|create)\?/);
}

/** On the confirmation of an attempt that ended so: takes the next one that its element offers. */
export async function tryAgain(page: Page, heading: string): Promise<void> {
  await page.getByRole('heading', { name: heading }).waitFor();
  await page.locator('payment-status').getByRole('button', { name: 'Try again' }).click();
  await page.waitForURL(/\/(payment|create)\?/);
}

/** Fills in the hosted page and pays; does not wait for what comes after. */
export async function payOnHostedPage(page: Page, card: string = GOOD_CARD): Promise<void> {
  // By the standard autofill names: any hosted card form has them, in any language.
  await page.locator('[autocomplete="cc-number"]').fill(card);
  await page.locator('[autocomplete="cc-exp"]').fill('12/30');
  await page.locator('[autocomplete="cc-csc"]').fill('123');
  await page.locator('[autocomplete="cc-name"]').fill('Ada Lovelace');
  await page.getByRole('button', { name: /^(pay|save)/i }).click({ noWaitAfter: true });
}
