import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { passSeconds } from '../../test-support/objects.ts';
import { PAYMENT_RESULT, RECORDED } from '../../test-support/records.ts';
import {
  afterAttempts,
  NOW,
  OPEN,
  PENDING,
  type SessionParts,
  usePendingPage,
  withSession,
} from '../../test-support/session-parts.ts';
import type { Resolution } from '../records/resolution.ts';
import { countCall, type Permit } from '../upstream/call-budget.ts';
import type { AttemptRecord } from './attempt-record.ts';
import { NEW_WATCH } from './attempt-watch.ts';
import type { PollResult } from './hosted-calls.ts';
import { clearDemand, pacePolling } from './poll-demand.ts';
import type { SessionRecord } from './session-record.ts';

const fakes = usePendingPage();
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const RETURNED = { observation: { seen: 'returned', through: 'success' } } as const;
const SEEN_SUCCESS: PollResult = { observation: { seen: 'record_consistent' }, result: PAYMENT_RESULT };
const RESOLUTION: Resolution = { status: 'failed', evidence: 'Portal', transactionId: null, by: 'web', at: NOW };

const SUCCESS = { is: 'attempt', number: 1, event: 'record_consistent', result: PAYMENT_RESULT } as const;

/** A session whose attempt ended so long ago. */
function endedBefore(
  ms: number,
  change: Partial<AttemptRecord> = {},
  session: Partial<SessionRecord> = {},
): SessionRecord {
  const attempt = { status: 'failed', since: NOW - ms, endedAt: NOW - ms, ...change } as const;
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

describe('an observation', () => {
  test.each([
    ['nothing', undefined],
    ['a session that nobody started', OPEN],
    ['an attempt that has succeeded', afterAttempts([{ status: 'succeeded', result: PAYMENT_RESULT }])],
  ])('of %s means nothing', async (_, record) => {
    await withSession(record, async ({ store, watcher, apply, alarmIn }) => {
      await watcher.observe(RETURNED);
      expect(apply).not.toHaveBeenCalled();
      expect(store.load()).toEqual(record);
      expect(await alarmIn()).toBeNull();
    });
  });

  test('that decides nothing is kept, and the next poll is planned', async () => {
    const record = afterAttempts([{}, {}]);
    await withSession(record, async ({ store, watcher, apply, due, alarmIn }) => {
      passSeconds(1);
      await watcher.observe(RETURNED);
      const watch = { ...NEW_WATCH, returnedAt: NOW + SECOND, successReturnAt: NOW + SECOND };
      expect(store.load()).toEqual({ ...record, attempts: [{ ...record.attempts[0], watch }, record.attempts[1]] });
      expect(due()).toEqual({ 'poll 1': 0, abandon: HOUR });
      expect(await alarmIn()).toBe(0);
      expect(apply).not.toHaveBeenCalled();
    });
  });

  test('that says nothing new is not written', async () => {
    await withSession(PENDING, async ({ store, watcher, due }) => {
      const save = vi.spyOn(store, 'save');
      await watcher.observe({ observation: { seen: 'state_open' } });
      expect(save).not.toHaveBeenCalled();
      expect(due()).toEqual({ 'poll 1': SECOND, abandon: HOUR });
    });
  });

  test('that decides moves the session, with all that it brought', async () => {
    await withSession(PENDING, async ({ store, watcher, apply, due }) => {
      await watcher.observe(SEEN_SUCCESS);
      expect(apply.mock.calls).toEqual([[{ ...SUCCESS, watch: NEW_WATCH, error: undefined, recorded: undefined }]]);
      expect(store.load()).toMatchObject({ state: 'succeeded', seq: 3 });
      expect(due()).toEqual({ outbox: 0 });
    });
  });

  const contradicted = { ...NEW_WATCH, doneSeenAt: NOW - MINUTE, contradictionAt: NOW - 5 * SECOND };
  const unreadable = { ...NEW_WATCH, doneSeenAt: NOW - 15 * MINUTE };
  const contradiction: PollResult = {
    observation: { seen: 'record_contradicts', code: 'amount_mismatch', showsMoney: true },
    recorded: RECORDED,
  };
  const time: PollResult = { observation: { seen: 'time' } };

  test.each<[string, PollResult, Partial<AttemptRecord>, SessionRecord['state'] | undefined]>([
    ['that contradicts is news of one that failed', contradiction, { watch: contradicted }, 'unknown'],
    ['or in doubt whose figures nobody kept', contradiction, { status: 'unknown', watch: contradicted }, 'unknown'],
    ['or in doubt again', contradiction, { status: 'unknown', watch: contradicted, resolution: RESOLUTION }, 'unknown'],
    [
      'but not of one that a person has called failed',
      contradiction,
      { watch: contradicted, resolution: RESOLUTION },
      undefined,
    ],
    [
      'nor of one whose figures are kept',
      contradiction,
      { status: 'unknown', watch: contradicted, recorded: RECORDED },
      undefined,
    ],
    ['of a record that stays unreadable is news', time, { watch: unreadable }, 'unknown'],
    ['but not after a person has decided', time, { watch: unreadable, resolution: RESOLUTION }, undefined],
    ['of success is news whatever a person has decided', SEEN_SUCCESS, { resolution: RESOLUTION }, 'succeeded'],
  ])('%s', async (_, polled, change, state) => {
    const record = endedBefore(HOUR, change);
    await withSession(record, async ({ store, attempt, watcher, due }) => {
      await watcher.observe(polled);
      const { result = null, recorded = change.recorded ?? null } = state === undefined ? {} : polled;
      expect(store.load()).toMatchObject(state === undefined ? { seq: 3 } : { seq: 4, state });
      expect(attempt()).toMatchObject({ result, recorded });
      expect(Object.keys(due())).toContain(state === 'succeeded' ? 'outbox' : 'poll 1');
      if (polled === contradiction) expect(attempt()?.watch.readAttempts).toBe(1);
    });
  });

  test('whose event the status does not know is still planned', async () => {
    const record = endedBefore(HOUR, { status: 'unknown', watch: unreadable });
    await withSession(record, async ({ store, watcher, apply, due }) => {
      await watcher.observe(time);
      expect(apply).toHaveBeenCalledTimes(1);
      expect(store.load()).toEqual(record);
      expect(due()).toEqual({ 'poll 1': HOUR });
    });
  });

  test('leaves the plan of a transition that came in between', async () => {
    await withSession(PENDING, async ({ store, watcher, apply, due }) => {
      const moved: SessionRecord = { ...PENDING, seq: 3, state: 'open' };
      apply.mockImplementation(async () => {
        store.save(PENDING.seq, moved);
        store.due.set('poll 1', NOW + 777);
        return undefined;
      });
      await watcher.observe(SEEN_SUCCESS);
      expect(store.load()).toEqual(moved);
      expect(due()).toEqual({ 'poll 1': 777 });
    });
  });

  test('of a session that was erased meanwhile leaves nothing behind', async () => {
    await withSession(PENDING, async ({ store, watcher, apply, alarmIn }) => {
      apply.mockImplementation(async () => {
        await store.erase();
        return undefined;
      });
      await watcher.observe(SEEN_SUCCESS);
      expect(store.load()).toBeUndefined();
      expect(await alarmIn()).toBeNull();
    });
  });
});

describe('the next poll', () => {
  test.each<[string, SessionRecord, number | undefined, number | undefined]>([
    ['follows the schedule', endedBefore(0), undefined, MINUTE],
    ['comes when something seen asks for it', endedBefore(0), 300, 300],
    ['comes although the schedule has ended', endedBefore(25 * HOUR), 300, 300],
    ['follows the schedule in doubt, whatever was seen', endedBefore(0, { status: 'unknown' }), 300, HOUR],
    ['is none at the end of the schedule', endedBefore(25 * HOUR), undefined, undefined],
    ['is none after success', endedBefore(0, { status: 'succeeded' }), undefined, undefined],
  ])('%s', async (_, record, pollAt, expected) => {
    await withSession(record, async ({ store, watcher, due }) => {
      store.due.set('poll 1', NOW + 1);
      store.due.set('poll 2', NOW + 2);
      watcher.plan(record, NOW, pollAt === undefined ? undefined : NOW + pollAt);
      expect(due()).toEqual({ ...(expected === undefined ? {} : { 'poll 1': expected }), 'poll 2': 2 });
    });
  });

  test('comes at least a second after the last one', async () => {
    await withSession(PENDING, async ({ watcher, due }) => {
      await watcher.poll();
      await watcher.observe(RETURNED);
      expect(due()).toMatchObject({ 'poll 1': SECOND });
    });
  });

  test('waits for no clock that was set back', async () => {
    await withSession(PENDING, async ({ watcher, due }) => {
      await watcher.poll();
      vi.setSystemTime(NOW - HOUR);
      await watcher.observe(RETURNED);
      expect(due()).toMatchObject({ 'poll 1': SECOND });
    });
  });

  test('of a pending attempt comes with when it counts as abandoned, which every sign of the guest moves', async () => {
    await withSession(PENDING, async ({ watcher, due }) => {
      watcher.plan(PENDING, NOW);
      expect(due()).toEqual({ 'poll 1': SECOND, abandon: HOUR });
      watcher.plan(afterAttempts([{ askedAgainAt: NOW + MINUTE }]), NOW);
      expect(due()).toEqual({ 'poll 1': SECOND, abandon: HOUR + MINUTE });
    });
  });
});

describe('a poll', () => {
  const done = { ...NEW_WATCH, doneSeenAt: NOW - 1 };
  const error = { ...NEW_WATCH, errorSeenAt: NOW - 1 };

  test.each<[string, Partial<AttemptRecord>, ReturnType<typeof calls>]>([
    ['at a pending attempt asks for the state', { status: 'pending' }, { state: 1, record: 0 }],
    ['after the end reads the record, too', { status: 'pending', watch: done }, { state: 0, record: 1 }],
    ['after an error reads the record, too', { status: 'pending', watch: error }, { state: 1, record: 1 }],
    ['at one that was abandoned asks for both', { status: 'abandoned' }, { state: 1, record: 1 }],
    ['at one that was declined asks for both', { status: 'declined' }, { state: 1, record: 1 }],
    ['at one that failed asks for both', {}, { state: 1, record: 1 }],
    ['at one that was canceled asks for both', { status: 'canceled' }, { state: 1, record: 1 }],
    ['at one that failed although it was done reads the record', { watch: done }, { state: 0, record: 1 }],
    ['at one in doubt reads the record', { status: 'unknown' }, { state: 0, record: 1 }],
    ['at one in doubt that was done reads the record', { status: 'unknown', watch: done }, { state: 0, record: 1 }],
  ])('%s', async (_, change, expected) => {
    await withSession(endedBefore(0, change), async ({ watcher }) => {
      await watcher.poll();
      expect(calls()).toEqual(expected);
    });
  });

  test('that finds the payment done reads its record at once', async () => {
    await withSession(PENDING, async ({ store, attempt, watcher, due }) => {
      fakes.upstream.payRequest('R-1');
      await watcher.poll();
      expect(store.load()?.state).toBe('succeeded');
      expect(attempt()?.watch).toMatchObject({ doneSeenAt: NOW, objectID: 'PAYOBJID=4711' });
      expect(due()).toEqual({ outbox: 0 });
    });
  });

  test('is one for all who ask at once', async () => {
    await withSession(PENDING, async ({ watcher }) => {
      const poll = watcher.poll();
      expect(watcher.poll()).toBe(poll);
      await poll;
      expect(calls().state).toBe(1);
      passSeconds(1);
      await watcher.poll();
      expect(calls().state).toBe(2);
      expect(wait).not.toHaveBeenCalled();
    });
  });

  test('waits until the last one was a second ago, and then polls only if there is something to see', async () => {
    await withSession(PENDING, async ({ store, watcher, transitions }) => {
      await watcher.poll();
      vi.setSystemTime(NOW + 400);
      await watcher.poll();
      expect(wait.mock.calls).toEqual([[600]]);
      expect(calls().state).toBe(2);
      wait.mockImplementation(async () => {
        await transitions.apply(SUCCESS);
        return undefined;
      });
      await watcher.poll();
      expect(wait).toHaveBeenCalledTimes(2);
      expect(calls().state).toBe(2);
      expect(store.load()).toMatchObject({ state: 'succeeded' });
    });
  });

  test('does not wait for a clock that was set back', async () => {
    await withSession(PENDING, async ({ watcher }) => {
      await watcher.poll();
      vi.setSystemTime(NOW - 1);
      await watcher.poll();
      expect(wait).not.toHaveBeenCalled();
      expect(calls().state).toBe(2);
    });
  });

  test('at an attempt that has succeeded is the last', async () => {
    await withSession(endedBefore(0, { status: 'succeeded' }), async ({ store, watcher, due, alarmIn }) => {
      store.due.set('poll 1', NOW + 1);
      store.due.set('erase', NOW + HOUR);
      store.due.arm();
      await watcher.poll();
      expect(calls()).toEqual({ state: 0, record: 0 });
      expect(due()).toEqual({ erase: HOUR });
      expect(await alarmIn()).toBe(HOUR);
    });
  });

  test.each<[string, Partial<AttemptRecord>, number]>([
    ['pending', { status: 'pending' }, 10 * MINUTE],
    ['over for long', {}, 30 * MINUTE],
  ])('of a property that cannot be used is deferred: %s', async (_, change, delay) => {
    const record = endedBefore(5 * HOUR, change, { property: 'broken' });
    await withSession(record, async ({ store, watcher, due, alarmIn }) => {
      store.due.set('poll 1', NOW);
      await watcher.poll();
      expect(fakes.upstream.requests).toEqual([]);
      expect(due()).toEqual({ 'poll 1': delay });
      expect(await alarmIn()).toBe(delay);
    });
  });

  test('reads no record of an attempt that somebody ended meanwhile', async () => {
    await withSession(endedBefore(0, { status: 'abandoned' }), async ({ store, watcher, transitions }) => {
      fakes.upstream.overrides.paystatus = async () => {
        const resolution = { ...RESOLUTION, status: 'succeeded' } as const;
        await transitions.apply({ is: 'attempt', number: 1, event: 'resolved_succeeded', resolution });
        return Response.json({ state: 0 });
      };
      await watcher.poll();
      expect(calls()).toEqual({ state: 1, record: 0 });
      expect(store.load()).toMatchObject({ state: 'succeeded' });
    });
  });

  test('stays due until it has ended, so that a crash does not lose it', async () => {
    await withSession(endedBefore(30 * HOUR), async ({ store, watcher, due, alarmIn }) => {
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
    });
  });
});

describe('after a poll', () => {
  /** Polls, and returns what is remembered of whoever asked, and what is due. */
  async function poll(
    record: SessionRecord,
    how: 'poll' | 'pollNow',
  ): Promise<[askedAt: number | undefined, due: Record<string, number>, alarmIn: number | null]> {
    return withSession(record, async ({ store, attempt, watcher, due, alarmIn }: SessionParts) => {
      store.due.set('poll 1', NOW);
      await watcher[how]();
      return [attempt()?.watch.askedAt, due(), await alarmIn()];
    });
  }

  test.each([
    ['by the schedule, the schedule goes on', 'poll', undefined, 21 * HOUR],
    ['that somebody asked for, it polls again in a minute', 'pollNow', NOW, MINUTE],
  ] as const)('at a payment in motion %s', async (_, how, askedAt, next) => {
    expect(await poll(endedBefore(3 * HOUR), how)).toEqual([askedAt, { 'poll 1': next }, next]);
  });

  test('at a payment that is done without a readable record it polls again in seconds, and remembers who asked', async () => {
    fakes.upstream.payRequest('R-1', { status: '_open' });
    expect(await poll(endedBefore(3 * HOUR), 'pollNow')).toEqual([NOW, { 'poll 1': 2 * SECOND }, 2 * SECOND]);
  });

  test('at a payment that has ended it remembers nobody', async () => {
    fakes.upstream.failRequest('R-1');
    expect(await poll(endedBefore(3 * HOUR), 'pollNow')).toEqual([undefined, { 'poll 1': 5 * SECOND }, 5 * SECOND]);
  });

  test('whose schedule has ended, one that somebody asked for is followed by another', async () => {
    expect(await poll(endedBefore(30 * HOUR), 'pollNow')).toEqual([NOW, { 'poll 1': MINUTE }, MINUTE]);
  });

  test('at one in doubt whose record cannot be read it polls again in a minute if somebody asked', async () => {
    const record = endedBefore(3 * HOUR, { status: 'unknown' });
    expect(await poll(record, 'poll')).toEqual([undefined, { 'poll 1': HOUR }, HOUR]);
    expect(await poll(record, 'pollNow')).toEqual([NOW, { 'poll 1': MINUTE }, MINUTE]);
  });

  test('at a pending attempt nobody is remembered: it is looked at all the time', async () => {
    expect(await poll(PENDING, 'pollNow')).toEqual([undefined, { 'poll 1': SECOND, abandon: HOUR }, SECOND]);
  });

  test.each([
    ['is made up for', 3 * HOUR, 18 * MINUTE],
    ['is made up for until the second day has passed', 48 * HOUR - 10, (48 * HOUR - 10) / 10],
    ['is given up then', 48 * HOUR, undefined],
  ])('that saw nothing it %s', async (_, ms, next) => {
    stateIsDown();
    const planned = next === undefined ? {} : { 'poll 1': next };
    expect(await poll(endedBefore(ms), 'poll')).toEqual([undefined, planned, next ?? null]);
    expect(await poll(endedBefore(ms), 'pollNow')).toEqual([undefined, planned, next ?? null]);
  });

  test('that saw no state, but a doubtful record, the schedule of the doubt holds', async () => {
    stateIsDown();
    fakes.upstream.payRequest('R-1', { amount: 13_000 });
    const watch = { ...NEW_WATCH, contradictionAt: NOW - 5 * SECOND };
    const [, planned] = await poll(endedBefore(3 * HOUR, { watch }), 'poll');
    expect(planned).toEqual({ outbox: 0, 'poll 1': HOUR });
  });

  test('whoever asked is remembered for that poll alone', async () => {
    await withSession(endedBefore(3 * HOUR), async ({ attempt, watcher }) => {
      await watcher.pollNow();
      passSeconds(1);
      await watcher.poll();
      expect(attempt()?.watch.askedAt).toBe(NOW);
    });
  });
});

describe('whoever asks', () => {
  test('waits for the poll, and it is kept alive', async () => {
    await withSession(PENDING, async ({ store, watcher, waitUntil }) => {
      fakes.upstream.payRequest('R-1');
      const asked = watcher.pollNow();
      expect(waitUntil.mock.calls).toEqual([[watcher.poll()]]);
      await asked;
      expect(store.load()).toMatchObject({ state: 'succeeded' });
    });
  });

  test('does not wait for ever', async () => {
    await withSession(PENDING, async ({ store, attempt, watcher }) => {
      let answer: (response: Response) => void = () => undefined;
      fakes.upstream.overrides.paystatus = () =>
        new Promise((resolve) => {
          answer = resolve;
        });
      await watcher.pollNow();
      expect(store.load()).toEqual(PENDING);
      fakes.upstream.failRequest('R-1');
      answer(Response.json({ state: 2, result: 'ERROR=' }));
      await watcher.poll();
      expect(attempt()?.watch.errorSeenAt).toBe(NOW);
    });
  });
});

describe('before another attempt begins, one', () => {
  const isDown = () => new Response(null, { status: 503 });
  const failed = () => fakes.upstream.failRequest('R-1');
  const isPaid = () => fakes.upstream.payRequest('R-1');
  const contradicts = () => fakes.upstream.payRequest('R-1', { amount: 13_000 });
  const done = { ...NEW_WATCH, doneSeenAt: NOW - 1 };
  const unresolved = { ...NEW_WATCH, contradictionAt: NOW - 1 };

  test.each<[string, Partial<AttemptRecord>, () => void, boolean]>([
    ['that was declined is unpaid', { status: 'declined' }, failed, true],
    ['that was abandoned and is still open is unpaid', { status: 'abandoned' }, () => undefined, true],
    ['whose state nobody tells is not', {}, stateIsDown, false],
    [
      'whose record nobody tells is not',
      {},
      () => Object.assign(fakes.upstream.overrides, { transaction: isDown }),
      false,
    ],
    ['that is paid is not', { status: 'abandoned' }, isPaid, false],
    ['that succeeded is not', { status: 'succeeded' }, failed, false],
    ['in doubt is not', { status: 'unknown' }, failed, false],
    [
      'that is done without a readable record is not',
      {},
      () => fakes.upstream.payRequest('R-1', { status: '_open' }),
      false,
    ],
    ['that was done before is not', { watch: done }, () => undefined, false],
    ['whose record contradicts for the first time is not', { status: 'abandoned' }, contradicts, false],
    ['whose record has contradicted before is not', { watch: unresolved }, () => undefined, false],
    ['that a person has called failed is unpaid', { watch: done, resolution: RESOLUTION }, contradicts, true],
    [
      'that is paid after all is not, whatever a person has called it',
      { watch: done, resolution: RESOLUTION },
      isPaid,
      false,
    ],
  ])('%s', async (_, change, happens, isUnpaid) => {
    await withSession(endedBefore(MINUTE, change), async ({ watcher }) => {
      happens();
      expect(await watcher.isUnpaid()).toBe(isUnpaid);
    });
  });

  test('of a property that cannot be used is not unpaid', async () => {
    await withSession(endedBefore(MINUTE, {}, { property: 'broken' }), async ({ watcher }) => {
      expect(await watcher.isUnpaid()).toBe(false);
    });
  });

  test('is asked about anew and at once: what a poll under way has seen is not enough', async () => {
    await withSession(endedBefore(MINUTE, { status: 'abandoned' }), async ({ store, watcher }) => {
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
    });
  });
});

describe('a poll that has no permit', () => {
  const permits: Permit[] = [];
  /** As many calls as there is room for at the payment service. */
  function fill(): void {
    for (let nth = 0; nth < 2_048; nth++) {
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

  const RECORDS: readonly SessionRecord[] = [
    PENDING,
    endedBefore(3 * HOUR),
    endedBefore(3 * HOUR, { status: 'canceled' }),
    endedBefore(3 * HOUR, { status: 'abandoned' }),
    endedBefore(3 * HOUR, { status: 'unknown' }),
  ];

  test.each(
    RECORDS.flatMap((record) =>
      (['poll', 'pollNow'] as const).map((how) => [record.attempts[0]?.status, how, record] as const),
    ),
  )('of one that is %s is deferred, not lost: %s', async (_status, how, record) => {
    await withSession(record, async ({ store, watcher, due, alarmIn }) => {
      store.due.set('poll 1', NOW);
      await watcher[how]();
      expect(fakes.upstream.requests).toEqual([]);
      expect(store.load()).toEqual(record);
      expect(due()['poll 1']).toBe(1_500);
      expect(await alarmIn()).toBe(1_500);
      makeRoom();
      vi.setSystemTime(NOW + 1_500);
      await watcher.poll();
      expect(calls().state + calls().record).toBeGreaterThan(0);
    });
  });

  test('stays deferred for as long as there is none, and then finds what has happened', async () => {
    await withSession(PENDING, async ({ store, watcher, due }) => {
      fakes.upstream.payRequest('R-1');
      for (let round = 0; round < 100; round++) {
        await watcher.poll();
        expect(due()['poll 1']).toBeGreaterThan(0);
        vi.setSystemTime(Date.now() + (due()['poll 1'] ?? 0));
        makeRoom();
        fill();
      }
      expect(store.load()).toEqual(PENDING);
      makeRoom();
      await watcher.poll();
      expect(store.load()).toMatchObject({ state: 'succeeded' });
    });
  });

  test('does not come later than one that was planned anyhow', async () => {
    await withSession(PENDING, async ({ store, watcher, due }) => {
      store.due.set('poll 1', NOW + 700);
      await watcher.pollNow();
      expect(due()['poll 1']).toBe(700);
    });
  });

  test('leaves it uncertain whether there is money, whatever the poll before has seen', async () => {
    await withSession(endedBefore(3 * HOUR), async ({ watcher }) => {
      makeRoom();
      expect(await watcher.isUnpaid()).toBe(true);
      fill();
      expect(await watcher.isUnpaid()).toBe(false);
      expect(calls().state).toBe(1);
    });
  });

  test('is remembered as asked for', async () => {
    await withSession(endedBefore(3 * HOUR), async ({ attempt, watcher }) => {
      await watcher.pollNow();
      makeRoom();
      passSeconds(2);
      await watcher.poll();
      expect(attempt()?.watch.askedAt).toBe(NOW + 2 * SECOND);
    });
  });
});

test('a poll whose answer cannot be stored releases its permit', async () => {
  for (let round = 0; round < 300; round++) {
    await withSession(PENDING, async ({ store, watcher }) => {
      vi.spyOn(store, 'transaction').mockImplementation(() => {
        throw new Error('the disk is full');
      });
      await expect(watcher.poll()).rejects.toThrow('the disk is full');
    });
  }
});

describe('an attempt whose guest has gone away, beside thousands of others', () => {
  const OTHERS = Array.from({ length: 2_000 }, (_, nth) => `other-${nth}`);
  /** Four minutes ago. */
  const LEFT = { since: NOW - 4 * MINUTE, startedAt: NOW - 4 * MINUTE };
  const RECORD = afterAttempts([LEFT]);
  const OPEN_STILL = { observation: { seen: 'state_open' } } as const;
  beforeEach(() => {
    vi.spyOn(Math, 'random').mockReturnValue(1 / 2);
    for (const id of OTHERS) pacePolling(id, 5 * SECOND, NOW);
  });
  afterEach(() => {
    for (const id of [...OTHERS, 'cs_1-1']) clearDemand(id);
  });

  test('is looked at less often, so that all of them leave time for guests', async () => {
    await withSession(RECORD, async ({ watcher, due }) => {
      await watcher.observe(OPEN_STILL);
      expect(due()['poll 1']).toBe(40_020);
    });
  });

  test.each<[string, Partial<AttemptRecord>]>([
    ['in the first half minute', { startedAt: NOW - 29 * SECOND }],
    ['once it was opened again', { askedAgainAt: NOW - SECOND }],
    ['after a return', { watch: { ...NEW_WATCH, returnedAt: NOW - SECOND } }],
    ['after somebody has asked', { watch: { ...NEW_WATCH, askedAt: NOW - MINUTE } }],
  ])('is looked at by the schedule %s', async (_, change) => {
    await withSession(afterAttempts([{ ...LEFT, ...change }]), async ({ watcher, due }) => {
      await watcher.observe(OPEN_STILL);
      expect(due()['poll 1']).toBeLessThanOrEqual(5 * SECOND);
    });
  });

  test('is looked at when somebody reads it, and then by the schedule', async () => {
    await withSession(RECORD, async ({ watcher, due }) => {
      await watcher.observe(OPEN_STILL);
      watcher.noteReader(RECORD, NOW);
      expect(due()['poll 1']).toBe(0);
      await watcher.observe(OPEN_STILL);
      watcher.noteReader(RECORD, NOW);
      expect(due()['poll 1']).toBe(5 * SECOND);
    });
  });

  test('is looked at once more before it counts as abandoned', async () => {
    await withSession(afterAttempts([{ startedAt: NOW + 30 * SECOND - HOUR }]), async ({ watcher, due }) => {
      await watcher.observe(OPEN_STILL);
      expect(due()).toEqual({ 'poll 1': 25 * SECOND, abandon: 30 * SECOND });
    });
  });

  test('is not asked about again while its payment service does not answer, whoever reads it', async () => {
    await withSession(RECORD, async ({ store, watcher, due }) => {
      await watcher.poll();
      clearDemand('cs_1-1');
      store.due.set('poll 1', NOW + 20 * SECOND);
      watcher.noteReader(RECORD, NOW);
      expect(due()['poll 1']).toBe(20 * SECOND);
    });
  });
});
