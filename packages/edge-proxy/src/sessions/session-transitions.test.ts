import { describe, expect, test, vi } from 'vitest';
import { passSeconds } from '../../test-support/objects.ts';
import { CARD_RESULT, HOSTED, PAYMENT_RESULT } from '../../test-support/records.ts';
import { NOW, OPEN, PENDING, usePendingPage, withSession } from '../../test-support/session-parts.ts';
import type { SessionRecord } from '../records/session-record.ts';
import { SessionTransitions } from './session-transitions.ts';

usePendingPage();
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

describe('a session begins', () => {
  test('with its record, its update, its secret and what is due', async () => {
    await withSession(undefined, async ({ store, transitions, due, alarmIn }) => {
      const update = await store.update(OPEN, NOW);
      const secret = { generation: 1, hash: 'secret-hash', fingerprint: 'key' };
      transitions.begin(OPEN, update, { fingerprint: 'fingerprint', secret });
      expect(store.load()).toEqual(OPEN);
      expect(store.refuseOther(OPEN, 'fingerprint')).toBeUndefined();
      expect(store.clientSecret()).toEqual(secret);
      expect(due()).toEqual({ outbox: 0, deadline: 60 * MINUTE_MS, erase: 400 * DAY_MS });
      expect(await alarmIn()).toBe(0);
    });
  });
});

describe('a transition', () => {
  test('that means nothing changes nothing', async () => {
    await withSession(OPEN, async ({ store, transitions, due }) => {
      expect(await transitions.apply('record_consistent', { result: PAYMENT_RESULT })).toBeUndefined();
      expect(store.load()).toEqual(OPEN);
      expect(due()).toEqual({});
    });
  });

  test('to pending is watched, and may be paid until the deadline', async () => {
    await withSession(OPEN, async ({ transitions, due }) => {
      await transitions.apply('init_accepted', { hosted: HOSTED, presentation: 'tab' });
      expect(due()).toEqual({ outbox: 0, look: 1_000, deadline: 60 * MINUTE_MS });
    });
  });

  test('plans the next look by the new record, once', async () => {
    await withSession(PENDING, async ({ store, due }) => {
      store.due.set('deadline', NOW + MINUTE_MS);
      const planLook = vi.fn();
      const transitions = new SessionTransitions(store, planLook);
      const next = await transitions.apply('ended_with_error', { error: 'upstream_failed' });
      expect(planLook.mock.calls).toEqual([[next, NOW]]);
      expect(due()).toEqual({ outbox: 0 });
    });
  });

  test.each([
    ['of a card keeps its token for thirty days', CARD_RESULT, { erase_token: 30 * DAY_MS }],
    ['of a payment has no token to erase', PAYMENT_RESULT, {}],
  ])('to a success %s', async (_, result, more) => {
    await withSession(PENDING, async ({ transitions, due }) => {
      await transitions.apply('record_consistent', { result });
      expect(due()).toEqual({ outbox: 0, ...more });
    });
  });
});

describe('resolving', () => {
  const evidence = { evidence: 'Portal', transactionId: null, by: 'web' };
  const unknown: SessionRecord = { ...PENDING, state: 'unknown' };

  test.each([
    ['succeeded', 'succeeded'],
    ['failed', 'failed'],
  ] as const)('as %s notes who, why and when', async (status, state) => {
    await withSession(unknown, async ({ store, transitions }) => {
      expect(await transitions.resolve(unknown, { status, ...evidence })).toBeUndefined();
      expect(store.load()).toMatchObject({ state, resolution: { status, ...evidence, at: NOW } });
    });
  });

  test.each([
    ['one that is pending', PENDING, 'failed', 'A session that is pending cannot be resolved as failed'],
    [
      'one that was never started',
      { ...unknown, hosted: null },
      'succeeded',
      'A session that is unknown cannot be resolved as succeeded',
    ],
    [
      'a failed one as failed',
      { ...unknown, state: 'failed' },
      'failed',
      'A session that is failed cannot be resolved as failed',
    ],
  ] as const)('refuses %s', async (_, record, status, detail) => {
    await withSession(record, async ({ store, transitions }) => {
      const refusal = await transitions.resolve(record, { status, ...evidence });
      expect(refusal).toEqual({ ok: false, code: 'not_resolvable', detail, resource: 'cs_1' });
      expect(store.load()).toEqual(record);
    });
  });

  test('takes no amount for a card', async () => {
    const card: SessionRecord = { ...unknown, kind: 'card', amount: null };
    await withSession(card, async ({ store, transitions }) => {
      const amount = { value: 1, currency: 'EUR' };
      const refusal = await transitions.resolve(card, { status: 'succeeded', ...evidence, amount });
      const detail = 'A card session moves no money';
      expect(refusal).toEqual({ ok: false, code: 'invalid_request', detail, param: 'amount' });
      expect(store.load()).toEqual(card);
      expect(await transitions.resolve(card, { status: 'succeeded', ...evidence })).toBeUndefined();
    });
  });

  test('takes the amount of a payment', async () => {
    const amount = { value: 13_000, currency: 'EUR' };
    await withSession(unknown, async ({ store, transitions }) => {
      expect(await transitions.resolve(unknown, { status: 'succeeded', ...evidence, amount })).toBeUndefined();
      expect(store.load()).toMatchObject({ result: { total: amount } });
    });
  });
});

describe('the deadline', () => {
  test('of nothing does nothing', async () => {
    await withSession(undefined, async ({ store, transitions }) => {
      await transitions.passDeadline();
      expect(store.load()).toBeUndefined();
    });
  });

  test('of a session that has ended is dropped', async () => {
    const record: SessionRecord = { ...PENDING, state: 'succeeded', result: PAYMENT_RESULT };
    await withSession(record, async ({ store, transitions, due }) => {
      store.due.set('deadline', NOW);
      await transitions.passDeadline();
      expect(store.load()).toEqual(record);
      expect(due()).toEqual({});
    });
  });

  test.each([
    ['open for a minute', { ...OPEN, expiresAt: NOW + MINUTE_MS }, MINUTE_MS, 'lapsed'],
    ['open for a day', { ...OPEN, expiresAt: NOW + DAY_MS }, DAY_MS, 'lapsed'],
    // The guest has an hour from the start, and no link ends sooner than half an hour after it.
    ['pending', PENDING, 60 * MINUTE_MS, 'expired'],
    ['pending although its time was short', { ...PENDING, expiresAt: NOW }, 30 * MINUTE_MS + 10_000, 'expired'],
  ] as const)('of a session that is %s is kept until it has come', async (_, record, deadline, ending) => {
    await withSession(record, async ({ store, transitions, due }) => {
      vi.setSystemTime(NOW + deadline - 1);
      await transitions.passDeadline();
      expect(store.load()).toEqual(record);
      expect(due()).toEqual({ deadline: 1 });
      vi.setSystemTime(NOW + deadline);
      await transitions.passDeadline();
      expect(store.load()).toMatchObject({ state: ending, seq: record.seq + 1 });
      expect(due()).not.toHaveProperty('deadline');
    });
  });
});

describe('erasing the token', () => {
  test('keeps everything else', async () => {
    const record: SessionRecord = { ...PENDING, state: 'succeeded', result: CARD_RESULT };
    await withSession(record, async ({ store, transitions, due }) => {
      store.due.set('erase_token', NOW);
      transitions.eraseToken();
      expect(store.load()).toEqual({ ...record, result: { ...CARD_RESULT, sealedToken: null } });
      expect(due()).toEqual({});
      passSeconds(1);
      transitions.eraseToken();
      expect(store.load()).toEqual({ ...record, result: { ...CARD_RESULT, sealedToken: null } });
    });
  });

  test.each([
    ['a payment', { ...PENDING, state: 'succeeded', result: PAYMENT_RESULT }],
    ['a session without a result', PENDING],
  ] as const)('of %s changes nothing', async (_, record) => {
    await withSession(record, async ({ store, transitions, due }) => {
      store.due.set('erase_token', NOW);
      transitions.eraseToken();
      expect(store.load()).toEqual(record);
      expect(due()).toEqual({});
    });
  });
});
