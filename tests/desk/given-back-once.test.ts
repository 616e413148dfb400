// Money that two clerks or a lost answer would refund twice, in front of the real proxy: the payment service has it once,
// and everybody sees it.
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type DeskOffice, startDeskOffice } from '../support/desk-office.ts';
import { launchBrowser } from '../support/guest.ts';

let office: DeskOffice;
let browser: Browser;
/** Two people, each with a browser of their own for all tests: it is what costs. */
let anna: Page;
let bert: Page;
let reference: string;
let stays = 0;

beforeAll(async () => {
  [office, browser] = await Promise.all([startDeskOffice(), launchBrowser()]);
  const context = { locale: 'en-US', viewport: { width: 1280, height: 800 } };
  [anna, bert] = await Promise.all([browser.newPage(context), browser.newPage(context)]);
});
afterAll(async () => {
  await browser?.close();
  await office?.close();
});

beforeEach(async () => {
  stays += 1;
  reference = `RES-${stays}`;
  const payment = await office.takePayment(reference, 33_000);
  await Promise.all([comeIn(anna, 'anna', payment), comeIn(bert, 'bert', payment)]);
});

test('two clerks at once: one refunds it, the other is shown what is there already', async () => {
  await Promise.all([anna, bert].map(fillIn));
  await Promise.all([anna, bert].map((page) => confirmed(page).click()));
  const held = 'This looks like a duplicate. Nothing was sent.';
  const [first, second] = await Promise.all([anna, bert].map(outcomeOf));
  expect([first, second].sort()).toEqual(['Refunded.', held]);
  const [giver, other] = first === held ? ['bert', anna] : ['anna', bert];
  await other.getByText(new RegExp(`€20\\.00 · .* · by ${giver}`)).waitFor();
  await other.getByRole('button', { name: 'It’s a duplicate: don’t send' }).click();
  await isGivenBackOnce(giver);
});

test('whoever reloads the page after a lost answer, and does it again, is held back', async () => {
  // The request comes through, and its answer does not.
  await anna.route(
    '**/v1/reversals',
    async (route) => {
      await route.fetch();
      await route.abort();
    },
    { times: 1 },
  );
  await fillIn(anna);
  await confirmed(anna).click();
  expect(await outcomeOf(anna)).toContain('No response.');
  await anna.reload();
  await fillIn(anna);
  await confirmed(anna).click();
  expect(await outcomeOf(anna)).toBe('This looks like a duplicate. Nothing was sent.');
  await anna.getByRole('button', { name: 'It’s a duplicate: don’t send' }).click();
  await isGivenBackOnce('anna');
});

/** A desk of a person's own, loaded anew, with the payment open. */
async function comeIn(page: Page, person: string, payment: string): Promise<void> {
  await page.goto(`${office.pageUrl({ lang: 'en', width: 1280, person })}&stay=${stays}#payment=${payment}`);
  await page.getByRole('heading', { name: reference }).waitFor();
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

/** In the books of the payment service, and on both screens without a reload. */
async function isGivenBackOnce(giver: string): Promise<void> {
  for (const page of [anna, bert]) {
    // A page that somebody looks at again asks at once what is new.
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    const timeline = page.getByRole('region', { name: 'Timeline' });
    await timeline.getByText(`by ${giver}`).waitFor();
    expect(await timeline.getByText('Refund of €20.00').count()).toBe(1);
    await page.locator('payment-details').getByText('Partially refunded', { exact: true }).waitFor();
  }
  const { charges, reversals } = office.stack.sandbox.control.ledger();
  const moved = reversals.filter(({ paymentTransactionID }) => paymentTransactionID === charges.at(-1)?.transactionID);
  expect(moved.map(({ amount }) => amount)).toEqual([2_000]);
}
