// What the demo hotel does without a script on the page: a guest who books and pays, and all of its desk but the payments.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { askProxy } from '../support/ask-proxy.ts';
import {
  bookStay,
  cardFields,
  follow,
  formWith,
  GOOD_CARD,
  openHostedPage,
  payOnHostedPage,
  press,
  sessionOf,
  signIn,
  type Visit,
  visit,
} from '../support/form-guest.ts';
import { type StackProcess, startStackProcess } from '../support/stack-process.ts';

const CARDS = {
  surcharged: '4000000000010704',
  wrongRecord: '4000000000011801',
  mastercard: '5555555555554444',
} as const;
const PAYMENT_PAGE = 'Continue on our payment page';

let stack: StackProcess;

beforeAll(async () => {
  stack = await startStackProcess();
});
afterAll(() => stack?.stop());

describe('a guest', () => {
  test('books, pays on the proxy’s page and reads the receipt', async () => {
    const booking = await bookStay(stack.demoUrl, 'deposit');
    const link = await press(booking, PAYMENT_PAGE);
    expect(new URL(link.url).origin).toBe(stack.proxyUrl);
    const paid = await payByLink(link.url);
    await expect.poll(async () => (await visit(paid.url)).text).toContain('4242');
    const confirmation = await isBooked(booking);
    expect(confirmation.text).toContain('Receipt');
    expect(confirmation.text).toContain('Visa •••• 4242');
    expect(confirmation.text).toContain('You pay €231.00 at the hotel.');
  });

  test('sees a surcharge before paying it, and on the receipt', async () => {
    const before = await chargesMade();
    const booking = await bookStay(stack.demoUrl, 'deposit');
    const surcharge = await payOnHostedPage(await openHostedPage(booking), CARDS.surcharged);
    expect(surcharge.text).toContain('€2.48');
    expect(await chargesMade()).toEqual(before);
    await press(surcharge, 'Pay €101.48');
    expect((await isBooked(booking)).text).toContain('€101.48');
  });

  test('who never comes back has paid all the same', async () => {
    const booking = await bookStay(stack.demoUrl);
    const { action, body } = formWith(await openHostedPage(booking), /^Pay/, cardFields(GOOD_CARD));
    // The payment service takes the payment, but the guest is gone before hearing where to go next.
    const answer = await fetch(action, { method: 'POST', body, redirect: 'manual' });
    expect(answer.status).toBe(303);
    await expect.poll(async () => (await readSession(booking)).status).toBe('succeeded');
  });
});

describe('the front desk', () => {
  test('lets no second payment begin while the guest is paying by link again', async () => {
    const { booking, link } = await cancelByLink();
    const hosted = await press(await visit(link), 'Try again');
    expect((await openHostedPage(booking)).url).toBe(hosted.url);
    await payOnHostedPage(hosted);
    await expect.poll(async () => (await readSession(booking)).status).toBe('succeeded');
    const done = (await ledger()).hosted.filter(
      ({ phase, resNo }) => phase === 'done' && resNo === referenceOf(booking),
    );
    expect(done).toHaveLength(1);
  });

  test('asks who is in a room, with every letter as it is written', async () => {
    const rooms = await follow(await signIn(stack.demoUrl), 'Rooms');
    const { text } = await press(rooms, 'Look up');
    expect(text).toContain('Herr Jörg Weiß Sun, 30 Aug 2026 to Fri, 4 Sept 2026');
    expect(text).toContain('Remarks: Minibar 12 €, late check-out');
    expect(text).toContain('<lastname>Weiß</lastname>');
    expect((await press(rooms, 'Look up', { room: '103' })).text).toContain('Vacant.');
    expect((await press(rooms, 'Look up', { room: '999' })).text).toContain('no answer for room 999');
  });
});

test('a no-show is offered from the evening of the arrival day on, and charged once', async () => {
  const before = await chargesMade();
  const form = await follow(await signIn(stack.demoUrl), 'Telephone');
  const card = { card_number: CARDS.mastercard, expiry: '12/31', cvc: '737' };
  // Tomorrow: whoever arrives today and it is evening has not come.
  const today = formWith(form, 'Book and save the card').body.get('arrival') ?? '';
  const arrival = new Date(Date.parse(today) + 86_400_000).toISOString().slice(0, 10);
  const desk = await press(form, 'Book and save the card', { ...card, guest: 'Ada Lovelace', arrival });
  expect(desk.text).toContain('You can charge the €165.00 no-show fee');
  for (const _ of ['tomorrow', 'the day after']) await advanceClock();
  const { url, cookie } = desk;
  const again = (): Promise<Visit> => visit(url, { headers: { cookie } });
  const due = await again();
  for (const _ of ['once', 'by a double click']) await press(due, 'No-show: charge €165.00');
  expect(await chargesMade()).toEqual([...before, 16_500]);
  expect((await ledger()).charges.at(-1)).toMatchObject({ serviceProvider: 'SANDBOX_DIRECT' });
  // The desk hears by webhook what came of it.
  await expect.poll(async () => (await again()).text).not.toContain('No-show');
});

test('an unknown payment, whose record shows another amount, is not paid again, and is booked once it is settled', async () => {
  const booking = await bookStay(stack.demoUrl);
  await payOnHostedPage(await openHostedPage(booking), CARDS.wrongRecord);
  await expect.poll(async () => (await readSession(booking)).status).toBe('unknown');
  const confirmation = await confirmationOf(booking);
  expect(confirmation.text).toContain('We are checking your payment');
  expect(confirmation.text).toContain('Please do not pay again.');
  expect(confirmation.text).not.toContain('Try again');

  const resolve = `${stack.proxyUrl}/v1/checkout-sessions/${sessionOf(booking)}/resolve`;
  const transactionId = (await ledger()).charges.at(-1)?.transactionID;
  const body = { status: 'succeeded', evidence: 'Seen in the records of the payment service', transactionId };
  const answer = await askProxy(resolve, stack.merchantKey, { body });
  expect(answer.status).toBe(200);
  await isBooked(booking);
});

/** What the guest sees once the proxy knows that the payment succeeded. */
async function isBooked(booking: Visit): Promise<Visit> {
  await expect.poll(async () => (await confirmationOf(booking)).text).toContain('Your stay is booked');
  return confirmationOf(booking);
}

function confirmationOf({ url }: Visit): Promise<Visit> {
  return visit(`${url}/confirmation`);
}

/** Moves the clock by a day, as the panel beside the page does. */
async function advanceClock(): Promise<void> {
  const body = new URLSearchParams({ step: 'day' });
  const { status } = await visit(`${stack.demoUrl}/wire/clock`, { method: 'POST', body });
  expect(status).toBe(200);
}

/** Hands a link of a new booking to a guest, who cancels there. */
async function cancelByLink(): Promise<{ booking: Visit; link: string }> {
  const booking = await bookStay(stack.demoUrl);
  const { url: link } = await press(booking, PAYMENT_PAGE);
  const canceled = await press(await press(await visit(link), /./), /cancel/i);
  expect(new URL(canceled.url).origin).toBe(stack.proxyUrl);
  return { booking, link };
}

async function payByLink(link: string): Promise<Visit> {
  const paid = await payOnHostedPage(await press(await visit(link), /./));
  expect(new URL(paid.url).origin).toBe(stack.proxyUrl);
  return paid;
}

/** `RES-…`, by which the payment service knows a booking. */
function referenceOf({ text }: Visit): string {
  return /RES-\w+/.exec(text)?.[0] ?? 'none';
}

interface Ledger {
  readonly charges: ReadonlyArray<{ readonly transactionID: string; readonly amount: number }>;
  readonly hosted: ReadonlyArray<{ readonly resNo: string | null; readonly phase: string }>;
}

async function ledger(): Promise<Ledger> {
  return (await fetch(`${stack.sandboxUrl}/__sandbox/ledger`)).json() as Promise<Ledger>;
}

/** Amounts that the payment service has taken, oldest first. */
async function chargesMade(): Promise<number[]> {
  return (await ledger()).charges.map(({ amount }) => amount);
}

async function readSession(booking: Visit): Promise<{ status: string }> {
  return (await askProxy(`${stack.proxyUrl}/v1/checkout-sessions/${sessionOf(booking)}`, stack.merchantKey)).json();
}
