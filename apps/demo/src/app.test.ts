import { MerchantError } from '@innkeep/core/merchant';
import { describe, expect, test } from 'vitest';
import {
  type Attempt,
  type FakeHotel,
  FROM_OUR_PAGE,
  fakeHotel,
  SECRET,
  SESSION_ID,
  type Session,
  SIGNED_IN,
  STAY,
} from '../test-support/fake-hotel.ts';

/** The page of a booking that was paid for, or is not. */
async function confirmation(hotel: FakeHotel, form?: Record<string, string>): Promise<string> {
  return hotel.page(`/bookings/${await hotel.bookingId(form)}/confirmation`);
}

/** A session whose last attempt has ended without money. */
// No page shows more of it.
const lastOne = (status: Attempt['status']): Partial<Session> => ({ attempts: [{ status } as Attempt] });

describe('booking', () => {
  test('computes the amount on the server and ignores one from the page', async () => {
    const { book, created } = fakeHotel();
    const answer = await book({ amount: '1', total: '1' });
    expect(answer.status).toBe(303);
    expect(created).toHaveLength(1);
    expect(created[0]).toMatchObject({ kind: 'payment', amount: { value: 33_000, currency: 'EUR' } });
  });

  test('hands the widget its session and the proxy’s address, in an answer that no cache keeps', async () => {
    const hotel = fakeHotel();
    const answer = await hotel.app.request(`/bookings/${await hotel.bookingId()}`);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const page = await answer.text();
    expect(page).toContain(`<pay-widget endpoint="http://127.0.0.1:8787" client-secret="${SECRET}">`);
    expect(page).toContain('€330.00');
  });

  test.each([
    ['guest', { guest: ' ' }, 'Enter the guest’s name'],
    ['room', { room: 'penthouse' }, 'Choose one of the rooms'],
    ['arrival', { arrival: '2026-02-30' }, 'Choose an arrival day'],
    ['arrival', { arrival: '2026-11-30' }, 'Choose an arrival day'],
    ['nights', { nights: '15' }, 'Stay 1 to 14 nights'],
    ['nights', { nights: '1.5' }, 'Stay 1 to 14 nights'],
    ['plan', { plan: 'free' }, 'Choose how to secure your booking'],
  ])('names the %s that is wrong and keeps what was typed', async (_field, change, message) => {
    const { book, created } = fakeHotel();
    const answer = await book({ room: 'aurora', ...change });
    expect(answer.status).toBe(400);
    const page = await answer.text();
    expect(page).toContain(message);
    const kept = { guest: /value="Ada Lovelace"/, room: /"aurora"[^>]* checked/, nights: /"2" selected/ };
    for (const [name, text] of Object.entries(kept)) if (!(name in change)) expect(page).toMatch(text);
    expect(created).toHaveLength(0);
  });

  test('escapes what the guest typed', async () => {
    const hotel = fakeHotel();
    const id = await hotel.bookingId({ guest: '<img src=x onerror=alert(1)>' });
    const page = await hotel.page(`/bookings/${id}`);
    expect(page).not.toContain('<img src=x');
    expect(page).toContain('&lt;img src=x');
  });
});

describe('plans', () => {
  test('a deposit asks for 30 % now, rounded up to a whole cent', async () => {
    const { book, created } = fakeHotel();
    await book({ nights: '1', plan: 'deposit' });
    expect(created[0]).toMatchObject({ kind: 'payment', amount: { value: 4_950, currency: 'EUR' } });
  });

  test('a guarantee asks for a card and for no amount', async () => {
    const hotel = fakeHotel();
    const id = await hotel.bookingId({ plan: 'guarantee' });
    expect(hotel.created[0]).toMatchObject({ kind: 'card' });
    expect(hotel.created[0]).not.toHaveProperty('amount');
    expect(await hotel.page(`/bookings/${id}`)).toContain('<save-card-widget');
  });
});

describe('confirmation', () => {
  const total = { value: 33_000, currency: 'EUR' };

  test.each([
    [
      { status: 'succeeded', final: true, result: { total, base: total, surcharge: null, maskedCard: null } },
      'Your stay is booked',
      '<dd class="total">€330.00',
      false,
    ],
    [
      {
        status: 'succeeded',
        final: true,
        result: { total, base: total, surcharge: { amount: total }, maskedCard: null },
      },
      'Your stay is booked',
      '<dt>Card surcharge</dt><dd>€330.00',
      false,
    ],
    [{ status: 'pending', final: false }, 'waiting for your payment', '<p class="lead">You can close this page', false],
    [lastOne('failed'), 'did not go through', 'Nothing was charged', true],
    [lastOne('declined'), 'Your card was declined', 'try another card', true],
    [lastOne('canceled'), 'was canceled', 'Nothing was charged', true],
    [lastOne('abandoned'), 'took too long', 'we will still hear about it', false],
    [{ status: 'expired', final: false }, 'took too long', 'If a payment still arrives', false],
    [{ status: 'unknown', final: false }, 'checking your payment', 'do not pay again', false],
  ])('%j reads as what it is', async (state, heading, text, canRetry) => {
    const page = await confirmation(fakeHotel(state as Partial<Session>));
    expect(page).toContain(heading);
    expect(page).toContain(text);
    expect(page.includes('Try again')).toBe(canRetry);
  });

  test.each(['open', 'pending', 'failed', 'canceled', 'abandoned', 'expired', 'unknown'] as const)(
    'of a card that is left speaks of no payment when it is %s',
    async (status) => {
      const isAttempt = status === 'failed' || status === 'canceled' || status === 'abandoned';
      const state = isAttempt ? lastOne(status) : { status, final: false };
      const page = await confirmation(fakeHotel({ kind: 'card', ...state } as Partial<Session>), { plan: 'guarantee' });
      const [, heading = '', text = ''] = /<h1>(.*?)<\/h1>\s*<p class="lead">(.*?)<\/p>/.exec(page) ?? [];
      expect(`${heading} ${text}`).toMatch(/card/);
      expect(`${heading} ${text}`).not.toMatch(/payment (?!service)|pay\b/);
    },
  );

  test('of an abandoned attempt leads back to where the next one begins, which its element cannot know of', async () => {
    const hotel = fakeHotel(lastOne('abandoned'));
    const id = await hotel.bookingId();
    const [inside = '', outside = ''] = (await hotel.page(`/bookings/${id}/confirmation`)).split('</payment-status>');
    expect(inside).not.toContain('Try again');
    expect(outside).toContain(`<a class="primary" href="/bookings/${id}">Back to your booking</a>`);
  });

  test.each([
    [33_000, 'Your payment was refunded', false],
    [10_000, 'Your stay is booked', true],
  ])('of a payment of which %i cents were given back does not call it all paid', async (value, heading, isBooked) => {
    const result = { total, base: total, surcharge: null, maskedCard: null };
    const paid = { status: 'succeeded', final: true, result, reversed: { ...total, value } } as Partial<Session>;
    const page = await confirmation(fakeHotel(paid));
    expect(page).toContain(`<h1>${heading}</h1>`);
    expect(page).toContain(`Refunded since: €${value / 100}.00.`);
    expect(page.includes('What happens next')).toBe(isBooked);
    expect(page).not.toContain('Everything is paid.');
    // Another word would load the page again.
    expect(page).toContain('data-payment="succeeded"');
  });

  test.each(['declined', 'failed'] as const)('of a %s attempt reloads only for news', async (status) => {
    // The element tells both as `failed`; another word here would load the page for ever.
    const page = await confirmation(fakeHotel(lastOne(status)));
    expect(page).toContain('data-payment="failed" data-final="false"');
  });
});

describe('the booking’s one session', () => {
  test('is asked for by the booking’s id whenever its page is shown, with the same order', async () => {
    const hotel = fakeHotel(lastOne('declined'));
    const id = await hotel.bookingId();
    for (const _ of ['a tab', 'another']) expect(await hotel.page(`/bookings/${id}`)).toContain(SECRET);
    expect(hotel.keys).toEqual([id, id, id]);
    expect(new Set(hotel.created.map((order) => JSON.stringify(order))).size).toBe(1);
  });

  test.each(['succeeded', 'unknown', 'expired'] as const)('that is %s is not offered for payment', async (status) => {
    const hotel = fakeHotel({ status });
    const id = await hotel.bookingId();
    expect((await hotel.app.request(`/bookings/${id}`)).headers.get('location')).toBe(`/bookings/${id}/confirmation`);
    const link = await hotel.post(`/bookings/${id}/link`);
    expect([link.status, link.headers.get('location')]).toEqual([303, `/bookings/${id}/confirmation`]);
  });

  test.each(['open', 'pending'] as const)('that is %s can be paid by link, without a script', async (status) => {
    const createLink = async (id: string) => ({ url: `https://pay.example/pay/${id}` }) as never;
    const hotel = fakeHotel({ status }, { checkoutSessions: { createLink } });
    const link = await hotel.post(`/bookings/${await hotel.bookingId()}/link`);
    expect([link.status, link.headers.get('location')]).toEqual([303, `https://pay.example/pay/${SESSION_ID}`]);
    expect((await hotel.post('/bookings/unknown/link')).status).toBe(404);
  });
});

describe('the hold', () => {
  const IN_TIME = new Date('2026-12-02T09:59:59Z');
  const TOO_LATE = new Date('2026-12-02T10:00:00Z');

  test('ends an unpaid session when somebody looks after 24 hours, and says so', async () => {
    const hotel = fakeHotel();
    const id = await hotel.bookingId();
    hotel.now = IN_TIME;
    expect(await hotel.page(`/bookings/${id}`)).toContain('<pay-widget');
    expect(hotel.calls).toEqual([]);
    hotel.now = TOO_LATE;
    expect((await hotel.app.request(`/bookings/${id}`)).headers.get('location')).toBe(`/bookings/${id}/confirmation`);
    const page = await hotel.page(`/bookings/${id}/confirmation`);
    expect(hotel.calls).toEqual([`expire ${SESSION_ID}`]);
    for (const part of ['Your hold has ended', 'Nothing was charged.', 'Book again']) expect(page).toContain(part);
    expect(page).not.toContain('Back to your booking');
  });

  test('leaves a payment alone that is under way', async () => {
    const hotel = fakeHotel({ status: 'pending' });
    const id = await hotel.bookingId();
    hotel.now = TOO_LATE;
    expect(await hotel.page(`/bookings/${id}/confirmation`)).toContain('waiting for your payment');
    expect(hotel.calls).toEqual([]);
  });

  test('shows the payment when the guest was quicker than the end of the hold', async () => {
    const expire = async (): Promise<never> => {
      hotel.session = { ...hotel.session, status: 'pending' };
      throw new MerchantError('payment_in_progress', 'The payment proxy answered 409', { status: 409 });
    };
    const hotel = fakeHotel({}, { checkoutSessions: { expire } });
    const id = await hotel.bookingId();
    hotel.now = TOO_LATE;
    expect(await hotel.page(`/bookings/${id}/confirmation`)).toContain('waiting for your payment');
  });

  test('orders nothing once it is over', async () => {
    const hotel = fakeHotel(lastOne('declined'));
    const id = await hotel.bookingId();
    hotel.now = TOO_LATE;
    await hotel.page(`/bookings/${id}`);
    const link = await hotel.post(`/bookings/${id}/link`);
    expect(link.headers.get('location')).toBe(`/bookings/${id}/confirmation`);
    expect(hotel.keys).toEqual([id]);
  });
});

describe('the server', () => {
  const lost = (): Promise<never> => Promise.reject(new Error('connection refused'));

  test('never says that nothing was charged when it cannot know', async () => {
    const page = await confirmation(fakeHotel({}, { checkoutSessions: { retrieve: lost } }));
    expect(page).not.toContain('Nothing was charged');
    expect(page).toContain('do not pay again');
  });

  test('says so when the proxy cannot be reached, without losing the page', async () => {
    const { app, book } = fakeHotel({}, { checkoutSessions: { ensure: lost } });
    const answer = await book();
    expect(answer.status).toBe(502);
    expect(await answer.text()).toContain('Nothing was charged');
    expect((await app.request('/bookings/unknown')).status).toBe(404);
  });
});

test.each([
  ['/', "frame-src 'self'; frame-ancestors 'none'"],
  ['/desk', "frame-src 'self'; frame-ancestors 'none'"],
  ['/wire', "frame-ancestors 'self'"],
])('%s is shown in no frame of another site', async (path, policy) => {
  const { headers } = await fakeHotel().app.request(path);
  expect(headers.get('content-security-policy')).toMatch(new RegExp(`; ${policy}$`));
});

describe('what no page of the hotel sends', () => {
  test.each<[string, Record<string, string>]>([
    ['another site', { 'sec-fetch-site': 'cross-site', origin: 'https://elsewhere.example' }],
    ['another port of this machine', { 'sec-fetch-site': 'same-site', origin: 'http://127.0.0.1:8790' }],
    ['an old browser on another site', { origin: 'https://elsewhere.example' }],
  ])('a form from %s changes nothing', async (_case, headers) => {
    const hotel = fakeHotel();
    const id = await hotel.bookingId();
    for (const path of ['/bookings', `/desk/${id}/no-show`, '/desk/telephone', '/wire/clear', '/wire/clock']) {
      const body = new URLSearchParams(STAY);
      const answer = await hotel.app.request(path, { method: 'POST', headers: { ...headers, ...SIGNED_IN }, body });
      expect([path, answer.status]).toEqual([path, 403]);
      expect(await answer.text()).toContain('not sent from a page of the hotel');
    }
    expect(hotel.created).toHaveLength(1);
    expect(hotel.charged).toEqual([]);
  });

  test.each<[string, Record<string, string>]>([
    ['a command line, which sends neither header', {}],
    ['an old browser on a page of ours, known by its origin', { origin: 'http://127.0.0.1:4000' }],
  ])('%s may post', async (_who, headers) => {
    const form = { method: 'POST', headers, body: new URLSearchParams(STAY) };
    expect((await fakeHotel().app.request('/bookings', form)).status).toBe(303);
  });

  test('a form that is too large is refused as that', async () => {
    const answer = await fakeHotel().book({ guest: 'a'.repeat(20_000) });
    expect(answer.status).toBe(413);
    expect(await answer.text()).toContain('The form was too large.');
  });

  test('a body that cannot be read is a form without fields', async () => {
    const headers = { ...FROM_OUR_PAGE, 'content-type': 'multipart/form-data' };
    const answer = await fakeHotel().app.request('/bookings', { method: 'POST', headers, body: 'no form' });
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain('Enter the guest’s name');
  });
});
