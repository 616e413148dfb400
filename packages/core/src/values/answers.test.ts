import { afterEach, expect, it, vi } from 'vitest';
import { retryAfterSeconds } from './answers.ts';

afterEach(() => {
  vi.useRealTimers();
});

it.each([
  ['7', 7],
  ['0', 0],
  ['Sun, 29 Nov 2026 12:05:00 GMT', 300],
  ['Sun, 29 Nov 2026 12:00:00 GMT', 0],
  ['Sun, 29 Nov 2026 11:00:00 GMT', undefined],
  ['', undefined],
  [' ', undefined],
  ['-5', undefined],
  ['soon', undefined],
])('reads the Retry-After "%s" as %s', (text, seconds) => {
  vi.useFakeTimers({ now: Date.parse('2026-11-29T12:00:00Z') });
  expect(retryAfterSeconds(new Headers({ 'retry-after': text }))).toBe(seconds);
});

it('asks for no pause where none is named', () => {
  expect(retryAfterSeconds(new Headers())).toBeUndefined();
});
