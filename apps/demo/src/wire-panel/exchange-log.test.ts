import { expect, test } from 'vitest';
import { exchange as answered } from '../../test-support/exchange.ts';
import type { Exchange } from './exchange.ts';
import { ExchangeLog } from './exchange-log.ts';

test('keeps the order in which requests arrived, whenever their answers come', () => {
  const log = new ExchangeLog();
  log.put(exchange('a'));
  log.put(exchange('b'));
  log.put(answered({ id: 'a' }));
  expect(log.list().map(({ id, state }) => [id, state])).toEqual([
    ['a', 'answered'],
    ['b', 'waiting'],
  ]);
});

test('keeps an answer when its request arrives later', () => {
  const log = new ExchangeLog();
  log.put(answered({ id: 'a' }));
  log.put(exchange('a'));
  expect(log.find('a')?.state).toBe('answered');
});

test('forgets the oldest when it is full', () => {
  const log = new ExchangeLog({ capacity: 2 });
  for (const id of ['a', 'b', 'c']) log.put(exchange(id));
  expect(log.list().map(({ id }) => id)).toEqual(['b', 'c']);
  expect(log.find('a')).toBeUndefined();
});

function exchange(id: string): Exchange {
  return answered({ id, state: 'waiting', durationMs: null, answer: null });
}
