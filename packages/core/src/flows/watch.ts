import type { CallOptions, Context } from '../context.ts';
import { isInnkeepError } from '../errors.ts';
import { type PaystatusInput, type PaystatusResult, paystatus } from '../operations/paystatus.ts';
import { backoffSchedule, type Schedule } from '../polling/backoff.ts';
import { type PollOptions, poll } from '../polling/poll.ts';

/** Settings of {@link watch}. */
export interface WatchOptions extends CallOptions, Pick<PollOptions<PaystatusResult>, 'deadlineMs' | 'wake'> {
  /** Delay in milliseconds after look number `attempt`, from 1. @default 10 × 1 s, 10 × 2 s, then 5 s */
  schedule?: Schedule | undefined;
}

const failureDelayMs = backoffSchedule({ initialMs: 1000, factor: 2, maxMs: 15_000 });

/** Delay after a look that failed, or `undefined` for an error that looking again cannot cure. */
export function delayAfterFailure(error: unknown, failures: number): number | undefined {
  const isFinal = ['untrusted_url', 'invalid_input', 'configuration'].some((code) => isInnkeepError(error, code));
  return isFinal || !isInnkeepError(error) ? undefined : failureDelayMs(failures);
}

/** Looks often at first, while the guest is typing, then less often. */
export function lookAgainMs(attempt: number): number {
  if (attempt <= 10) return 1000;
  return attempt <= 20 ? 2000 : 5000;
}

/**
 * Yields the state of a hosted request again and again; ends after a final one. Looks that fail are made again.
 *
 * @throws `untrusted_url` and `invalid_input`, which looking again cannot cure; the signal's reason when aborted
 */
export function watch(
  context: Context,
  init: PaystatusInput,
  { signal, schedule = lookAgainMs, deadlineMs, wake }: WatchOptions = {},
): AsyncGenerator<PaystatusResult, void, undefined> {
  return poll((stop) => paystatus(context, init, { signal: stop }), {
    isFinal: (status) => status.state !== 'pending',
    schedule,
    onFailure: delayAfterFailure,
    signal,
    deadlineMs,
    wake,
  });
}
