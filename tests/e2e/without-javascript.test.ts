// What the demo hotel does without a script on the page: a guest who books and pays, and all of its desk but the payments.
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  bookStay,
  follow,
  formWith,
  payOnHostedPage,
  press,
  signIn,
  type Visit,
  visit,
} from '../support/form-guest.ts';
import { type StackProcess, startStackProcess } from '../support/stack-process.ts';

let stack: StackProcess;

beforeAll(async () => {
  stack = await startStackProcess();
});
afterAll(() => stack?.stop());

test('a guest books, pays on the proxy’s page and reads the receipt', async () => {
  const booking = await bookStay(stack.demoUrl, 'deposit');
  const link = await press(booking, 'Continue on our payment page');
  const paid = await payOnHostedPage(await press(await visit(link.url), /./));
  for (const { url } of [link, paid]) expect(new URL(url).origin).toBe(stack.proxyUrl);
  await expect.poll(async () => (await visit(paid.url)).text).toContain('4242');
  const confirmation = async (): Promise<string> => (await visit(`${booking.url}/confirmation`)).text;
  await expect.poll(confirmation).toContain('Your stay is booked');
  for (const part of ['Receipt', 'Visa •••• 4242', 'You pay €231.00 at the hotel.'])
    expect(await confirmation()).toContain(part);
});

test('the front desk asks who is in a room, with every letter as it is written', async () => {
  const rooms = await follow(await signIn(stack.demoUrl), 'Rooms');
  const { text } = await press(rooms, 'Look up');
  expect(text).toContain('Herr Jörg Weiß Sun, 30 Aug 2026 to Fri, 4 Sept 2026');
  expect(text).toContain('Remarks: Minibar 12 €, late check-out');
  expect(text).toContain('<lastname>Weiß</lastname>');
  expect((await press(rooms, 'Look up', { room: '103' })).text).toContain('Vacant.');
  expect((await press(rooms, 'Look up', { room: '999' })).text).toContain('no answer for room 999');
});

test('a no-show is offered from the evening of the arrival day on, and charged once', async () => {
  const before = await chargesMade();
  const form = await follow(await signIn(stack.demoUrl), 'Telephone');
  const card = { card_number: '5555555555554444', expiry: '12/31', cvc: '737' };
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
  const charge = { amount: 16_500, serviceProvider: 'SANDBOX_DIRECT' };
  expect((await chargesMade()).slice(before.length)).toMatchObject([charge]);
  // The desk hears by webhook what came of it.
  await expect.poll(async () => (await again()).text).not.toContain('No-show');
});

/** Moves the clock by a day, as the panel beside the page does. */
async function advanceClock(): Promise<void> {
  const body = new URLSearchParams({ step: 'day' });
  const { status } = await visit(`${stack.demoUrl}/wire/clock`, { method: 'POST', body });
  expect(status).toBe(200);
}

/** What the payment service has taken, oldest first. */
async function chargesMade(): Promise<object[]> {
  const { charges } = await (await fetch(`${stack.sandboxUrl}/__sandbox/ledger`)).json();
  return charges;
}
