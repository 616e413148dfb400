/** What every quick start has to stand, whatever its site is made of. */
import type { Browser, Page } from 'playwright';
import { expect } from 'vitest';
import { DECLINED_CARD } from '../support/form-guest.ts';
import { openHostedPage, payOnHostedPage } from '../support/guest.ts';
import type { Site } from './site-folder.ts';

/** A guest is declined, turns back, pays in the third attempt and keeps the receipt; the hotel’s server is told. */
export async function payOnSite(browser: Browser, site: Site): Promise<void> {
  const context = await browser.newContext({ locale: 'en-US' });
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  page.on('pageerror', (error) => problems.push(error.message));

  const policy = (await page.goto(site.url))?.headers()['content-security-policy'] ?? '';
  expect(policy).toMatch(
    /^default-src 'none'; script-src (?:'self'|'nonce-[\w-]+' 'strict-dynamic'); connect-src 'self' http:/,
  );
  expect(policy).toContain("base-uri 'none'; form-action 'self'; frame-ancestors 'none'");
  expect(policy).not.toContain('unsafe-');
  await payButton(page).waitFor();
  // A guest who loads the page again stays with the same session.
  await page.reload();
  await payButton(page).waitFor();
  await openHostedPage(page);
  await payOnHostedPage(page, DECLINED_CARD);
  await page.getByRole('link', { name: 'Back to the hotel' }).click();
  await hasEnded(page, 'failed');
  await expect.poll(() => site.output()).toContain('RES-1234 is open');
  // Each attempt begins where the last one has ended, in the same session.
  const session = addressedSession(page);
  await tryAgain(page);
  await page.getByRole('button', { name: /cancel/i }).click();
  await hasEnded(page, 'canceled');
  await tryAgain(page);
  await payOnHostedPage(page);
  await page.waitForURL('**?checkout_session=cs_*');
  expect(addressedSession(page)).toBe(session);
  const receipt = page.locator('payment-status [part~="receipt"]');
  await receipt.getByText('€330.00').first().waitFor();
  await receipt.getByText('4242').first().waitFor();
  await page.reload();
  await receipt.getByText('4242').first().waitFor();
  await expect.poll(() => site.output()).toContain('RES-1234 is succeeded');

  // Paid is paid: the booking page offers no second payment.
  await page.goto(site.url);
  await page.getByText('Payment complete').first().waitFor();
  expect(await page.getByRole('button', { name: /pay/i }).count()).toBe(0);
  // The receipt stands: on the way back, and on a second visit.
  await page.goBack();
  await receipt.getByText('4242').first().waitFor();
  const secondVisit = await context.newPage();
  await secondVisit.goto(page.url());
  await secondVisit.locator('payment-status [part~="receipt"]').getByText('4242').first().waitFor();
  expect(problems).toEqual([]);
  await context.close();
}

/** The return page tells how an attempt has ended, and tells it again. */
async function hasEnded(page: Page, state: 'failed' | 'canceled'): Promise<void> {
  await page.waitForURL('**?checkout_session=cs_*');
  await page.locator(`payment-status[state="${state}"]`).waitFor();
  await page.reload();
  await page.locator(`payment-status[state="${state}"]`).waitFor();
}

async function tryAgain(page: Page): Promise<void> {
  await page.locator('payment-status').getByRole('button', { name: 'Try again' }).click();
  await page.waitForURL(/\/payment\?/);
}

function addressedSession(page: Page): string | null {
  return new URL(page.url()).searchParams.get('checkout_session');
}

function payButton(page: Page) {
  return page.getByRole('button', { name: 'Pay €330.00' });
}
