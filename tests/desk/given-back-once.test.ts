// Money that two clerks would refund twice, in front of the real proxy: the payment service has it once, and everybody sees it.
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DeskOffice, startDeskOffice } from '../support/desk-office.ts';
import { launchBrowser } from '../support/guest.ts';

let office: DeskOffice;
let browser: Browser;

beforeAll(async () => {
  [office, browser] = await Promise.all([startDeskOffice(), launchBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await office?.close();
});

test('two clerks at once: one refunds it, the other is shown what is there already', async () => {
  const payment = await office.takePayment('RES-1', 33_000);
  const [anna, bert] = await Promise.all([comeIn('anna', payment), comeIn('bert', payment)]);
  const pages = [anna, bert];
  await Promise.all(pages.map(fillIn));
  await Promise.all(pages.map((page) => confirmed(page).click()));
  const held = 'This looks like a duplicate. Nothing was sent.';
  const [first, second] = await Promise.all(pages.map(outcomeOf));
  expect([first, second].sort()).toEqual(['Refunded.', held]);
  const [giver, other] = first === held ? ['bert', anna] : ['anna', bert];
  await other.getByText(new RegExp(`€20\\.00 · .* · by ${giver}`)).waitFor();
  await other.getByRole('button', { name: 'It’s a duplicate: don’t send' }).click();

  // In the books of the payment service, and on both screens without a reload.
  for (const page of pages) {
    // A page that somebody looks at again asks at once what is new.
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    const timeline = page.getByRole('region', { name: 'Timeline' });
    await timeline.getByText(`by ${giver}`).waitFor();
    expect(await timeline.getByText('Refund of €20.00').count()).toBe(1);
    await page.locator('payment-details').getByText('Partially refunded', { exact: true }).waitFor();
  }
  expect(office.stack.sandbox.control.ledger().reversals.map(({ amount }) => amount)).toEqual([2_000]);
});

/** A person's own desk in a browser of their own, with the payment open. */
async function comeIn(person: string, payment: string): Promise<Page> {
  const page = await browser.newPage({ locale: 'en-US', viewport: { width: 1280, height: 800 } });
  await page.goto(`${office.pageUrl({ lang: 'en', width: 1280, person })}#payment=${payment}`);
  await page.getByRole('heading', { name: 'RES-1' }).waitFor();
  return page;
}

async function fillIn(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Refund', exact: true }).click();
  await page.getByLabel('Amount in EUR').fill('20.00');
  await page.getByLabel('Reason').selectOption({ label: 'Service issue' });
  await page.getByRole('button', { name: 'Continue' }).click();
  await confirmed(page).waitFor();
}

const confirmed = (page: Page) => page.getByRole('button', { name: 'Refund €20.00', exact: true });

/** What the form says once it has an answer, or none. */
async function outcomeOf(page: Page): Promise<string> {
  const message = page.locator('.action .message').filter({ hasNotText: /^Sending|^Refund €/ });
  await message.waitFor();
  return (await message.textContent()) ?? '';
}
