/**
 * How long tests wait for something, in milliseconds. No test measures time: a limit only ends what hangs, also on a machine so busy
 * that what takes two seconds elsewhere takes one minute.
 */
export const TEST_LIMITS = {
  testTimeout: 240_000,
  hookTimeout: 240_000,
  expect: { poll: { timeout: 100_000 } },
} as const;

/** What the suites share. Servers log every request: only a failing test’s lines are worth reading. */
export const TEST_OPTIONS = { ...TEST_LIMITS, silent: 'passed-only' } as const;

/** The same for `vi.waitFor`, which reads no configuration: its own limit is one second. */
export const PATIENT = { timeout: TEST_LIMITS.expect.poll.timeout } as const;
