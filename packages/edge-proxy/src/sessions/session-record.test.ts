import type { CardBrand } from '@innkeep/core/values';
import { describe, expect, test } from 'vitest';
import {
  ACTOR,
  CARD_RESULT,
  CREATED_AT,
  OPEN_SESSION,
  PAYMENT_RESULT,
  PENDING_ATTEMPT,
  PENDING_SESSION,
  sessionWith,
  TERMS,
} from '../../test-support/records.ts';
import type { AttemptRecord, Terms } from './attempt-record.ts';
import {
  hasOffer,
  newRecord,
  newSession,
  type Offer,
  type SessionRecord,
  sameTerms,
  shownTerms,
  toCheckoutView,
  toMerchantSession,
} from './session-record.ts';

const eur = (value: number) => ({ value, currency: 'EUR' });
const AMOUNT = eur(12_000);
const CARD_TERMS: Terms = { ...TERMS, amount: null, surcharge: false };
const CARD_SESSION: SessionRecord = { ...OPEN_SESSION, kind: 'card', terms: CARD_TERMS };
const PAID_AT = CREATED_AT + 60_000;
const PAYMENT: Partial<AttemptRecord> = { status: 'succeeded', endedAt: PAID_AT, result: PAYMENT_RESULT };
const PAID_LATER = { ...PAYMENT, endedAt: PAID_AT + 1 };
const PAID = sessionWith([PAYMENT]);
const STORED = sessionWith([{ ...PAYMENT, result: CARD_RESULT, terms: CARD_SESSION.terms }], { base: CARD_SESSION });
const DECLINED = { status: 'declined', error: { code: 'declined', message: 'The card was declined' } } as const;
const UNRESOLVED = { status: 'unknown', error: { code: 'amount_mismatch', message: 'It differs' } } as const;

const terms = (version: number, changes: Partial<Terms> = {}): Terms => ({ ...TERMS, version, ...changes });

describe('a new session', () => {
  const origin = {
    id: 'cs_1',
    property: {
      id: 'aurora',
      displayName: 'Hotel Aurora',
      acceptedBrands: ['visa', 'mastercard'] satisfies CardBrand[],
      livemode: false,
      password: 'password-marker',
    },
    actor: ACTOR,
    createdAt: CREATED_AT,
  };
  const common = { reference: 'RES-1', metadata: { bookingId: '1' }, expiresInSeconds: 3_600 };

  test('of a payment is what was asked for', () => {
    const returnUrl = 'https://aurora.test/booking';
    const asked = { amount: AMOUNT, surcharge: true, description: '2 nights', returnUrl };
    const body = { kind: 'payment', ...common, ...asked } as const;
    expect(newRecord(newSession(body, origin))).toStrictEqual(OPEN_SESSION);
    expect(newSession({ ...body, surcharge: false }, origin).terms).toStrictEqual(terms(1, { surcharge: false }));
  });

  test('of a card has neither amount nor surcharge, and what was left out is null', () => {
    expect(newRecord(newSession({ kind: 'card', ...common }, origin))).toStrictEqual({
      ...CARD_SESSION,
      terms: { version: 1, amount: null, surcharge: false, description: null },
      returnUrl: null,
    });
  });
});

describe('terms', () => {
  test.each<[string, Partial<Terms>, boolean]>([
    ['another version of the same', { version: 2 }, true],
    ['another amount', { amount: eur(1) }, false],
    ['another currency', { amount: { ...AMOUNT, currency: 'USD' } }, false],
    ['a surcharge or none', { surcharge: false }, false],
    ['other words', { description: null }, false],
  ])('compared with %s', (_, changes, isSame) => {
    expect(sameTerms(TERMS, { ...TERMS, ...changes })).toBe(isSame);
  });

  test.each<[string, Partial<AttemptRecord>[], number]>([
    ['the next attempt’s when nothing is under way', [{ ...DECLINED, terms: terms(1) }], 9],
    ['those of the attempt under way', [DECLINED, { terms: terms(2) }], 2],
    ['those of an attempt in doubt rather', [{ ...UNRESOLVED, terms: terms(1) }, { terms: terms(2) }], 1],
    ['those that were paid first before all', [UNRESOLVED, PAID_LATER, { ...PAYMENT, terms: terms(3) }], 3],
  ])('shown are %s', (_, attempts, version) => {
    const record = sessionWith(attempts, { terms: terms(9, { amount: eur(9) }) });
    expect(shownTerms(record).version).toBe(version);
    expect(toMerchantSession(record, () => null)).toMatchObject({ terms: version, outdated: version !== 9 });
    expect(toCheckoutView(record).terms).toBe(version);
  });

  test('kept for the next attempt make what is shown outdated', () => {
    const nextOffer: Offer = { terms: terms(1, { amount: eur(1) }), returnUrl: null, metadata: {}, expiresAt: 0 };
    const shown = toMerchantSession({ ...PENDING_SESSION, nextOffer }, () => null);
    expect(shown).toMatchObject({ amount: AMOUNT, outdated: true });
  });

  test('and all else but the time make an offer, which is held against the newest', () => {
    const { returnUrl, metadata } = OPEN_SESSION;
    const offer: Offer = { terms: terms(7), returnUrl, metadata, expiresAt: 0 };
    expect(hasOffer(OPEN_SESSION, offer)).toBe(true);
    const others = [{ terms: terms(1, { surcharge: false }) }, { returnUrl: null }, { metadata: { bookingId: '2' } }];
    for (const other of others) {
      expect(hasOffer(OPEN_SESSION, { ...offer, ...other })).toBe(false);
      expect(hasOffer({ ...OPEN_SESSION, nextOffer: { ...offer, ...other } }, offer)).toBe(false);
      expect(hasOffer({ ...OPEN_SESSION, ...other, nextOffer: offer }, offer)).toBe(true);
    }
  });

  test('and metadata in another order is the same offer', () => {
    const { terms, returnUrl } = OPEN_SESSION;
    const record = { ...OPEN_SESSION, metadata: { room: '12', guest: 'G-7' } };
    const offer: Offer = { terms, returnUrl, metadata: { guest: 'G-7', room: '12' }, expiresAt: 0 };
    expect(hasOffer(record, offer)).toBe(true);
  });
});

describe('a merchant sees', () => {
  const open = {
    object: 'checkout_session',
    id: 'cs_1',
    property: 'aurora',
    kind: 'payment',
    status: 'open',
    final: false,
    seq: 1,
    amount: AMOUNT,
    reference: 'RES-1',
    description: '2 nights',
    surcharge: true,
    terms: 1,
    outdated: false,
    returnUrl: 'https://aurora.test/booking',
    metadata: { bookingId: '1' },
    livemode: false,
    by: ACTOR.by,
    createdAt: '2026-06-01T12:00:00.000Z',
    startedAt: null,
    completedAt: null,
    expiresAt: '2026-06-01T13:00:00.000Z',
    late: false,
    result: null,
    attempts: [],
    reversed: null,
    reversing: null,
  };

  test('a session that nobody has started', () => {
    expect(toMerchantSession(OPEN_SESSION, () => null)).toStrictEqual(open);
  });

  test('the attempts, and of what was paid first the result, what was refunded, and whether it was late', () => {
    const reversals = { reversed: 2_000, reversing: 1_000 };
    const first = { ...PAYMENT, hadEnded: true, reversals };
    const another = { ...PAID_LATER, result: { ...PAYMENT_RESULT, transactionId: 'TX-2' } };
    const record = sessionWith([{ ...another, startedAt: CREATED_AT + 5_000 }, first]);
    const { attempts, ...session } = toMerchantSession(record, () => null);
    expect({ ...session, attempts: [] }).toStrictEqual({
      ...open,
      status: 'succeeded',
      final: true,
      seq: 3,
      startedAt: '2026-06-01T12:00:05.000Z',
      completedAt: '2026-06-01T12:01:00.000Z',
      late: true,
      result: PAYMENT_RESULT,
      reversed: eur(2_000),
      reversing: eur(1_000),
    });
    expect(attempts).toMatchObject([
      { number: 1, late: false, result: { transactionId: 'TX-2' }, reversed: eur(0) },
      { number: 2, late: true, result: PAYMENT_RESULT, reversed: eur(2_000) },
    ]);
  });
});

describe('a guest sees', () => {
  const open = {
    id: 'cs_1',
    kind: 'payment',
    status: 'open',
    final: false,
    seq: 1,
    terms: 1,
    returned: false,
    livemode: false,
    amount: AMOUNT,
    surcharge: true,
    hotelName: 'Hotel Aurora',
    acceptedBrands: ['visa', 'mastercard'],
    reference: 'RES-1',
    description: '2 nights',
    receipt: null,
    error: null,
    expiresAt: '2026-06-01T13:00:00.000Z',
    nextPollMs: null,
  };
  const seen = (attempts: Partial<AttemptRecord>[]) => toCheckoutView(sessionWith(attempts));

  test('a session that can be started', () => {
    expect(toCheckoutView(OPEN_SESSION)).toStrictEqual(open);
  });

  test('one that is being paid, and when to ask again', () => {
    expect(seen([{}])).toStrictEqual({ ...open, status: 'pending', seq: 2, nextPollMs: 2_500 });
  });

  test('that the guest came back as one who has paid, whoever asks for the page again', () => {
    const watch = { ...PENDING_ATTEMPT.watch, successReturnAt: 5 };
    expect(seen([{ watch }]).returned).toBe(true);
    expect(seen([{ watch, askedAgainAt: 6 }]).returned).toBe(true);
    expect(seen([{ ...DECLINED, watch }, {}]).returned).toBe(false);
    expect(seen([{ ...UNRESOLVED, watch }]).returned).toBe(false);
  });

  test('a payment to wait for after the attempt of one who came back as having paid was given up', () => {
    const watch = { ...PENDING_ATTEMPT.watch, successReturnAt: 5, returnedAt: 5 };
    const given = { status: 'abandoned', since: 9, startedAt: 1, endedAt: 9, watch } as const;
    const dearer = { base: { ...OPEN_SESSION, terms: terms(2, { amount: eur(20_000) }) } };
    const waiting = { status: 'pending', returned: true, final: false, error: null, nextPollMs: 60_000 };
    const DAY = 86_400_000;
    const viewAt = (attempts: Partial<AttemptRecord>[], now: number) =>
      toCheckoutView(sessionWith(attempts, dearer), now);
    expect(viewAt([given], 8 + DAY)).toMatchObject({ ...waiting, terms: 1, amount: AMOUNT });
    expect(viewAt([given, DECLINED], 8 + DAY)).toMatchObject(waiting);
    expect(toCheckoutView({ ...sessionWith([given]), state: 'expired' }, 8 + DAY)).toMatchObject(waiting);
    expect(viewAt([given], 9 + DAY)).toMatchObject({ ...waiting, status: 'open', returned: false, nextPollMs: null });
    expect(viewAt([given, UNRESOLVED], 8 + DAY)).toMatchObject({ status: 'unknown', returned: false });
    expect(viewAt([given, PAYMENT], 8 + DAY)).toMatchObject({ status: 'succeeded', returned: false });
    expect(viewAt([{ ...given, askedAgainAt: 6 }], 8 + DAY)).toMatchObject(waiting);
  });

  test('no brands in a session of a hotel that named none', () => {
    const { acceptedBrands: _, ...without } = OPEN_SESSION;
    expect(toCheckoutView(without)).toMatchObject({ acceptedBrands: [] });
  });

  test.each<[string, SessionRecord, object]>([
    ['payment', PAID, { base: AMOUNT, surcharge: PAYMENT_RESULT.surcharge, total: eur(12_240) }],
    ['card, without its token', STORED, { base: null, surcharge: null, total: null }],
  ])('the receipt of a %s', (_, record, money) => {
    const { kind, terms } = record;
    const receipt = { ...money, maskedCard: PAYMENT_RESULT.maskedCard, completedAt: '2026-06-01T12:01:00.000Z' };
    const paid = { status: 'succeeded', final: true, seq: 2, receipt };
    const { amount, surcharge } = terms;
    expect(toCheckoutView(record)).toStrictEqual({ ...open, ...paid, kind, amount, surcharge });
  });

  const [declined, doubtful] = [{ code: 'declined' }, { code: 'amount_mismatch' }];
  test.each<[string, Partial<AttemptRecord>[], object]>([
    ['the code of the last attempt’s error, not its message', [DECLINED], { status: 'open', error: declined }],
    ['that of the one in doubt rather', [UNRESOLVED, DECLINED], { status: 'unknown', error: doubtful }],
    ['none of an earlier attempt', [DECLINED, { status: 'abandoned' }], { status: 'open', error: null }],
    ['none while one is under way', [DECLINED, {}], { status: 'pending', error: null }],
    ['none once it was paid', [PAYMENT, UNRESOLVED], { status: 'succeeded', error: null }],
  ])('%s', (_, attempts, view) => {
    expect(seen(attempts)).toMatchObject(view);
  });

  test('when to ask again about whatever can still be paid', () => {
    const closed = { at: CREATED_AT, by: 'deadline', isSettled: false } as const;
    const expired = sessionWith([{ status: 'abandoned', since: CREATED_AT - 7_200_000 }, DECLINED], { closed });
    expect(toCheckoutView(expired)).toMatchObject({ status: 'expired', nextPollMs: 60_000 });
    expect(seen([DECLINED]).nextPollMs).toBeNull();
    expect(seen([PAYMENT, {}]).nextPollMs).toBeNull();
  });
});
