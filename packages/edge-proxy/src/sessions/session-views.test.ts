import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { CARD_RESULT, PAYMENT_RESULT, PENDING_SESSION } from '../../test-support/records.ts';
import { OPEN, usePendingPage, withSession } from '../../test-support/session-parts.ts';
import { seal } from '../crypto/seal.ts';
import { type SessionRecord, toMerchantSession } from '../records/session-record.ts';
import { cardTokenPlace } from '../upstream/hosted-calls.ts';
import { merchantView, recordForGuest } from './session-views.ts';

usePendingPage();
const CALLER = { secretHash: 'secret', origin: 'https://aurora.test', publicOrigin: 'https://proxy.test' };
const WRONG_SECRET = { ok: false, code: 'unauthorized', detail: 'The client secret is wrong or was revoked' };
const WRONG_ORIGIN = {
  ok: false,
  code: 'forbidden',
  detail: 'This origin is not one of the property’s origins: https://aurora.test, http://localhost:4000',
  param: 'Origin',
};

test.each([
  ['a page of the hotel', {}, { ok: true, value: OPEN }],
  ['a page of the proxy', { origin: 'https://proxy.test' }, { ok: true, value: OPEN }],
  ['no page', { origin: null }, { ok: true, value: OPEN }],
  ['a page elsewhere', { origin: 'https://evil.test' }, WRONG_ORIGIN],
  ['somebody with another secret', { secretHash: 'another' }, WRONG_SECRET],
])('a guest comes from %s', async (_, change, answer) => {
  await withSession(OPEN, async ({ store }) => {
    store.keepClientSecret({ generation: 1, hash: 'secret', fingerprint: 'key' });
    expect(await recordForGuest(env, store, { ...CALLER, ...change })).toEqual(answer);
  });
});

test('a guest of no session has the wrong secret', async () => {
  await withSession(undefined, async ({ store }) => {
    expect(await recordForGuest(env, store, CALLER)).toEqual(WRONG_SECRET);
  });
});

test('a guest of a property that cannot be used is told so', async () => {
  const broken: SessionRecord = { ...OPEN, property: 'broken' };
  await withSession(broken, async ({ store }) => {
    store.keepClientSecret({ generation: 1, hash: 'secret', fingerprint: 'key' });
    expect(await recordForGuest(env, store, { ...CALLER, origin: null })).toMatchObject({
      code: 'property_unavailable',
    });
  });
});

test.each([
  ['while it can be opened', {}, 'TOKEN-9876'],
  ['not under another password', { password: 'another-password' }, null],
  ['not of a property that cannot be used', { property: 'broken' }, null],
])(
  'a merchant sees a card’s token %s',
  async (_, {
    property = 'aurora',
    password = 'aurora-password-marker',
  }: { property?: string; password?: string }, token) => {
    const card: SessionRecord = { ...PENDING_SESSION, property, kind: 'card', amount: null, state: 'succeeded' };
    const sealedToken = await seal('TOKEN-9876', cardTokenPlace(card), [password]);
    const record: SessionRecord = { ...card, result: { ...CARD_RESULT, sealedToken } };
    expect(await merchantView(env, record)).toEqual(toMerchantSession(record, token));
    const erased: SessionRecord = { ...card, result: { ...CARD_RESULT, sealedToken: null } };
    expect(await merchantView(env, erased)).toEqual(toMerchantSession(erased, null));
  },
);

test.each([
  ['payment', { ...PENDING_SESSION, state: 'succeeded', result: PAYMENT_RESULT }],
  ['session without a result', PENDING_SESSION],
] as const)('a %s has no token', async (_, record) => {
  expect(await merchantView(env, record)).toEqual(toMerchantSession(record, null));
});
