import { describe, expect, test, vi } from 'vitest';
import { useClock } from '../../test-support/clock.ts';
import { Disk } from '../../test-support/disk.ts';
import { useLog } from '../../test-support/log.ts';
import { FeedForwarding, type ForwardingHost } from './feed-forwarding.ts';
import type { ForwardedEvent } from './feed-storage.ts';
import type { LedgerStorage } from './ledger-storage.ts';

const NOW = 1_800_000_000_000;
const SECOND = 1_000;
const LOST = 30 * SECOND;

useClock(NOW);
const warnings = useLog('warn');

/** A ledger with so many events, and what becomes of them. */
function hotelWith(events: number) {
  const cursors = new Map<string, number>();
  const eventsAfter = (after: number, limit: number) =>
    Array.from({ length: Math.min(limit, state.events - after) }, (_, nth) => ({
      position: after + nth + 1,
      body: JSON.stringify({ data: { object: { livemode: state.live.includes(after + nth + 1) } } }),
      ...(state.redactions.includes(after + nth + 1) && { redacts: [] }),
    }));
  const feedPosition = (platform: string): number => cursors.get(platform) ?? 0;
  const store = {
    property: () => 'aurora',
    eventsAfter,
    feedPosition,
    eventsToForward: (platform: string, limit: number) => eventsAfter(feedPosition(platform), limit),
    moveFeed: (platform: string, position: number) => void cursors.set(platform, position),
  };
  const disk = new Disk();
  const due = disk.open();
  const append = vi.fn(async (_property: string, _events: readonly { position: number }[]): Promise<void> => undefined);
  const state = {
    events,
    platforms: ['alpine'],
    possible: [] as string[],
    /** Positions of the events that are about real money. */
    live: [] as number[],
    redactions: [] as number[],
    isLivePlatform: true,
    isDeclared: true,
    due,
    append,
    alarm: () => disk.alarm ?? null,
    /** The batches that were handed over, by their first and last positions. */
    batches: () => append.mock.calls.map(([, batch]) => `${batch.at(0)?.position}–${batch.at(-1)?.position}`),
  };
  const forwarding = new FeedForwarding({
    due,
    store: store as unknown as LedgerStorage,
    platforms: () => state.platforms,
    possiblePlatforms: () => state.possible,
    isLive: () => state.isLivePlatform,
    feed: (() => (state.isDeclared ? { append } : undefined)) as ForwardingHost['feed'],
  });
  return { ...state, state, forwarding };
}

/** Keeps the next append waiting. */
function held(append: ReturnType<typeof hotelWith>['append']): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  append.mockReturnValueOnce(promise);
  return resolve;
}

test('events go in batches of a hundred, in order, each once, and then nothing is planned', async () => {
  const { forwarding, append, batches, state, due, alarm } = hotelWith(201);
  await forwarding.start();
  expect(batches()).toEqual(['1–100', '101–200', '201–201']);
  expect(append.mock.calls.map(([property]) => property)).toEqual(['aurora', 'aurora', 'aurora']);
  expect([due.get('feed:alpine'), alarm()]).toEqual([undefined, null]);
  await forwarding.start();
  state.events = 202;
  await forwarding.start();
  expect(batches().slice(3)).toEqual(['202–202']);
});

test.each([
  ['has what is about real money', true, [1, 2, 3, 4, 5]],
  ['for trying things out has not, but for what it may have to erase', false, [-2, 3, 5]],
])('a feed %s', async (_, isLivePlatform, told) => {
  const { forwarding, append, state } = hotelWith(5);
  Object.assign(state, { live: [1, 2, 4], redactions: [2, 3], isLivePlatform });
  await forwarding.start();
  await forwarding.start();
  const marked = ({ position, isForErasure }: ForwardedEvent): number => (isForErasure ? -position : position);
  expect(append.mock.calls.flatMap(([, batch]) => (batch as ForwardedEvent[]).map(marked))).toEqual(told);
});

test('nothing is handed over when all of it is about real money', async () => {
  const { forwarding, append, state, due } = hotelWith(2);
  Object.assign(state, { live: [1, 2], isLivePlatform: false });
  await forwarding.start();
  expect([append.mock.calls, due.get('feed:alpine')]).toEqual([[], undefined]);
});

test('a forwarding under way is on disk, begun once, and takes what comes meanwhile with it', async () => {
  const { forwarding, append, batches, state, due, alarm } = hotelWith(1);
  const release = held(append);
  const first = forwarding.start();
  expect([due.get('feed:alpine'), alarm()]).toEqual([NOW + LOST, NOW + LOST]);
  state.events = 2;
  const second = forwarding.start();
  vi.setSystemTime(NOW + LOST);
  // The alarm finds it alive, and looks again later.
  const resumed = forwarding.resume('feed:alpine');
  expect(due.get('feed:alpine')).toBe(NOW + 2 * LOST);
  let isOver = false;
  void second.then(() => {
    isOver = true;
  });
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
  expect(isOver).toBe(false);
  release();
  await Promise.all([first, second, resumed]);
  expect(batches()).toEqual(['1–1', '2–2']);
  expect([due.get('feed:alpine'), alarm()]).toEqual([undefined, null]);
});

test('a feed that fails is asked again after a second, then after twice as long each time, ten minutes at most', async () => {
  const { forwarding, append, due, alarm, state } = hotelWith(1);
  append.mockRejectedValue(new Error('away'));
  state.platforms = ['alpine', 'other'];
  await forwarding.start();
  expect(append).toHaveBeenCalledTimes(2);
  state.platforms = ['alpine'];
  for (const seconds of [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 600, 600]) {
    expect(due.get('feed:alpine')).toBe(Date.now() + seconds * SECOND);
    const asked = append.mock.calls.length;
    vi.setSystemTime(Date.now() + seconds * SECOND - 1);
    // News does not ask it earlier.
    await forwarding.start();
    expect(append).toHaveBeenCalledTimes(asked);
    vi.setSystemTime(Date.now() + 1);
    await forwarding.resume('feed:alpine');
    expect(append).toHaveBeenCalledTimes(asked + 1);
  }
  expect(alarm()).toBe(NOW + SECOND);
  expect(warnings.at(-1)).toEqual({
    level: 'warn',
    message: 'platform_feed_unavailable',
    property: 'aurora',
    platform: 'alpine',
    attempt: 13,
    error: 'Error: away',
  });
  // Once it takes something, it is as if it had never failed.
  append.mockResolvedValue(undefined);
  vi.setSystemTime(due.get('feed:alpine') ?? 0);
  await forwarding.start();
  expect(due.get('feed:alpine')).toBeUndefined();
  state.events = 2;
  append.mockRejectedValueOnce(new Error('away'));
  await forwarding.start();
  expect(due.get('feed:alpine')).toBe(Date.now() + SECOND);
});

test('what a later instance finds planned does not keep it from forwarding', async () => {
  const { forwarding, due, batches } = hotelWith(1);
  due.set('feed:alpine', NOW + LOST);
  await forwarding.start();
  expect(batches()).toEqual(['1–1']);
});

test('a feed that the deployment does not declare has nothing planned', async () => {
  const { forwarding, due, state, alarm } = hotelWith(1);
  state.isDeclared = false;
  due.set('feed:alpine', NOW);
  await forwarding.start();
  expect([due.get('feed:alpine'), alarm()]).toEqual([undefined, null]);
  // It is not taken for one under way.
  state.isDeclared = true;
  await forwarding.start();
  expect(state.batches()).toEqual(['1–1']);
});

describe('a platform that only may be one of the hotel', () => {
  test('is looked at again every thirty seconds, as long as there is something for it', async () => {
    const { forwarding, due, state, alarm, append } = hotelWith(1);
    state.platforms = [];
    state.possible = ['alpine'];
    await forwarding.start();
    expect([due.get('feed:alpine'), alarm()]).toEqual([NOW + LOST, NOW + LOST]);
    // What is planned is not postponed.
    vi.setSystemTime(NOW + 1);
    await forwarding.start();
    expect(due.get('feed:alpine')).toBe(NOW + LOST);
    vi.setSystemTime(NOW + LOST);
    await forwarding.resume('feed:alpine');
    expect(due.get('feed:alpine')).toBe(NOW + 2 * LOST);
    expect(append).not.toHaveBeenCalled();
    state.possible = [];
    await forwarding.resume('feed:alpine');
    expect(due.get('feed:alpine')).toBeUndefined();
  });

  test('has nothing planned when there is nothing for it, or when it surely is one', async () => {
    const empty = hotelWith(0);
    empty.state.possible = ['alpine', 'other'];
    await empty.forwarding.start();
    const sure = hotelWith(1);
    sure.state.possible = ['alpine'];
    await sure.forwarding.start();
    for (const { due, alarm } of [empty, sure]) expect([due.get('feed:alpine'), alarm()]).toEqual([undefined, null]);
    expect(empty.due.get('feed:other')).toBeUndefined();
    expect(empty.append).not.toHaveBeenCalled();
    expect(sure.append).toHaveBeenCalledOnce();
  });
});

test('what is due is its own by its name', () => {
  const { forwarding } = hotelWith(0);
  expect(['feed:alpine', 'deliver', 'unfeed:'].map((kind) => forwarding.isItsOwn(kind))).toEqual([true, false, false]);
});
