import type { FrameLocator, Page } from 'playwright';
import { expect, test } from 'vitest';
import { demoInBrowser } from '../support/demo-in-browser.ts';
import { bookStay, openHostedPage, payOnHostedPage } from '../support/guest.ts';
import { openWatchedPage } from '../support/watched-page.ts';

const demo = demoInBrowser();

test('shows the requests of a payment as they happen, between all who take part, with secrets redacted', async () => {
  const { page, problems } = await openWatchedPage(demo.browser, { viewport: { width: 1280, height: 860 } });
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
      .toEqual(['browser hotel', 'browser proxy', 'browser upstream', 'hotel proxy', 'proxy hotel', 'proxy upstream']);
  // What was opened before stays open.
  expect(await watching.locator('ol details[open]').count()).toBe(1);
  const { requests } = await (await fetch(`${demo.stack.sandboxUrl}/__sandbox/requests`)).json();
  await expect
    .poll(async () => (await between(watching)).filter((row) => row.endsWith('upstream')).length)
    .toBe(requests.length);
  const text = await watching.locator('ol').textContent();
  expect(text).toContain('[redacted]');
  expect(await watching.content()).not.toContain(demo.stack.merchantKey);
  await page.context().close();
  expect(problems).toEqual([]);
});

test('opens and closes with the keyboard, and stays as it was left', async () => {
  const { page, problems } = await openWatchedPage(demo.browser);
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
  await page.context().close();
  expect(problems).toEqual([]);
});

test('a fault that was used up is off on the panel, too', async () => {
  const { page } = await openWatchedPage(demo.browser, { viewport: { width: 1280, height: 860 } });
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
  await page.context().close();
});

test.each([320, 1000])('open at %i px, it does not lie over what has the focus', async (width) => {
  const { page, problems } = await openWatchedPage(demo.browser, { viewport: { width, height: 700 } });
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
  await page.context().close();
  expect(problems).toEqual([]);
});
