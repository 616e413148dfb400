// What the demo hotel does without a script on the page: all that its desk does, and a guest who books and pays.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  bookStay,
  cardFields,
  follow,
  formWith,
  GOOD_CARD,
  hasButton,
  hrefOf,
  openHostedPage,
  payOnHostedPage,
  press,
  sessionOf,
  type Visit,
  visit,
} from '../support/form-guest.ts';
import { type StackProcess, startStackProcess } from '../support/stack-process.ts';

const CARDS = {
  surcharged: '4000000000010704',
  wrongRecord: '4000000000011801',
  answerLost: '4000000000011207',
  declinesLater: '4000000000000341',
  mastercard: '5555555555554444',
} as const;
/** An amount whose answer gets lost, whatever the card. */
const LOST_AMOUNT = '66.12';
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

  test('mends a form that came back, without typing it all again', async () => {
    const form = await press(await visit(stack.demoUrl), 'Continue to payment', { room: 'aurora', nights: '3' });
    expect(form.status).toBe(400);
    expect(form.text).toContain('Enter the guest’s name');
    const booking = await press(form, 'Continue to payment', { guest: 'Jörg Weiß' });
    expect(booking.text).toContain('Pay for your stay');
    expect(booking.text).toContain('Jörg Weiß');
    expect(booking.text).toContain('€870.00');
  });
});

describe('the front desk', () => {
  test('charges the card on file and gives a part of it back', async () => {
    const before = await chargesMade();
    const desk = await leaveCard();
    for (const text of ['Card on file', '•••• 4242', 'the guest, on the payment page'])
      expect(desk.text).toContain(text);
    const charged = await charge(desk, { amount: '165.00', reason: 'late_charge' });
    expect(charged.text).toContain('Charge of €165.00: succeeded.');
    const reversed = await press(charged, 'Reverse', { amount: '65.00' });
    expect(reversed.text).toContain('Reversal of €65.00: succeeded.');
    expect(reversed.text).toContain('all €100.00 that is left');
    const refused = await press(reversed, 'Reverse', { amount: '100.01' });
    expect(refused.text).toContain('more than is left of the payment');

    expect(await chargesMade()).toEqual([...before, 16_500]);
    expect((await ledger()).reversals.map(({ amount }) => amount)).toEqual([6_500]);
  });

  test('is told by webhook what came of a payment', async () => {
    const booking = await bookStay(stack.demoUrl);
    await payOnHostedPage(await openHostedPage(booking));
    await expect.poll(async () => (await atDesk(booking)).text).toMatch(/Reported by webhook at .*checkout\.succeeded/);
  });

  test('hands out a link, with a code to scan', async () => {
    const linked = await makeLink(await bookStay(stack.demoUrl));
    const [, code = ''] = /<img src="([^"]+)"[^>]*alt="QR code/.exec(linked.html) ?? [];
    const answer = await fetch(code);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
  });

  test('lets no second payment begin while the guest is paying by link again', async () => {
    const { booking, link } = await cancelByLink();
    const hosted = await press(await visit(link), 'Try again');
    expect((await openHostedPage(booking)).url).toBe(hosted.url);
    await payOnHostedPage(hosted);
    await expect.poll(() => paymentStatus(booking)).toBe('succeeded');
    const done = (await ledger()).hosted.filter(
      ({ phase, resNo }) => phase === 'done' && resNo === referenceOf(booking),
    );
    expect(done).toHaveLength(1);
  });

  test('says that a card which declines later has declined', async () => {
    const declined = await charge(await leaveCard(CARDS.declinesLater), { amount: '50', reason: 'deposit' });
    expect(declined.text).toContain('Charge of €50.00: declined.');
    expect(hasButton(declined, 'Reverse')).toBe(false);
  });

  test('books by telephone with a card that staff key in, and charges it', async () => {
    const form = await follow(await visit(`${stack.demoUrl}/desk`), 'Telephone');
    expect(form.text).toContain('the scope of PCI DSS');
    const card = { card_number: '5555 5555 5555 4445', expiry: '12/31', cvc: '737' };
    const refused = await press(form, 'Book and keep the card', { ...card, guest: 'Jörg Weiß' });
    expect(refused.text).toContain('Check the card number.');
    const { body: kept } = formWith(refused, 'Book and keep the card');
    expect(['guest', 'card_number', 'expiry', 'cvc'].map((name) => kept.get(name))).toEqual(['Jörg Weiß', '', '', '']);

    const booked = await press(refused, 'Book and keep the card', { ...card, card_number: CARDS.mastercard });
    for (const text of ['Jörg Weiß', '•••• 4444', 'the desk, keyed in']) expect(booked.text).toContain(text);
    const charged = await charge(booked, { amount: '99', reason: 'deposit' });
    expect(charged.text).toContain('Charge of €99.00: succeeded.');
    expect((await ledger()).charges.at(-1)).toMatchObject({ amount: 9_900, serviceProvider: 'SANDBOX_DIRECT' });
    expect((await follow(charged, 'what the guest sees')).text).toContain('Your stay is booked');
  });

  test('asks who is in a room, with every letter as it is written', async () => {
    const rooms = await follow(await visit(`${stack.demoUrl}/desk`), 'Rooms');
    const { text } = await press(rooms, 'Ask');
    expect(text).toContain('Herr Jörg Weiß Sun, 30 Aug 2026 to Fri, 4 Sept 2026');
    expect(text).toContain('Remarks: Minibar 12 €, late check-out');
    expect(text).toContain('<lastname>Weiß</lastname>');
    expect((await press(rooms, 'Ask', { room: '103' })).text).toContain('Vacant.');
    expect((await press(rooms, 'Ask', { room: '999' })).text).toContain('no answer for room 999');
  });
});

test('the wire panel is a page: it shows the requests and switches faults', async () => {
  const home = await visit(stack.demoUrl);
  const panel = await follow(home, 'Wire panel');
  expect(panel.text).toContain('browser → hotel 200');
  const chosen = await press(panel, 'Switch on', { choice: 'pay/slow' });
  expect(chosen.text).toContain('slow for pay, once');
  expect((await press(chosen, 'Switch off')).text).not.toContain('slow for pay, once');
});

describe('time passes, by the hotel’s clock', () => {
  // The clock only goes forward and is the whole hotel's, so these come after one another.
  test('a no-show is offered from the evening of the arrival day on, and charged once', async () => {
    const before = await chargesMade();
    const desk = await leaveCard();
    expect(desk.text).toContain('A no-show can be charged from');
    // Fifteen days on: the form proposes an arrival in fourteen.
    for (const step of ['week', 'week', 'day'] as const) await advanceClock(step);
    const charged = await press(await visit(desk.url), 'No-show: charge €165.00');
    expect(charged.text).toContain('Charge of €165.00: succeeded.');
    expect(await chargesMade()).toEqual([...before, 16_500]);
  });

  test('a booking that nobody paid is released after a day, when somebody looks', async () => {
    const booking = await bookStay(stack.demoUrl);
    await advanceClock('day');
    const { text } = await visit(booking.url);
    for (const part of ['Your hold has ended', 'Nothing was charged.', 'Book again']) expect(text).toContain(part);
    expect(await readSession(booking)).toMatchObject({ status: 'expired', final: true });
    expect(await paymentStatus(booking)).toBe('expired');
  });
});

describe('an unknown outcome is settled with evidence', () => {
  test('of a guest’s payment, whose record shows another amount', async () => {
    const booking = await bookStay(stack.demoUrl);
    await payOnHostedPage(await openHostedPage(booking), CARDS.wrongRecord);
    await expect.poll(async () => (await readSession(booking)).status).toBe('unknown');
    const confirmation = await confirmationOf(booking);
    expect(confirmation.text).toContain('We are checking your payment');
    expect(confirmation.text).toContain('Please do not pay again.');
    expect(confirmation.text).not.toContain('Try again');

    const desk = await atDesk(booking);
    expect(desk.text).toContain('Do not ask the guest to pay again.');
    const checked = await press(desk, 'Ask the proxy to check again');
    expect(checked.text).toContain('The proxy has checked again.');
    const settled = await settle(checked, 'It went through', (await ledger()).charges.at(-1)?.transactionID);
    expect(settled.text).toContain('Settled.');
    expect(await paymentStatus(booking)).toBe('succeeded');
    await isBooked(booking);
  });

  test('of a charge, whose answer got lost: it went through, and can be given back', async () => {
    const unknown = await charge(await leaveCard(CARDS.answerLost), { amount: '40', reason: 'other' });
    expect(unknown.text).toContain('Charge of €40.00: unknown.');
    expect(unknown.text).toContain('Do not charge the card again.');
    const made = (await ledger()).charges.at(-1);
    expect(made).toMatchObject({ amount: 4_000 });
    const settled = await settle(unknown, 'It went through', made?.transactionID);
    expect(settled.text).toContain('Settled.');
    expect(settled.text).toContain('all €40.00 that is left');
  });

  test('of a charge that is under way in doubt: the same one is not sent again', async () => {
    const unknown = await charge(await leaveCard(CARDS.answerLost), { amount: '41', reason: 'deposit' });
    expect(unknown.text).toContain('Charge of €41.00: unknown.');
    const before = await chargesMade();
    const refused = await charge(unknown, { amount: '41', reason: 'deposit' });
    expect(refused.text).toContain('The same one is under way or unknown, or was made');
    expect(await chargesMade()).toEqual(before);
  });

  test('of a reversal: it did not happen, and the money is there to be given back again', async () => {
    const booking = await bookStay(stack.demoUrl);
    await payOnHostedPage(await openHostedPage(booking));
    await isBooked(booking);
    const unknown = await press(await atDesk(booking), 'Reverse', { amount: LOST_AMOUNT });
    expect(unknown.text).toContain(`Reversal of €${LOST_AMOUNT}: unknown.`);
    expect(unknown.text).toContain('Do not give the money back again.');
    expect(unknown.text).toContain('all €263.88 that is left');
    expect((await settle(unknown, 'It did not')).text).toContain('Settled.');
    await expect.poll(async () => (await atDesk(booking)).text).toContain('all €330.00 that is left');
  });
});

/** A booking with a card as its guarantee, at the desk. */
async function leaveCard(card?: string): Promise<Visit> {
  const booking = await bookStay(stack.demoUrl, 'guarantee');
  await payOnHostedPage(await openHostedPage(booking), card);
  await isBooked(booking);
  return atDesk(booking);
}

/** What the guest sees once the proxy knows that the payment succeeded. */
async function isBooked(booking: Visit): Promise<Visit> {
  await expect.poll(async () => (await confirmationOf(booking)).text).toContain('Your stay is booked');
  return confirmationOf(booking);
}

function confirmationOf({ url }: Visit): Promise<Visit> {
  return visit(`${url}/confirmation`);
}

function atDesk({ url }: Visit): Promise<Visit> {
  return visit(url.replace('/bookings/', '/desk/'));
}

async function paymentStatus(booking: Visit): Promise<string | undefined> {
  return /class="badge badge-(\w+)"/.exec((await atDesk(booking)).html)?.[1];
}

/** Moves the clock as the panel beside the page does. */
async function advanceClock(step: 'day' | 'week'): Promise<void> {
  const body = new URLSearchParams({ step });
  const { status } = await visit(`${stack.demoUrl}/wire/clock`, { method: 'POST', body });
  expect(status).toBe(200);
}

function charge(desk: Visit, typed: { amount: string; reason: string }): Promise<Visit> {
  return press(desk, 'Charge', typed);
}

function settle(desk: Visit, how: 'It went through' | 'It did not', transactionId?: string): Promise<Visit> {
  const evidence = 'Seen in the records of the payment service';
  return press(desk, how, { evidence, ...(transactionId === undefined ? {} : { transactionId }) });
}

async function makeLink(booking: Visit): Promise<Visit> {
  return press(await atDesk(booking), 'Make a link and a QR code');
}

/** Hands a link of a new booking to a guest, who cancels there. */
async function cancelByLink(): Promise<{ booking: Visit; link: string }> {
  const booking = await bookStay(stack.demoUrl);
  const link = hrefOf(await makeLink(booking), 'Open the payment page');
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
  readonly reversals: ReadonlyArray<{ readonly amount: number }>;
  readonly hosted: ReadonlyArray<{ readonly resNo: string | null; readonly phase: string }>;
}

async function ledger(): Promise<Ledger> {
  return (await fetch(`${stack.sandboxUrl}/__sandbox/ledger`)).json() as Promise<Ledger>;
}

/** Amounts that the payment service has taken, oldest first. */
async function chargesMade(): Promise<number[]> {
  return (await ledger()).charges.map(({ amount }) => amount);
}

async function readSession(booking: Visit): Promise<{ status: string; final: boolean }> {
  const answer = await fetch(`${stack.proxyUrl}/v1/checkout-sessions/${sessionOf(booking)}`, {
    headers: { authorization: `Bearer ${stack.merchantKey}` },
  });
  return answer.json();
}
