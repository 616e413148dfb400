import { beforeEach, expect, test, vi } from 'vitest';
import { logFirstReturnCode, logUpstreamCall } from './upstream-log.ts';

const lines: unknown[] = [];

beforeEach(() => {
  lines.length = 0;
  for (const level of ['log', 'warn'] as const) {
    vi.spyOn(console, level).mockImplementation((line: string) => void lines.push([level, JSON.parse(line)]));
  }
});

test.each([
  ['ended well', {}, 'log', 'info'],
  ['failed', { code: 'timeout' }, 'warn', 'warn'],
] as const)('a call that %s is one line, louder when it failed', (_how, more, stream, level) => {
  const call = { operation: 'pay', property: 'aurora', status: 200, durationMs: 5, ...more };
  logUpstreamCall(call);
  expect(lines).toEqual([[stream, { level, message: 'upstream', ...call }]]);
});

test('a code that is new is told with whose it is, and nothing else', () => {
  logFirstReturnCode('aurora', '77');
  const line = { level: 'warn', message: 'return_code_first_seen', property: 'aurora', returnCode: '77' };
  expect(lines).toEqual([['warn', line]]);
});
