import { createDemo, type DemoDependencies } from '../src/app.ts';
import { memoryBookingStorage } from '../src/booking/booking-storage.ts';
import { fakeWirePanel } from './fake-wire-panel.ts';

export type Merchant = DemoDependencies['merchant'];
export type Sessions = Merchant['checkoutSessions'];
export type Session = Awaited<ReturnType<Sessions['retrieve']>>;
export type Attempt = Session['attempts'][number];

type CreatedSession = Parameters<Sessions['ensure']>[1];
type CreatedCharge = Parameters<Merchant['charges']['create']>[0];
type CreatedDesk = Parameters<Merchant['deskSessions']['create']>[0];

export const SECRET = `cs_0123456789ABCDEFGHJKMNPQRS_${'x'.repeat(43)}`;
export const SESSION_ID = SECRET.slice(0, 29);
export const WEBHOOK_SECRET = `whsec_${'A'.repeat(32)}`;
export const STAY = { room: 'lake', guest: 'Ada Lovelace', arrival: '2026-12-24', nights: '2', plan: 'full' };

/** What a browser says of a form that a page of the same site has sent. */
export const FROM_OUR_PAGE = { 'sec-fetch-site': 'same-origin', origin: 'null' };

/** What a browser sends after its sign-in at the desk. */
export const SIGNED_IN = { cookie: 'desk_employee=anna' };

export const DESK_SECRET = `ds_0123456789ABCDEFGHJKMNPQRS_aurora_${'y'.repeat(43)}`;
export const DESK_ID = DESK_SECRET.slice(0, 29);

const NEVER = (): Promise<never> => Promise.reject(new Error('not part of this test'));

export type FakeHotel = ReturnType<typeof fakeHotel>;

/** A hotel whose proxy answers with the given session, and with whatever a test puts in the place of a call. */
export function fakeHotel(
  state: Partial<Session> = {},
  merchant: { [Group in keyof Merchant]?: Partial<Merchant[Group]> | null } = {},
) {
  const session = {
    id: SESSION_ID,
    kind: 'payment',
    status: 'open',
    final: false,
    amount: null,
    result: null,
    attempts: [],
    reversed: null,
    reversing: null,
    completedAt: null,
    ...state,
  } as Session;
  const hotel = {
    /** What the hotel asked the proxy for, and the keys of these orders. */
    created: [] as CreatedSession[],
    keys: [] as string[],
    charged: [] as { body: CreatedCharge; key: string; person?: string | undefined }[],
    /** The desks it opened. */
    desks: [] as CreatedDesk[],
    calls: [] as string[],
    /** The session, as the proxy has it now. */
    session,
    /** The hotel's clock. */
    now: new Date('2026-12-01T10:00:00Z'),
  };
  const fake = {
    checkoutSessions: {
      ensure: async (key: string, body: CreatedSession) => {
        hotel.created.push(body);
        hotel.keys.push(key);
        return { ...hotel.session, clientSecret: SECRET };
      },
      retrieve: async () => hotel.session,
      expire: async (id: string) => {
        hotel.calls.push(`expire ${id}`);
        hotel.session = { ...hotel.session, status: 'expired', final: true };
        return hotel.session;
      },
      ...merchant.checkoutSessions,
    },
    charges: {
      create: async (
        body: CreatedCharge,
        { idempotencyKey: key, person }: Parameters<Merchant['charges']['create']>[1],
      ) => void hotel.charged.push({ body, key, person }),
      ...merchant.charges,
    },
    deskSessions: {
      create: async (body: CreatedDesk) => {
        hotel.desks.push(body);
        return { id: DESK_ID, clientSecret: DESK_SECRET };
      },
      revoke: async (id: string) => void hotel.calls.push(`revoke ${id}`),
      ...merchant.deskSessions,
    },
    gateway: { send: NEVER, ...merchant.gateway },
    cards: merchant.cards === undefined ? null : merchant.cards,
  };
  const bookingStorage = memoryBookingStorage();
  const app = createDemo({
    publicUrl: 'http://127.0.0.1:4000',
    proxyUrl: 'http://127.0.0.1:8787',
    merchant: fake as unknown as Merchant,
    files: async () => new Response(null, { status: 404 }),
    bookingStorage,
    webhookSecret: WEBHOOK_SECRET,
    portalUrl: null,
    now: () => hotel.now,
    wirePanel: fakeWirePanel(),
  });
  const post = async (path: string, form: Record<string, string> = {}): Promise<Response> =>
    app.request(path, { method: 'POST', headers: { ...FROM_OUR_PAGE, ...SIGNED_IN }, body: new URLSearchParams(form) });
  const book = (form: Record<string, string> = {}): Promise<Response> => post('/bookings', { ...STAY, ...form });
  return Object.assign(hotel, {
    app,
    bookings: bookingStorage,
    post,
    book,
    page: async (path: string) => (await app.request(path, { headers: SIGNED_IN })).text(),
    /** Books and answers with the booking's id. */
    bookingId: async (form?: Record<string, string>) =>
      ((await book(form)).headers.get('location') ?? '').split('/').at(-1) ?? '',
  });
}
