import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { exchange } from '../../test-support/exchange.ts';
import { exchangeFeed } from './exchange-feed.ts';
import { MemoryJournal } from './journal.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('the live feed', () => {
  test('begins with what there is and goes on with what happens', async () => {
    const journal = new MemoryJournal();
    journal.put(exchange({ id: 'a' }));
    const next = read(journal);
    expect(await next()).toMatchObject({ event: 'rows', id: '1', data: { count: 1, rows: [{ id: 'a', seq: 1 }] } });
    journal.put(exchange({ id: 'b', caption: 'The <guest>' }));
    const { id, data } = await next();
    expect([id, data.count, data.rows.map((row) => row.id)]).toEqual(['2', 2, ['b']]);
    expect(data.rows[0]?.html).toContain('The &lt;guest&gt;');
  });

  test('sends only what the reader has not seen', async () => {
    const journal = new MemoryJournal();
    for (const id of ['a', 'b', 'c']) journal.put(exchange({ id }));
    const { data } = await read(journal, { after: 2 })();
    expect(data.rows.map((row) => row.id)).toEqual(['c']);
  });

  test('tells one story, and what turns out to belong to it', async () => {
    const journal = new MemoryJournal();
    journal.put(exchange({ id: 'poll', about: ['request:R'] }));
    journal.put(exchange({ id: 'book', about: ['booking:A'] }));
    const next = read(journal, { root: 'booking:A', after: 2 });
    const news = next();
    journal.put(exchange({ id: 'init', about: ['booking:A', 'request:R'] }));
    const { data } = await news;
    expect(data.rows.map((row) => row.id)).toEqual(['poll', 'init']);
    expect(data.count).toBe(3);
  });

  test('says when the journal was emptied, and to a reader from before a restart', async () => {
    const journal = new MemoryJournal();
    journal.put(exchange({ id: 'a' }));
    const next = read(journal);
    await next();
    await journal.clear();
    expect((await next()).event).toBe('cleared');
    expect((await read(journal, { after: 99 })()).event).toBe('cleared');
  });

  test('breaks a long silence, and stops waiting when its reader leaves', async () => {
    const journal = new MemoryJournal();
    const reader = exchangeFeed({ journal, root: null, after: 0 }).getReader();
    expect(decode(await reader.read())).toBe('retry: 1000\n\n');
    const silence = reader.read();
    await vi.advanceTimersByTimeAsync(15_000);
    expect(decode(await silence)).toBe(': still here\n\n');
    await reader.cancel();
    await vi.waitFor(() => expect(vi.getTimerCount()).toBe(0));
  });
});

interface Event {
  readonly event: string;
  readonly id: string;
  readonly data: { readonly count: number; readonly rows: readonly { id: string; seq: number; html: string }[] };
}

/** Reads one event after the other, without retry hints. */
function read(
  journal: MemoryJournal,
  { root = null, after = 0 }: { root?: string | null; after?: number } = {},
): () => Promise<Event> {
  const reader = exchangeFeed({ journal, root, after }).getReader();
  return async () => {
    for (;;) {
      const value = decode(await reader.read());
      const field = (name: string): string => new RegExp(`^${name}: (.*)$`, 'm').exec(value)?.[1] ?? '';
      if (field('event') !== '') return { event: field('event'), id: field('id'), data: JSON.parse(field('data')) };
    }
  };
}

function decode({ value }: { readonly value?: Uint8Array | undefined }): string {
  return new TextDecoder().decode(value);
}
