import { beforeEach, describe, expect, test, vi } from 'vitest';
import { passSeconds } from '../../test-support/objects.ts';
import { ACTOR, HOSTED, PAYMENT_RESULT, RECORDED } from '../../test-support/records.ts';
import { afterAttempts, NOW, OPEN, PENDING, usePendingPage, withSession } from '../../test-support/session-parts.ts';
import { heldTimers } from '../../test-support/upstream.ts';
import type { Resolution } from '../records/resolution.ts';
import { countCall, type Permit } from '../upstream/call-budget.ts';
import type { AttemptRecord } from './attempt-record.ts';
import { NEW_WATCH } from './attempt-watch.ts';
import type { SessionRecord } from './session-record.ts';

const fakes = usePendingPage();
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const RESOLUTION: Resolution = { status: 'failed', evidence: 'Portal', transactionId: null, by: ACTOR.by, at: NOW };

/** What the record of a payment says that is under way. */
const NOT_DONE = { returnCode: '0', status: '_open' };

const SUCCESS = { is: 'attempt', number: 1, event: 'record_consistent', result: PAYMENT_RESULT } as const;

/** A session whose attempt ended so long ago. */
function endedBefore(
  ms: number,
  change: Partial<AttemptRecord> = {},
  session: Partial<SessionRecord> = {},
): SessionRecord {
  const ended = { startedAt: NOW - ms - MINUTE, since: NOW - ms, endedAt: NOW - ms };
  const attempt = { status: 'failed', ...ended, ...change } as const;
  return afterAttempts([attempt], { seq: 3, ...session });
}

/** A payment service that cannot say how a request stands. */
function stateIsDown(): void {
  fakes.upstream.overrides.paystatus = () => new Response(null, { status: 503 });
}

/** How often the state and the record were asked for. */
function calls(): { state: number; record: number } {
  return { state: fakes.upstream.count('paystatus'), record: fakes.upstream.count('transaction') };
}

const wait = vi.fn(async (_ms: number) => undefined);
beforeEach(() => {
  wait.mockReset();
  vi.stubGlobal('scheduler', { wait });
});

describe('a return', () => {
  test.each([
    ['nothing', undefined],
    ['a session that nobody started', OPEN],
    ['an attempt that has succeeded', afterAttempts([{ status: 'succeeded', result: PAYMENT_RESULT }])],
  ])('to %s means nothing', async (_, record) => {
    await withSession(record, async ({ store, watcher, apply, alarmIn }) => {
      watcher.returned('success');
      expect(apply).not.toHaveBeenCalled();
      expect(store.load()).toEqual(record);
      expect(await alarmIn()).toBeNull();
    });
  });

  test('is no answer of a payment service: what nobody has answered for stays so', () =>
    withSession(endedBefore(HOUR, { watch: { ...NEW_WATCH, isUnanswered: true } }), async ({ watcher, attempt }) => {
      watcher.returned('success');
      expect(attempt()?.watch).toMatchObject({ isUnanswered: true, successReturnAt: NOW });
    }));

  test('is kept, and the next poll is planned', async () => {
    const record = afterAttempts([{}, {}]);
    await withSession(record, async ({ store, watcher, apply, due, alarmIn }) => {
      passSeconds(1);
      watcher.returned('success');
      const watch = { ...NEW_WATCH, returnedAt: NOW + SECOND, successReturnAt: NOW + SECOND };
      expect(store.load()).toEqual({ ...record, attempts: [{ ...record.attempts[0], watch }, record.attempts[1]] });
      expect(due()).toEqual({ 'poll 1': 30 * SECOND, abandon: HOUR });
      expect(await alarmIn()).toBe(30 * SECOND);
      expect(apply).not.toHaveBeenCalled();
    });
  });
});

test.each([
  [5 * MINUTE, 30 * SECOND],
  [20 * SECOND, 20 * SECOND],
])('a return brings the poll in %d ms no further than to %d ms', async (plannedIn, expected) => {
  await withSession(PENDING, async ({ store, watcher, due }) => {
    store.due.set('poll 1', NOW + plannedIn);
    watcher.returned('abort');
    expect(due()).toEqual({ 'poll 1': expected, abandon: HOUR });
  });
});

describe('what a poll sees', () => {
  const paid = () => fakes.upstream.payRequest('R-1');
  const contradicted = { ...NEW_WATCH, doneSeenAt: NOW - MINUTE, contradictionAt: NOW - 5 * SECOND };
  const decided = { watch: contradicted, resolution: RESOLUTION };
  const kept = { status: 'unknown', watch: contradicted, recorded: RECORDED } as const;
  const contradicts = () => fakes.upstream.payRequest('R-1', { amount: 13_000 });
  const unreadable = { ...NEW_WATCH, doneSeenAt: NOW - 15 * MINUTE };
  const isUnreadable = () => fakes.upstream.payRequest('R-1', { status: '_open' });

  test.each<[string, () => void, Partial<AttemptRecord>, SessionRecord['state'] | undefined]>([
    ['that contradicts is news of one that failed', contradicts, { watch: contradicted }, 'unknown'],
    ['or in doubt whose figures nobody kept', contradicts, { status: 'unknown', watch: contradicted }, 'unknown'],
    ['or in doubt again', contradicts, { status: 'unknown', watch: contradicted, resolution: RESOLUTION }, 'unknown'],
    ['but not of one that a person has called failed', contradicts, decided, undefined],
    ['nor of one whose figures are kept', contradicts, kept, undefined],
    ['of a record that stays unreadable is news', isUnreadable, { watch: unreadable }, 'unknown'],
    ['but not of one in doubt', isUnreadable, { status: 'unknown', watch: unreadable }, undefined],
    ['nor after a person has decided', isUnreadable, { watch: unreadable, resolution: RESOLUTION }, undefined],
    ['of success is news whatever a person has decided', paid, { resolution: RESOLUTION }, 'succeeded'],
  ])('%s', async (_, happens, change, state) => {
    const record = endedBefore(HOUR, change);
    await withSession(record, async ({ store, attempt, watcher, due }) => {
      store.due.set('poll 1', NOW);
      happens();
      await watcher.poll();
      expect(store.load()).toMatchObject(state === undefined ? { seq: 3 } : { seq: 4, state });
      const figures = state !== undefined && happens === contradicts ? RECORDED : (change.recorded ?? null);
      expect(attempt()?.recorded).toEqual(figures);
      expect(attempt()?.result === null).toBe(state !== 'succeeded');
      expect(due()['poll 1'] === undefined).toBe(state === 'succeeded');
    });
  });

  test('comes to the session in one event, with all that it brought', () =>
    withSession(PENDING, async ({ store, watcher, apply, due }) => {
      paid();
      await watcher.poll();
      const watch = { ...NEW_WATCH, doneSeenAt: NOW, objectID: 'PAYOBJID=4711' };
      const result = { kind: 'payment', total: OPEN.terms.amount, transactionId: 'TX-1' };
      expect(apply.mock.calls).toMatchObject([
        [{ is: 'attempt', number: 1, event: 'record_consistent', watch, result }],
      ]);
      expect(store.load()).toMatchObject({ state: 'succeeded', seq: 3 });
      expect(due()).toEqual({ updates: 30 * SECOND, erase: 9_600 * HOUR });
    }));

  test('of a session that was erased meanwhile leaves nothing behind', () =>
    withSession(PENDING, async ({ store, watcher, alarmIn }) => {
      fakes.upstream.overrides.paystatus = async () => {
        await store.erase();
        return undefined;
      };
      await watcher.poll();
      expect(store.load()).toBeUndefined();
      expect(await alarmIn()).toBeNull();
    }));
});

describe('a reader', () => {
  test.each(['pending', 'abandoned', 'unknown', 'failed', 'declined', 'canceled', 'succeeded'] as const)(
    'of an attempt that is %s',
    async (status) => {
      await withSession(endedBefore(0, { status }), async ({ watcher, row, alarmIn }) => {
        const before = [row(), await alarmIn()];
        await Promise.all(Array.from({ length: 50 }, () => watcher.pollForReader()));
        const isPolled = status === 'pending' || status === 'abandoned' || status === 'unknown';
        const { state, record } = calls();
        expect([state <= 1, record <= 1, state + record > 0]).toEqual([true, true, isPolled]);
        expect([row(), await alarmIn()]).toEqual(before);
      });
    },
  );

  test.each([
    [2_499, 1],
    [2_500, 2],
    [-1, 2],
  ])('%d ms after the last poll: %d polls', async (ms, polls) => {
    await withSession(PENDING, async ({ watcher }) => {
      await watcher.poll();
      vi.setSystemTime(NOW + ms);
      await watcher.pollForReader();
      expect(calls().state).toBe(polls);
    });
  });
});

describe('a poll', () => {
  const done = { ...NEW_WATCH, doneSeenAt: NOW - 1 };
  const error = { ...NEW_WATCH, errorSeenAt: NOW - 1 };
  // State 2 was taken back meanwhile.
  const shown = { ...NEW_WATCH, contradictionAt: NOW - 1 };

  test.each<[string, Partial<AttemptRecord>, ReturnType<typeof calls>]>([
    ['at a pending attempt asks for the state', { status: 'pending' }, { state: 1, record: 0 }],
    ['after the end reads the record, too', { status: 'pending', watch: done }, { state: 0, record: 1 }],
    ['after an error reads the record, too', { status: 'pending', watch: error }, { state: 1, record: 1 }],
    ['after a record that showed money reads it, too', { status: 'pending', watch: shown }, { state: 1, record: 1 }],
    ['at one that was abandoned asks for both', { status: 'abandoned' }, { state: 1, record: 1 }],
    ['at one that failed although it was done reads the record', { watch: done }, { state: 0, record: 1 }],
    ['at one in doubt reads the record', { status: 'unknown' }, { state: 0, record: 1 }],
  ])('%s', async (_, change, expected) => {
    await withSession(endedBefore(0, change), async ({ watcher }) => {
      await watcher.poll();
      expect(calls()).toEqual(expected);
    });
  });

  test('is one for all who ask at once', () =>
    withSession(PENDING, async ({ watcher }) => {
      const poll = watcher.poll();
      expect(watcher.poll()).toBe(poll);
      await poll;
      expect(calls().state).toBe(1);
      passSeconds(1);
      await watcher.poll();
      expect(calls().state).toBe(2);
      expect(wait).not.toHaveBeenCalled();
    }));

  test('waits until the last one was a second ago, and then polls only if there is something to see', () =>
    withSession(PENDING, async ({ store, watcher, transitions }) => {
      await watcher.poll();
      vi.setSystemTime(NOW + 400);
      await watcher.poll();
      expect(wait.mock.calls).toEqual([[600]]);
      expect(calls().state).toBe(2);
      wait.mockImplementation(async () => {
        transitions.apply(SUCCESS);
        return undefined;
      });
      await watcher.poll();
      expect(wait).toHaveBeenCalledTimes(2);
      expect(calls().state).toBe(2);
      expect(store.load()).toMatchObject({ state: 'succeeded' });
    }));

  test('does not wait for a clock that was set back', () =>
    withSession(PENDING, async ({ watcher }) => {
      await watcher.poll();
      vi.setSystemTime(NOW - 1);
      await watcher.poll();
      expect(wait).not.toHaveBeenCalled();
      expect(calls().state).toBe(2);
    }));

  test('at an attempt that has succeeded is the last', () =>
    withSession(endedBefore(0, { status: 'succeeded' }), async ({ store, watcher, due, alarmIn }) => {
      store.due.set('poll 1', NOW + 1);
      store.due.set('erase', NOW + HOUR);
      store.due.arm();
      await watcher.poll();
      expect(calls()).toEqual({ state: 0, record: 0 });
      expect(due()).toEqual({ erase: HOUR });
      expect(await alarmIn()).toBeNull();
    }));

  test.each<[string, SessionRecord, Record<string, number>]>([
    ['pending', { ...PENDING, property: 'broken' }, { 'poll 1': 30 * SECOND, abandon: HOUR }],
    ['over for long', endedBefore(3 * HOUR, {}, { property: 'broken' }), { 'poll 1': 18 * MINUTE }],
  ])('of a property that cannot be used is made up for: %s', async (_, record, expected) => {
    await withSession(record, async ({ store, watcher, due, alarmIn }) => {
      store.due.set('poll 1', NOW);
      await watcher.poll();
      expect(fakes.upstream.requests).toEqual([]);
      expect(due()).toEqual(expected);
      expect(await alarmIn()).toBe(expected['poll 1']);
    });
  });

  test('reads no record of an attempt that somebody ended meanwhile', () =>
    withSession(endedBefore(0, { status: 'abandoned' }), async ({ store, watcher, transitions }) => {
      fakes.upstream.overrides.paystatus = async () => {
        const resolution = { ...RESOLUTION, status: 'succeeded' } as const;
        transitions.apply({ is: 'attempt', number: 1, event: 'resolved_succeeded', resolution });
        return Response.json({ state: 0 });
      };
      await watcher.poll();
      expect(calls()).toEqual({ state: 1, record: 0 });
      expect(store.load()).toMatchObject({ state: 'succeeded' });
    }));

  test('stays due until it has ended, so that a crash does not lose it', () =>
    withSession(endedBefore(30 * HOUR), async ({ store, watcher, due, alarmIn }) => {
      store.due.set('poll 1', NOW);
      const dueMeanwhile: unknown[] = [];
      fakes.upstream.overrides.transaction = () => {
        dueMeanwhile.push(due());
        return undefined;
      };
      await watcher.poll();
      expect(dueMeanwhile).toEqual([{ 'poll 1': 0 }]);
      expect(due()).toEqual({});
      expect(await alarmIn()).toBeNull();
    }));
});

describe('after a poll', () => {
  const done = () => fakes.upstream.payRequest('R-1', { status: '_open' });
  const failed = () => fakes.upstream.failRequest('R-1');
  const contradicts = () => {
    stateIsDown();
    fakes.upstream.payRequest('R-1', { amount: 13_000 });
  };
  const doubtful = endedBefore(3 * HOUR, { watch: { ...NEW_WATCH, contradictionAt: NOW - 5 * SECOND } });
  const over = endedBefore(3 * HOUR);
  const inDoubt = { 'poll 1': 5 * MINUTE, updates: 30 * SECOND, erase: 9_600 * HOUR };

  test.each<[string, SessionRecord, () => void, Record<string, number>]>([
    ['at a pending attempt the schedule goes on', PENDING, () => undefined, { 'poll 1': 30 * SECOND, abandon: HOUR }],
    ['at a payment in motion it goes on, too', over, () => undefined, { 'poll 1': 135 * MINUTE }],
    ['at one done without a readable record it comes in seconds', over, done, { 'poll 1': 2 * SECOND }],
    ['at a payment that has ended it comes after the hold', over, failed, { 'poll 1': 5 * SECOND }],
    ['that saw nothing it is made up for', over, stateIsDown, { 'poll 1': 18 * MINUTE }],
    ['that saw no state, but a doubtful record, the schedule of the doubt holds', doubtful, contradicts, inDoubt],
  ])('%s', async (_, record, happens, expected) => {
    await withSession(record, async ({ store, watcher, due, alarmIn }) => {
      store.due.set('poll 1', NOW);
      happens();
      await watcher.poll();
      expect(due()).toEqual(expected);
      const [first = null] = Object.values(expected).sort((a, b) => a - b);
      expect(await alarmIn()).toBe(first);
    });
  });

  test.each([
    ['an hour', HOUR, undefined, undefined],
    ['longer: the proxy was down', HOUR + 1, NOW, 10 * MINUTE],
  ])(
    'that saw nothing it is made up for, days after the end, if that came late by more than %s',
    (_, lateMs, at, next) =>
      withSession(endedBefore(72 * HOUR), async ({ watcher, attempt, due }) => {
        stateIsDown();
        await watcher.pollAsPlanned(NOW - lateMs);
        expect([attempt()?.watch.resumedAt, due()['poll 1']]).toEqual([at, next]);
      }),
  );

  test.each<[string, SessionRecord, () => void, boolean]>([
    ['an answer', over, () => undefined, false],
    ['no answer', over, stateIsDown, true],
    ['no answer while the guest may be paying', PENDING, stateIsDown, false],
  ])(
    'the next one is stored only if it follows from nothing else that is: %s',
    async (_, record, happens, isStored) => {
      await withSession(record, async ({ store, watcher, row, due }) => {
        store.transaction(() => {
          watcher.plan(record, NOW);
          store.save(record.seq, record);
        });
        passSeconds((due()['poll 1'] ?? 0) / SECOND);
        const before = row();
        happens();
        await watcher.pollAsPlanned();
        expect(row() !== before).toBe(isStored);
      });
    },
  );

  test('what is planned already is not moved, whoever asked for it', () =>
    withSession(PENDING, async ({ store, watcher, due }) => {
      store.due.set('poll 1', NOW + 20 * SECOND);
      await watcher.pollNow();
      expect(due()).toEqual({ 'poll 1': 20 * SECOND });
    }));
});

describe('whoever asks', () => {
  test('waits for the poll, and it is kept alive', () =>
    withSession(PENDING, async ({ store, watcher, waitUntil }) => {
      fakes.upstream.payRequest('R-1');
      const asked = watcher.pollNow();
      expect(waitUntil.mock.calls).toEqual([[watcher.poll()]]);
      await asked;
      expect(store.load()).toMatchObject({ state: 'succeeded' });
    }));

  test('does not wait for ever', () =>
    withSession(PENDING, async ({ store, attempt, watcher }) => {
      const [reached, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<Response>()];
      fakes.upstream.overrides.paystatus = () => {
        reached.resolve();
        return answer.promise;
      };
      const timers = heldTimers();
      const asked = watcher.pollNow();
      await reached.promise;
      timers.reach(2_000);
      await asked;
      expect(store.load()).toEqual(PENDING);
      fakes.upstream.failRequest('R-1');
      answer.resolve(Response.json({ state: 2, result: 'ERROR=' }));
      await watcher.poll();
      expect(attempt()?.watch.errorSeenAt).toBe(NOW);
    }));
});

describe('before another attempt begins, one', () => {
  const missing = (): Response => new Response(null, { status: 404 });
  const isDown = (): Response => new Response(null, { status: 503 });
  /** What the payment service answers that has forgotten the request, or only its state. */
  const forget = (transaction = missing) =>
    Object.assign(fakes.upstream.overrides, { paystatus: missing, transaction });
  const isForgotten = () => forget();
  const onlyStateIsForgotten = () => forget(isDown);
  const recordIsDown = () => Object.assign(fakes.upstream.overrides, { transaction: isDown });
  const nothing = () => undefined;
  const failed = () => fakes.upstream.failRequest('R-1');
  const isPaid = () => fakes.upstream.payRequest('R-1');
  const isDone = () => fakes.upstream.payRequest('R-1', { status: '_open' });
  const contradicts = () => fakes.upstream.payRequest('R-1', { amount: 13_000 });
  const done = { ...NEW_WATCH, doneSeenAt: NOW - 1 };
  const contradicted = { ...NEW_WATCH, contradictionAt: NOW - 1 };
  const cameBack = { ...NEW_WATCH, successReturnAt: NOW, returnedAt: NOW };
  const cameBackEarlier = { ...NEW_WATCH, successReturnAt: NOW - 48 * HOUR, returnedAt: NOW - 48 * HOUR };
  const hosted = { ...HOSTED, origin: 'https://old.test' };
  const abandoned = { status: 'abandoned' } as const;
  const dayAgo = { startedAt: NOW - 25 * HOUR, since: NOW - 24 * HOUR };
  const weekAgo = { startedAt: NOW - 216 * HOUR, since: NOW - 192 * HOUR };
  const resolution = RESOLUTION;

  test.each<[string, Partial<AttemptRecord>, () => unknown]>([
    ['that was declined', { status: 'declined' }, failed],
    ['that was abandoned and is still open', abandoned, nothing],
    ['that the payment service has forgotten for a day', { ...abandoned, ...dayAgo }, isForgotten],
    ['that was canceled and forgotten a day ago', { status: 'canceled', ...dayAgo }, isForgotten],
    ['that ended a day ago, though nobody answers', { status: 'declined', ...dayAgo }, onlyStateIsForgotten],
    ['of a service that the hotel has left, a day later', { ...abandoned, ...dayAgo, hosted }, failed],
    ['forgotten a day after it was called paid', { ...abandoned, ...weekAgo, watch: cameBackEarlier }, isForgotten],
    ['whose guest had paid, which a person has called failed', { watch: cameBack, resolution }, nothing],
    ['that a person has called failed', { watch: done, resolution }, contradicts],
    ['that a person has called failed, although nobody answers', { resolution }, stateIsDown],
  ])('%s is unpaid', async (_, change, happens) => {
    await withSession(endedBefore(MINUTE, change), async ({ watcher }) => {
      happens();
      expect(await watcher.isUnpaid()).toBe(true);
    });
  });

  test.each<[string, Partial<AttemptRecord>, () => unknown]>([
    ['whose state nobody tells', {}, stateIsDown],
    ['whose record nobody tells', {}, recordIsDown],
    ['answered with 404 before a day', { ...abandoned, ...dayAgo, since: NOW - 23 * HOUR }, isForgotten],
    ['of a service that the hotel has left, before a day', { ...abandoned, hosted }, failed],
    ['that was abandoned a day ago, when nobody answers', { ...abandoned, ...dayAgo }, onlyStateIsForgotten],
    ['of which only the state is forgotten', {}, onlyStateIsForgotten],
    ['whose record is not done when its state is forgotten', {}, () => forget(() => Response.json(NOT_DONE))],
    ['that was forgotten after its guest came back as one who has paid', { watch: cameBack }, isForgotten],
    ['that is paid', abandoned, isPaid],
    ['that succeeded', { status: 'succeeded' }, failed],
    ['in doubt', { status: 'unknown' }, failed],
    ['that is done without a readable record', {}, isDone],
    ['that was done before', { watch: done }, nothing],
    ['whose record contradicts for the first time', abandoned, contradicts],
    ['whose record has contradicted before', { watch: contradicted }, nothing],
    ['whose guest came back as one who has paid', { ...abandoned, watch: cameBack }, nothing],
    ['that is paid after all, whatever a person has called it', { watch: done, resolution }, isPaid],
  ])('%s is not unpaid', async (_, change, happens) => {
    await withSession(endedBefore(MINUTE, change), async ({ watcher }) => {
      happens();
      expect(await watcher.isUnpaid()).toBe(false);
    });
  });

  test('of a property that cannot be used is not unpaid', () =>
    withSession(endedBefore(MINUTE, {}, { property: 'broken' }), async ({ watcher }) => {
      expect(await watcher.isUnpaid()).toBe(false);
    }));

  test('is asked about anew and at once: what a poll under way has seen is not enough', () =>
    withSession(endedBefore(MINUTE, { status: 'abandoned' }), async ({ store, watcher }) => {
      const asked = Promise.withResolvers<void>();
      const answer = Promise.withResolvers<Response>();
      fakes.upstream.overrides.transaction = () => {
        asked.resolve();
        return answer.promise;
      };
      const poll = watcher.poll();
      await asked.promise;
      const isUnpaid = watcher.isUnpaid();
      fakes.upstream.overrides = {};
      isPaid();
      answer.resolve(new Response(null, { status: 404 }));
      await poll;
      expect(store.load()?.state).toBe('open');
      expect(await isUnpaid).toBe(false);
      expect(store.load()?.state).toBe('succeeded');
      expect(wait).not.toHaveBeenCalled();
    }));
});

describe('a poll that has no permit', () => {
  const permits: Permit[] = [];
  /** As many calls as there is room for at the payment service. */
  function fill(calls = 2_048): void {
    for (let nth = 0; nth < calls; nth++) {
      permits.push(countCall({ receiver: 'https://pay.test', property: `other-${nth}`, source: 'cs_2' }));
    }
  }
  function makeRoom(): void {
    for (const permit of permits.splice(0)) permit.end();
  }
  beforeEach(() => {
    vi.spyOn(Math, 'random').mockReturnValue(0.5);
    fill();
    return makeRoom;
  });

  test('is one that nobody waits for, once there is little room', async () => {
    makeRoom();
    fill(1_600);
    await withSession(PENDING, async ({ watcher }) => {
      const polls: number[] = [];
      for (const poll of [() => watcher.poll(), () => watcher.pollNow(), () => watcher.poll()]) {
        await poll();
        polls.push(calls().state);
      }
      expect(polls).toEqual([0, 1, 1]);
    });
  });

  test('is not the one before another attempt, for which a guest waits', async () => {
    makeRoom();
    fill(1_600);
    await withSession(endedBefore(MINUTE, { status: 'abandoned' }), async ({ watcher }) => {
      expect(await watcher.isUnpaid()).toBe(true);
    });
  });

  test.each([
    ['pending', PENDING, undefined, 30 * SECOND],
    ['over', endedBefore(3 * HOUR), true, 18 * MINUTE],
  ])('of one that is %s comes later', async (_, record, isUnanswered, next) => {
    await withSession(record, async ({ store, watcher, due, alarmIn }) => {
      store.due.set('poll 1', NOW);
      await watcher.poll();
      expect(fakes.upstream.requests).toEqual([]);
      const [attempt] = record.attempts;
      const attempts = [{ ...attempt, watch: { ...attempt?.watch, isUnanswered } }];
      expect(store.load()).toEqual({ ...record, attempts });
      expect([due()['poll 1'], await alarmIn()]).toEqual([next, next]);
      makeRoom();
      vi.setSystemTime(NOW + next);
      await watcher.poll();
      expect(calls().state + calls().record).toBeGreaterThan(0);
    });
  });

  test('nor does it have one of a service that the hotel has left: nobody has answered', async () => {
    const hosted = { ...HOSTED, origin: 'https://old.test' };
    const record = endedBefore(3 * HOUR, { status: 'abandoned', hosted });
    await withSession(record, async ({ store, watcher, attempt, due }) => {
      store.due.set('poll 1', NOW);
      await watcher.pollAsPlanned();
      expect([attempt()?.watch.isUnanswered, due()['poll 1']]).toEqual([true, 18 * MINUTE]);
      expect(calls()).toMatchObject({ state: 0, record: 0 });
    });
  });

  test('does not come later than one that was planned anyhow', () =>
    withSession(PENDING, async ({ store, watcher, due }) => {
      store.due.set('poll 1', NOW + 700);
      await watcher.pollNow();
      expect(due()['poll 1']).toBe(700);
    }));

  test('leaves it uncertain whether there is money, whatever the poll before has seen', () =>
    withSession(endedBefore(3 * HOUR), async ({ watcher }) => {
      makeRoom();
      expect(await watcher.isUnpaid()).toBe(true);
      fill();
      expect(await watcher.isUnpaid()).toBe(false);
      expect(calls().state).toBe(1);
    }));
});

test('a poll whose answer cannot be stored releases its permit', async () => {
  // One fewer than a hotel's polls may be.
  const others = Array.from({ length: 191 }, () => {
    return countCall({ receiver: 'https://pay.test', property: 'aurora', source: 'cs_2' });
  });
  for (let round = 0; round < 2; round++) {
    await withSession(PENDING, async ({ store, watcher }) => {
      store.due.set('poll 1', NOW);
      vi.spyOn(store, 'transaction').mockImplementation(() => {
        throw new Error('the disk is full');
      });
      await expect(watcher.poll()).rejects.toThrow('the disk is full');
    });
  }
  expect(calls().state).toBe(2);
  for (const permit of others) permit.end();
});
