import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { AxeResults } from 'axe-core';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bookStay, launchBrowser, openHostedPage, payOnHostedPage } from '../support/guest.ts';
import { type StackProcess, startStackProcess } from '../support/stack-process.ts';

const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

let stack: StackProcess;
let browser: Browser;

beforeAll(async () => {
  [stack, browser] = await Promise.all([startStackProcess(), launchBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

test.each(['light', 'dark'] as const)('axe finds nothing on the demo’s pages, %s, on a phone', async (colorScheme) => {
  // The pages forbid foreign scripts, and the test’s own is one.
  const context = await browser.newContext({ colorScheme, bypassCSP: true, viewport: { width: 375, height: 800 } });
  const page = await context.newPage();
  const found: Record<string, string[]> = {};
  const look = async (name: string): Promise<void> => {
    found[name] = await violations(page);
    const { scrollWidth, clientWidth } = await page.evaluate(() => document.documentElement);
    expect(`${name} is ${scrollWidth} wide`).toBe(`${name} is ${clientWidth} wide`);
  };

  await page.goto(stack.demoUrl);
  await look('front page');
  await bookStay(page, stack.demoUrl);
  await page.locator('pay-widget').getByRole('button').waitFor();
  await look('booking');
  await openHostedPage(page);
  await payOnHostedPage(page);
  await page.getByRole('heading', { name: 'Your stay is booked' }).waitFor();
  await page.locator('payment-status').getByText('4242').first().waitFor();
  await look('confirmation');
  await page.goto(`${stack.demoUrl}/desk`);
  await look('desk');
  await page.locator('.list a').first().click();
  await page.waitForURL('**/desk/*');
  await look('desk, one booking');
  await page.goto(`${stack.demoUrl}/nowhere`);
  await look('not found');
  await context.close();

  expect(found).toEqual(Object.fromEntries(Object.keys(found).map((name) => [name, []])));
});

async function violations(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  const results = await page.evaluate(() =>
    (globalThis as unknown as { axe: { run(): Promise<AxeResults> } }).axe.run(),
  );
  return results.violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`);
}
