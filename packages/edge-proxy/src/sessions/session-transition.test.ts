import { type CheckoutErrorCode, MAX_ATTEMPTS } from '@innkeep/core/contract';
import { describe, expect, test } from 'vitest';
import {
  ACTOR,
  CARD_RESULT,
  CREATED_AT,
  HOSTED,
  OPEN_SESSION,
  PAYMENT_RESULT,
  PENDING_ATTEMPT,
  PENDING_SESSION,
  RECORDED,
  sessionWith,
  TERMS,
} from '../../test-support/records.ts';
import type { Resolution } from '../records/resolution.ts';
import type { AttemptEvent } from './attempt-machine.ts';
import type { AttemptRecord } from './attempt-record.ts';
import type { Offer, SessionRecord } from './session-record.ts';
import { type AttemptChange, type SessionEvent, sessionEntry, transition } from './session-transition.ts';

const now = CREATED_AT + 60_000;
const DAY = 24 * 60 * 60_000;
const MISMATCH = {
  code: 'amount_mismatch',
  message: 'The recorded amount is not the amount requested: money may have moved',
} as const;
const UNRESOLVED: Partial<AttemptRecord> = { status: 'unknown', error: MISMATCH, recorded: RECORDED };
const UNKNOWN = sessionWith([UNRESOLVED]);
const RESULT = { result: PAYMENT_RESULT };
const PAYMENT: Partial<AttemptRecord> = { status: 'succeeded', endedAt: now - 5, ...RESULT };
const DECLINED = { status: 'declined' } as const;
const ABANDONED: Partial<AttemptRecord> = { status: 'abandoned', since: now - 10, endedAt: now - 10 };
const { by } = ACTOR;
const RESOLUTION: Resolution = { status: 'succeeded', evidence: 'Portal', transactionId: 'TX-9', by, at: now };
const CLOSED = { at: now - 1, by: 'deadline', isSettled: false } as const;
const OFFER: Offer = {
  terms: { ...TERMS, version: 1, amount: { value: 9_000, currency: 'EUR' } },
  returnUrl: null,
  metadata: { bookingId: '2' },
  expiresAt: OPEN_SESSION.expiresAt + 1,
};
const START: SessionEvent = { is: 'started', hosted: HOSTED, presentation: 'tab', terms: TERMS, livemode: false };

/** What becomes of the last attempt, or of the one with a number. */
function moved(
  record: SessionRecord,
  event: AttemptEvent,
  { number = record.attempts.length, ...change }: AttemptChange & { number?: number } = {},
) {
  return transition(record, { is: 'attempt', number, event, ...change }, now);
}

describe('a start', () => {
  test('opens a first attempt, and tells nobody', () => {
    expect(transition(OPEN_SESSION, START, CREATED_AT + 10_000)).toStrictEqual({ ...PENDING_SESSION, news: null });
  });

  test('after nineteen others opens one more with a watch of its own, and leaves those as they are', () => {
    const watch = { ...PENDING_ATTEMPT.watch, returnedAt: 1 };
    const before = sessionWith(Array.from({ length: MAX_ATTEMPTS - 1 }, () => ({ ...DECLINED, watch })));
    const next = transition(before, START, now);
    expect(next).toMatchObject({ seq: 21, state: 'pending', final: false });
    const added = { ...PENDING_ATTEMPT, number: 20, startedAt: now, since: now };
    expect(next?.attempts).toStrictEqual([...before.attempts, added]);
  });

  test.each<[string, SessionRecord]>([
    ['while one is under way', PENDING_SESSION],
    ['of a session that was paid', sessionWith([PAYMENT])],
    ['while one is in doubt', UNKNOWN],
    ['of an expired session', { ...OPEN_SESSION, state: 'expired', closed: CLOSED }],
    ['with terms that were replaced', { ...OPEN_SESSION, terms: { ...TERMS, version: 2 } }],
    ['after the twentieth', sessionWith(Array.from({ length: MAX_ATTEMPTS }, () => DECLINED))],
  ])('%s is none', (_, record) => {
    expect(transition(record, START, now)).toBeUndefined();
  });
});

describe('an attempt', () => {
  const watch = { ...PENDING_ATTEMPT.watch, doneSeenAt: now };
  const paid = { status: 'succeeded', endedAt: now, ...RESULT } as const;
  const ended = (status: 'declined' | 'failed' | 'canceled', code: CheckoutErrorCode, message: string) =>
    ({ status, endedAt: now, error: { code, message } }) as const;
  const success = { state: 'succeeded', final: true, news: { type: 'checkout.succeeded' } } as const;
  const open = { state: 'open', news: { type: 'checkout.attempt_failed' } } as const;
  const doubt = { state: 'unknown', news: { type: 'checkout.unknown' } } as const;
  const failed = 'The payment service ended the payment with an error';
  const canceled = 'The guest canceled on the payment page';
  const later = { ...RECORDED, wireAmount: 1 };
  const mismatch = { error: 'amount_mismatch', recorded: RECORDED } as const;

  test.each<[AttemptEvent, AttemptChange, Partial<AttemptRecord>, Partial<AttemptRecord>, Partial<SessionRecord>]>([
    ['record_consistent', { ...RESULT, watch }, {}, { ...paid, watch }, success],
    ['card_refused', { error: 'declined' }, {}, ended('declined', 'declined', 'The card was declined'), open],
    ['ended_with_error', { error: 'upstream_failed' }, {}, ended('failed', 'upstream_failed', failed), open],
    ['ended_by_guest', { error: 'canceled_by_guest' }, {}, ended('canceled', 'canceled_by_guest', canceled), open],
    ['guest_gone', {}, {}, { status: 'abandoned', endedAt: now }, { state: 'open', news: null }],
    ['record_contradicts', mismatch, {}, UNRESOLVED, doubt],
    // It has not ended any more.
    ['record_contradicts', mismatch, ABANDONED, { ...UNRESOLVED, endedAt: null, hadEnded: true }, doubt],
    // The newest figures count, and the error stays when it brings none.
    ['record_contradicts', { recorded: later }, UNRESOLVED, { recorded: later }, doubt],
    // Neither figures nor error of an earlier record are left.
    ['record_consistent', RESULT, UNRESOLVED, { ...paid, error: null, recorded: null }, success],
  ])('moves by %s with %o when it was %o', (event, change, before, after, session) => {
    const record = sessionWith([before]);
    expect(moved(record, event, change)).toStrictEqual({
      ...record,
      seq: 3,
      attempts: [{ ...PENDING_ATTEMPT, ...before, since: now, ...after }],
      ...session,
    });
  });

  test('moves by nothing that means nothing to it, and there is no other', () => {
    expect(moved(PENDING_SESSION, 'resolved_succeeded')).toBeUndefined();
    expect(moved(PENDING_SESSION, 'record_consistent', { number: 2 })).toBeUndefined();
  });

  test.each(['pending', 'unknown', 'abandoned', 'declined', 'failed', 'canceled'] as const)(
    'that was %s and succeeds is late if it had ended, also after an outcome in doubt',
    (status) => {
      const before = sessionWith([{ status }]);
      const doubtful = moved(before, 'record_contradicts', { error: 'amount_mismatch' });
      for (const record of [before, doubtful]) {
        const hadEnded = status !== 'pending' && status !== 'unknown';
        expect(record && moved(record, 'record_consistent', RESULT)).toMatchObject({ attempts: [{ hadEnded }] });
      }
    },
  );
});

describe('money that shows late', () => {
  const pair = (...attempts: number[]) => attempts.map((attempt) => ({ payment: 'cs_1', attempt }));

  test('pays the session while a later attempt is under way, which goes on', () => {
    const paid = moved(sessionWith([ABANDONED, {}]), 'record_consistent', { number: 1, ...RESULT });
    expect(paid).toMatchObject({ state: 'succeeded', final: true, news: { type: 'checkout.succeeded' } });
    expect(paid?.attempts[1]?.status).toBe('pending');
    const both = paid && moved(paid, 'record_consistent', { number: 2, ...RESULT });
    expect(both).toMatchObject({ state: 'succeeded', final: true, seq: 5 });
    const remedy = 'Refund one: POST /v1/reversals with {"payment":"cs_1","attempt":2}';
    const duplicate = { payments: pair(1, 2), remedy };
    expect(both?.news).toStrictEqual({ type: 'checkout.duplicate_payment', duplicate });
  });

  test('again names the first success, which stays the first also in the same moment', () => {
    const paid = sessionWith([DECLINED, { ...PAYMENT, endedAt: now }, { ...PAYMENT, endedAt: now + 2 }]);
    const third = moved(paid, 'record_consistent', { number: 1, ...RESULT });
    expect(third?.news?.duplicate?.payments).toEqual(pair(2, 1));
    expect(third?.attempts.map(({ endedAt }) => endedAt)).toEqual([now + 1, now, now + 2]);
  });

  test('is nobody’s duplicate when it is a card', () => {
    const stored = sessionWith([ABANDONED, PAYMENT], { base: { ...OPEN_SESSION, kind: 'card' } });
    expect(moved(stored, 'record_consistent', { number: 1, result: CARD_RESULT })?.news).toBeNull();
  });

  test('beside an attempt in doubt outweighs it', () => {
    expect(moved(sessionWith([UNRESOLVED, ABANDONED]), 'record_consistent', RESULT)?.state).toBe('succeeded');
    const unresolved = moved(sessionWith([PAYMENT, DECLINED]), 'record_contradicts', { recorded: RECORDED });
    expect(unresolved).toMatchObject({ state: 'succeeded', final: true, news: { type: 'checkout.unknown' } });
  });
});

describe('the end of a session', () => {
  const close = (record: SessionRecord, at = now) => transition(record, { is: 'closed', by: 'merchant' }, at);

  test('is final when no attempt was abandoned within a day', () => {
    const final = { state: 'expired', final: true, news: { type: 'checkout.expired' } };
    const closed = { at: now, by: 'merchant', isSettled: true };
    expect(close(OPEN_SESSION)).toStrictEqual({ ...OPEN_SESSION, ...final, seq: 2, closed });
    expect(close(sessionWith([ABANDONED]), now - 10 + DAY)).toMatchObject(final);
    expect(close(sessionWith([ABANDONED]), now - 11 + DAY)).toMatchObject({ ...final, final: false });
  });

  test('that was not final is settled once, and told again', () => {
    const ended = close(sessionWith([ABANDONED]));
    const settled = ended && transition(ended, { is: 'settled' }, now + DAY);
    expect(settled).toMatchObject({ seq: 4, state: 'expired', final: true, news: { type: 'checkout.expired' } });
    expect(settled && transition(settled, { is: 'settled' }, now + DAY)).toBeUndefined();
    expect(transition(sessionWith([ABANDONED]), { is: 'settled' }, now + DAY)).toBeUndefined();
  });

  test('that comes out of a doubt is settled anew', () => {
    const settled = sessionWith([ABANDONED], { closed: { ...CLOSED, isSettled: true } });
    const unresolved = moved(settled, 'record_contradicts', { recorded: RECORDED });
    expect(unresolved).toMatchObject({ state: 'unknown', final: false });
    const resolution: Resolution = { ...RESOLUTION, status: 'failed' };
    const resolved = unresolved && moved(unresolved, 'resolved_failed', { resolution });
    expect(resolved).toMatchObject({ state: 'expired', final: false, closed: { by: 'deadline', isSettled: false } });
  });

  test.each<[string, SessionRecord]>([
    ['being paid', PENDING_SESSION],
    ['paid', sessionWith([PAYMENT])],
    ['in doubt', UNKNOWN],
    ['at its end', sessionWith([ABANDONED], { closed: CLOSED })],
  ])('is none while it is %s', (_, record) => {
    expect(close(record)).toBeUndefined();
  });
});

describe('what the hotel wants', () => {
  const offer = (record: SessionRecord, wanted: Offer) => transition(record, { is: 'offered', offer: wanted }, now);

  test('replaces what an open session asks, with a further version of its terms, and tells nobody', () => {
    const terms = { ...OFFER.terms, version: 2 };
    expect(offer(OPEN_SESSION, OFFER)).toStrictEqual({ ...OPEN_SESSION, ...OFFER, seq: 2, terms });
  });

  test('is taken without what else comes with it', () => {
    const stranger = { ...OFFER, id: 'cs_2', property: 'other', createdAt: now, hotelName: 'Other', livemode: true };
    expect(offer(OPEN_SESSION, stranger)).toStrictEqual(offer(OPEN_SESSION, OFFER));
    const kept = { ...PENDING_SESSION, nextOffer: stranger };
    const refused = moved(kept, 'card_refused', { error: 'declined' });
    expect(refused).toMatchObject({ property: 'aurora', createdAt: CREATED_AT });
  });

  test('keeps the version when the guest sees no difference, and never ends sooner', () => {
    expect(offer(OPEN_SESSION, { ...OFFER, terms: TERMS, expiresAt: 0 })).toMatchObject({
      terms: TERMS,
      metadata: { bookingId: '2' },
      expiresAt: OPEN_SESSION.expiresAt,
    });
  });

  test('opens an expired session anew with all its attempts, whether or not it differs', () => {
    const { returnUrl, metadata, expiresAt, terms } = OPEN_SESSION;
    const ended = sessionWith([ABANDONED], { closed: CLOSED, nextOffer: null });
    const opened = { ...ended, seq: 3, state: 'open', closed: null };
    expect(offer(ended, { returnUrl, metadata, expiresAt, terms })).toStrictEqual(opened);
  });

  test.each<[string, SessionRecord]>([
    ['the same of an open session', { ...OPEN_SESSION, ...OFFER }],
    ['anything while somebody pays', PENDING_SESSION],
    ['anything once it was paid', sessionWith([PAYMENT])],
    ['anything while it is in doubt', UNKNOWN],
  ])('is none when it is %s', (_, record) => {
    expect(offer(record, OFFER)).toBeUndefined();
  });

  test('meanwhile holds from the end of the attempt on, in the same version', () => {
    const kept = { ...PENDING_SESSION, nextOffer: OFFER };
    for (const event of ['card_refused', 'guest_gone'] as const) {
      expect(moved(kept, event, { error: 'declined' })).toMatchObject({
        seq: 3,
        state: 'open',
        terms: { ...OFFER.terms, version: 2 },
        metadata: { bookingId: '2' },
        nextOffer: null,
      });
    }
    const paid = moved(kept, 'record_consistent', RESULT);
    expect(paid).toMatchObject({ terms: TERMS, nextOffer: OFFER });
    expect(paid?.attempts[0]?.terms).toBe(PENDING_ATTEMPT.terms);
  });

  test('meanwhile holds, too, when no attempt has come about', () => {
    const event: SessionEvent = { is: 'next_offer' };
    const open = transition({ ...OPEN_SESSION, nextOffer: OFFER }, event, now);
    expect(open).toMatchObject({ seq: 2, terms: { version: 2 }, nextOffer: null, news: null });
    expect(transition(OPEN_SESSION, event, now)).toBeUndefined();
    expect(transition({ ...PENDING_SESSION, nextOffer: OFFER }, event, now)).toBeUndefined();
  });
});

describe('a person', () => {
  const total = { value: 12_000, currency: 'EUR' };
  const amount = { value: 13_500, currency: 'EUR' };
  const payment = { kind: 'payment', surcharge: null, paymentObjectId: null, maskedCard: null } as const;
  const card = {
    kind: 'card',
    transactionId: 'TX-9',
    sealedToken: null,
    tokenLast4: null,
    tokenValidUntil: null,
    tokenKeptUntil: null,
    tokenObjectId: null,
    maskedCard: null,
  } as const;
  const asked = { ...payment, total, base: total, transactionId: 'TX-9' };
  const taken = { ...payment, total: amount, base: amount, transactionId: null };
  const failed: Resolution = { ...RESOLUTION, status: 'failed', transactionId: null };

  test.each<[string, Partial<Resolution>, Partial<AttemptRecord>, AttemptRecord['result']]>([
    ['a payment vouches for what that attempt asked', {}, {}, asked],
    ['another amount may name no transaction', { amount, transactionId: null }, {}, taken],
    ['a card knows no token', {}, { terms: { ...TERMS, amount: null } }, card],
  ])('who vouches for %s, and the figures stay', (_, change, attempt, result) => {
    const before = { ...UNRESOLVED, ...attempt };
    const resolution = { ...RESOLUTION, ...change };
    const newer = sessionWith([before], { terms: { ...TERMS, version: 2, amount: { value: 1, currency: 'EUR' } } });
    const paid = { status: 'succeeded', since: now, endedAt: now, error: null, result, resolution } as const;
    const resolved = moved(newer, 'resolved_succeeded', { resolution });
    expect(resolved?.attempts).toStrictEqual([{ ...PENDING_ATTEMPT, ...before, ...paid }]);
  });

  test.each([
    [UNRESOLVED, 'amount_mismatch'],
    [ABANDONED, 'upstream_failed'],
  ])('who ends one as failed gives the evidence, and the session is open again', (attempt, code) => {
    const resolved = moved(sessionWith([attempt]), 'resolved_failed', { resolution: failed });
    expect(resolved).toMatchObject({ state: 'open', news: { type: 'checkout.attempt_failed' } });
    const error = { code, message: 'Resolved by hand: Portal' };
    expect(resolved?.attempts).toMatchObject([
      { status: 'failed', endedAt: now, result: null, error, resolution: failed },
    ]);
  });

  test('is still named after a payment that showed later', () => {
    const record = sessionWith([{ ...UNRESOLVED, status: 'failed', resolution: failed }]);
    const later = moved(record, 'record_consistent', RESULT);
    expect(later?.attempts).toMatchObject([{ error: null, ...RESULT, resolution: failed }]);
  });
});

describe('the ledger gets', () => {
  test('a version that tells nothing, without an event', () => {
    const { type, resource, ...more } = sessionEntry(PENDING_SESSION);
    expect({ type, more, ...resource, body: JSON.parse(resource.body) }).toMatchObject({
      type: null,
      more: {},
      id: 'cs_1',
      kind: 'checkout_session',
      seq: 2,
      status: 'pending',
      reference: 'RES-1',
      createdAt: CREATED_AT,
      body: { object: 'checkout_session', id: 'cs_1', attempts: [{ number: 1 }] },
    });
  });

  test('the news, and with them what they say of two payments', () => {
    const duplicate = { payments: [], remedy: 'Refund one' };
    const news = { type: 'checkout.duplicate_payment', duplicate } as const;
    expect(sessionEntry({ ...PENDING_SESSION, news })).toMatchObject(news);
  });

  test('a card with the last four characters of its token', () => {
    const terms = { ...TERMS, amount: null };
    const base: SessionRecord = { ...OPEN_SESSION, kind: 'card', terms };
    const { resource } = sessionEntry(sessionWith([{ ...PAYMENT, result: CARD_RESULT, terms }], { base }));
    const result = { token: '9876', tokenObjectId: '815' };
    expect(JSON.parse(resource.body)).toMatchObject({ result, attempts: [{ result }] });
    expect(resource.body).not.toContain('sealed');
  });
});
