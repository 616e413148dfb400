import type { Browser } from 'playwright';
import { expect } from 'vitest';
import type { FakeHotel } from '../support/fake-hotel.ts';

/** A module of such a page. The address carries what a hotel's server would put into the page. */
export const FROM_ADDRESS = `
export const address = new URLSearchParams(globalThis.location?.search);
export const endpoint = address.get('endpoint') ?? undefined;
export const clientSecret = address.get('secret') ?? undefined;
`;

/** A guest pays on a page that takes its session from the address and says in `#paid` what was paid. One payment was begun. */
export async function payOnce(browser: Browser, hotel: FakeHotel, path: string): Promise<void> {
  const context = await browser.newContext();
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('pageerror', ({ message }) => problems.push(message));
  const url = `${hotel.siteUrl}${path}`;
  const { id, clientSecret } = hotel.openSession(url);
  await page.goto(`${url}?${new URLSearchParams({ endpoint: hotel.proxyUrl, secret: clientSecret })}`);
  const before = hotel.proxyRequests.length;
  await page.locator('pay-widget').getByRole('button', { name: 'Pay €120.00' }).click();
  await page.waitForURL('**/payment?**');
  await page.getByText('pay', { exact: true }).click();
  await expect.poll(() => page.locator('#paid').textContent()).toBe(id);

  expect(await page.locator('pay-widget').getByText('Payment complete').first().isVisible()).toBe(true);
  expect(hotel.proxyRequests.slice(before).filter((request) => request.startsWith('POST'))).toEqual([
    'POST /v1/checkout/start',
  ]);
  expect(problems).toEqual([]);
  await context.close();
}
