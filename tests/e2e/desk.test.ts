import type { Browser, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { bookStay, launchBrowser, openHostedPage, payOnHostedPage } from '../support/guest.ts';
import { type StackProcess, startStackProcess } from '../support/stack-process.ts';
import { openWatchedPage, type WatchedPage } from '../support/watched-page.ts';

const GUARANTEE = 'Leave a card, pay at the hotel';
const CARDS = {
  wrongRecord: '4000000000011801',
  answerLost: '4000000000011207',
  declinesLater: '4000000000000341',
  mastercard: '5555555555554444',
} as const;
/** An amount whose answer gets lost, whatever the card. */
const LOST_AMOUNT = '66.12';

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

describe('the front desk, on a phone', () => {
  test('charges the card on file and gives a part of it back', async () => {
    await leaveCard();
    await openNewestBooking();
    await page.getByRole('heading', { name: 'Card on file', exact: true }).waitFor();
    await page.getByText('•••• 4242').waitFor();
    await page.getByText('the guest, on the payment page').waitFor();
    await charge({ amount: '165.00', reason: 'Late charge' });
    await page.getByText('Charge of €165.00: succeeded.').waitFor();
    await reverse('65.00');
    await page.getByText('Reversal of €65.00: succeeded.').waitFor();
    await page.getByText('all €100.00 that is left').waitFor();
    await reverse('100.01');
    await page.getByText('more than is left of the payment').waitFor();

    const { charges, reversals } = await ledger();
    expect(charges.map(({ amount }) => amount)).toEqual([16_500]);
    expect(reversals.map(({ amount }) => amount)).toEqual([6_500]);
  });

  test('is told by webhook what came of a payment', async () => {
    await bookStay(page, stack.demoUrl);
    await openHostedPage(page);
    await payOnHostedPage(page);
    await isBooked();
    await expect
      .poll(async () => {
        await openNewestBooking();
        return page.getByText('Reported by webhook at').count();
      })
      .toBe(1);
    await page.getByText('checkout.succeeded').waitFor();
  });

  test('hands out a link that a guest pays without JavaScript', async () => {
    await bookStay(page, stack.demoUrl, 'Pay a deposit of 30 % now');
    await openNewestBooking();
    await page.getByRole('button', { name: 'Make a link and a QR code' }).click();
    await expect
      .poll(() =>
        page.getByRole('img', { name: 'QR code' }).evaluate((image) => (image as HTMLImageElement).naturalWidth),
      )
      .toBeGreaterThan(0);
    const link = (await page.getByRole('link', { name: 'Open the payment page' }).getAttribute('href')) ?? '';

    const guest = await openWatchedPage(browser, { javaScriptEnabled: false });
    await payByLink(guest.page, link);
    await guest.page.getByText('4242').first().waitFor();
    await guest.page.context().close();
    expect(guest.complaints).toEqual([]);
    await expect.poll(paymentStatus).toBe('succeeded');
  });

  test('follows a link that was paid at the second try', async () => {
    const { guest, link } = await cancelByLink();
    await payByLink(guest.page, link);
    await guest.page.getByText('4242').first().waitFor();
    await guest.page.context().close();
    await expect.poll(paymentStatus).toBe('succeeded');
    await page.getByRole('link', { name: 'what the guest sees' }).click();
    await isBooked();
  });

  test('takes a link back when the guest tries again on the hotel’s page', async () => {
    const { guest, link } = await cancelByLink();
    await openCanceledBooking();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.locator('pay-widget').getByRole('button', { name: 'Pay €330.00' }).waitFor();
    await guest.page.goto(link);
    await guest.page.getByText('You canceled').waitFor();
    expect(await guest.page.getByRole('button').count()).toBe(0);
    expect(guest.complaints).toEqual([]);
    await guest.page.context().close();
  });

  test('lets no second payment begin while the guest is paying by link again', async () => {
    const { guest, link } = await cancelByLink();
    await openCanceledBooking();
    await guest.page.goto(link);
    await guest.page.getByRole('button', { name: 'Try again' }).click();
    await guest.page.waitForURL(/\/payment\?/);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.waitForURL(/\/bookings\/\w+$/);
    await payOnHostedPage(guest.page);
    await guest.page.waitForURL(`${stack.proxyUrl}/**`);
    await guest.page.context().close();
    await expect.poll(paymentStatus).toBe('succeeded');
    const reference = (await page.locator('.lead').textContent())?.match(/RES-\w+/)?.[0] ?? 'none';
    expect((await ledger()).hosted.filter(({ resNo, phase }) => resNo === reference && phase === 'done')).toHaveLength(
      1,
    );
  });

  test('says that a card which declines later has declined', async () => {
    await leaveCard(CARDS.declinesLater);
    await openNewestBooking();
    await charge({ amount: '50', reason: 'Deposit' });
    await page.getByText('Charge of €50.00: declined.').waitFor();
    await page.getByLabel('Give back').waitFor({ state: 'detached' });
  });

  test('books by telephone with a card that staff key in, and charges it', async () => {
    const before = (await ledger()).charges.length;
    await page.goto(`${stack.demoUrl}/desk`);
    await page.getByRole('link', { name: 'Telephone' }).click();
    await page.getByText('the scope of PCI DSS').waitFor();
    await page.getByLabel('Guest’s name').fill('Jörg Weiß');
    await page.getByLabel('Card number').fill('5555 5555 5555 4445');
    await page.getByLabel('Expires').fill('12/31');
    await page.getByLabel('Security code').fill('737');
    await page.getByRole('button', { name: 'Book and keep the card' }).click();
    await page.getByText('Check the card number.').waitFor();
    expect(await page.getByLabel('Guest’s name').inputValue()).toBe('Jörg Weiß');
    for (const label of ['Card number', 'Expires', 'Security code']) {
      expect(await page.getByLabel(label).inputValue()).toBe('');
    }
    await page.getByLabel('Card number').fill(CARDS.mastercard);
    await page.getByLabel('Expires').fill('12/31');
    await page.getByRole('button', { name: 'Book and keep the card' }).click();
    await page.getByRole('heading', { name: 'Jörg Weiß' }).waitFor();
    await page.getByText('•••• 4444').waitFor();
    await page.getByText('the desk, keyed in').waitFor();
    await charge({ amount: '99', reason: 'Deposit' });
    await page.getByText('Charge of €99.00: succeeded.').waitFor();
    expect((await ledger()).charges.slice(before)).toMatchObject([
      { amount: 9_900, serviceProvider: 'SANDBOX_DIRECT' },
    ]);
    await page.getByRole('link', { name: 'what the guest sees' }).click();
    await isBooked();
  });

  test('finds a booking again, and says when there is none', async () => {
    await page.goto(`${stack.demoUrl}/desk`);
    await page.getByLabel('Find a booking').fill('weiß');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('link', { name: 'Jörg Weiß' }).waitFor();
    await page.getByRole('link', { name: 'Ada Lovelace' }).waitFor({ state: 'detached' });
    await page.getByLabel('Find a booking').fill('nobody');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByText('No booking matches “nobody”.').waitFor();
  });

  test('asks who is in a room, with every letter as it is written', async () => {
    await page.goto(`${stack.demoUrl}/desk`);
    await page.getByRole('link', { name: 'Rooms' }).click();
    await page.getByRole('button', { name: 'Ask' }).click();
    await page.getByText('Herr Jörg Weiß').waitFor();
    await page.getByText('Sun, 30 Aug 2026 to Fri, 4 Sept 2026').waitFor();
    await page.getByText('Remarks: Minibar 12 €, late check-out').waitFor();
    await page.getByText('The unchanged answer').click();
    await page.getByText('<lastname>Weiß</lastname>').waitFor();
    await page.getByLabel('Room number').fill('103');
    await page.getByRole('button', { name: 'Ask' }).click();
    await page.getByText('Vacant.').waitFor();
    await page.getByLabel('Room number').fill('999');
    await page.getByRole('button', { name: 'Ask' }).click();
    await page.getByText('no answer for room 999').waitFor();
  });
});

describe('time passes, by the hotel’s clock', () => {
  // The clock only goes forward and is the whole hotel's, so these come after one another.
  test('a no-show is offered from the evening of the arrival day on, and charged once', async () => {
    const before = (await ledger()).charges.length;
    await leaveCard();
    await openNewestBooking();
    await page.getByText('A no-show can be charged from').waitFor();
    const booking = page.url();
    await advanceClock('morning-after', new URL(booking).pathname);
    await page.goto(booking);
    await page.getByRole('button', { name: 'No-show: charge €165.00' }).click();
    await page.getByText('Charge of €165.00: succeeded.').waitFor();
    expect((await ledger()).charges.slice(before).map(({ amount }) => amount)).toEqual([16_500]);
  });

  test('a booking that nobody paid is released after a day, when somebody looks', async () => {
    const sessionId = await bookStay(page, stack.demoUrl);
    const booking = page.url();
    await advanceClock('day');
    await page.goto(booking);
    await page.getByRole('heading', { name: 'Your hold has ended' }).waitFor();
    await page.getByText('Nothing was charged.').waitFor();
    await page.getByRole('link', { name: 'Book again' }).waitFor();
    const session = await fetch(`${stack.proxyUrl}/v1/checkout-sessions/${sessionId}`, {
      headers: { authorization: `Bearer ${stack.merchantKey}` },
    });
    expect(await session.json()).toMatchObject({ status: 'expired', final: true });
    await expect.poll(paymentStatus).toBe('expired');
  });
});

describe('an unknown outcome is settled with evidence', () => {
  test('of a guest’s payment, whose record shows another amount', async () => {
    await bookStay(page, stack.demoUrl);
    await openHostedPage(page);
    await payOnHostedPage(page, CARDS.wrongRecord);
    await page.getByRole('heading', { name: 'We are checking your payment' }).waitFor();
    await page.getByText('Please do not pay again.').first().waitFor();
    await page.getByRole('button', { name: 'Try again' }).waitFor({ state: 'detached' });

    await openNewestBooking();
    await page.getByText('Do not ask the guest to pay again.').waitFor();
    await page.getByRole('button', { name: 'Ask the proxy to check again' }).click();
    await page.getByText('The proxy has checked again.').waitFor();
    const { charges } = await ledger();
    await settle('It went through', charges.at(-1)?.transactionID);
    await page.getByText('Settled.').waitFor();
    expect(await page.locator('.money-rows .badge').first().textContent()).toBe('succeeded');
    await page.getByRole('link', { name: 'what the guest sees' }).click();
    await isBooked();
  });

  test('of a charge, whose answer got lost: it went through, and can be given back', async () => {
    await leaveCard(CARDS.answerLost);
    await openNewestBooking();
    await charge({ amount: '40', reason: 'Something else' });
    await page.getByText('Charge of €40.00: unknown.').waitFor();
    await page.getByText('Do not charge the card again.').waitFor();
    const { charges } = await ledger();
    expect(charges.at(-1)).toMatchObject({ amount: 4_000 });
    await settle('It went through', charges.at(-1)?.transactionID);
    await page.getByText('Settled.').waitFor();
    await page.getByText('all €40.00 that is left').waitFor();
  });

  test('of a charge that is under way in doubt: the same one is not sent again', async () => {
    await leaveCard(CARDS.answerLost);
    await openNewestBooking();
    await charge({ amount: '41', reason: 'Deposit' });
    await page.getByText('Charge of €41.00: unknown.').waitFor();
    const before = (await ledger()).charges.length;
    await charge({ amount: '41', reason: 'Deposit' });
    await page.getByText('The same charge is under way or unknown, or was made').waitFor();
    expect((await ledger()).charges).toHaveLength(before);
  });

  test('of a reversal: it did not happen, and the money is there to be given back again', async () => {
    await bookStay(page, stack.demoUrl);
    await openHostedPage(page);
    await payOnHostedPage(page);
    await isBooked();
    await openNewestBooking();
    await reverse(LOST_AMOUNT);
    await page.getByText(`Reversal of €${LOST_AMOUNT}: unknown.`).waitFor();
    await page.getByText('Do not give the money back again.').waitFor();
    await page.getByText('all €263.88 that is left').waitFor();
    await settle('It did not');
    await page.getByText('Settled.').waitFor();
    await expect
      .poll(async () => {
        await page.goto(page.url());
        return page.getByText('all €330.00 that is left').count();
      })
      .toBe(1);
  });
});

async function leaveCard(card?: string): Promise<void> {
  await bookStay(page, stack.demoUrl, GUARANTEE);
  await openHostedPage(page);
  await payOnHostedPage(page, card);
  await isBooked();
}

function isBooked(): Promise<void> {
  return page.getByRole('heading', { name: 'Your stay is booked' }).waitFor();
}

async function openNewestBooking(): Promise<void> {
  await page.goto(`${stack.demoUrl}/desk`);
  await page.getByRole('listitem').getByRole('link').first().click();
  await page.waitForURL('**/desk/*');
}

async function paymentStatus(): Promise<string | null> {
  await openNewestBooking();
  return page.locator('.money-rows .badge').first().textContent();
}

/** Moves the clock as the panel beside the page does. */
async function advanceClock(step: 'day' | 'morning-after', from = '/'): Promise<void> {
  const form = new URLSearchParams({ step, from, view: 'clock', scope: 'this' });
  const answer = await fetch(`${stack.demoUrl}/wire/clock?part`, {
    method: 'POST',
    headers: { origin: stack.demoUrl },
    body: form,
  });
  expect(answer.status).toBe(200);
}

async function charge({ amount, reason }: { amount: string; reason: string }): Promise<void> {
  await page.getByLabel('Amount in EUR').fill(amount);
  await page.getByLabel('Reason').selectOption(reason);
  await page.getByRole('button', { name: 'Charge', exact: true }).click();
}

async function reverse(amount: string): Promise<void> {
  await page.getByLabel('Give back').fill(amount);
  await page.getByRole('button', { name: 'Reverse' }).click();
}

async function settle(how: 'It went through' | 'It did not', transaction = ''): Promise<void> {
  await page.getByLabel('Evidence').fill('Seen in the records of the payment service');
  if (transaction !== '') await page.getByLabel('Transaction number').fill(transaction);
  await page.getByRole('button', { name: how }).click();
}

/** Goes from the desk to what the hotel's own page says after a guest canceled on a link. */
async function openCanceledBooking(): Promise<void> {
  await page.getByRole('link', { name: 'what the guest sees' }).click();
  await page.getByRole('heading', { name: 'The payment was canceled' }).waitFor();
}

/** Hands a link of a new booking to a guest, who cancels there. */
async function cancelByLink(): Promise<{ guest: WatchedPage; link: string }> {
  await bookStay(page, stack.demoUrl);
  await openNewestBooking();
  await page.getByRole('button', { name: 'Make a link and a QR code' }).click();
  const link = (await page.getByRole('link', { name: 'Open the payment page' }).getAttribute('href')) ?? '';
  const guest = await openWatchedPage(browser);
  await guest.page.goto(link);
  await guest.page.getByRole('button').first().click();
  await guest.page.getByRole('button', { name: /cancel/i }).click();
  await guest.page.waitForURL(`${stack.proxyUrl}/**`);
  return { guest, link };
}

async function payByLink(guest: Page, link: string): Promise<void> {
  await guest.goto(link);
  await guest.getByRole('button').first().click();
  await guest.waitForURL(/\/payment\?/);
  await payOnHostedPage(guest);
  await guest.waitForURL(`${stack.proxyUrl}/**`);
}

interface Ledger {
  readonly charges: ReadonlyArray<{ readonly transactionID: string; readonly amount: number }>;
  readonly reversals: ReadonlyArray<{ readonly amount: number }>;
  readonly hosted: ReadonlyArray<{ readonly resNo: string | null; readonly phase: string }>;
}

async function ledger(): Promise<Ledger> {
  return (await (await fetch(`${stack.sandboxUrl}/__sandbox/ledger`)).json()) as Ledger;
}
