import { expect, onTestFinished, test, vi } from 'vitest';
import { untilUnresponsive } from '../../packages/edge-proxy/dist/runtime/serve-watchdog.js';

test('a runtime is unresponsive after six unanswered calls in a row, whatever an answer says', async () => {
  const answers = [200, 0, 0, 0, 0, 0, 503, 0, 0, 0, 0, 0, 0];
  const fetch = vi.spyOn(globalThis, 'fetch').mockImplementation(async () => {
    const status = answers.shift() ?? 0;
    if (status === 0) throw new Error('no answer');
    return new Response('', { status });
  });
  onTestFinished(() => fetch.mockRestore());
  await untilUnresponsive('http://proxy.test', 0);
  expect(fetch).toHaveBeenCalledTimes(13);
  expect(fetch.mock.lastCall?.[0]).toBe('http://proxy.test/healthz');
});
