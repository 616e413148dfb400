import { describe, expect, test } from 'vitest';
import { inStorage } from '../../test-support/objects.ts';
import { FeedStorage, type ForwardedEvent } from './feed-storage.ts';

const NOW = 1_800_000_000_000;
const ALL = ['*'];
const events = (from: number, to: number, { id = 'ev', text = '' } = {}): ForwardedEvent[] =>
  Array.from({ length: to - from + 1 }, (_, index) => {
    const position = from + index;
    return { position, body: JSON.stringify({ id: `${id}_${position}`, seq: position, text }) };
  });

function withFeed(act: (feed: FeedStorage) => void): Promise<void> {
  return inStorage((storage) => act(new FeedStorage(storage)));
}

const positions = ({ items }: { items: string[] }): number[] => items.map((item) => JSON.parse(item).position);

test('what comes again, whole or in part, takes no position', () =>
  withFeed((feed) => {
    feed.append('aurora', events(1, 3), NOW);
    feed.append('aurora', events(1, 3), NOW);
    feed.append('borealis', events(7, 7), NOW);
    feed.append('aurora', events(2, 4), NOW);
    feed.append('borealis', [], NOW);
    expect(feed.lastPosition()).toBe(5);
    expect(positions(feed.list({ after: 0, limit: 10, patterns: ALL }))).toEqual([1, 2, 3, 4, 5]);
  }));

test('a second look at the same tables goes on where the first was', () =>
  inStorage((storage) => {
    new FeedStorage(storage).append('aurora', events(1, 2), NOW);
    new FeedStorage(storage).append('aurora', events(2, 3), NOW);
    expect(new FeedStorage(storage).lastPosition()).toBe(3);
  }));

test('a page passes over five thousand events of others at most, and leads on', () =>
  withFeed((feed) => {
    feed.append('aurora', events(1, 6_000), NOW);
    feed.append('alpine_1', events(1, 2), NOW);
    const patterns = ['alpine_*'];
    const first = feed.list({ after: 0, limit: 1, patterns });
    expect(first).toEqual({ items: [], nextAfter: 5_000 });
    const second = feed.list({ after: first.nextAfter, limit: 1, patterns });
    expect([positions(second), second.nextAfter]).toEqual([[6_001], 6_001]);
    expect(positions(feed.list({ after: 6_001, limit: 1, patterns }))).toEqual([6_002]);
    expect(feed.list({ after: 6_002, limit: 1, patterns })).toEqual({ items: [], nextAfter: 6_002 });
  }));

test('a position that it has not reached leads back to its end', () =>
  withFeed((feed) => {
    expect(feed.list({ after: 7, limit: 1, patterns: ALL })).toEqual({ items: [], nextAfter: 0 });
    feed.append('aurora', events(1, 2), NOW);
    expect(feed.list({ after: 2, limit: 1, patterns: ALL })).toEqual({ items: [], nextAfter: 2 });
    expect(feed.list({ after: 9_999, limit: 1, patterns: ALL })).toEqual({ items: [], nextAfter: 2 });
  }));

test.each([
  ['few', [events(3, 3, { id: 'later' }), events(4, 4, { id: 'later' })]],
  ['many', [[...events(2, 2), ...events(3, 7, { id: 'later' })], events(6, 8, { id: 'later' })]],
])('what a restored ledger tells anew is new, also when it is %s', (_, batches) =>
  withFeed((feed) => {
    feed.append('borealis', events(3, 4, { id: 'later' }), NOW);
    feed.append('aurora', events(1, 5), NOW);
    for (const batch of batches) feed.append('aurora', batch, NOW);
    const told = feed.list({ after: 2, limit: 20, patterns: ALL }).items.map((item) => JSON.parse(item).id as string);
    const last = batches.flat().at(-1)?.position ?? 0;
    const later = events(3, last, { id: 'later' });
    expect(told).toEqual([...events(1, 5), ...later].map(({ body }) => JSON.parse(body).id));
  }),
);

describe('a redaction', () => {
  const redaction = (position: number, redacts: ForwardedEvent['redacts'] = [], id = 'erase'): ForwardedEvent => ({
    ...(events(position, position, { id })[0] as ForwardedEvent),
    redacts,
  });
  const withWords = (from: number, to: number, id = 'ev') => events(from, to, { id, text: 'words' });
  /** The ids of those whose words are gone. */
  const blank = (feed: FeedStorage): string[] =>
    feed
      .list({ after: 0, limit: 50, patterns: ALL })
      .items.map((item) => JSON.parse(item) as { id: string; text: string | null })
      .filter(({ text }) => text === null)
      .map(({ id }) => id);

  test.each([
    ['the newer one', 'later_3', 'later_3'],
    ['the older one', 'ev_3', 'ev_3'],
    ['neither', 'never_3', undefined],
    ['whichever comes first, when the ledger does not name it', undefined, 'ev_3'],
  ])('of a position that a restored ledger gave twice is about %s', (_what, id, erased) =>
    withFeed((feed) => {
      feed.append('borealis', withWords(1, 3, 'later'), NOW);
      feed.append('aurora', withWords(1, 5), NOW);
      feed.append('aurora', withWords(3, 4, 'later'), NOW + 1);
      feed.append('aurora', [redaction(5, [{ position: 3, at: NOW, ...(id && { id }) }])], NOW + 2);
      expect(blank(feed)).toEqual(erased === undefined ? [] : [erased]);
      const [own] = feed.list({ after: 2, limit: 1, patterns: ['borealis'] }).items;
      expect(own).toContain('words');
    }),
  );

  test.each([
    ['has heard of the payment', 3, [1, 2, 4]],
    ['has not', 2, [1, 2]],
  ])('of real money is told to a platform for trying things out that %s', (_what, heard, told) =>
    withFeed((feed) => {
      feed.append('aurora', [...withWords(1, 1), ...withWords(heard, heard)], NOW);
      const erased = { ...redaction(4, [{ position: 3, at: NOW, id: 'ev_3' }]), isForErasure: true };
      for (let again = 0; again < 2; again++) feed.append('aurora', [erased], NOW);
      expect(positions(feed.list({ after: 0, limit: 9, patterns: ALL }))).toEqual(told.map((_, nth) => nth + 1));
      expect(blank(feed)).toEqual(heard === 3 ? ['ev_3'] : []);
      // Sent again as a whole, as after an answer that was lost.
      for (let again = 0; again < 2; again++) feed.append('aurora', [erased, ...events(5, 5)], NOW);
      expect(feed.lastPosition()).toBe(told.length + 1);
    }),
  );
});

test('an id with an underscore is itself, and no pattern of others', () =>
  withFeed((feed) => {
    feed.append('alpineX1', events(1, 1), NOW);
    feed.append('alpine_1', events(1, 1), NOW);
    expect(positions(feed.list({ after: 0, limit: 5, patterns: ['alpine_1'] }))).toEqual([2]);
  }));

test('what is old goes in batches, and where it was a reader goes on at once', () =>
  withFeed((feed) => {
    feed.append('aurora', events(1, 700), NOW);
    feed.append('aurora', events(701, 702), NOW + 1);
    const limits = { before: NOW + 1, maxBytes: 1e9 };
    expect([feed.forget(limits), feed.forget(limits), feed.forget(limits)]).toEqual([true, false, false]);
    expect(positions(feed.list({ after: 0, limit: 5, patterns: ALL }))).toEqual([701, 702]);
    expect(feed.lastPosition()).toBe(702);
  }));

test('what is too much goes, the oldest first, however young it is', () =>
  withFeed((feed) => {
    feed.append('aurora', events(1, 1_200, { text: 'x'.repeat(1_000) }), NOW);
    const limits = { before: 0, maxBytes: 500_000 };
    expect(feed.isLarge(limits.maxBytes)).toBe(true);
    expect(feed.forget(limits)).toBe(true);
    expect(feed.forget(limits)).toBe(true);
    expect(feed.isLarge(limits.maxBytes)).toBe(false);
    expect(feed.forget(limits)).toBe(false);
    expect(positions(feed.list({ after: 0, limit: 1, patterns: ALL }))).toEqual([1_001]);
  }));
