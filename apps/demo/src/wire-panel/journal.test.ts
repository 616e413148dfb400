import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { exchange as answered } from '../../test-support/exchange.ts';
import type { Exchange } from './exchange.ts';
import { MemoryJournal } from './journal.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('a journal in memory', () => {
  test('keeps the order in which requests arrived, whenever their answers come', async () => {
    const journal = new MemoryJournal();
    journal.put(exchange('a'));
    journal.put(exchange('b'));
    journal.put({ ...exchange('a'), state: 'answered' });
    const { entries, revision } = await journal.changes(0);
    expect(entries.map(({ seq, exchange: { id, state } }) => [seq, id, state])).toEqual([
      [1, 'a', 'answered'],
      [2, 'b', 'waiting'],
    ]);
    expect(revision).toBe(3);
  });

  test('does not go back from an answer to waiting for it', async () => {
    const journal = new MemoryJournal();
    journal.put({ ...exchange('a'), state: 'answered' });
    journal.put(exchange('a'));
    expect((await journal.find('a'))?.exchange.state).toBe('answered');
  });

  test('tells only what changed since', async () => {
    const journal = new MemoryJournal();
    journal.put(exchange('a'));
    const { revision } = await journal.changes(0);
    journal.put(exchange('b'));
    expect((await journal.changes(revision)).entries.map((entry) => entry.exchange.id)).toEqual(['b']);
  });

  test('forgets the oldest when it is full', async () => {
    const journal = new MemoryJournal({ capacity: 2 });
    for (const id of ['a', 'b', 'c']) journal.put(exchange(id));
    expect((await journal.changes(0)).entries.map((entry) => entry.exchange.id)).toEqual(['b', 'c']);
    expect(await journal.find('a')).toBeUndefined();
    expect((await journal.find('c'))?.seq).toBe(3);
  });

  test('wakes who waits as soon as something happens', async () => {
    const journal = new MemoryJournal();
    const waiting = journal.changes(0, { waitMs: 60_000 });
    journal.put(exchange('a'));
    expect((await waiting).entries).toHaveLength(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('lets who waits go when nothing happens, and when they leave', async () => {
    const journal = new MemoryJournal();
    const patient = journal.changes(0, { waitMs: 1_000 });
    await vi.advanceTimersByTimeAsync(1_000);
    expect((await patient).entries).toEqual([]);
    const leaving = new AbortController();
    const left = journal.changes(0, { waitMs: 1_000, signal: leaving.signal });
    leaving.abort();
    expect((await left).entries).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('says that it was emptied to who has seen something before', async () => {
    const journal = new MemoryJournal();
    journal.put(exchange('a'));
    const seen = await journal.changes(0);
    await journal.clear();
    journal.put(exchange('b'));
    const changes = await journal.changes(seen.revision);
    expect(changes.wasCleared).toBe(true);
    expect(changes.entries.map((entry) => entry.exchange.id)).toEqual(['b']);
    expect((await journal.changes(changes.revision)).wasCleared).toBe(false);
  });

  test('tells a watcher from before a restart to begin again', async () => {
    const journal = new MemoryJournal();
    journal.put(exchange('a'));
    const changes = await journal.changes(500, { waitMs: 60_000 });
    expect(changes).toMatchObject({ wasCleared: true, revision: 1 });
    expect(changes.entries).toHaveLength(1);
  });
});

function exchange(id: string): Exchange {
  return answered({ id, state: 'waiting', durationMs: null, answer: null });
}
