/** A charge of a stored card, whose session's object still has the configuration of before: that of the charge counts. */
import { env } from 'cloudflare:workers';
import { afterEach, expect, test, vi } from 'vitest';
import { seal } from '../src/http/seal.ts';
import type { ChargedService } from '../src/records/stored-card.ts';
import { CheckoutSessionObject } from '../src/sessions/checkout-session-object.ts';
import { cardTokenAad } from '../src/sessions/hosted-calls.ts';
import type { SessionRecord } from '../src/sessions/session-record.ts';
import { storedCard } from '../src/sessions/session-views.ts';
import { createSession, merchant } from '../test-support/client.ts';
import { AURORA, KEYS } from '../test-support/environment.ts';
import { CHARGE, useMoneyFakes } from '../test-support/money.ts';
import { CARD_RESULT, OPEN_SESSION, PENDING_ATTEMPT, sessionWith } from '../test-support/records.ts';

const fakes = useMoneyFakes('CARD');

afterEach(() => {
  vi.restoreAllMocks();
});

async function stored(): Promise<SessionRecord> {
  const base: SessionRecord = { ...OPEN_SESSION, kind: 'card' };
  const sealedToken = await seal('TOKEN-1', cardTokenAad(base, { number: 1 }), [AURORA.password]);
  const tokenKeptUntil = new Date(Date.now() + 86_400_000).toISOString();
  const hosted = { ...PENDING_ATTEMPT.hosted, origin: 'https://pay.test' };
  return sessionWith([{ status: 'succeeded', hosted, result: { ...CARD_RESULT, sealedToken, tokenKeptUntil } }], {
    base,
  });
}

const SETTINGS: ChargedService = {
  livemode: false,
  baseUrl: AURORA.baseUrl,
  allowedOrigins: [],
  amountUnit: 'minor',
};

test.each([
  ['of the same configuration gets it', {}, { ok: true, value: { token: 'TOKEN-1' } }],
  ['by an earlier version gets it', undefined, { ok: true, value: { token: 'TOKEN-1' } }],
  ['in live mode gets no card of test mode', { livemode: true }, { ok: false, code: 'invalid_request', param: 'card' }],
  ['at another service gets no card of this one', { baseUrl: 'https://new.test/api' }, { ok: false, param: 'card' }],
  [
    'at another service that trusts this one gets it',
    { baseUrl: 'https://new.test/api', allowedOrigins: ['https://pay.test'] },
    { ok: true },
  ],
])('a charge %s', async (_what, changes, expected) => {
  expect(await storedCard(env, await stored(), changes && { ...SETTINGS, ...changes })).toMatchObject(expected);
});

test('a charge says with which configuration it is made', async () => {
  const { id } = await createSession();
  const cardToken = vi.spyOn(CheckoutSessionObject.prototype, 'cardToken');
  const { amount, reason } = CHARGE;
  const body = { card: id, amount, reason, reference: fakes.reference };
  const headers = { 'idempotency-key': fakes.key() };
  expect((await merchant('/v1/charges', { key: KEYS.aurora, body, headers })).status).toBe(400);
  expect(cardToken.mock.calls).toEqual([['aurora', SETTINGS]]);
});
