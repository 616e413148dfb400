import type { CallOptions, Context } from '../context.ts';
import { isInnkeepError } from '../errors.ts';
import { type PaystatusInput, type PaystatusResult, paystatus } from '../operations/paystatus.ts';
import { backoffMs } from '../polling/backoff.ts';
import { poll } from '../polling/poll.ts';
import { checkMs } from '../values/settings.ts';

/** Settings of {@link watch}. */
export interface WatchOptions extends CallOptions {
  /** Stop without a final state after this many milliseconds. @default never */
  deadlineMs?: number | undefined;
}

/** Delay after a poll that failed, or `undefined` for an error that polling again cannot cure. */
export function delayAfterFailure(error: unknown, failures: number): number | undefined {
  const isFinal = ['untrusted_url', 'invalid_input', 'configuration'].some((code) => isInnkeepError(error, code));
  return isFinal || !isInnkeepError(error) ? undefined : backoffMs(failures);
}

/** Polls often at first, while the guest is typing, then less often: 10 times after 1 s, 10 times after 2 s, then every 5 s. */
export function lookAgainMs(attempt: number): number {
  if (attempt <= 10) return 1000;
  return attempt <= 20 ? 2000 : 5000;
}

/**
 * Yields the state of a hosted request again and again; ends after a final one. Failed polls are repeated.
 *
 * @throws `untrusted_url`, `invalid_input` and `configuration`, which polling again cannot cure; the signal's reason when aborted
 */
export async function* watch(
  context: Context,
  init: PaystatusInput,
  { deadlineMs, ...options }: WatchOptions = {},
): AsyncGenerator<PaystatusResult, void, undefined> {
  // What is left of a time may be nothing.
  checkMs(deadlineMs, 'deadlineMs', -Infinity);
  yield* poll((stop) => paystatus(context, init, { ...options, signal: stop }), {
    isFinal: (status) => status.state !== 'pending',
    schedule: lookAgainMs,
    onFailure: delayAfterFailure,
    signal: options.signal,
    deadlineMs,
  });
}
