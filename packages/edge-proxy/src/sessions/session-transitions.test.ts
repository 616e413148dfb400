import { describe, expect, test, vi } from 'vitest';
import { ACTOR, CARD_RESULT, HOSTED, PAYMENT_RESULT } from '../../test-support/records.ts';
import { afterAttempts, NOW, OPEN, PENDING, usePendingPage, withSession } from '../../test-support/session-parts.ts';
import { toCrockford } from '../http/encoding.ts';
import { sha256 } from '../http/hash.ts';
import type { AttemptRecord } from './attempt-record.ts';
import type { SessionRecord } from './session-record.ts';
import type { SessionEvent } from './session-transition.ts';
import { endsAt, SessionTransitions } from './session-transitions.ts';

usePendingPage();
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** When a session with so much time left ends by itself. */
const endIn = (left: number): number => endsAt({ ...OPEN, expiresAt: NOW + left }) - NOW;
/** When an update is sent again that the ledger has not taken. */
const RESEND = 30_000;
const { terms, livemode } = OPEN;
const START: SessionEvent = { is: 'started', hosted: HOSTED, presentation: 'tab', terms, livemode };
const OFFER: SessionEvent = { is: 'offered', offer: { ...OPEN, metadata: {}, expiresAt: NOW + 30 * DAY } };
const DOUBT = { is: 'attempt', event: 'record_contradicts', error: 'amount_mismatch' } as const;
const declined: Partial<AttemptRecord> = { status: 'declined', endedAt: NOW };
const abandoned = (ago: number): Partial<AttemptRecord> => ({
  status: 'abandoned',
  startedAt: NOW - ago - HOUR,
  since: NOW - ago,
  endedAt: NOW - ago,
});

test('a session begins with its record, its update, its secret and what is due', () =>
  withSession(undefined, async ({ store, transitions, due, alarmIn }) => {
    const secret = { generation: 1, hash: 'secret-hash', fingerprint: 'key' };
    transitions.begin(OPEN, { fingerprint: 'fingerprint', secret });
    expect(store.load()).toEqual(OPEN);
    expect(store.refuseOther(OPEN, 'fingerprint')).toBeUndefined();
    expect(store.clientSecret()).toEqual(secret);
    expect(due()).toEqual({ deadline: endIn(HOUR), erase: 400 * DAY, updates: RESEND });
    expect(await alarmIn()).toBe(RESEND);
  }));

test.each<[lifetime: number, within: number]>([
  [30 * MINUTE, 1_800],
  [DAY, MINUTE],
])('sessions of %s ms whose time is up together end within %s ms of it, and not together', async (lifetime, within) => {
  const tenths = Array.from({ length: 10 }, () => 0);
  for (let nth = 0; nth < 2_000; nth++) {
    const id = `cs_${toCrockford(await sha256(`${nth}`), 26)}`;
    const tenth = Math.floor((endsAt({ id, createdAt: NOW - lifetime, expiresAt: NOW }) - NOW) / (within / 10));
    tenths[tenth] = (tenths[tenth] ?? 0) + 1;
  }
  expect(tenths).toHaveLength(10);
  for (const count of tenths) expect(count).toBeGreaterThan(100);
});

describe('a transition', () => {
  test('that means nothing changes nothing', () =>
    withSession(OPEN, async ({ store, transitions, due }) => {
      expect(transitions.apply({ is: 'settled' })).toBeUndefined();
      expect(store.load()).toEqual(OPEN);
      expect(due()).toEqual({});
    }));

  const closed = { at: NOW - HOUR, by: 'deadline', isSettled: false } as const;
  const refused = { is: 'attempt', number: 1, event: 'card_refused' } as const;
  const gone = { ...refused, event: 'guest_gone' } as const;
  const paid: SessionEvent = { ...refused, event: 'record_consistent', result: PAYMENT_RESULT };
  const close: SessionEvent = { is: 'closed', by: 'merchant' };
  const settled: SessionEvent = { is: 'settled' };
  const [lately, before] = [[abandoned(HOUR)], [abandoned(DAY)]];
  const KEPT = { erase: 400 * DAY };
  const POLLED = { 'poll 1': 5 * MINUTE, ...KEPT };
  const AGAIN = { deadline: endIn(30 * DAY), 'poll 1': 7, 'poll 2': 30 * DAY };
  const expired = afterAttempts([declined, abandoned(30 * HOUR)], { closed });

  test.each<[string, SessionRecord, SessionEvent, object]>([
    ['that starts an attempt lets it be watched', OPEN, START, { abandon: HOUR, 'poll 1': 30_000, ...KEPT }],
    [
      'that starts a further one leaves the polls at those before',
      afterAttempts([declined]),
      START,
      { abandon: HOUR, 'poll 1': 7, 'poll 2': 30_000, ...KEPT },
    ],
    ['that ends one opens the session until its deadline', PENDING, refused, { deadline: endIn(HOUR), ...POLLED }],
    ['that gives one up watches it on', PENDING, gone, { deadline: endIn(HOUR), ...POLLED }],
    ['to a success ends all else that was due', PENDING, paid, KEPT],
    ['to a late success watches on what is under way', afterAttempts([...before, {}]), paid, { abandon: 3, ...KEPT }],
    [
      'to an end that may not be final is settled a day after the last attempt',
      afterAttempts(lately),
      close,
      { settle: 23 * HOUR, 'poll 1': 7 },
    ],
    ['to a final end leaves the polls', afterAttempts(before), close, { 'poll 1': 7 }],
    [
      'that finds out about the last one abandoned before the end settles it at once',
      afterAttempts(lately, { closed }),
      refused,
      { settle: 0, ...POLLED },
    ],
    ['that settles an end is the last', afterAttempts(before, { closed }), settled, { 'poll 1': 7 }],
    ['of an open session to other terms moves its deadline', OPEN, OFFER, { deadline: endIn(30 * DAY), ...KEPT }],
    ['that opens an expired session anew watches again what was abandoned', expired, OFFER, { ...AGAIN, ...KEPT }],
  ])('%s', async (_, record, event, expected) => {
    await withSession(record, async ({ store, transitions, due, alarmIn }) => {
      for (const kind of ['deadline', 'settle']) store.due.set(kind, NOW + 2);
      if (record.state === 'pending') store.due.set('abandon', NOW + 3);
      if (record.attempts.length > 0) store.due.set('poll 1', NOW + 7);
      expect(transitions.apply(event)).toMatchObject({ seq: record.seq + 1 });
      expect(due()).toEqual({ updates: RESEND, ...expected });
      expect(await alarmIn()).toBe(Math.min(...Object.values(due())));
    });
  });

  test('plans the next poll at the attempt that moved by the new record, once', () =>
    withSession(afterAttempts([declined, {}]), async ({ store }) => {
      const planPoll = vi.fn();
      const transitions = new SessionTransitions(store, planPoll);
      const next = transitions.apply({ ...refused, number: 2 });
      expect(planPoll.mock.calls).toEqual([[next, 2, NOW]]);
    }));

  test('to a doubt is counted once for each attempt', () =>
    withSession(afterAttempts([declined, {}]), async ({ store }) => {
      const onUnknown = vi.fn();
      const transitions = new SessionTransitions(store, () => undefined, { onUnknown });
      for (const number of [1, 2, 2]) transitions.apply({ ...DOUBT, number });
      expect(onUnknown.mock.calls.map(([{ seq }]) => seq)).toEqual([4, 5]);
    }));

  test.each([
    ['deadline', true],
    ['merchant', false],
  ] as const)('that opens anew what the %s ended keeps its links: %s', async (by, isKept) => {
    await withSession({ ...OPEN, state: 'expired', closed: { ...closed, by } }, async ({ store, transitions }) => {
      store.addLink('link');
      transitions.apply(OFFER);
      expect(store.hasLink('link')).toBe(isKept);
    });
  });
});

test('what is wanted meanwhile is kept without another version, nor news, and the audit hears of it', () =>
  withSession(PENDING, async ({ store, transitions, due }) => {
    transitions.keepOffer(PENDING, { ...OPEN, metadata: {} }, { action: 'checkout_session.changed', actor: ACTOR });
    const { terms, returnUrl, expiresAt } = OPEN;
    expect(store.load()).toEqual({ ...PENDING, nextOffer: { terms, returnUrl, metadata: {}, expiresAt } });
    expect(due()).toEqual({ updates: 30_000 });
  }));

describe('resolving', () => {
  const evidence = { evidence: 'Portal', transactionId: null, attempt: null };
  const unresolved: Partial<AttemptRecord> = { status: 'unknown' };
  const unknown = afterAttempts([unresolved]);

  test.each([
    ['succeeded', 'succeeded'],
    ['failed', 'open'],
  ] as const)('as %s notes who, why and when', async (status, state) => {
    await withSession(unknown, async ({ store, transitions }) => {
      const { attempt: _, ...resolution } = { status, ...evidence, by: ACTOR.by, at: NOW };
      const resolved = { state, attempts: [{ status, resolution }] };
      const answer = transitions.resolve(unknown, { status, ...evidence }, ACTOR);
      expect(answer).toMatchObject({ ok: true, value: resolved });
      expect(store.load()?.attempts[0]?.resolution).toStrictEqual(resolution);
    });
  });

  test.each<[string, Partial<AttemptRecord>[], 'succeeded' | 'failed', number | null, number]>([
    ['the one in doubt, not others that it could be about', [declined, unresolved, abandoned(0)], 'succeeded', null, 2],
    ['the one that is named', [unresolved, unresolved], 'failed', 2, 2],
    ['one that is named, also beside one in doubt', [declined, unresolved], 'succeeded', 1, 1],
    ['the only one that it could be about', [declined, abandoned(0)], 'failed', null, 2],
  ])('is about %s', async (_, attempts, status, attempt, number) => {
    const record = afterAttempts(attempts);
    await withSession(record, async ({ store, transitions }) => {
      expect(transitions.resolve(record, { ...evidence, status, attempt }, ACTOR)).toMatchObject({ ok: true });
      expect(store.load()?.attempts.filter(({ resolution }) => resolution !== null)).toMatchObject([
        { number, status },
      ]);
    });
  });

  const nothing = (status: string, of = 'A session that is open') => ({
    detail: `${of} cannot be resolved as ${status}`,
  });
  const ambiguous = {
    code: 'invalid_request',
    param: 'attempt',
    detail: 'Attempts 1 and 3 of this session could be meant: name the one you mean',
  };
  test.each<[string, Partial<AttemptRecord>[], 'succeeded' | 'failed', number | null, object]>([
    ['a pending one', [{}], 'failed', null, nothing('failed', 'A session that is pending')],
    ['one that nobody started', [], 'succeeded', null, nothing('succeeded')],
    ['a failed one as failed', [declined, unresolved], 'failed', 1, nothing('failed', 'Attempt 1')],
    ['one that there is not', [unresolved], 'succeeded', 2, nothing('succeeded', 'Attempt 2')],
    ['two that could be meant', [unresolved, declined, unresolved], 'failed', null, ambiguous],
  ])('refuses %s', async (_, attempts, status, attempt, refusal) => {
    const record = afterAttempts(attempts);
    await withSession(record, async ({ store, transitions }) => {
      const answer = transitions.resolve(record, { ...evidence, status, attempt }, ACTOR);
      expect(answer).toEqual({ ok: false, code: 'not_resolvable', resource: 'cs_1', ...refusal });
      expect(store.load()).toEqual(record);
    });
  });

  const mistaken = { status: 'failed', ...evidence, by: ACTOR.by, at: NOW } as const;
  const decided = 'An attempt of this session is already paid or resolved: name the one you mean';

  test.each<[string, Partial<AttemptRecord>[], 'succeeded' | 'failed']>([
    ['paid', [declined, unresolved], 'succeeded'],
    ['unpaid', [abandoned(0), unresolved], 'failed'],
  ])('as %s settles one attempt, however often it is said', async (_, attempts, status) => {
    await withSession(afterAttempts(attempts), async ({ store, transitions }) => {
      const say = () => transitions.resolve(store.load() as SessionRecord, { ...evidence, status }, ACTOR);
      expect(say()).toMatchObject({ ok: true });
      const resolved = store.load();
      const refusal = { ok: false, code: 'invalid_request', detail: decided, param: 'attempt', resource: 'cs_1' };
      expect(say()).toEqual(refusal);
      expect(store.load()).toEqual(resolved);
    });
  });

  test.each<[string, Partial<AttemptRecord>[]]>([
    ['the proxy has found paid', [declined, { status: 'succeeded', endedAt: NOW, result: PAYMENT_RESULT }]],
    ['somebody has resolved before', [{ ...declined, resolution: mistaken }, unresolved]],
  ])('is about no other attempt than one that %s, unless it is named', async (_, attempts) => {
    const record = afterAttempts(attempts);
    const other = record.attempts.findIndex(({ status, resolution }) => status !== 'succeeded' && resolution === null);
    const finding = { ...evidence, status: 'succeeded' } as const;
    await withSession(record, async ({ transitions }) => {
      expect(transitions.resolve(record, finding, ACTOR)).toMatchObject({ code: 'invalid_request', detail: decided });
      expect(transitions.resolve(record, { ...finding, attempt: other + 1 }, ACTOR)).toMatchObject({ ok: true });
    });
  });

  test('of the only attempt can be set right without its number', async () => {
    const record = afterAttempts([{ status: 'failed', endedAt: NOW, resolution: mistaken }]);
    await withSession(record, async ({ transitions }) => {
      const answer = transitions.resolve(record, { ...evidence, status: 'succeeded' }, ACTOR);
      expect(answer).toMatchObject({ ok: true, value: { state: 'succeeded' } });
    });
  });

  test('takes no transaction for two payments', async () => {
    const paid: Partial<AttemptRecord> = { status: 'succeeded', endedAt: NOW, result: PAYMENT_RESULT };
    const record = afterAttempts([unresolved, paid]);
    const { transactionId } = PAYMENT_RESULT;
    await withSession(record, async ({ store, transitions }) => {
      const finding = { ...evidence, attempt: 1, transactionId };
      const detail = 'This transaction belongs to attempt 2';
      const refusal = { ok: false, code: 'invalid_request', detail, param: 'transactionId', resource: 'cs_1' };
      expect(transitions.resolve(record, { ...finding, status: 'succeeded' }, ACTOR)).toEqual(refusal);
      expect(store.load()).toEqual(record);
      expect(transitions.resolve(record, { ...finding, status: 'failed' }, ACTOR)).toMatchObject({ ok: true });
    });
  });

  test('takes an amount for a payment, and none for a card', async () => {
    const amount = { value: 13_000, currency: 'EUR' };
    const wanted = { status: 'succeeded', ...evidence, amount } as const;
    await withSession(unknown, async ({ transitions }) => {
      const resolved = { attempts: [{ result: { total: amount } }] };
      expect(transitions.resolve(unknown, wanted, ACTOR)).toMatchObject({ value: resolved });
    });
    const card: SessionRecord = { ...unknown, kind: 'card' };
    await withSession(card, async ({ store, transitions }) => {
      const detail = 'A card session moves no money';
      const refusal = { ok: false, code: 'invalid_request', detail, param: 'amount' };
      expect(transitions.resolve(card, wanted, ACTOR)).toEqual(refusal);
      expect(store.load()).toEqual(card);
    });
  });
});

describe('tokens', () => {
  const keptFor = (ms: number) => ({ ...CARD_RESULT, tokenKeptUntil: new Date(NOW + ms).toISOString() });
  const stored = (ms: number): Partial<AttemptRecord> => ({ status: 'succeeded', endedAt: NOW, result: keptFor(ms) });

  test.each<[string, AttemptRecord['result'], object]>([
    ['of a card is kept no longer for another one', keptFor(30 * DAY), { erase_token: 29 * DAY }],
    ['of a card that goes first is erased first', keptFor(9 * DAY), { erase_token: 9 * DAY }],
    ['of a payment is none', PAYMENT_RESULT, {}],
  ])('the one %s', async (_, result, expected) => {
    await withSession(afterAttempts([stored(29 * DAY), {}]), async ({ store, transitions, due }) => {
      if (result?.kind === 'card') store.due.set('erase_token', NOW + 29 * DAY);
      transitions.apply({ is: 'attempt', number: 2, event: 'record_consistent', result: result ?? undefined });
      expect(due()).toEqual({ updates: RESEND, erase: 400 * DAY, ...expected });
    });
  });

  test('are erased each in its time, and nothing else', async () => {
    const record = afterAttempts([stored(0), stored(DAY)]);
    const { attempts } = record;
    const erased = (each: AttemptRecord) => ({ ...each, result: { ...each.result, sealedToken: null } });
    await withSession(record, async ({ store, transitions, due }) => {
      store.due.set('erase_token', NOW);
      transitions.eraseTokens();
      expect(store.load()).toEqual({
        ...record,
        attempts: attempts.map((each, nth) => (nth === 0 ? erased(each) : each)),
      });
      expect(due()).toEqual({ erase_token: DAY });
      vi.setSystemTime(NOW + DAY);
      transitions.eraseTokens();
      expect(store.load()).toEqual({ ...record, attempts: attempts.map(erased) });
      expect(due()).toEqual({});
    });
  });

  test.each([
    ['a payment', afterAttempts([{ status: 'succeeded', endedAt: 0, result: PAYMENT_RESULT }])],
    ['a session without a result', PENDING],
  ])('of %s are none', async (_, record) => {
    await withSession(record, async ({ store, transitions, due }) => {
      store.due.set('erase_token', NOW);
      transitions.eraseTokens();
      expect(store.load()).toEqual(record);
      expect(due()).toEqual({});
    });
  });
});
