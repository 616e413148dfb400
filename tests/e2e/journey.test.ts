import type { Browser, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { bookStay, launchBrowser, openHostedPage, payOnHostedPage } from '../support/guest.ts';
import { type StackProcess, startStackProcess } from '../support/stack-process.ts';

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
  const context = await browser.newContext({ locale: 'en-US' });
  page = await context.newPage();
  complaints = [];
  // Content security policy violations reach the console as errors, too.
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
});
afterEach(async () => {
  await page.context().close();
});

describe('a guest of the demo hotel', () => {
  test('pays on the hosted page and comes back to a receipt the proxy has verified', async () => {
    const sessionId = await bookStay(page, stack.demoUrl);
    await openHostedPage(page);
    await payOnHostedPage(page);
    await page.waitForURL('**/confirmation?checkout_session=*');
    await page.getByRole('heading', { name: 'Your stay is booked' }).waitFor();
    const receipt = page.locator('payment-status [part~="receipt"]');
    await receipt.getByText('€330.00').first().waitFor();
    await receipt.getByText('4242').first().waitFor();

    const session = await readSession(sessionId);
    expect(session).toMatchObject({
      status: 'succeeded',
      final: true,
      result: { total: { value: 33_000, currency: 'EUR' } },
    });
    expect(complaints).toEqual([]);
  });

  test('leaves a card as a guarantee, and the hotel’s server alone gets its token', async () => {
    const sessionId = await bookStay(page, stack.demoUrl, 'Leave a card, pay at the hotel');
    await openHostedPage(page);
    await payOnHostedPage(page);
    await page.getByRole('heading', { name: 'Your stay is booked' }).waitFor();
    await page.locator('payment-status').getByText('4242').first().waitFor();
    const { result } = await readSession(sessionId);
    expect(result).toMatchObject({ token: expect.stringMatching(/./), maskedCard: expect.stringMatching(/4242$/) });
    expect(await page.content()).not.toContain((result as { token: string }).token);
    expect(complaints).toEqual([]);
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

  test('who cancels is told that nothing was charged, and can pay again', async () => {
    await bookStay(page, stack.demoUrl);
    await openHostedPage(page);
    await page.getByRole('button', { name: /cancel/i }).click();
    await page.getByRole('heading', { name: 'You canceled the payment' }).waitFor();
    await page.getByRole('button', { name: 'Try again' }).first().click();
    await page.waitForURL('**/bookings/*');
    await openHostedPage(page);
    await payOnHostedPage(page);
    await page.getByRole('heading', { name: 'Your stay is booked' }).waitFor();
    expect(complaints).toEqual([]);
  });

  test('who comes back with the back button finds the same payment, not a second one', async () => {
    const sessionId = await bookStay(page, stack.demoUrl);
    await openHostedPage(page);
    const hostedPage = page.url();
    await page.goBack();
    await expect.poll(() => page.locator('pay-widget').getAttribute('state')).toBe('waiting');
    expect((await readSession(sessionId)).status).toBe('pending');
    await page.goto(hostedPage);
    await payOnHostedPage(page);
    await page.getByRole('heading', { name: 'Your stay is booked' }).waitFor();
    const { charges } = await (await fetch(`${stack.sandboxUrl}/__sandbox/ledger`)).json();
    expect(charges.length).toBeLessThanOrEqual(4);
  });
});

function isPayment(url: URL): boolean {
  return url.pathname.endsWith('/payment');
}

async function readSession(id: string): Promise<{ status: string; final: boolean; result: unknown }> {
  const answer = await fetch(`${stack.proxyUrl}/v1/checkout-sessions/${id}`, {
    headers: { authorization: `Bearer ${stack.merchantKey}` },
  });
  return answer.json();
}
