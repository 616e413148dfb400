import type { FrameLocator, Page } from 'playwright';
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
  const desk = page.locator('payments-desk');
  // It has its first secret.
  await desk.getByRole('button', { name: 'Request payment' }).waitFor();
  await page.context().clearCookies();
  await desk.evaluate((element) => {
    // As the element does when a secret has ended.
    void (element as unknown as { getClientSecret(): Promise<string> }).getClientSecret().catch(() => {});
  });
  await page.getByText('Who are you?').waitFor();
  // The answer that says so.
  expect(problems.splice(0)).toEqual([expect.stringContaining('401')]);
});

describe('the wire panel', () => {
  test('shows the requests of a payment as they happen, between all who take part, with secrets redacted', async () => {
    await page.setViewportSize({ width: 1280, height: 860 });
    const watching = await page.context().newPage();
    await watching.goto(`${demo.stack.demoUrl}/wire`);
    const first = watching.locator('ol li').first();
    await page.goto(demo.stack.demoUrl);
    await first.locator('summary').click();
    await bookStay(page, demo.stack.demoUrl);
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
        .toEqual([
          'browser hotel',
          'browser proxy',
          'browser upstream',
          'hotel proxy',
          'proxy hotel',
          'proxy upstream',
        ]);
    // What was opened before stays open.
    expect(await watching.locator('ol details[open]').count()).toBe(1);
    const { requests } = await (await fetch(`${demo.stack.sandboxUrl}/__sandbox/requests`)).json();
    await expect
      .poll(async () => (await between(watching)).filter((row) => row.endsWith('upstream')).length)
      .toBe(requests.length);
    const text = await watching.locator('ol').textContent();
    expect(text).toContain('[redacted]');
    expect(await watching.content()).not.toContain(demo.stack.merchantKey);
  });

  test('opens and closes with the keyboard, and stays as it was left', async () => {
    const frame = page.locator('.wire-panel iframe');
    await page.goto(demo.stack.demoUrl);
    expect(await frame.count()).toBe(0);
    await page.getByRole('link', { name: 'Wire panel' }).press('Enter');
    await frame.waitFor();
    await page.reload();
    await frame.waitFor();
    await page.getByRole('button', { name: 'Close the wire panel' }).press('Enter');
    expect(await page.evaluate(() => document.activeElement?.className)).toBe('wire-open');
    await page.reload();
    expect(await frame.count()).toBe(0);
  });

  test('a fault that was used up is off on the panel, too', async () => {
    await page.setViewportSize({ width: 1280, height: 860 });
    const panel = page.frameLocator('.wire-panel iframe');
    const switchedOn = panel.getByRole('list', { name: 'Switched on' });
    await bookStay(page, demo.stack.demoUrl);
    await panel.getByText('Faults and clock').click();
    await panel.getByRole('combobox').selectOption('initpayNoIframe/unavailable');
    await panel.getByRole('button', { name: 'Switch on' }).click();
    await switchedOn.getByText('unavailable for initpayNoIframe, once').waitFor();
    await page.locator('pay-widget').getByRole('button').click();
    await expect.poll(() => page.locator('pay-widget').getAttribute('state')).toBe('error');
    await expect.poll(() => switchedOn.locator('li').count()).toBe(0);
    expect(problems.splice(0).join()).toContain('upstream_error');
  });

  test.each([320, 1000])('open at %i px, it does not lie over what has the focus', async (width) => {
    await page.setViewportSize({ width, height: 700 });
    await page.addInitScript(() => sessionStorage.setItem('wire-panel', 'open'));
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.goto(demo.stack.demoUrl);
    await page.locator('.wire-panel iframe').waitFor();
    const isHidden = (): Promise<boolean> =>
      page.evaluate(() => {
        const panel = document.querySelector('.wire-panel');
        const top = panel?.getBoundingClientRect().top ?? 0;
        return (
          !panel?.contains(document.activeElement) && (document.activeElement?.getBoundingClientRect().top ?? 0) > top
        );
      });
    const controls = await page.locator('main :is(a, button, input)').count();
    expect(controls).toBeGreaterThan(5);
    for (let pressed = 0; pressed < controls + 3; pressed++) {
      await page.keyboard.press('Tab');
      await expect.poll(isHidden).toBe(false);
    }
  });
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
