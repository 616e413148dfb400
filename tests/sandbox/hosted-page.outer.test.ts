// The hosted pages in a real Chromium: by keyboard, on a small screen, in the dark, and judged by axe. What their forms do is tested
// beside them, and without scripts by tests/e2e.
import { serveSandbox } from '@innkeep/sandbox';
import type { BrowserContextOptions, Page } from 'playwright';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { Caller } from '../../packages/sandbox/test-support/caller.ts';
import { violationsOf } from '../support/axe.ts';
import { launchBrowser } from '../support/guest.ts';

const SURCHARGE_CARD = '4000 0000 0001 0704';

const served = await serveSandbox({ port: 0 });
afterAll(() => served.close());
const caller = new Caller({ sandbox: served.sandbox, origin: served.url });
await caller.login();
const browser = await launchBrowser();
afterAll(() => browser.close());

const hotelUrl = (path: string): string => `${caller.origin}/__sandbox/magic?${path}`;
const CALLBACKS = { callbackSuccessUrl: hotelUrl('success'), callbackAbortUrl: hotelUrl('abort') };

async function openPage(options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ locale: 'en-GB', ...options });
  onTestFinished(() => context.close());
  return context.newPage();
}

async function openPayment(page: Page, fields: Record<string, string> = {}): Promise<string> {
  const { json: init } = await caller.initpay({ ...CALLBACKS, ...fields });
  await page.goto(init.viewUrl);
  return init.requestID;
}

async function overflowOf(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

it('works with nothing but a keyboard', async () => {
  const page = await openPage();
  const requestID = await openPayment(page);
  const type = async (label: string, text: string): Promise<void> => {
    const field = page.getByLabel(label);
    for (let step = 0; step < 4 && !(await field.evaluate((one) => one === document.activeElement)); step += 1) {
      await page.keyboard.press('Tab');
    }
    await page.keyboard.type(text);
  };
  await type('Card number', '4242424242424242');
  await type('Expiry', '1230');
  await type('Security code', '123');
  await type('Name on card', 'Ann Guest');
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Pay €120.00');
  expect(await page.evaluate(() => getComputedStyle(document.activeElement ?? document.body).outlineStyle)).toBe(
    'solid',
  );
  await page.keyboard.press('Enter');
  await page.waitForURL(hotelUrl('success'));
  expect((await caller.paystatus(requestID)).json.state).toBe(1);
});

it('fills in a test card with two taps', async () => {
  const page = await openPage();
  const requestID = await openPayment(page);
  await page.getByText('Test cards', { exact: true }).click();
  await page.getByRole('button', { name: 'Use 4242 4242 4242 4242' }).click();
  await page.keyboard.press('Enter');
  await page.waitForURL(hotelUrl('success'));
  expect((await caller.paystatus(requestID)).json.state).toBe(1);
});

// Colours do not depend on the width, nor the layout on the colours: two runs see what four would.
describe.each([
  { colorScheme: 'light', width: 1024 },
  { colorScheme: 'dark', width: 320 },
] as const)('in $colorScheme, $width px', ({ colorScheme, width }) => {
  const options = { colorScheme, viewport: { width, height: 800 } };

  async function expectFlawless(page: Page): Promise<void> {
    expect(await violationsOf(page)).toEqual([]);
    expect(await overflowOf(page)).toBe(0);
  }

  it('axe finds nothing on the payment page, and nothing overflows', async () => {
    const page = await openPage(options);
    await openPayment(page, { supportedFeatures: 'surcharge', resNo: 'R'.repeat(80), description: 'long '.repeat(40) });
    await page.locator('summary').click();
    await expectFlawless(page);
  });

  it('axe finds nothing on the tokenization page, and nothing overflows', async () => {
    const page = await openPage(options);
    await page.goto((await caller.initToken(CALLBACKS)).json.viewUrl);
    await expectFlawless(page);
  });

  it('axe finds nothing on errors, surcharge and outcomes, and nothing overflows', async () => {
    const page = await openPage(options);
    await openPayment(page, { supportedFeatures: 'surcharge' });
    await page.locator('button[value=pay]').click();
    await page.getByRole('alert').waitFor();
    await expectFlawless(page);
    await page.locator('#cardNumber').fill(SURCHARGE_CARD);
    await page.locator('#expiry').fill('12/30');
    await page.locator('#cvc').fill('123');
    await page.locator('button[value=pay]').click();
    await page.locator('button[value=confirm]').waitFor();
    await expectFlawless(page);
    const viewUrl = page.url();
    await page.locator('button[value=confirm]').click();
    await page.waitForURL(hotelUrl('success'));
    await page.goto(viewUrl);
    await expectFlawless(page);
    await openPayment(page);
    await page.locator('button[value=decline]').click();
    await page.locator('.state.bad').waitFor();
    await expectFlawless(page);
    await page.goto(`${caller.origin}/1234/hosted/payment?PD=nonsense`);
    await expectFlawless(page);
  });
});
