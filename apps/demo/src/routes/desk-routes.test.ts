import { MerchantError } from '@innkeep/core/merchant';
import { describe, expect, test } from 'vitest';
import {
  type Attempt,
  attempt,
  CARD_ON_FILE,
  type FakeHotel,
  fakeHotel,
  SESSION_ID,
  type Session,
  STAY,
} from '../../test-support/fake-hotel.ts';

const EVENING = new Date('2026-12-24T17:00:00Z');
const CARD_NUMBER = '5555555555554444';
const CARD = { card_number: '5555 5555 5555 4444', expiry: '12/31', cvc: '737' };

const keyOf = (page: string): string => /name="key" value="([^"]+)"/.exec(page)?.[1] ?? '';
const refused = (code: string, resource?: string) =>
  new MerchantError(code, `The payment proxy answered 409 ${code}: no`, { status: 409, resource });

async function withCard(hotel: FakeHotel): Promise<{ id: string; key: string }> {
  const id = await hotel.bookingId({ plan: 'guarantee' });
  return { id, key: keyOf(await hotel.page(`/desk/${id}`)) };
}

describe('the list', () => {
  test('finds a booking by a part of the name, in any case, and by its reference', async () => {
    const hotel = fakeHotel();
    await hotel.bookingId({ guest: 'Jörg Müller' });
    const reference = hotel.created[0]?.reference ?? '';
    await hotel.bookingId({ guest: 'Ada Lovelace' });
    for (const query of ['MÜLL', reference]) {
      const page = await hotel.page(`/desk?q=${encodeURIComponent(query)}`);
      expect(page).toContain('Jörg Müller');
      expect(page).not.toContain('Ada Lovelace');
    }
  });

  test('says what to do when there is nothing', async () => {
    const hotel = fakeHotel();
    expect(await hotel.page('/desk')).toContain('No booking yet');
    await hotel.bookingId();
    expect(await hotel.page('/desk?q=<nobody>')).toContain('No booking matches “&lt;nobody&gt;”');
  });

  test('is there although the proxy is not', async () => {
    const down = new MerchantError('upstream_unavailable', 'down', { status: 503 });
    const hotel = fakeHotel({}, { merchant: { checkoutSessions: { retrieve: () => Promise.reject(down) } } });
    await hotel.bookingId();
    expect(await hotel.page('/desk')).toContain('not known');
  });
});

describe('a charge', () => {
  test('of a no-show is for one night, and sent with the same key when the form is sent twice', async () => {
    const hotel = fakeHotel(CARD_ON_FILE);
    const { id, key } = await withCard(hotel);
    hotel.now = EVENING;
    const send = () => hotel.post(`/desk/${id}/charge`, { key, reason: 'no_show', amount: '1' });
    expect((await send()).status).toBe(200);
    await send();
    expect(hotel.charged.map((each) => each.key)).toEqual([key, key]);
    expect(hotel.charged[0]?.body).toMatchObject({
      token: 'TK-1',
      tokenFrom: 'hosted',
      reason: 'no_show',
      amount: { value: 16_500, currency: 'EUR' },
    });
  });

  test('of a no-show is neither offered nor taken before the evening of the arrival day', async () => {
    const hotel = fakeHotel(CARD_ON_FILE);
    const { id, key } = await withCard(hotel);
    hotel.now = new Date(EVENING.getTime() - 1);
    expect(await hotel.page(`/desk/${id}`)).not.toContain('value="no_show"');
    expect((await hotel.post(`/desk/${id}/charge`, { key, reason: 'no_show' })).status).toBe(409);
    expect(hotel.charged).toEqual([]);
    hotel.now = EVENING;
    expect(await hotel.page(`/desk/${id}`)).toContain('No-show: charge €165.00');
  });

  test('is for the amount and the reason that were chosen', async () => {
    const hotel = fakeHotel(CARD_ON_FILE);
    const { id, key } = await withCard(hotel);
    await hotel.post(`/desk/${id}/charge`, { key, reason: 'late_charge', amount: '12,50', text: 'Minibar' });
    expect(hotel.charged[0]?.body).toMatchObject({
      reason: 'late_charge',
      text: 'Minibar',
      amount: { value: 1_250, currency: 'EUR' },
    });
  });

  test.each(['', '0', '-5', '1.234', 'ten'])('refuses %j as an amount and keeps what was typed', async (amount) => {
    const hotel = fakeHotel(CARD_ON_FILE);
    const { id, key } = await withCard(hotel);
    const answer = await hotel.post(`/desk/${id}/charge`, { key, reason: 'balance', amount, text: 'Dinner' });
    expect(answer.status).toBe(409);
    const page = await answer.text();
    expect(page).toContain('Enter an amount in EUR');
    expect(page).toContain('value="Dinner"');
    expect(hotel.charged).toEqual([]);
  });

  test('whose answer got lost is known from the next refusal on', async () => {
    const hotel = fakeHotel(CARD_ON_FILE, {
      merchant: { charges: { create: () => Promise.reject(refused('idempotency_mismatch', 'ch_lost')) } },
    });
    const { id, key } = await withCard(hotel);
    const page = await (await hotel.post(`/desk/${id}/charge`, { key, reason: 'other', amount: '5' })).text();
    expect(page).toContain('This form was already used');
    expect(page).toContain('amount-ch_lost');
    expect(keyOf(page)).not.toBe(key);
  });

  test('that is unknown is explained, and settled only with evidence and only for this booking', async () => {
    const hotel = fakeHotel(CARD_ON_FILE);
    const { id, key } = await withCard(hotel);
    hotel.charge = { ...hotel.charge, status: 'unknown', final: false };
    const page = await (await hotel.post(`/desk/${id}/charge`, { key, reason: 'other', amount: '5' })).text();
    expect(page).toContain('Do not charge the card again');
    expect(page).toContain('text begins with <code>ch_1</code>');
    const settle = (form: Record<string, string>) => hotel.post(`/desk/${id}/resolve`, { status: 'failed', ...form });
    expect((await settle({ id: 'ch_1', evidence: ' ' })).status).toBe(409);
    expect((await settle({ id: 'ch_other', evidence: 'seen' })).status).toBe(409);
    expect(hotel.calls).toEqual([]);
    expect((await settle({ id: 'ch_1', evidence: 'not in the records' })).status).toBe(200);
    expect(hotel.calls).toEqual(['resolve ch_1']);
  });
});

describe('an attempt of the guest', () => {
  test('that is unknown is looked up and settled by its own number', async () => {
    const doubtful = attempt({ number: 2, status: 'unknown', error: null });
    const hotel = fakeHotel({ status: 'unknown', attempts: [attempt(), doubtful] });
    const id = await hotel.bookingId();
    const page = await hotel.page(`/desk/${id}`);
    expect(page).toContain('Do not ask the guest to pay again');
    expect(page).toContain(`<code>${SESSION_ID}-2</code>`);
    const form = { id: SESSION_ID, attempt: '2', status: 'succeeded', evidence: 'seen' };
    expect((await hotel.post(`/desk/${id}/resolve`, form)).status).toBe(200);
    expect(hotel.calls).toEqual([`resolve ${SESSION_ID} 2 succeeded`]);
  });
});

describe('a reversal', () => {
  const total = { value: 33_000, currency: 'EUR' };
  const result = {
    kind: 'payment',
    total,
    base: total,
    surcharge: null,
    transactionId: 'TX',
    paymentObjectId: null,
    maskedCard: null,
  } as const;
  const paid = (change: Partial<Attempt> = {}) => attempt({ status: 'succeeded', error: null, result, ...change });
  const PAID: Partial<Session> = { status: 'succeeded', final: true, result, attempts: [paid()] };

  test('is offered with what is left, and is for a part or for all of it', async () => {
    const hotel = fakeHotel({ ...PAID, attempts: [paid({ reversed: { value: 3_000, currency: 'EUR' } })] });
    const id = await hotel.bookingId();
    const page = await hotel.page(`/desk/${id}`);
    expect(page).toContain('all €300.00 that is left');
    const send = (form: Record<string, string>) =>
      hotel.post(`/desk/${id}/reverse`, { key: keyOf(page), payment: SESSION_ID, attempt: '1', ...form });
    await send({ amount: '50' });
    await send({ amount: '' });
    expect(hotel.reversed.map(({ body }) => body)).toEqual([
      { payment: SESSION_ID, attempt: 1, amount: { value: 5_000, currency: 'EUR' } },
      { payment: SESSION_ID, attempt: 1 },
    ]);
  });

  test('is offered for each attempt that was paid, and for no other', async () => {
    const attempts = [attempt(), paid({ number: 2 }), paid({ number: 3 })];
    const hotel = fakeHotel({ ...PAID, attempts });
    const page = await hotel.page(`/desk/${await hotel.bookingId()}`);
    expect(page).toContain('The card was declined');
    const forms = [
      ...page.matchAll(/name="payment" value="(\w+)">\s*<input type="hidden" name="attempt" value="(\d)"/g),
    ];
    expect(forms.map(([, payment, number]) => [payment, number])).toEqual([
      [SESSION_ID, '2'],
      [SESSION_ID, '3'],
    ]);
  });

  test('of another booking’s payment is refused here', async () => {
    const hotel = fakeHotel(PAID);
    const id = await hotel.bookingId();
    expect((await hotel.post(`/desk/${id}/reverse`, { key: 'k', payment: 'cs_other' })).status).toBe(409);
    expect(hotel.reversed).toEqual([]);
  });
});

describe('a booking by telephone', () => {
  const cards = {
    create: async ({ cardNo }: { cardNo: string }) => ({
      token: 'TK-MOTO',
      tokenExpiry: '2031-12-31',
      maskedCard: `${cardNo.slice(0, 6)}......${cardNo.slice(-4)}`,
      cardType: 'Mastercard',
      cardTypeCode: 'MC',
    }),
  };

  test('keeps the token, shows the mask, and charges as a keyed-in card', async () => {
    const hotel = fakeHotel({}, { merchant: { cards } });
    const made = await hotel.post('/desk/telephone', { ...STAY, ...CARD });
    expect(made.status).toBe(303);
    const place = made.headers.get('location') ?? '';
    const page = await hotel.page(place);
    expect(page).toContain('•••• 4444');
    expect(page).toContain('the desk, keyed in');
    await hotel.post(`${place}/charge`, { key: keyOf(page), reason: 'deposit', amount: '99' });
    expect(hotel.charged[0]?.body).toMatchObject({ token: 'TK-MOTO', tokenFrom: 'moto' });
    for (const path of [place, '/desk', place.replace('/desk/', '/bookings/')]) {
      const text = await hotel.page(path);
      expect(text).not.toContain('TK-MOTO');
      expect(text).not.toContain(CARD_NUMBER);
    }
  });

  test.each([
    [{ card_number: '5555 5555 5555 4445' }, 'Check the card number'],
    [{ card_number: '' }, 'Check the card number'],
    [{ expiry: '13/31' }, 'Enter month and year'],
    [{ expiry: '11/26' }, 'Enter month and year'],
    [{ cvc: '12' }, 'Enter the 3 or 4 digits'],
    [{ guest: '' }, 'Enter the guest’s name'],
  ])('with %j asks again and never shows the card', async (change, message) => {
    const hotel = fakeHotel({}, { merchant: { cards } });
    const answer = await hotel.post('/desk/telephone', { ...STAY, ...CARD, ...change });
    expect(answer.status).toBe(400);
    const page = await answer.text();
    expect(page).toContain(message);
    expect(page.replaceAll(/\D/g, '')).not.toContain(CARD_NUMBER);
    expect(page).not.toContain(CARD.cvc);
    expect(await hotel.page('/desk')).toContain('No booking yet');
  });

  test('is not made when the payment service does not take the card', async () => {
    const hotel = fakeHotel(
      {},
      { merchant: { cards: { create: () => Promise.reject(refused('upstream_rejected')) } } },
    );
    const answer = await hotel.post('/desk/telephone', { ...STAY, ...CARD });
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain('does not take this card');
    expect(await hotel.page('/desk')).toContain('No booking yet');
  });

  test('does not exist where the proxy takes no keyed-in cards', async () => {
    const hotel = fakeHotel();
    expect((await hotel.app.request('/desk/telephone')).status).toBe(404);
    expect((await hotel.post('/desk/telephone', { ...STAY, ...CARD })).status).toBe(404);
  });
});

test('the token of a card is on no page', async () => {
  const hotel = fakeHotel(CARD_ON_FILE);
  const { id } = await withCard(hotel);
  for (const path of ['/desk', `/desk/${id}`, `/bookings/${id}`, `/bookings/${id}/confirmation`]) {
    expect(await hotel.page(path)).not.toContain('TK-1');
  }
});
