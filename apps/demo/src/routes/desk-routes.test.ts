import { MerchantError } from '@innkeep/core/merchant';
import { describe, expect, test, vi } from 'vitest';
import {
  DESK_ID,
  DESK_SECRET,
  type FakeHotel,
  FROM_OUR_PAGE,
  fakeHotel,
  SIGNED_IN,
  STAY,
} from '../../test-support/fake-hotel.ts';

const EVENING = new Date('2026-12-24T17:00:00Z');
const CARD_NUMBER = '5555555555554444';
const CARD = { card_number: '5555 5555 5555 4444', expiry: '12/31', cvc: '737' };

const refused = (code: string) =>
  new MerchantError(code, `The payment proxy answered 409 ${code}: no`, { status: 409 });

describe('the sign-in', () => {
  const sign = (hotel: FakeHotel, employee: string) =>
    hotel.app.request('/desk/sign-in', {
      method: 'POST',
      headers: FROM_OUR_PAGE,
      body: new URLSearchParams({ employee }),
    });

  test('keeps who it is in a cookie that no script reads and no other site sends', async () => {
    const cookie = (await sign(fakeHotel(), 'max')).headers.get('set-cookie');
    expect(cookie).toBe('desk_employee=max; Path=/desk; HttpOnly; SameSite=Strict');
  });

  test.each(['', 'desk_employee=', 'desk_employee=nobody'])(
    'with the cookie “%s” nothing is shown or done',
    async (cookie) => {
      const hotel = fakeHotel();
      await hotel.bookingId({ guest: 'Jörg Müller' });
      const headers = { ...FROM_OUR_PAGE, cookie };
      for (const path of ['/desk', '/desk/telephone', '/desk/rooms?room=101']) {
        const page = await (await hotel.app.request(path, { headers })).text();
        expect(page).toContain('Who are you?');
        expect(page).not.toContain('Jörg Müller');
      }
      for (const path of ['/desk/secret', '/desk/telephone', `/desk/${hotel.bookings.list()[0]?.id}/no-show`])
        expect([path, (await hotel.app.request(path, { method: 'POST', headers })).status]).toEqual([path, 401]);
      expect(hotel.desks).toEqual([]);
    },
  );
});

test('no answer is kept for whoever presses Back, not even a refusal', async () => {
  const cards = { create: (): Promise<never> => Promise.reject(new Error('not part of this test')) };
  const { app } = fakeHotel({}, { cards });
  const signedIn = { ...FROM_OUR_PAGE, ...SIGNED_IN };
  const post = (form: Readonly<Record<string, string>>, headers: Readonly<Record<string, string>> = signedIn) => ({
    method: 'POST',
    headers,
    body: new URLSearchParams(form),
  });
  const requests: ReadonlyArray<readonly [number, string, RequestInit]> = [
    [200, '/desk', {}],
    [200, '/desk', { headers: signedIn }],
    [200, '/desk/telephone', { headers: signedIn }],
    [404, '/desk/nowhere', { headers: signedIn }],
    [303, '/desk/sign-in', post({ employee: 'anna' })],
    [401, '/desk/telephone', post(STAY, FROM_OUR_PAGE)],
    [403, '/desk/telephone', post(STAY, { ...signedIn, 'sec-fetch-site': 'cross-site' })],
    [413, '/desk/telephone', post({ guest: 'x'.repeat(20_000) })],
    [400, '/desk/telephone', post(STAY)],
    [502, '/desk/telephone', post({ ...STAY, ...CARD })],
  ];
  for (const [status, path, init] of requests) {
    const answer = await app.request(path, init);
    expect([path, answer.status, answer.headers.get('cache-control')]).toEqual([path, status, 'no-store']);
  }
});

test('the page gets the secret of a desk of whoever is signed in, for itself alone and a quarter of an hour', async () => {
  const hotel = fakeHotel();
  expect(await (await hotel.post('/desk/secret')).text()).toBe(DESK_SECRET);
  expect(hotel.desks).toEqual([
    {
      person: { id: 'anna' },
      origin: 'http://127.0.0.1:4000',
      features: ['read', 'reverse', 'charge', 'link'],
      maxReversal: { EUR: 20_000 },
      expiresInSeconds: 900,
    },
  ]);
  expect(await hotel.page('/desk')).not.toContain(DESK_SECRET);
});

describe('the desk sessions of a browser', () => {
  const OTHER_ID = DESK_ID.replace('0', '9');
  const KEPT = `desk_session_${DESK_ID}=anna`;
  const COOKIES = `${KEPT}; desk_session_${OTHER_ID}=anna`;
  const send = (hotel: FakeHotel, path: string, cookie: string) =>
    hotel.app.request(path, {
      method: 'POST',
      headers: { ...FROM_OUR_PAGE, cookie },
      body: new URLSearchParams({ employee: 'max' }),
    });

  test('are remembered in a cookie each, and forgotten when they have expired', async () => {
    const cookies = (await fakeHotel().post('/desk/secret')).headers.getSetCookie();
    expect(cookies).toEqual([`${KEPT}; Max-Age=900; Path=/desk; HttpOnly; SameSite=Strict`]);
  });

  test.each([
    ['/desk/sign-out', 'when their person signs out', 'desk_employee=anna'],
    ['/desk/sign-in', 'when somebody else signs in', 'desk_employee=anna'],
    ['/desk/secret', 'if another tab opened them during the sign-out', 'desk_employee='],
    ['/desk/secret', 'if another tab opened them while somebody else signed in', 'desk_employee=max'],
  ])('are revoked by %s %s', async (path, _when, employee) => {
    const hotel = fakeHotel();
    const answer = await send(hotel, path, `${employee}; ${COOKIES}`);
    expect(hotel.calls).toEqual([`revoke ${DESK_ID}`, `revoke ${OTHER_ID}`]);
    for (const id of [DESK_ID, OTHER_ID])
      expect(answer.headers.getSetCookie()).toContain(`desk_session_${id}=; Max-Age=0; Path=/desk`);
  });

  test('last as long as their person is signed in', async () => {
    const hotel = fakeHotel();
    await send(hotel, '/desk/secret', `${SIGNED_IN.cookie}; ${COOKIES}`);
    expect(hotel.calls).toEqual([]);
  });

  test('keep nobody from signing out when one cannot be revoked: the log says so, and the next page tries again', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {});
    const revoke = async (id: string): Promise<void> => {
      if (id === DESK_ID) throw refused('network');
    };
    const hotel = fakeHotel({}, { deskSessions: { revoke } as never });
    const answer = await send(hotel, '/desk/sign-out', `${SIGNED_IN.cookie}; ${COOKIES}`);
    expect(answer.status).toBe(303);
    expect(answer.headers.getSetCookie()).toEqual([
      `desk_session_${OTHER_ID}=; Max-Age=0; Path=/desk`,
      'desk_employee=; Max-Age=0; Path=/desk',
    ]);
    expect(log.mock.calls).toEqual([
      [expect.stringContaining(`demo: the desk session ${DESK_ID} was not revoked: network`)],
    ]);
    log.mockRestore();
  });
});

describe('the list', () => {
  test('finds a booking by a part of the name, in any case, and by its reference, and leads to its payments', async () => {
    const hotel = fakeHotel();
    await hotel.bookingId({ guest: 'Jörg Müller' });
    const reference = hotel.created[0]?.reference ?? '';
    await hotel.bookingId({ guest: 'Ada Lovelace' });
    for (const query of ['MÜLL', reference]) {
      const page = await hotel.page(`/desk?q=${encodeURIComponent(query)}`);
      expect(page).toContain(`href="#q=${reference}"><strong>Jörg Müller</strong>`);
      expect(page).not.toContain('Ada Lovelace');
      expect(page).toMatch(
        /<form class="search" method="get" action="\/desk"[\s\S]*? name="q" [\s\S]*?Search<\/button>/,
      );
    }
  });

  test('says what to do when there is nothing', async () => {
    const hotel = fakeHotel();
    expect(await hotel.page('/desk')).toContain('No bookings yet');
    await hotel.bookingId();
    expect(await hotel.page('/desk?q=<nobody>')).toContain('No bookings match “&lt;nobody&gt;”');
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

  test('keeps the token, shows the mask, and charges the first night once, from the evening of the arrival day', async () => {
    const hotel = fakeHotel({}, { cards });
    const form = await hotel.page('/desk/telephone');
    expect(form).toContain('in scope for PCI DSS');
    expect(form).toContain('<script type="module" src="/public/desk-telephone.js">');
    const made = await hotel.post('/desk/telephone', { ...STAY, ...CARD });
    expect(made.status).toBe(303);
    const place = made.headers.get('location') ?? '';
    const page = await hotel.page(place);
    expect(page).toContain('•••• 4444 keyed in');
    for (const secret of ['TK-MOTO', CARD_NUMBER]) expect(page).not.toContain(secret);
    expect(page).toContain('You can charge the €165.00 no-show fee from 24 Dec 2026, 18:00');

    const id = hotel.bookings.list()[0]?.id ?? '';
    hotel.now = new Date(EVENING.getTime() - 1);
    expect((await hotel.post(`/desk/${id}/no-show`)).status).toBe(404);
    expect(hotel.charged).toEqual([]);
    hotel.now = EVENING;
    expect(await hotel.page(place)).toContain(`action="/desk/${id}/no-show"`);
    for (const _ of ['once', 'again'])
      expect((await hotel.post(`/desk/${id}/no-show`)).headers.get('location')).toBe(place);
    expect(new Set(hotel.charged.map(({ key }) => key)).size).toBe(1);
    expect(hotel.charged[0]).toMatchObject({
      person: 'anna',
      body: { token: 'TK-MOTO', tokenFrom: 'moto', amount: { value: 16_500, currency: 'EUR' }, reason: 'no_show' },
    });
  });

  test.each([
    [{ card_number: '5555 5555 5555 4445' }, 'Check the card number'],
    [{ card_number: '' }, 'Check the card number'],
    [{ expiry: '13/31' }, 'Enter month and year'],
    [{ expiry: '11/26' }, 'Enter month and year'],
    [{ cvc: '12' }, 'Enter the 3 or 4 digits'],
    [{ guest: '' }, 'Enter the guest’s name'],
  ])('with %j asks again and never shows the card', async (change, message) => {
    const hotel = fakeHotel({}, { cards });
    const answer = await hotel.post('/desk/telephone', { ...STAY, ...CARD, ...change });
    expect(answer.status).toBe(400);
    const page = await answer.text();
    expect(page).toContain(message);
    expect(page).toContain(`value="${{ ...STAY, ...change }.guest}"`);
    expect(page.replaceAll(/\D/g, '')).not.toContain(CARD_NUMBER);
    expect(page).not.toContain(CARD.cvc);
    expect(await hotel.page('/desk')).toContain('No bookings yet');
  });

  test('is not made when the payment service does not take the card', async () => {
    const create = (): Promise<never> => Promise.reject(refused('upstream_rejected'));
    const hotel = fakeHotel({}, { cards: { create } });
    const answer = await hotel.post('/desk/telephone', { ...STAY, ...CARD });
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain('does not take this card');
    expect(await hotel.page('/desk')).toContain('No bookings yet');
  });

  test('does not exist where the proxy takes no keyed-in cards', async () => {
    const hotel = fakeHotel();
    expect((await hotel.app.request('/desk/telephone', { headers: SIGNED_IN })).status).toBe(404);
    expect((await hotel.post('/desk/telephone', { ...STAY, ...CARD })).status).toBe(404);
  });
});
