import { expect, test } from 'vitest';
import { exchange } from '../../test-support/exchange.ts';
import type { Exchange } from './exchange.ts';
import type { Entry } from './journal.ts';
import { storyOf } from './story.ts';

const login = exchange({ id: 'login', from: 'proxy', to: 'upstream' });
const file = exchange({ id: 'file', kind: 'file' });
const preflight = exchange({ id: 'preflight', to: 'proxy', method: 'OPTIONS' });

test('follows ids from one exchange to the next, in both directions of time', () => {
  const entries = journal([
    exchange({ id: 'book', about: ['booking:A'] }),
    exchange({ id: 'order', about: ['booking:A', 'cs_1'] }),
    exchange({ id: 'other', about: ['booking:B', 'cs_2'] }),
    exchange({ id: 'poll', about: ['request:R'] }),
    exchange({ id: 'init', about: ['cs_1', 'request:R'] }),
  ]);
  expect(ids(storyOf(entries, 'booking:A'))).toEqual(['book', 'order', 'poll', 'init']);
});

test('takes logins, files and preflights along once the story has begun', () => {
  const before = { ...login, id: 'before' };
  const entries = journal([before, exchange({ id: 'book', about: ['booking:A'] }), login, file, preflight]);
  expect(ids(storyOf(entries, 'booking:A'))).toEqual(['book', 'login', 'file', 'preflight']);
  expect(ids(storyOf(entries, 'booking:B'))).toEqual([]);
});

test('without a root tells everything, oldest first', () => {
  const entries = journal([login, file]);
  expect(ids(storyOf([...entries].reverse(), null))).toEqual(['login', 'file']);
});

function journal(exchanges: readonly Exchange[]): Entry[] {
  return exchanges.map((each, index) => ({ seq: index + 1, revision: index + 1, exchange: each }));
}

function ids(entries: readonly Entry[]): string[] {
  return entries.map((entry) => entry.exchange.id);
}
