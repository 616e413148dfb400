import { MAX_ATTEMPTS } from '@innkeep/core/contract';
import { describe, expect, test } from 'vitest';
import {
  CARD_RESULT,
  CREATED_AT,
  HOSTED,
  OPEN_SESSION,
  PAYMENT_RESULT,
  PENDING_ATTEMPT,
  PENDING_SESSION,
  sessionWith,
  TERMS,
} from '../../test-support/records.ts';
import type { AttemptEvent } from '../policy/attempt-machine.ts';
import type { AttemptRecord, Resolution } from './attempt-record.ts';
import type { Offer, SessionRecord } from './session-record.ts';
import { type AttemptChange, type SessionEvent, sessionEntry, transition } from './session-transition.ts';

const now = CREATED_AT + 60_000;
const DAY = 24 * 60 * 60_000;
const AMOUNT = { value: 12_000, currency: 'EUR' };
const RECORDED = {
  amount: { value: 11_999, currency: 'EUR' },
  base: { value: 11_999, currency: 'EUR' },
  surcharge: null,
  wireAmount: 11_999,
  currency: 'EUR',
  transactionId: 'TX-1',
  paymentObjectId: '4711',
  maskedCard: null,
  returnCode: '0',
};
const MISMATCH = {
  code: 'amount_mismatch',
  message: 'The recorded amount is not the amount requested: money may have moved',
} as const;
const DOUBTED: Partial<AttemptRecord> = { status: 'unknown', error: MISMATCH, recorded: RECORDED };
const UNKNOWN = sessionWith([DOUBTED]);
const PAYMENT: Partial<AttemptRecord> = { status: 'succeeded', endedAt: now - 5, result: PAYMENT_RESULT };
const ABANDONED: Partial<AttemptRecord> = { status: 'abandoned', endedAt: now - 10 };
const RESOLUTION: Resolution = { status: 'succeeded', evidence: 'Portal', transactionId: 'TX-9', by: 'web', at: now };
const CLOSED = { at: now - 1, by: 'deadline', isSettled: false } as const;
const OFFER: Offer = {
  terms: { ...TERMS, version: 1, amount: { value: 9_000, currency: 'EUR' } },
  returnUrl: null,
  metadata: { bookingId: '2' },
  expiresAt: OPEN_SESSION.expiresAt + 1,
};
const START: SessionEvent = { is: 'started', hosted: HOSTED, presentation: 'tab', terms: TERMS };

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
    const started = transition(OPEN_SESSION, START, CREATED_AT + 10_000);
    expect(started).toStrictEqual({ ...PENDING_SESSION, news: null });
  });

  test('after others opens another one with a watch of its own, and leaves those as they are', () => {
    const before = sessionWith([{ status: 'declined', watch: { ...PENDING_ATTEMPT.watch, returnedAt: 1 } }]);
    const next = transition(before, START, now);
    expect(next).toMatchObject({ seq: 3, state: 'pending', final: false });
    expect(next?.attempts).toStrictEqual([
      ...before.attempts,
      { ...PENDING_ATTEMPT, number: 2, startedAt: now, since: now },
    ]);
  });

  test.each<[string, SessionRecord]>([
    ['while one is under way', PENDING_SESSION],
    ['of a session that was paid', sessionWith([PAYMENT])],
    ['while one is in doubt', UNKNOWN],
    ['of an expired session', { ...OPEN_SESSION, state: 'expired', closed: CLOSED }],
    ['with terms that were replaced', { ...OPEN_SESSION, terms: { ...TERMS, version: 2 } }],
    ['after the last one', sessionWith(Array.from({ length: MAX_ATTEMPTS }, () => ({ status: 'declined' as const })))],
  ])('%s is none', (_, record) => {
    expect(transition(record, START, now)).toBeUndefined();
  });

  test('can be the twentieth', () => {
    const nineteen = Array.from({ length: MAX_ATTEMPTS - 1 }, () => ({ status: 'declined' as const }));
    expect(transition(sessionWith(nineteen), START, now)?.attempts).toHaveLength(20);
  });
});

describe('an attempt', () => {
  test.each<[SessionRecord, AttemptEvent, number]>([
    [OPEN_SESSION, 'record_consistent', 1],
    [PENDING_SESSION, 'resolved_succeeded', 1],
    [PENDING_SESSION, 'record_consistent', 2],
    [sessionWith([PAYMENT]), 'record_contradicts', 1],
  ])('moves by none that means nothing to it', (record, event, number) => {
    expect(moved(record, event, { number })).toBeUndefined();
  });

  test('that succeeds has the result, the watch and the time, and makes the session final', () => {
    const watch = { ...PENDING_ATTEMPT.watch, doneSeenAt: now };
    expect(moved(PENDING_SESSION, 'record_consistent', { watch, result: PAYMENT_RESULT })).toStrictEqual({
      ...PENDING_SESSION,
      seq: 3,
      state: 'succeeded',
      final: true,
      attempts: [{ ...PENDING_ATTEMPT, status: 'succeeded', since: now, endedAt: now, watch, result: PAYMENT_RESULT }],
      news: { type: 'checkout.succeeded' },
    });
  });

  test.each([
    ['card_refused', 'declined', 'declined', 'The card was declined'],
    ['ended_with_error', 'failed', 'upstream_failed', 'The payment service ended the payment with an error'],
    ['ended_by_guest', 'canceled', 'canceled_by_guest', 'The guest canceled on the payment page'],
  ] as const)('by %s ends as %s, and the session is open again', (event, status, code, message) => {
    expect(moved(PENDING_SESSION, event, { error: code })).toStrictEqual({
      ...PENDING_SESSION,
      seq: 3,
      state: 'open',
      attempts: [{ ...PENDING_ATTEMPT, status, since: now, endedAt: now, error: { code, message } }],
      news: { type: 'checkout.attempt_failed' },
    });
  });

  test('whose guest is gone leaves the session open, and tells nobody', () => {
    expect(moved(PENDING_SESSION, 'guest_gone')).toStrictEqual({
      ...PENDING_SESSION,
      seq: 3,
      state: 'open',
      attempts: [{ ...PENDING_ATTEMPT, status: 'abandoned', since: now, endedAt: now }],
    });
  });

  test('in doubt keeps the figures, and has not ended', () => {
    const doubtful = moved(sessionWith([ABANDONED]), 'record_contradicts', {
      error: 'amount_mismatch',
      recorded: RECORDED,
    });
    expect(doubtful).toStrictEqual({
      ...UNKNOWN,
      seq: 3,
      attempts: [{ ...PENDING_ATTEMPT, ...DOUBTED, since: now, hadEnded: true }],
      news: { type: 'checkout.unknown' },
    });
  });

  test.each([
    ['pending', false],
    ['unknown', false],
    ['abandoned', true],
    ['declined', true],
    ['failed', true],
    ['canceled', true],
  ] as const)('that was %s and succeeds is late: %s, also after an outcome in doubt', (status, isLate) => {
    const before = sessionWith([{ status }]);
    const doubtful = moved(before, 'record_contradicts', { error: 'amount_mismatch' });
    for (const record of [before, doubtful]) {
      const paid = record && moved(record, 'record_consistent', { result: PAYMENT_RESULT });
      expect(paid?.attempts[0]?.hadEnded).toBe(isLate);
    }
  });

  test('by a consistent record forgets figures and error of the earlier one', () => {
    const paid = moved(UNKNOWN, 'record_consistent', { result: PAYMENT_RESULT });
    expect(paid?.attempts).toStrictEqual([
      { ...PENDING_ATTEMPT, status: 'succeeded', since: now, endedAt: now, result: PAYMENT_RESULT },
    ]);
  });

  test('by a later contradiction takes its figures and keeps the error when it brings none', () => {
    const later = { ...RECORDED, wireAmount: 1 };
    expect(moved(UNKNOWN, 'record_contradicts', { recorded: later })?.attempts).toStrictEqual([
      { ...PENDING_ATTEMPT, ...DOUBTED, since: now, recorded: later },
    ]);
  });
});

describe('money that shows late', () => {
  const [late, other] = [{ result: PAYMENT_RESULT }, { ...PAYMENT_RESULT, transactionId: 'TX-2' }];

  test('pays the session while a later attempt is under way, which goes on', () => {
    const paid = moved(sessionWith([ABANDONED, {}]), 'record_consistent', { number: 1, ...late });
    expect(paid).toMatchObject({ state: 'succeeded', final: true, news: { type: 'checkout.succeeded' } });
    expect(paid?.attempts[1]?.status).toBe('pending');
    const both = paid && moved(paid, 'record_consistent', { number: 2, result: other });
    expect(both).toMatchObject({ state: 'succeeded', final: true, seq: 5 });
    expect(both?.news).toStrictEqual({
      type: 'checkout.duplicate_payment',
      duplicate: {
        payments: [
          { payment: 'cs_1', attempt: 1 },
          { payment: 'cs_1', attempt: 2 },
        ],
        remedy: 'Give one back: POST /v1/reversals with {"payment":"cs_1","attempt":2}',
      },
    });
  });

  test('again names the first success, which stays the first also in the same moment', () => {
    const paid = sessionWith([{ status: 'declined' }, { ...PAYMENT, endedAt: now }, { ...PAYMENT, endedAt: now + 2 }]);
    const third = moved(paid, 'record_consistent', { number: 1, ...late });
    expect(third?.news?.duplicate?.payments).toEqual([
      { payment: 'cs_1', attempt: 2 },
      { payment: 'cs_1', attempt: 1 },
    ]);
    expect(third?.attempts.map(({ endedAt }) => endedAt)).toEqual([now + 1, now, now + 2]);
  });

  test('is nobody’s duplicate when it is a card', () => {
    const base: SessionRecord = { ...OPEN_SESSION, kind: 'card' };
    const stored = sessionWith([ABANDONED, { ...PAYMENT, result: CARD_RESULT }], { base });
    expect(moved(stored, 'record_consistent', { number: 1, result: CARD_RESULT })).toMatchObject({ news: null });
  });

  test('beside an attempt in doubt outweighs it', () => {
    expect(moved(sessionWith([DOUBTED, ABANDONED]), 'record_consistent', late)?.state).toBe('succeeded');
    const doubted = moved(sessionWith([PAYMENT, { status: 'failed' }]), 'record_contradicts', { recorded: RECORDED });
    expect(doubted).toMatchObject({ state: 'succeeded', final: true, news: { type: 'checkout.unknown' } });
  });
});

describe('the end of a session', () => {
  const close = (record: SessionRecord, at = now) => transition(record, { is: 'closed', by: 'merchant' }, at);

  test('is final when no attempt was abandoned within a day', () => {
    const final = { state: 'expired', final: true, news: { type: 'checkout.expired' } };
    expect(close(OPEN_SESSION)).toStrictEqual({
      ...OPEN_SESSION,
      ...final,
      seq: 2,
      closed: { at: now, by: 'merchant', isSettled: true },
    });
    expect(close(sessionWith([{ status: 'declined', endedAt: now }]))).toMatchObject(final);
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
    const doubted = moved(settled, 'record_contradicts', { recorded: RECORDED });
    expect(doubted).toMatchObject({ state: 'unknown', final: false });
    const resolution: Resolution = { ...RESOLUTION, status: 'failed' };
    const resolved = doubted && moved(doubted, 'resolved_failed', { resolution });
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
    expect(offer(OPEN_SESSION, OFFER)).toStrictEqual({
      ...OPEN_SESSION,
      ...OFFER,
      seq: 2,
      terms: { ...OFFER.terms, version: 2 },
    });
  });

  test('is taken without what else comes with it', () => {
    const stranger = { ...OFFER, id: 'cs_2', property: 'other', createdAt: now, hotelName: 'Other', livemode: true };
    expect(offer(OPEN_SESSION, stranger)).toStrictEqual(offer(OPEN_SESSION, OFFER));
    const kept = { ...PENDING_SESSION, nextOffer: stranger };
    expect(moved(kept, 'card_refused', { error: 'declined' })).toMatchObject({
      property: 'aurora',
      createdAt: CREATED_AT,
    });
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
    expect(offer(ended, { returnUrl, metadata, expiresAt, terms })).toStrictEqual({
      ...ended,
      seq: 3,
      state: 'open',
      closed: null,
    });
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
    const paid = moved(kept, 'record_consistent', { result: PAYMENT_RESULT });
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
  const result = {
    kind: 'payment',
    total: AMOUNT,
    base: AMOUNT,
    surcharge: null,
    transactionId: 'TX-9',
    paymentObjectId: null,
    maskedCard: null,
  };

  test('who vouches for a payment vouches for what that attempt asked, and the figures stay', () => {
    const newer = { ...UNKNOWN, terms: { ...TERMS, version: 2, amount: { value: 1, currency: 'EUR' } } };
    expect(moved(newer, 'resolved_succeeded', { resolution: RESOLUTION })?.attempts).toStrictEqual([
      {
        ...PENDING_ATTEMPT,
        status: 'succeeded',
        since: now,
        endedAt: now,
        recorded: RECORDED,
        result,
        resolution: RESOLUTION,
      },
    ]);
  });

  test('may name another amount, and no transaction', () => {
    const amount = { value: 13_000, currency: 'EUR' };
    const resolution: Resolution = { ...RESOLUTION, transactionId: null, amount };
    const resolved = moved(UNKNOWN, 'resolved_succeeded', { resolution });
    expect(resolved?.attempts[0]?.result).toStrictEqual({
      ...result,
      total: amount,
      base: amount,
      transactionId: null,
    });
  });

  test('who vouches for a card knows no token', () => {
    const record = sessionWith([{ ...DOUBTED, terms: { ...TERMS, amount: null } }]);
    expect(moved(record, 'resolved_succeeded', { resolution: RESOLUTION })?.attempts[0]?.result).toStrictEqual({
      kind: 'card',
      sealedToken: null,
      tokenLast4: null,
      tokenValidUntil: null,
      tokenObjectId: null,
      transactionId: 'TX-9',
      maskedCard: null,
    });
  });

  const failed: Resolution = { ...RESOLUTION, status: 'failed', transactionId: null };

  test.each([
    [DOUBTED, 'amount_mismatch'],
    [ABANDONED, 'upstream_failed'],
  ])('who ends one as failed gives the evidence, and the session is open again', (attempt, code) => {
    const resolved = moved(sessionWith([attempt]), 'resolved_failed', { resolution: failed });
    expect(resolved).toMatchObject({ state: 'open', news: { type: 'checkout.attempt_failed' } });
    expect(resolved?.attempts[0]).toMatchObject({
      status: 'failed',
      endedAt: now,
      result: null,
      error: { code, message: 'Resolved by hand: Portal' },
      resolution: failed,
    });
  });

  test('is still named after a payment that showed later', () => {
    const record = sessionWith([{ ...DOUBTED, status: 'failed', resolution: failed }]);
    const later = moved(record, 'record_consistent', { result: PAYMENT_RESULT });
    expect(later?.attempts[0]).toMatchObject({ error: null, result: PAYMENT_RESULT, resolution: failed });
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
    const duplicate = { payments: [], remedy: 'Give one back' };
    const news = { type: 'checkout.duplicate_payment', duplicate } as const;
    expect(sessionEntry({ ...PENDING_SESSION, news })).toMatchObject(news);
  });

  test('a card with the last four characters of its token', () => {
    const { resource } = sessionEntry(sessionWith([{ ...PAYMENT, result: CARD_RESULT }]));
    const result = { token: '9876', tokenObjectId: '815' };
    expect(JSON.parse(resource.body)).toMatchObject({ result, attempts: [{ result }] });
    expect(resource.body).not.toContain('sealed');
  });
});
