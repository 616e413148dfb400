import { describe, expect, test, vi } from 'vitest';
import { useClock } from '../../test-support/clock.ts';
import { inStorage } from '../../test-support/objects.ts';
import { ACTOR, NEW_CHARGE_RECORD, NEW_REVERSAL_RECORD } from '../../test-support/records.ts';
import type { MoneyEvent } from './money-machine.ts';
import type { MoneyRecord } from './money-record.ts';
import { MoneyStorage } from './money-storage.ts';
import { MoneyTransitions } from './money-transitions.ts';

/** Ahead of the runtime's clock, so that no alarm rings. */
const NOW = Date.now() + 86_400_000;
const DAY_MS = 86_400_000;
const KINDS = ['release', 'send', 'watchdog', 'settle', 'updates', 'erase'];

useClock(NOW);

const RECORDS: Readonly<Record<MoneyRecord['kind'], MoneyRecord>> = {
  charge: { ...NEW_CHARGE_RECORD, createdAt: NOW, sealedToken: null },
  reversal: { ...NEW_REVERSAL_RECORD, createdAt: NOW },
};

/** The ledger hears of it at once; this is when it hears again of what it has not taken. */
const NEWS = { updates: 30_000, erase: 400 * DAY_MS };

/** An operation that has begun, in a storage of its own. */
function partsOf(kind: MoneyRecord['kind'], storage: DurableObjectStorage) {
  const store = new MoneyStorage(storage);
  store.due.set('release', NOW + 60_000);
  const settleSoon = vi.fn(async (): Promise<void> => undefined);
  const transitions = new MoneyTransitions(store, settleSoon);
  transitions.begin(RECORDS[kind], 'fingerprint');
  const planned = ({ due }: MoneyStorage): Record<string, number> =>
    Object.fromEntries(
      KINDS.map((kind) => [kind, due.get(kind)] as const)
        .filter((task): task is [string, number] => task[1] !== undefined)
        .map(([kind, at]) => [kind, at - NOW]),
    );
  /** What is due, and in how many milliseconds. */
  const due = (): Record<string, number> => {
    expect(planned(new MoneyStorage(storage))).toEqual(planned(store));
    return planned(store);
  };
  return { store, transitions, settleSoon, due };
}

function begun<Result>(
  kind: MoneyRecord['kind'],
  work: (parts: ReturnType<typeof partsOf>) => Promise<Result>,
): Promise<Result> {
  return inStorage((storage) => work(partsOf(kind, storage)));
}

test('what is written down is due to be sent and one day erased; its claim needs no release any more', async () => {
  expect(await begun('charge', async ({ due }) => due())).toEqual({ send: 0, ...NEWS });
});

const SETTLED = { ...NEWS, settle: 0 };
const WATCHED = { ...NEWS, watchdog: 100_000 };

test.each([
  ['charge', ['handed_over'], WATCHED, 0],
  ['charge', ['not_executed'], NEWS, 0],
  ['charge', ['handed_over', 'no_clear_answer'], NEWS, 0],
  ['reversal', ['handed_over'], WATCHED, 0],
  ['reversal', ['not_executed'], SETTLED, 1],
  ['reversal', ['handed_over', 'executed'], SETTLED, 1],
  ['reversal', ['handed_over', 'no_clear_answer'], NEWS, 0],
  ['reversal', ['handed_over', 'no_clear_answer', 'resolved_failed'], SETTLED, 1],
] as const)(
  'a %s after %j has the right things due, and its payment is told when it ends',
  async (kind, events, due, told) => {
    const seen = await begun(kind, async (parts) => {
      for (const event of events as readonly MoneyEvent[]) await parts.transitions.apply(event, {});
      return [parts.due(), parts.settleSoon.mock.calls.length];
    });
    expect(seen).toEqual([due, told]);
  },
);

describe('waiting for the outcome', () => {
  const LIMIT_MS = 23_456;

  /** Waits in the given state of affairs; says whether a time limit was needed. */
  async function needsLimit(transitions: MoneyTransitions): Promise<boolean> {
    const timers = vi.spyOn(globalThis, 'setTimeout');
    await transitions.untilDecided(NOW + LIMIT_MS);
    // `vi.waitFor` moves the fake clock a little.
    const limits = timers.mock.calls.filter(([, ms = 0]) => ms > LIMIT_MS - 1_000 && ms <= LIMIT_MS);
    timers.mockRestore();
    return limits.length > 0;
  }

  test('ends when it is there, and no later than the limit', async () => {
    const seen = await begun('charge', async ({ transitions }) => {
      const waiting = needsLimit(transitions);
      await transitions.apply('handed_over', {});
      await transitions.apply('executed', {});
      return waiting;
    });
    expect(seen).toBe(true);
  });

  test('is over at once when it is there, although the payment has not heard of it', async () => {
    const seen = await begun('reversal', async ({ transitions, settleSoon }) => {
      let tell = (): void => undefined;
      settleSoon.mockReturnValue(
        new Promise((resolve) => {
          tell = resolve;
        }),
      );
      const applied = transitions.apply('not_executed', {});
      await expect.poll(() => settleSoon).toHaveBeenCalledOnce();
      const limited = await needsLimit(transitions);
      tell();
      await applied;
      return limited;
    });
    expect(seen).toBe(false);
  });

  test('ends at once in an instance that has written nothing down', async () => {
    await begun('charge', async ({ store }) => {
      await new MoneyTransitions(store, async () => undefined).untilDecided(NOW + LIMIT_MS);
      await store.erase();
      await new MoneyTransitions(store, async () => undefined).untilDecided(NOW + LIMIT_MS);
    });
  });
});

test('an outcome that has become unknown is told, and no other', async () => {
  const told = await begun('charge', async ({ store }) => {
    const onUnknown = vi.fn<(record: MoneyRecord) => void>();
    const transitions = new MoneyTransitions(store, async () => undefined, { onUnknown });
    await transitions.apply('handed_over', {});
    expect(onUnknown).not.toHaveBeenCalled();
    await transitions.apply('no_clear_answer', {});
    await transitions.apply('resolved_failed', {});
    return onUnknown.mock.calls.map(([{ id, state }]) => [id, state]);
  });
  expect(told).toEqual([['ch_1', 'unknown']]);
});

test('an event that means nothing changes nothing', async () => {
  const seen = await begun('reversal', async ({ transitions, settleSoon, due, store }) => [
    await transitions.apply('executed', { transactionId: 'X' }),
    settleSoon.mock.calls.length,
    due(),
    store.load(),
  ]);
  expect(seen).toEqual([undefined, 0, { send: 0, ...NEWS }, RECORDS.reversal]);
});

test.each([
  [
    'failed',
    {
      state: 'failed',
      transactionId: 'SENT-1',
      error: { code: 'not_executed', message: 'Resolved by hand: the portal shows nothing' },
    },
  ],
  ['succeeded', { state: 'succeeded', transactionId: 'SENT-1', error: null }],
] as const)('a person’s evidence for %s is kept with its time', async (status, expected) => {
  const evidence = { evidence: 'the portal shows nothing', transactionId: null };
  const record = await begun('charge', async ({ transitions }) => {
    await transitions.apply('handed_over', {});
    const error = { code: 'outcome_unknown', message: 'no clear answer' };
    const unknown = await transitions.apply('no_clear_answer', { transactionId: 'SENT-1', error });
    if (unknown === undefined) throw new Error('it is not unknown');
    return transitions.resolve(unknown, { status, ...evidence }, ACTOR);
  });
  expect(record).toMatchObject({ ...expected, resolution: { status, ...evidence, by: ACTOR.by, at: NOW } });
});
