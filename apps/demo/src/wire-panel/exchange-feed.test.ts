import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { exchange } from '../../test-support/exchange.ts';
import { exchangeFeed } from './exchange-feed.ts';
import { MemoryExchangeLog } from './exchange-log.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('the live feed', () => {
  test('begins with what there is and goes on with what happens', async () => {
    const log = new MemoryExchangeLog();
    log.put(exchange({ id: 'a' }));
    const next = read(log);
    expect(await next()).toMatchObject({ event: 'rows', id: '1', data: [{ id: 'a', seq: 1 }] });
    log.put(exchange({ id: 'b', caption: 'The <guest>' }));
    const { id, data } = await next();
    expect([id, data.map((row) => row.id)]).toEqual(['2', ['b']]);
    expect(data[0]?.html).toContain('The &lt;guest&gt;');
  });

  test('sends only what the reader has not seen', async () => {
    const log = new MemoryExchangeLog();
    for (const id of ['a', 'b', 'c']) log.put(exchange({ id }));
    const { data } = await read(log, { after: 2 })();
    expect(data.map((row) => row.id)).toEqual(['c']);
  });

  test('sends what is related to one booking, and what turns out to be', async () => {
    const log = new MemoryExchangeLog();
    log.put(exchange({ id: 'poll', about: ['request:R'] }));
    log.put(exchange({ id: 'book', about: ['booking:A'] }));
    const next = read(log, { root: 'booking:A', after: 2 });
    const news = next();
    log.put(exchange({ id: 'init', about: ['booking:A', 'request:R'] }));
    const { data } = await news;
    expect(data.map((row) => row.id)).toEqual(['poll', 'init']);
  });

  test('says when the log was emptied, and to a reader from before a restart', async () => {
    const log = new MemoryExchangeLog();
    log.put(exchange({ id: 'a' }));
    const next = read(log);
    await next();
    await log.clear();
    expect((await next()).event).toBe('cleared');
    expect((await read(log, { after: 99 })()).event).toBe('cleared');
  });

  test('breaks a long silence, and stops waiting when its reader leaves', async () => {
    const log = new MemoryExchangeLog();
    const reader = exchangeFeed({ log, root: null, after: 0 }).getReader();
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
  readonly data: readonly { id: string; seq: number; html: string }[];
}

/** Reads one event after the other, without retry hints. */
function read(
  log: MemoryExchangeLog,
  { root = null, after = 0 }: { root?: string | null; after?: number } = {},
): () => Promise<Event> {
  const reader = exchangeFeed({ log, root, after }).getReader();
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
