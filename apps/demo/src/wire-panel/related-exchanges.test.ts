import { expect, test } from 'vitest';
import { exchange } from '../../test-support/exchange.ts';
import type { Exchange } from './exchange.ts';
import { relatedExchanges } from './related-exchanges.ts';

const login = exchange({ id: 'login', from: 'proxy', to: 'upstream', method: 'POST', path: '/login' });
const file = exchange({ id: 'file', kind: 'file' });
const preflight = exchange({ id: 'preflight', to: 'proxy', method: 'OPTIONS' });

test('follows ids from one exchange to the next, in both directions of time', () => {
  const entries = [
    exchange({ id: 'book', about: ['booking:A'] }),
    exchange({ id: 'order', about: ['booking:A', 'cs_1'] }),
    exchange({ id: 'other', about: ['booking:B', 'cs_2'] }),
    exchange({ id: 'poll', about: ['request:R'] }),
    exchange({ id: 'init', about: ['cs_1', 'request:R'] }),
  ];
  expect(ids(relatedExchanges(entries, 'booking:A'))).toEqual(['book', 'order', 'poll', 'init']);
});

test('takes logins, files and preflights along once it has begun', () => {
  const before = { ...login, id: 'before' };
  const entries = [before, exchange({ id: 'book', about: ['booking:A'] }), login, file, preflight];
  expect(ids(relatedExchanges(entries, 'booking:A'))).toEqual(['book', 'login', 'file', 'preflight']);
  expect(ids(relatedExchanges(entries, 'booking:B'))).toEqual([]);
});

test('takes along what was asked for it without an id, and not what was asked for somebody else meanwhile', () => {
  const behalf = { durationMs: 10, startedAt: 110 };
  const card = exchange({ id: 'card', from: 'hotel', to: 'proxy', ...behalf });
  const token = exchange({ id: 'token', from: 'proxy', to: 'upstream', ...behalf });
  const room = exchange({ id: 'room', from: 'proxy', to: 'upstream', startedAt: 200, durationMs: 10 });
  const open = exchange({ id: 'open', from: 'proxy', to: 'upstream', startedAt: 110, durationMs: null });
  const entries = [
    exchange({ id: 'book', about: ['booking:A'], startedAt: 100, durationMs: 50 }),
    ...[card, token, room, open],
    exchange({ id: 'look', about: ['booking:A'], startedAt: 300, durationMs: 20 }),
  ];
  expect(ids(relatedExchanges(entries, 'booking:A'))).toEqual(['book', 'card', 'token', 'look']);
});

test('without a root finds everything', () => {
  expect(ids(relatedExchanges([login, file], null))).toEqual(['login', 'file']);
});

function ids(exchanges: readonly Exchange[]): string[] {
  return exchanges.map(({ id }) => id);
}
