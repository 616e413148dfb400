import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type CallKind, type Load, permitRefusal } from './fair-share.ts';
import { noteHealth, UNKNOWN_HEALTH } from './upstream-health.ts';

const NOW = 1_800_000_000_000;
const KINDS: readonly CallKind[] = ['start', 'awaited_poll', 'poll', 'gateway', 'webhook'];

function load(change: Partial<Load> = {}): Load {
  const idle = { underWay: 0, oldestAt: NOW, latestAt: 0, typicalMs: 1_000, health: UNKNOWN_HEALTH };
  return { ...idle, ...change };
}

/** Three sources have failed; `at`: the last of them. */
function failing(at: number, change: Partial<Load> = {}): Load {
  const failures = ['a', 'b', 'c'].map((source, nth) => ({ source, isUp: false, at: at - 2 + nth }));
  return load({ ...change, health: failures.reduce(noteHealth, UNKNOWN_HEALTH) });
}

/** How many calls of one kind a hotel gets under way beside those of others. */
function most(kind: CallKind, { others = 0, hotel = load(), all = load() } = {}): number {
  for (let underWay = 0; ; underWay++) {
    const loads = { hotel: { ...hotel, underWay }, all: { ...all, underWay: others + underWay } };
    if (permitRefusal(kind, loads, NOW) !== undefined) return underWay;
  }
}

describe('a hotel alone', () => {
  test.each([
    ['start', 256],
    ['awaited_poll', 256],
    ['poll', 192],
    ['gateway', 128],
    ['webhook', 6],
  ] as const)('has room for each kind of call: %s', (kind, room) => {
    expect(most(kind)).toBe(room);
  });

  test('that fills its room with polls or with the gateway leaves some for its guests', () => {
    const hotel = load({ underWay: most('poll') });
    expect(permitRefusal('poll', { hotel, all: hotel }, NOW)).toEqual({ because: 'hotel', waitMs: 1_000 });
    expect(permitRefusal('start', { hotel, all: hotel }, NOW)).toBeUndefined();
  });
});

describe('hotels share', () => {
  test('a receiver that is nearly full: no hotel has more under way than a fourth of what is still free', () => {
    expect(most('start', { others: 1_948 })).toBe(20);
    expect(most('poll', { others: 1_511 })).toBe(5);
    expect(most('webhook', { others: 118 })).toBe(2);
  });

  test('so that one that has nothing under way finds a permit, however greedy twenty others are', () => {
    fc.assert(
      fc.property(fc.constantFrom(...KINDS), fc.array(fc.nat({ max: 19 }), { maxLength: 6_000 }), (kind, calls) => {
        const underWay = new Map<number, number>();
        let all = 0;
        for (const hotel of calls) {
          const own = underWay.get(hotel) ?? 0;
          const loads = { hotel: load({ underWay: own }), all: load({ underWay: all }) };
          if (permitRefusal(kind, loads, NOW) !== undefined) continue;
          underWay.set(hotel, own + 1);
          all += 1;
        }
        expect(permitRefusal(kind, { hotel: load(), all: load({ underWay: all }) }, NOW)).toBeUndefined();
      }),
    );
  });

  test('and a receiver that is full says so to all alike', () => {
    const loads = { hotel: load(), all: load({ underWay: 2_048 }) };
    expect(permitRefusal('start', loads, NOW)).toEqual({ because: 'all', waitMs: 1_000 });
  });
});

describe('a receiver that does not answer', () => {
  test.each([
    ['start', 8],
    ['poll', 6],
    ['gateway', 4],
    ['webhook', 1],
  ] as const)('to one hotel gets a few calls of it: %s', (kind, room) => {
    expect(most(kind, { hotel: failing(NOW) })).toBe(room);
  });

  test('to any hotel gets a few calls of all, and the first of each hotel that has not failed itself', () => {
    const all = failing(NOW);
    const hotel = failing(NOW);
    expect([most('start', { others: 63, all, hotel }), most('start', { others: 64, all, hotel })]).toEqual([1, 0]);
    expect([most('poll', { others: 47, all }), most('poll', { others: 48, all })]).toEqual([1, 0]);
    expect([most('start', { others: 64, all }), most('start', { others: 2_047, all })]).toEqual([1, 1]);
    expect(most('start', { others: 2_048, all })).toBe(0);
  });

  test('has been silent for ten seconds: what hangs ends together, in between all the others are answered', () => {
    const quiet = (ms: number): Load => {
      const up = noteHealth(UNKNOWN_HEALTH, { source: 'd', isUp: true, at: NOW - ms });
      const failures = ['a', 'b', 'c'].map((source) => ({ source, isUp: false, at: NOW }));
      return load({ health: failures.reduce(noteHealth, up) });
    };
    expect(most('start', { hotel: quiet(9_999) })).toBe(256);
    expect(most('start', { hotel: quiet(10_000) })).toBe(8);
  });

  test('is polled one poll after another, while guests may try', () => {
    const poll = (hotel: Load, all: Load) => permitRefusal('poll', { hotel, all }, NOW);
    const deferred = { because: 'failing', waitMs: 10_000 };
    expect(poll(failing(NOW, { latestAt: NOW - 999 }), load())).toEqual(deferred);
    expect(poll(failing(NOW, { latestAt: NOW - 1_000 }), load())).toBeUndefined();
    expect(poll(load(), failing(NOW, { latestAt: NOW - 99 }))).toEqual(deferred);
    expect(poll(load(), failing(NOW, { latestAt: NOW - 100 }))).toBeUndefined();
    const hotel = failing(NOW, { latestAt: NOW });
    expect(permitRefusal('start', { hotel, all: load() }, NOW)).toBeUndefined();
    expect(permitRefusal('awaited_poll', { hotel, all: load() }, NOW)).toBeUndefined();
  });

  test('is believed for a minute, or until anything succeeds', () => {
    expect(most('start', { hotel: failing(NOW - 59_999) })).toBe(8);
    expect(most('start', { hotel: failing(NOW - 60_000) })).toBe(256);
    const { health } = failing(NOW - 1);
    const up = noteHealth(health, { source: 'd', isUp: true, at: NOW });
    expect(most('start', { hotel: load({ health: up }) })).toBe(256);
  });

  test('is no matter of one call that always fails', () => {
    const once = noteHealth(UNKNOWN_HEALTH, { source: 'a', isUp: false, at: NOW - 1 });
    const again = noteHealth(once, { source: 'a', isUp: false, at: NOW });
    expect(most('poll', { hotel: load({ health: again }) })).toBe(192);
  });
});

describe('the time to wait', () => {
  const full = (change: Partial<Load>) => load({ underWay: 256, ...change });
  const wait = (hotel: Load) => permitRefusal('start', { hotel, all: hotel }, NOW)?.waitMs;

  test.each([
    ['until the oldest call ends as calls usually do', { oldestAt: NOW - 2_000, typicalMs: 8_000 }, 6_000],
    ['never shorter than a second', { oldestAt: NOW - 2_000, typicalMs: 2_010 }, 1_000],
    ['as long again as a call that is late', { oldestAt: NOW - 12_000, typicalMs: 300 }, 12_000],
    ['half a minute at most', { oldestAt: NOW - 80_000, typicalMs: 300 }, 30_000],
    ['a second after a clock was set back', { oldestAt: NOW, typicalMs: 10 }, 1_000],
  ])('is %s', (_what, change, waitMs) => {
    expect(wait(full(change))).toBe(waitMs);
  });

  test('is that of whoever is full', () => {
    const hotel = load({ oldestAt: NOW - 9_000, typicalMs: 12_000 });
    const all = load({ underWay: 2_048, oldestAt: NOW - 20_000, typicalMs: 24_000 });
    expect(permitRefusal('start', { hotel, all }, NOW)).toEqual({ because: 'all', waitMs: 4_000 });
    expect(permitRefusal('start', { hotel: { ...hotel, underWay: 256 }, all }, NOW)).toEqual({
      because: 'hotel',
      waitMs: 3_000,
    });
  });

  test('of a call to a receiver that does not answer is honest to guests, and longer for polls', () => {
    const hotel = failing(NOW, { underWay: 8, oldestAt: NOW - 27_000, typicalMs: 30_000 });
    const loads = { hotel, all: load({ underWay: 8 }) };
    expect(permitRefusal('start', loads, NOW)).toEqual({ because: 'failing', waitMs: 3_000 });
    expect(permitRefusal('poll', loads, NOW)).toEqual({ because: 'failing', waitMs: 10_000 });
  });
});
