import type { Browser, FrameLocator, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bookStay, launchBrowser, openHostedPage, payOnHostedPage } from '../support/guest.ts';
import { type StackProcess, startStackProcess } from '../support/stack-process.ts';
import { openWatchedPage } from '../support/watched-page.ts';

let stack: StackProcess;
let browser: Browser;

beforeAll(async () => {
  [stack, browser] = await Promise.all([startStackProcess(), launchBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

test('shows the requests of a payment as they happen, between all who take part, with secrets redacted', async () => {
  const { page, problems } = await openWatchedPage(browser, { viewport: { width: 1280, height: 860 } });
  const watching = await page.context().newPage();
  await watching.goto(`${stack.demoUrl}/wire`);
  const first = watching.locator('ol li').first();
  await page.goto(stack.demoUrl);
  await first.locator('summary').click();
  await bookStay(page, stack.demoUrl);
  await openHostedPage(page);
  await payOnHostedPage(page);
  await page.getByRole('heading', { name: 'Your stay is booked' }).waitFor();

  const between = (shown: Page | FrameLocator): Promise<string[]> =>
    shown
      .locator('ol li')
      .evaluateAll((rows) => rows.map(({ dataset }) => `${dataset.from} ${dataset.to}`) as string[]);
  for (const shown of [watching, page.frameLocator('.wire-panel iframe')])
    await expect
      .poll(async () => [...new Set(await between(shown))].sort())
      .toEqual(['browser hotel', 'browser proxy', 'browser upstream', 'hotel proxy', 'proxy hotel', 'proxy upstream']);
  // What was opened before stays open.
  expect(await watching.locator('ol details[open]').count()).toBe(1);
  const { requests } = await (await fetch(`${stack.sandboxUrl}/__sandbox/requests`)).json();
  await expect
    .poll(async () => (await between(watching)).filter((row) => row.endsWith('upstream')).length)
    .toBe(requests.length);
  const text = await watching.locator('ol').textContent();
  expect(text).toContain('[redacted]');
  expect(await watching.content()).not.toContain(stack.merchantKey);
  await page.context().close();
  expect(problems).toEqual([]);
});

test('opens and closes with the keyboard, and stays as it was left', async () => {
  const { page, problems } = await openWatchedPage(browser);
  const frame = page.locator('.wire-panel iframe');
  await page.goto(stack.demoUrl);
  expect(await frame.count()).toBe(0);
  await page.getByRole('link', { name: 'Wire panel' }).press('Enter');
  await frame.waitFor();
  await page.reload();
  await frame.waitFor();
  await page.getByRole('button', { name: 'Close the wire panel' }).press('Enter');
  expect(await page.evaluate(() => document.activeElement?.className)).toBe('wire-open');
  await page.reload();
  expect(await frame.count()).toBe(0);
  await page.context().close();
  expect(problems).toEqual([]);
});
