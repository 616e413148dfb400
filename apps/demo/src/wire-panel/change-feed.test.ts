import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { exchange } from '../../test-support/exchange.ts';
import { changeFeed } from './change-feed.ts';
import { ExchangeLog } from './exchange-log.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('tells of what was before it, of every change, and breaks a long silence until its reader leaves', async () => {
  const log = new ExchangeLog();
  const reader = changeFeed(log).getReader();
  const read = async (): Promise<string> => new TextDecoder().decode((await reader.read()).value);
  expect(await read()).toBe('retry: 1000\ndata: changed\n\n');
  log.put(exchange());
  expect(await read()).toBe('data: changed\n\n');
  log.clear();
  expect(await read()).toBe('data: changed\n\n');
  vi.advanceTimersByTime(15_000);
  expect(await read()).toBe(': still here\n\n');
  await reader.cancel();
  expect(vi.getTimerCount()).toBe(0);
  log.put(exchange());
});
