import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import {
  CARD_RESULT,
  OPEN_SESSION,
  PAYMENT_RESULT,
  PENDING_ATTEMPT,
  PENDING_SESSION,
  sessionWith,
} from '../../test-support/records.ts';
import { OPEN, usePendingPage, withSession } from '../../test-support/session-parts.ts';
import { seal } from '../http/seal.ts';
import type { ChargedService } from '../records/stored-card.ts';
import { cardTokenAad } from './hosted-calls.ts';
import { type SessionRecord, toCheckoutView, toMerchantSession } from './session-record.ts';
import { guestView, merchantView, recordForGuest, storedCard } from './session-views.ts';

usePendingPage();
const CALLER = { secretHash: 'secret', origin: 'https://aurora.test', publicOrigin: 'https://proxy.test' };
const WRONG_SECRET = { ok: false, code: 'unauthorized', detail: 'The client secret is wrong or was revoked' };
const WRONG_ORIGIN = {
  ok: false,
  code: 'forbidden',
  detail: 'This origin is not one of the property’s origins: https://aurora.test, http://localhost:4000',
  param: 'Origin',
};

/** Of a property whose configuration is broken. */
const UNREADABLE = expect.objectContaining({ ok: false, code: 'property_unavailable', param: 'timeZone' });
const FOUND = { ok: true, value: OPEN };

test.each<[string, Partial<typeof CALLER> | { origin: null }, unknown, SessionRecord?]>([
  ['a page of the hotel', {}, FOUND],
  ['a page of the proxy', { origin: 'https://proxy.test' }, FOUND],
  ['no page', { origin: null }, FOUND],
  ['a page elsewhere', { origin: 'https://evil.test' }, WRONG_ORIGIN],
  ['somebody with another secret', { secretHash: 'another' }, WRONG_SECRET],
  ['a property that cannot be used', { origin: null }, UNREADABLE, { ...OPEN, property: 'broken' }],
  ['a page, while nobody can tell whose it is', {}, UNREADABLE, { ...OPEN, property: 'broken' }],
])('a guest comes from %s', async (_, change, answer, record = OPEN) => {
  await withSession(record, async ({ store }) => {
    store.keepClientSecret({ generation: 1, hash: 'secret', fingerprint: 'key' });
    expect(await recordForGuest(env, store, { ...CALLER, ...change })).toEqual(answer);
  });
});

test('a guest of no session has the wrong secret', () =>
  withSession(undefined, async ({ store }) => {
    expect(await recordForGuest(env, store, CALLER)).toEqual(WRONG_SECRET);
  }));

const TRIED = sessionWith([{ status: 'declined', livemode: true }], { livemode: true });
const TRIED_BEFORE = { ...TRIED, attempts: TRIED.attempts.map(({ livemode: _, ...attempt }) => attempt) };

test.each([
  ['open is as real as its hotel is today', { ...OPEN, livemode: true }, false],
  ['open again is as real as its hotel, when nobody knows of what mode its attempts were', TRIED_BEFORE, false],
  ['being paid is as real as it was when that began', { ...PENDING_SESSION, livemode: true }, true],
  ['of a hotel that cannot be read stays as it was', { ...OPEN, livemode: true, property: 'broken' }, true],
])('for its guest, one that is %s', async (_, record, livemode) => {
  expect(await guestView(env, record)).toEqual({ ...toCheckoutView(record), livemode });
});

test('for its guest, one that was tried in another mode is over', async () => {
  expect(await guestView(env, TRIED)).toEqual({ ...toCheckoutView(TRIED), status: 'expired', final: true });
});

test.each([
  ['while it can be opened', {}, ['TOKEN-1', null, 'TOKEN-3']],
  ['not under another password', { password: 'another-password' }, [null, null, null]],
  ['not of a property that cannot be used', { property: 'broken' }, [null, null, null]],
])(
  'a merchant sees each card’s token %s',
  async (_, {
    property = 'aurora',
    password = 'aurora-password-marker',
  }: { property?: string; password?: string }, tokens: readonly (string | null)[]) => {
    const base: SessionRecord = { ...OPEN_SESSION, property, kind: 'card' };
    const sealed = (number: number, text: string) => seal(text, cardTokenAad(base, { number }), [password]);
    const stored = (sealedToken: string | null) =>
      ({ status: 'succeeded', result: { ...CARD_RESULT, sealedToken } }) as const;
    const attempts = [stored(await sealed(1, 'TOKEN-1')), stored(null), stored(await sealed(3, 'TOKEN-3'))];
    const record = sessionWith(attempts, { base });
    const shown = tokens.map((token) => ({ result: { token } }));
    expect(await merchantView(env, record)).toMatchObject({ attempts: shown });
  },
);

test('no attempt shows the token of another one', async () => {
  const base: SessionRecord = { ...OPEN_SESSION, kind: 'card' };
  const sealedToken = await seal('TOKEN', cardTokenAad(base, { number: 2 }), ['aurora-password-marker']);
  const record = sessionWith([{ status: 'succeeded', result: { ...CARD_RESULT, sealedToken } }], { base });
  expect(await merchantView(env, record)).toMatchObject({ result: { token: null } });
});

test.each([
  ['payment', sessionWith([{ status: 'succeeded', result: PAYMENT_RESULT }])],
  ['session without a result', PENDING_SESSION],
])('a %s has no token', async (_, record) => {
  expect(await merchantView(env, record)).toEqual(toMerchantSession(record, () => null));
});

describe('a charge of the card of a session', () => {
  const base: SessionRecord = { ...OPEN_SESSION, kind: 'card' };
  const stored = async (number: number, days: number, password = 'aurora-password-marker') => {
    const sealedToken = await seal(`TOKEN-${number}`, cardTokenAad(base, { number }), [password]);
    const tokenKeptUntil = new Date(Date.now() + days * 86_400_000).toISOString();
    return { status: 'succeeded', result: { ...CARD_RESULT, sealedToken, tokenKeptUntil } } as const;
  };
  const hostedBy = (hosted: Partial<typeof PENDING_ATTEMPT.hosted>) => ({
    hosted: { ...PENDING_ATTEMPT.hosted, ...hosted },
  });
  const NO_CARD = { ok: false, code: 'invalid_request', param: 'card' };
  const card = (token: string, serviceProvider = 'TEST_HOSTED') => ({ ok: true, value: { token, serviceProvider } });

  test('has the token of the first one that is still kept', async () => {
    const record = sessionWith([await stored(1, -1), await stored(2, 1), await stored(3, 1)], { base });
    expect(await storedCard(env, record)).toEqual(card('TOKEN-2'));
  });

  test('has that of the session’s own result, also when an earlier attempt stored another card later', async () => {
    const late = { ...(await stored(1, 1)), endedAt: 2 };
    const record = sessionWith([late, { ...(await stored(2, 1)), endedAt: 1 }], { base });
    expect(await storedCard(env, record)).toEqual(card('TOKEN-2'));
  });

  test.each([
    ['that issued its token, whatever the hotel has now', 'OLDER_HOSTED', {}, 'OLDER_HOSTED'],
    ['of the hotel where an older version kept a blank one', ' ', {}, 'TEST_HOSTED'],
    ['that its record names rather than that of its page', 'A', { serviceProvider: 'OF_THE_RECORD' }, 'OF_THE_RECORD'],
  ])('goes to the provider %s', async (_, serviceProvider, named, expected) => {
    const { status, result } = await stored(1, 1);
    const attempt = { status, result: { ...result, ...named }, ...hostedBy({ serviceProvider }) };
    const record = sessionWith([attempt], { base });
    expect(await storedCard(env, record)).toEqual(card('TOKEN-1', expected));
    expect(JSON.stringify(await merchantView(env, record))).not.toContain('OF_THE_RECORD');
  });

  const SERVICE: ChargedService = {
    livemode: false,
    baseUrl: 'https://pay.test/api',
    allowedOrigins: [],
    amountUnit: 'minor',
  };
  const MOVED = { baseUrl: 'https://new.test/api' };

  // The configuration of the charge counts: the session's object may still have that of before.
  test.each([
    ['of the same configuration gets it', {}, { ok: true, value: { token: 'TOKEN-1' } }],
    ['by an earlier version gets it', undefined, { ok: true, value: { token: 'TOKEN-1' } }],
    ['in live mode gets no card of test mode', { livemode: true }, NO_CARD],
    ['at another service gets no card of this one', MOVED, NO_CARD],
    ['at another that trusts this one gets it', { ...MOVED, allowedOrigins: ['https://pay.test'] }, { ok: true }],
  ])('%s', async (_what, changes, expected) => {
    const record = sessionWith([await stored(1, 1)], { base });
    expect(await storedCard(env, record, changes && { ...SERVICE, ...changes })).toMatchObject(expected);
  });

  test('has none whose time is over, and is told until when it was kept', async () => {
    const over = await stored(1, 0);
    const redacted = { ...over, result: { ...(await stored(1, 9)).result, sealedToken: null } };
    for (const [record, until] of [
      [sessionWith([over], { base }), over.result.tokenKeptUntil],
      [sessionWith([redacted], { base, redactedAt: Date.parse('2026-11-02') }), '2026-11-02T00:00:00.000Z'],
    ] as const) {
      const detail = `The card of this session was kept until ${until}`;
      expect(await storedCard(env, record)).toMatchObject({ ...NO_CARD, detail });
    }
  });

  test.each([
    ['that has stored none', PENDING_SESSION],
    ['that is a payment', sessionWith([{ status: 'succeeded', result: PAYMENT_RESULT }])],
    ['whose card was redacted', sessionWith([{ result: { ...CARD_RESULT, sealedToken: null, tokenKeptUntil: null } }])],
  ])('has none of one %s', async (_, record) => {
    const detail = 'This session has stored no card';
    expect(await storedCard(env, record)).toMatchObject({ ...NO_CARD, detail });
  });

  const elsewhere = { ...NO_CARD, resource: 'cs_1' };
  test.each([
    ['was stored while the property had another livemode', { base: { ...base, livemode: true } }, {}, elsewhere],
    ['was stored at another payment service', { base }, hostedBy({ origin: 'https://old.test' }), elsewhere],
    ['is of a hotel that cannot be read', { base: { ...base, property: 'broken' } }, {}, UNREADABLE],
  ])('has none that %s', async (_, session, attempt, refusal) => {
    const record = sessionWith([{ ...(await stored(1, 1)), ...attempt }], session);
    expect(await storedCard(env, record)).toMatchObject(refusal);
  });

  test('has none that the keys of this deployment do not open', async () => {
    const sealed = sessionWith([await stored(1, 1, 'another-password')], { base });
    expect(await storedCard(env, sealed)).toMatchObject({ code: 'property_unavailable', param: 'SEALING_KEYS' });
  });
});
