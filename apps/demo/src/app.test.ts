import { describe, expect, test } from 'vitest';
import { createDemo, type DemoDependencies } from './app.ts';
import { memoryBookingStorage } from './booking/booking-storage.ts';

type Merchant = DemoDependencies['merchant'];
type Sessions = Merchant['checkoutSessions'];
type Created = Parameters<Sessions['create']>[0];
type Session = Awaited<ReturnType<Sessions['retrieve']>>;

const SECRET = `cs_0123456789ABCDEFGHJKMNPQRS_${'x'.repeat(43)}`;
const NO_FILES = async (): Promise<Response> => new Response(null, { status: 404 });
const NEVER = (): Promise<never> => Promise.reject(new Error('not part of this test'));

/** A hotel whose proxy answers with the given session state. */
function hotel(state: Partial<Session> = {}) {
  const created: Created[] = [];
  const charged: Array<{ readonly body: Parameters<Merchant['charges']['create']>[0]; readonly key: string }> = [];
  const session = {
    id: SECRET.slice(0, 29),
    kind: 'payment',
    status: 'open',
    final: false,
    amount: null,
    error: null,
    result: null,
    ...state,
  } as Session;
  const charge = {
    id: 'ch_1',
    status: 'succeeded',
    amount: { value: 16_500, currency: 'EUR' },
    reason: 'no_show',
    error: null,
  };
  const checkoutSessions = {
    create: async (body: Created) => {
      created.push(body);
      return { ...session, clientSecret: SECRET };
    },
    retrieve: async () => session,
  } as unknown as Sessions;
  const app = createDemo({
    publicUrl: 'http://127.0.0.1:4000',
    proxyUrl: 'http://127.0.0.1:8787',
    merchant: {
      checkoutSessions,
      charges: {
        create: async (
          body: Parameters<Merchant['charges']['create']>[0],
          { idempotencyKey: key }: { idempotencyKey: string },
        ) => {
          charged.push({ body, key });
          return charge;
        },
        retrieve: async () => charge,
      } as unknown as Merchant['charges'],
      reversals: { create: NEVER } as unknown as Merchant['reversals'],
      gateway: { send: NEVER },
    },
    files: NO_FILES,
    bookingStorage: memoryBookingStorage(),
    now: () => new Date('2026-12-01T10:00:00Z'),
  });
  const book = (form: Record<string, string>): Promise<Response> =>
    Promise.resolve(app.request('/bookings', { method: 'POST', body: new URLSearchParams(form) }));
  return { app, created, charged, book };
}

const STAY = { room: 'lake', guest: 'Ada Lovelace', arrival: '2026-12-24', nights: '2', plan: 'full' };

describe('booking', () => {
  test('computes the amount on the server and ignores one from the page', async () => {
    const { book, created } = hotel();
    const answer = await book({ ...STAY, amount: '1', total: '1' });
    expect(answer.status).toBe(303);
    expect(created).toHaveLength(1);
    expect(created[0]).toMatchObject({ kind: 'payment', amount: { value: 33_000, currency: 'EUR' } });
  });

  test('hands the widget its session and the proxy’s address', async () => {
    const { app, book } = hotel();
    const page = await (await app.request((await book(STAY)).headers.get('location') ?? '')).text();
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
  ])('names the %s that is wrong and keeps what was typed', async (_field, change, message) => {
    const { book, created } = hotel();
    const answer = await book({ ...STAY, ...change });
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain(message);
    expect(created).toHaveLength(0);
  });

  test('escapes what the guest typed', async () => {
    const { app, book } = hotel();
    const answer = await book({ ...STAY, guest: '<img src=x onerror=alert(1)>' });
    const page = await (await app.request(answer.headers.get('location') ?? '')).text();
    expect(page).not.toContain('<img src=x');
    expect(page).toContain('&lt;img src=x');
  });
});

describe('plans', () => {
  test('a deposit asks for 30 % now, rounded up to a whole cent', async () => {
    const { book, created } = hotel();
    await book({ ...STAY, nights: '1', plan: 'deposit' });
    expect(created[0]).toMatchObject({ kind: 'payment', amount: { value: 4_950, currency: 'EUR' } });
  });

  test('a guarantee asks for a card and for no amount', async () => {
    const { app, book, created } = hotel();
    const booking = (await book({ ...STAY, plan: 'guarantee' })).headers.get('location') ?? '';
    expect(created[0]).toMatchObject({ kind: 'card' });
    expect(created[0]).not.toHaveProperty('amount');
    expect(await (await app.request(booking)).text()).toContain('<save-card-widget');
  });

  test('an unknown plan is refused by name', async () => {
    const answer = await hotel().book({ ...STAY, plan: 'free' });
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain('Choose how to secure your booking');
  });
});

describe('the desk', () => {
  const onFile = {
    kind: 'card',
    status: 'succeeded',
    final: true,
    result: { token: 'TK-1', maskedCard: '424242......4242' },
  };

  test('charges a no-show for one night, with the same key when the form is sent twice', async () => {
    const { app, book, charged } = hotel(onFile as Partial<Session>);
    const id = ((await book({ ...STAY, plan: 'guarantee' })).headers.get('location') ?? '').split('/').at(-1);
    const desk = await (await app.request(`/desk/${id}`)).text();
    const key = /name="key" value="([^"]+)"/.exec(desk)?.[1] ?? '';
    const send = () =>
      app.request(`/desk/${id}/charge`, { method: 'POST', body: new URLSearchParams({ key, reason: 'no_show' }) });
    expect((await send()).status).toBe(200);
    await send();
    expect(charged.map((each) => each.key)).toEqual([key, key]);
    expect(charged[0]?.body).toMatchObject({
      token: 'TK-1',
      reason: 'no_show',
      amount: { value: 16_500, currency: 'EUR' },
    });
  });

  test('never shows the token', async () => {
    const { app, book } = hotel(onFile as Partial<Session>);
    const id = ((await book({ ...STAY, plan: 'guarantee' })).headers.get('location') ?? '').split('/').at(-1);
    for (const path of ['/desk', `/desk/${id}`, `/bookings/${id}`, `/bookings/${id}/confirmation`]) {
      expect(await (await app.request(path)).text()).not.toContain('TK-1');
    }
  });

  test('asks for evidence before it settles an unknown payment', async () => {
    const { app, book } = hotel({
      status: 'unknown',
      error: { code: 'amount_mismatch', message: 'money may have moved' },
    });
    const id = ((await book(STAY)).headers.get('location') ?? '').split('/').at(-1);
    const desk = await (await app.request(`/desk/${id}`)).text();
    expect(desk).toContain('money may have moved');
    expect(desk).toContain('name="evidence"');
    expect(desk).not.toContain('Give money back');
  });
});

describe('confirmation', () => {
  const total = { value: 33_000, currency: 'EUR' };

  test.each([
    [{ status: 'succeeded', final: true, result: { total } }, 'Your stay is booked', 'Paid: €330.00', false],
    [{ status: 'pending', final: false }, 'waiting for your payment', 'updates by itself', false],
    [{ status: 'failed', final: true }, 'did not go through', 'Nothing was charged', true],
    [{ status: 'canceled', final: true }, 'You canceled', 'Nothing was charged', true],
    [{ status: 'expired', final: false }, 'took too long', 'If a payment still arrives', false],
    [{ status: 'unknown', final: false }, 'checking your payment', 'do not pay again', false],
  ])('%j reads as what it is', async (state, heading, text, canRetry) => {
    const { app, book } = hotel(state as Partial<Session>);
    const booking = (await book(STAY)).headers.get('location') ?? '';
    const page = await (await app.request(`${booking}/confirmation`)).text();
    expect(page).toContain(heading);
    expect(page).toContain(text);
    expect(page.includes('Try again')).toBe(canRetry);
  });

  test('never starts a second payment while the first may still arrive', async () => {
    const { app, book, created } = hotel({ status: 'unknown', final: false });
    const booking = (await book(STAY)).headers.get('location') ?? '';
    await app.request(`${booking}/payment`, { method: 'POST' });
    expect(created).toHaveLength(1);
  });

  test('starts a new payment after one that failed', async () => {
    const { app, book, created } = hotel({ status: 'failed', final: true });
    const booking = (await book(STAY)).headers.get('location') ?? '';
    await app.request(`${booking}/payment`, { method: 'POST' });
    expect(created).toHaveLength(2);
  });
});

describe('the server', () => {
  test('says so when the proxy cannot be reached, without losing the page', async () => {
    const { app } = hotel();
    const broken = createDemo({
      publicUrl: 'http://127.0.0.1:4000',
      proxyUrl: 'http://127.0.0.1:8787',
      merchant: {
        checkoutSessions: { create: () => Promise.reject(new Error('connection refused')) } as unknown as Sessions,
      } as Merchant,
      files: NO_FILES,
      bookingStorage: memoryBookingStorage(),
      now: () => new Date('2026-12-01T10:00:00Z'),
    });
    const answer = await broken.request('/bookings', { method: 'POST', body: new URLSearchParams(STAY) });
    expect(answer.status).toBe(502);
    expect(await answer.text()).toContain('Nothing was charged');
    expect((await app.request('/bookings/unknown')).status).toBe(404);
  });
});
