import type { Page } from 'playwright';
import { beforeAll, expect, test } from 'vitest';
import { violationsOf } from '../support/axe.ts';
import { demoInBrowser } from '../support/demo-in-browser.ts';
import { bookStay, openHostedPage, payOnHostedPage, signIn } from '../support/guest.ts';
import { openWatchedPage } from '../support/watched-page.ts';

const GUARANTEE = 'Leave a card, pay at the hotel';

const demo = demoInBrowser();
/** What to look at: a name, its address, and what shows that it is ready. */
const places: Array<{ readonly name: string; readonly path: string; readonly ready?: string }> = [];

// The bookings are made once; each check of them is then a visit.
beforeAll(async () => {
  const { page, problems } = await openWatchedPage(demo.browser);
  const see = (name: string, path: string, ready?: string): void => {
    places.push({ name, path, ...(ready === undefined ? {} : { ready }) });
  };
  const path = (): string => new URL(page.url()).pathname;

  see('front page', '/');
  await bookStay(page, demo.stack.demoUrl);
  see('booking', path(), 'pay-widget [part~="button"]');
  await bookStay(page, demo.stack.demoUrl, GUARANTEE);
  see('booking with a card', path(), 'save-card-widget [part~="button"]');
  await bookStay(page, demo.stack.demoUrl, GUARANTEE);
  await openHostedPage(page);
  await payOnHostedPage(page);
  await page.getByRole('heading', { name: 'Your stay is booked' }).waitFor();
  see('confirmation of a card', path(), 'payment-status [part~="receipt"]');
  await bookStay(page, demo.stack.demoUrl, undefined, 'Ada Donaudampfschifffahrtskapitänswitwe');
  await openHostedPage(page);
  await payOnHostedPage(page);
  await page.getByRole('heading', { name: 'Your stay is booked' }).waitFor();
  see('confirmation', path(), 'payment-status [part~="receipt"]');
  await bookStay(page, demo.stack.demoUrl);
  await openHostedPage(page);
  await page.getByRole('button', { name: /cancel/i }).click();
  await page.getByRole('heading', { name: 'The payment was canceled' }).waitFor();
  see('confirmation of a cancellation', path(), 'payment-status [part~="status"]');
  const today = 'payments-desk payments-list [data-payment]';
  see('desk', '/desk', today);
  see('desk without a match', '/desk?q=nobody', today);
  see('telephone booking', '/desk/telephone');
  see('rooms', '/desk/rooms');
  see('a room', '/desk/rooms?room=101', '.room-answer details');
  see('a room that is not there', '/desk/rooms?room=999', '.problem');
  see('not found', '/nowhere');
  see('wire panel', '/wire', 'ol li');
  await page.context().close();
  expect(problems).toEqual([]);
});

// Colours do not depend on the width, nor the layout on the colours: two runs see what four would. 320 px are what 400 % of a usual
// window leave.
test.each([
  { colorScheme: 'light', width: 320 },
  { colorScheme: 'dark', width: 1280 },
] as const)('axe finds nothing and nothing is too wide, $colorScheme, $width px', async ({ colorScheme, width }) => {
  // The pages forbid foreign scripts, and the test’s own is one.
  const options = { colorScheme, bypassCSP: true, viewport: { width, height: 800 } };
  const { page } = await openWatchedPage(demo.browser, options);
  const found: Record<string, string[]> = {};
  const look = async (name: string): Promise<void> => {
    found[name] = await violationsOf(page);
    await fits(page, name);
  };
  await page.goto(`${demo.stack.demoUrl}/desk`);
  await look('sign-in');
  await signIn(page, demo.stack.demoUrl);
  for (const { name, path, ready } of places) {
    await page.goto(`${demo.stack.demoUrl}${path}`);
    if (ready !== undefined) await page.locator(ready).first().waitFor();
    await look(name);
  }
  await page.goto(demo.stack.demoUrl);
  await page.getByRole('button', { name: 'Continue to payment' }).click();
  await page.getByRole('heading', { name: 'Almost there' }).waitFor();
  await look('front page with errors');
  await page.goto(`${demo.stack.demoUrl}/desk/telephone`);
  await page.getByRole('button', { name: 'Book and save the card' }).click();
  await page.getByRole('alert').waitFor();
  await look('telephone booking with errors');
  await page.goto(`${demo.stack.demoUrl}/wire`);
  for (const text of ['Faults and clock', 'PUT /v1/']) await page.getByText(text).first().click();
  await look('wire panel, opened');
  await page.context().close();

  expect(Object.keys(found).length).toBeGreaterThan(15);
  expect(found).toEqual(Object.fromEntries(Object.keys(found).map((name) => [name, []])));
});

async function fits(page: Page, name: string): Promise<void> {
  const { scrollWidth, clientWidth } = await page.evaluate(() => document.documentElement);
  expect(`${name} is ${scrollWidth} wide`).toBe(`${name} is ${clientWidth} wide`);
  // A card cuts off what it has no room for.
  const cut = await page.evaluate(() =>
    [...document.querySelectorAll('.card')]
      .filter((each) => each.scrollWidth > each.clientWidth)
      .map(({ textContent }) => textContent),
  );
  expect([name, cut]).toEqual([name, []]);
}
