import type { Browser, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { bookStay, launchBrowser, openHostedPage, payOnHostedPage } from '../support/guest.ts';
import { watchLayoutShifts } from '../support/layout-shifts.ts';
import { type StackProcess, startStackProcess } from '../support/stack-process.ts';
import { openWatchedPage } from '../support/watched-page.ts';

const DECLINED_CARD = '4000000000000002';
const SURCHARGED_CARD = '4000000000010704';

let stack: StackProcess;
let browser: Browser;
let page: Page;
let complaints: string[];

beforeAll(async () => {
  [stack, browser] = await Promise.all([startStackProcess(), launchBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});
beforeEach(async () => {
  ({ page, complaints } = await openWatchedPage(browser));
});
afterEach(async () => {
  await page.context().close();
  expect(complaints).toEqual([]);
});

describe('a guest of the demo hotel, on a phone', () => {
  test('pays on the hosted page and comes back to a receipt the proxy has verified', async () => {
    const sessionId = await bookStay(page, stack.demoUrl);
    await openHostedPage(page);
    await payOnHostedPage(page);
    await page.waitForURL('**/confirmation?checkout_session=*');
    await isBooked();
    const receipt = page.locator('payment-status [part~="receipt"]');
    await receipt.getByText('€330.00').first().waitFor();
    await receipt.getByText('4242').first().waitFor();
    await page.getByText('Everything is paid.').waitFor();

    expect(await readSession(sessionId)).toMatchObject({
      status: 'succeeded',
      final: true,
      result: { total: { value: 33_000, currency: 'EUR' } },
    });
  });

  test('sees a surcharge before paying it, and on the receipt', async () => {
    await bookStay(page, stack.demoUrl, 'Pay a deposit of 30 % now');
    await openHostedPage(page);
    await payOnHostedPage(page, SURCHARGED_CARD);
    await page.getByText('€2.48').first().waitFor();
    await page.getByRole('button', { name: 'Pay €101.48' }).click();
    await isBooked();
    const receipt = page.locator('payment-status [part~="receipt"]');
    await receipt.getByText('€2.48').waitFor();
    await receipt.getByText('€101.48').waitFor();
    await page.getByText('You pay €231.00 at the hotel.').waitFor();
  });

  test('leaves a card as a guarantee, and the hotel’s server alone gets its token', async () => {
    const sessionId = await bookStay(page, stack.demoUrl, 'Leave a card, pay at the hotel');
    await openHostedPage(page);
    await payOnHostedPage(page);
    await isBooked();
    await page.locator('payment-status').getByText('4242').first().waitFor();
    await page.getByText('we charge the first night, €165.00').waitFor();
    const { result } = await readSession(sessionId);
    expect(result).toMatchObject({ token: expect.stringMatching(/./), maskedCard: expect.stringMatching(/4242$/) });
    expect(await page.content()).not.toContain((result as { token: string }).token);
  });

  test('mends a form that came back, without typing it all again', async () => {
    await page.goto(stack.demoUrl);
    await page.getByLabel('Aurora Suite').check();
    await page.getByLabel('Nights').selectOption('3 nights');
    await page.getByText('3 nights: €870.00').waitFor();
    await page.getByRole('button', { name: 'Continue to payment' }).click();
    await page.getByRole('alert').getByRole('link', { name: 'Enter the guest’s name' }).click();
    await page.getByLabel('Your name').fill('Jörg Weiß');
    await page.getByRole('button', { name: 'Continue to payment' }).click();
    await page.getByRole('heading', { name: 'Pay for your stay' }).waitFor();
    await page.getByText('Jörg Weiß').waitFor();
    await page.locator('pay-widget').getByRole('button', { name: 'Pay €870.00' }).waitFor();
  });

  test('who closes the tab right after paying has paid all the same', async () => {
    const sessionId = await bookStay(page, stack.demoUrl);
    await openHostedPage(page);
    // The payment service takes the payment, but the browser is gone before it hears where to go next.
    const paid = new Promise<void>((resolve) => {
      void page.route(isPayment, async (route) => {
        await route.fetch({ maxRedirects: 0 });
        resolve();
      });
    });
    await payOnHostedPage(page);
    await paid;
    await page.close();
    await vi.waitFor(async () => expect(await readSession(sessionId)).toMatchObject({ status: 'succeeded' }), {
      timeout: 20_000,
      interval: 250,
    });
  });

  test('whose card is declined reads why, and pays with another one', async () => {
    const before = await chargesMade();
    const sessionId = await bookStay(page, stack.demoUrl);
    await openHostedPage(page);
    await payOnHostedPage(page, DECLINED_CARD);
    await page.getByRole('link', { name: 'Back to the hotel' }).click();
    // The page of a refused card leads back through the abort address, and yet nobody has canceled.
    await page.getByRole('heading', { name: 'Your card was declined' }).waitFor();
    await page.getByText('Nothing was charged.').first().waitFor();
    expect(await page.getByText('You canceled').count()).toBe(0);
    expect(await readSession(sessionId)).toMatchObject({ status: 'failed', error: { code: 'declined' } });
    await page.getByRole('button', { name: 'Try again' }).first().click();
    await page.waitForURL('**/bookings/*');
    await openHostedPage(page);
    await payOnHostedPage(page);
    await isBooked();
    expect((await chargesMade()) - before).toBe(1);
  });

  test('who cancels is told that nothing was charged, and can pay again', async () => {
    await bookStay(page, stack.demoUrl);
    await openHostedPage(page);
    await page.getByRole('button', { name: /cancel/i }).click();
    await page.getByRole('heading', { name: 'The payment was canceled' }).waitFor();
    await page.getByRole('button', { name: 'Try again' }).first().click();
    await page.waitForURL('**/bookings/*');
    await openHostedPage(page);
    await payOnHostedPage(page);
    await isBooked();
  });

  test('who comes back with the back button finds the same payment, not a second one', async () => {
    const before = await chargesMade();
    const sessionId = await bookStay(page, stack.demoUrl);
    await openHostedPage(page);
    const hostedPage = page.url();
    await page.goBack();
    await expect.poll(() => page.locator('pay-widget').getAttribute('state')).toBe('waiting');
    expect((await readSession(sessionId)).status).toBe('pending');
    await page.goto(hostedPage);
    await payOnHostedPage(page);
    await isBooked();
    expect((await chargesMade()) - before).toBe(1);
  });

  test('sees the same receipt in another browser', async () => {
    await bookStay(page, stack.demoUrl);
    await openHostedPage(page);
    await payOnHostedPage(page);
    await isBooked();
    const other = await openWatchedPage(browser);
    await other.page.goto(page.url());
    await other.page.locator('payment-status [part~="receipt"]').getByText('4242').first().waitFor();
    await other.page.context().close();
    expect(other.complaints).toEqual([]);
  });
});

describe('without JavaScript', () => {
  test('a guest books, pays and reads the receipt', async () => {
    const guest = await openWatchedPage(browser, { javaScriptEnabled: false });
    const { page } = guest;
    await page.goto(stack.demoUrl);
    await page.getByLabel('Your name').fill('Ada Lovelace');
    await page.getByRole('button', { name: 'Continue to payment' }).click();
    await page.getByRole('heading', { name: 'Pay for your stay' }).waitFor();
    const booking = page.url();
    await page.getByRole('button', { name: 'Continue on our payment page' }).click();
    await page.waitForURL(`${stack.proxyUrl}/**`);
    await page.getByRole('button').first().click();
    await page.waitForURL(/\/payment\?/);
    await payOnHostedPage(page);
    await page.waitForURL(`${stack.proxyUrl}/**`);
    await page.getByText('4242').first().waitFor();
    await page.goto(`${booking}/confirmation`);
    await isBooked(page);
    await page.getByRole('heading', { name: 'Receipt' }).waitFor();
    expect(await page.locator('.receipt').textContent()).toContain('Visa •••• 4242');
    await page.context().close();
    expect(guest.complaints).toEqual([]);
  });
});

describe.each([375, 1280])('nothing jumps at %i px', (width) => {
  test('on the page to pay and on the confirmation', async () => {
    const guest = await openWatchedPage(browser, { viewport: { width, height: 800 } });
    const { page } = guest;
    const shifts = await watchLayoutShifts(page);
    await page.goto(stack.demoUrl);
    expect(await shifts()).toEqual([]);
    for (const plan of ['Pay the whole stay now', 'Leave a card, pay at the hotel']) {
      await bookStay(page, stack.demoUrl, plan);
      await page.locator('[client-secret]').getByRole('button').waitFor();
      expect(await shifts()).toEqual([]);
      await openHostedPage(page);
      await payOnHostedPage(page);
      await isBooked(page);
      await page.locator('payment-status [part~="receipt"]').getByText('4242').waitFor();
      expect(await shifts()).toEqual([]);
    }
    await page.context().close();
    expect(guest.complaints).toEqual([]);
  });
});

function isBooked(of: Page = page): Promise<void> {
  return of.getByRole('heading', { name: 'Your stay is booked' }).waitFor();
}

function isPayment(url: URL): boolean {
  return url.pathname.endsWith('/payment');
}

async function chargesMade(): Promise<number> {
  const { charges } = await (await fetch(`${stack.sandboxUrl}/__sandbox/ledger`)).json();
  return charges.length;
}

async function readSession(id: string): Promise<{ status: string; final: boolean; result: unknown }> {
  const answer = await fetch(`${stack.proxyUrl}/v1/checkout-sessions/${id}`, {
    headers: { authorization: `Bearer ${stack.merchantKey}` },
  });
  return answer.json();
}
