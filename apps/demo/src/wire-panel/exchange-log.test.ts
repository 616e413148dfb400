import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { exchange as answered } from '../../test-support/exchange.ts';
import type { Exchange } from './exchange.ts';
import { MemoryExchangeLog } from './exchange-log.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('a log in memory', () => {
  test('keeps the order in which requests arrived, whenever their answers come', async () => {
    const log = new MemoryExchangeLog();
    log.put(exchange('a'));
    log.put(exchange('b'));
    log.put({ ...exchange('a'), state: 'answered' });
    const { entries, revision } = await log.changes(0);
    expect(entries.map(({ seq, exchange: { id, state } }) => [seq, id, state])).toEqual([
      [1, 'a', 'answered'],
      [2, 'b', 'waiting'],
    ]);
    expect(revision).toBe(3);
  });

  test('keeps an answer when its request arrives later', async () => {
    const log = new MemoryExchangeLog();
    log.put({ ...exchange('a'), state: 'answered' });
    log.put(exchange('a'));
    expect((await log.find('a'))?.exchange.state).toBe('answered');
  });

  test('gives only what changed since', async () => {
    const log = new MemoryExchangeLog();
    log.put(exchange('a'));
    const { revision } = await log.changes(0);
    log.put(exchange('b'));
    expect((await log.changes(revision)).entries.map((entry) => entry.exchange.id)).toEqual(['b']);
  });

  test('forgets the oldest when it is full', async () => {
    const log = new MemoryExchangeLog({ capacity: 2 });
    for (const id of ['a', 'b', 'c']) log.put(exchange(id));
    expect((await log.changes(0)).entries.map((entry) => entry.exchange.id)).toEqual(['b', 'c']);
    expect(await log.find('a')).toBeUndefined();
    expect((await log.find('c'))?.seq).toBe(3);
  });

  test('wakes a waiting watcher as soon as something happens', async () => {
    const log = new MemoryExchangeLog();
    const waiting = log.changes(0, { waitMs: 60_000 });
    log.put(exchange('a'));
    expect((await waiting).entries).toHaveLength(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('lets a watcher go when nothing happens, and when it leaves', async () => {
    const log = new MemoryExchangeLog();
    const patient = log.changes(0, { waitMs: 1_000 });
    await vi.advanceTimersByTimeAsync(1_000);
    expect((await patient).entries).toEqual([]);
    const leaving = new AbortController();
    const left = log.changes(0, { waitMs: 1_000, signal: leaving.signal });
    leaving.abort();
    expect((await left).entries).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('tells a watcher that has seen something that it was emptied', async () => {
    const log = new MemoryExchangeLog();
    log.put(exchange('a'));
    const seen = await log.changes(0);
    await log.clear();
    log.put(exchange('b'));
    const changes = await log.changes(seen.revision);
    expect(changes.wasCleared).toBe(true);
    expect(changes.entries.map((entry) => entry.exchange.id)).toEqual(['b']);
    expect((await log.changes(changes.revision)).wasCleared).toBe(false);
  });

  test('tells a watcher from before a restart to begin again', async () => {
    const log = new MemoryExchangeLog();
    log.put(exchange('a'));
    const changes = await log.changes(500, { waitMs: 60_000 });
    expect(changes).toMatchObject({ wasCleared: true, revision: 1 });
    expect(changes.entries).toHaveLength(1);
  });
});

function exchange(id: string): Exchange {
  return answered({ id, state: 'waiting', durationMs: null, answer: null });
}
