import { beforeEach, describe, expect, test, vi } from 'vitest';
import { useClock } from '../../test-support/clock.ts';
import { takePermits } from '../../test-support/permits.ts';
import { anotherHotel } from '../../test-support/upstream.ts';
import {
  acquirePermit,
  type CallFor,
  countCall,
  isRefused,
  type Permit,
  toBusyRefusal,
  upstreamOf,
} from './call-budget.ts';
import type { NoPermit } from './fair-share.ts';

let receivers = 0;
let call: CallFor;

useClock(1_800_000_000_000);
beforeEach(() => {
  receivers += 1;
  call = { receiver: `https://pay-${receivers}.test`, property: 'aurora', source: 'cs_1' };
});

const pass = (ms: number) => vi.setSystemTime(Date.now() + ms);

function taken(of: CallFor = call): Permit {
  const permit = acquirePermit('start', of);
  if (isRefused(permit)) throw new Error(`no permit: ${permit.because}`);
  return permit;
}

const fill = (of: CallFor = call): Permit[] => takePermits('start', of);

test('a permit that has ended is there again, once', () => {
  const [first, ...others] = fill();
  expect(others.length).toBe(255);
  first?.end();
  first?.end();
  expect(fill().length).toBe(1);
});

test('a hotel that fills its room leaves others theirs, at the same receiver and at another', () => {
  fill();
  expect(acquirePermit('start', call)).toEqual({ because: 'hotel', waitMs: 1_000 });
  taken({ ...call, property: 'borealis' });
  taken({ ...call, receiver: 'https://elsewhere.test' });
});

test('twenty hotels whose calls all hang leave room for the next one, and what ends is shared again', () => {
  const hanging = Array.from({ length: 20 }, (_, nth) => fill({ ...call, property: `silent-${nth}` }));
  const underWay = hanging.flat().length;
  expect(underWay).toBeLessThan(2_048);
  const other = { ...call, property: 'aurora' };
  taken(other).end(true);
  for (const permit of hanging.flat()) permit.end();
  expect(fill(other).length).toBe(256);
});

test('a charge goes whatever is under way, and counts', () => {
  fill();
  const charge = countCall(call);
  const later = fill();
  expect(later).toEqual([]);
  charge.end();
});

test('a call whose object died is forgotten after two minutes', () => {
  fill();
  pass(119_999);
  expect(isRefused(acquirePermit('start', call))).toBe(true);
  pass(1);
  expect(fill().length).toBe(256);
});

test('one that ends after it was forgotten takes nothing from those that came later', () => {
  const lost = fill();
  pass(120_000);
  const permit = taken();
  permit.end();
  fill();
  for (const each of lost) each.end(false);
  expect(isRefused(acquirePermit('start', call))).toBe(true);
});

describe('whoever fails', () => {
  /** Calls of so many sources end without an answer. */
  function fail(sources: number, of: CallFor = call): void {
    for (let nth = 0; nth < sources; nth++) {
      const permit = taken({ ...of, source: `cs_${nth}` });
      pass(10);
      permit.end(false);
    }
  }

  test('gets a few calls, until one call succeeds', () => {
    fail(3);
    expect(acquirePermit('poll', call)).toMatchObject({ because: 'failing' });
    const few = fill();
    expect(few.length).toBe(8);
    few[0]?.end(true);
    expect(fill().length).toBe(249);
  });

  test('is its own matter: however many calls of one hotel fail, the receiver is up for the others', () => {
    fail(20);
    expect(fill({ ...call, property: 'borealis' }).length).toBe(256);
  });

  test('is everybody’s matter once three hotels have failed', () => {
    for (const property of ['a', 'b', 'c']) fail(1, { ...call, property });
    expect(acquirePermit('poll', { ...call, property: 'd' })).toMatchObject({ because: 'failing' });
    pass(100);
    const poll = acquirePermit('poll', { ...call, property: 'd' });
    expect(isRefused(poll)).toBe(false);
    // The service is back: its hotels are looked at as ever.
    (poll as Permit).end(true);
    for (let nth = 0; nth < 10; nth++)
      expect(isRefused(acquirePermit('poll', { ...call, property: `e${nth}` }))).toBe(false);
  });

  test('by an answer that says nothing of the receiver has not failed', () => {
    for (let nth = 0; nth < 10; nth++) taken({ ...call, source: `cs_${nth}` }).end();
    expect(fill().length).toBe(256);
  });
});

test.each([
  [{ because: 'hotel', waitMs: 1_001 }, 'rate_limited', 2],
  [{ because: 'all', waitMs: 4_000 }, 'upstream_unavailable', 4],
  [{ because: 'failing', waitMs: 29_999 }, 'upstream_unavailable', 30],
] as const)('who is refused learns when to come again: %j', (noPermit: NoPermit, code, retryAfterSeconds) => {
  const refusal = { ok: false, code, retryAfterSeconds, detail: expect.stringContaining('nothing was sent') };
  expect(toBusyRefusal(noPermit)).toMatchObject(refusal);
});

test('hotels share a payment service by its origin', () => {
  const hotel = anotherHotel({ baseUrl: 'https://pay.test/api' });
  expect(upstreamOf(hotel)).toEqual({ receiver: 'https://pay.test', property: hotel.id });
});
