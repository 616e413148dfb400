const HANGS_AFTER_MS = 20 * 60_000;

/**
 * How long tests wait for something, in milliseconds. No test measures time: a limit only ends what hangs, also on a machine so busy
 * that what takes five seconds elsewhere takes seven minutes.
 */
export const TEST_LIMITS = {
  testTimeout: HANGS_AFTER_MS,
  hookTimeout: HANGS_AFTER_MS,
  expect: { poll: { timeout: 100_000 } },
} as const;

/** What the suites share. Servers log every request: only a failing test’s lines are worth reading. */
export const TEST_OPTIONS = { ...TEST_LIMITS, silent: 'passed-only' } as const;

/** The same for `vi.waitFor`, which reads no configuration: its own limit is one second. */
export const PATIENT = { timeout: TEST_LIMITS.expect.poll.timeout } as const;
