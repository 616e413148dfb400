/** Follows the feed of a platform. */
import type { EventPage, PlatformEvent } from '../contract/event.ts';
import { InvalidInputError, isInnkeepError, isProblemError } from '../errors.ts';
import { wait } from '../polling/wait.ts';
import type { CallOptions } from '../transport/send.ts';

/** Where to begin, and how to go on. */
export interface IteratePlatformEvents {
  /** Position of the last event that was dealt with. @default 0, the beginning */
  after?: number | undefined;
  /** How many events are read at once, 1 to 100. @default 100 */
  limit?: number | undefined;
  /** How long to wait before asking again when nothing is new, in milliseconds. @default 5_000 */
  pollIntervalMs?: number | undefined;
  /** Aborting ends the loop. */
  signal?: AbortSignal | undefined;
}

type List = (query: { after: number; limit: number }, options: CallOptions) => Promise<EventPage<PlatformEvent>>;

/** Yields each event once, in order. Ends when it is aborted. */
export async function* iterateEvents(
  list: List,
  { after: begin = 0, limit = 100, pollIntervalMs = 5_000, signal }: IteratePlatformEvents = {},
): AsyncGenerator<PlatformEvent, void, void> {
  if (!Number.isSafeInteger(begin) || begin < 0) throw new InvalidInputError('after', 'after must be a position.');
  if (!(pollIntervalMs > 0)) throw new InvalidInputError('pollIntervalMs', 'pollIntervalMs must be positive.');
  const isOver = (): boolean => signal?.aborted === true;
  let after = begin;
  while (!isOver()) {
    const { data, nextAfter, delayMs } = await list({ after, limit }, { signal }).then(
      (page) => ({ ...page, delayMs: page.nextAfter === after ? pollIntervalMs : 0 }),
      (error: unknown) => ({
        data: [],
        nextAfter: after,
        delayMs: Math.max(pollIntervalMs, delayAfter(error, signal)),
      }),
    );
    for (const event of data) {
      yield event;
      // What the caller does with an event may take long.
      if (isOver()) return;
    }
    after = nextAfter;
    // Aborted while it waits: the loop ends by its condition.
    if (delayMs > 0) await wait(delayMs, signal).catch(() => undefined);
  }
}

/** How long to wait after a failure that passes; throws any other. Each was repeated a few times before it came here. */
function delayAfter(error: unknown, signal: AbortSignal | undefined): number {
  if (signal?.aborted === true) return 0;
  if (isInnkeepError(error, 'network') || isInnkeepError(error, 'timeout')) return 0;
  const isRefusal = isProblemError(error) || isInnkeepError(error, 'upstream_status');
  if (!isRefusal || (error.status < 500 && error.status !== 429)) throw error;
  return isProblemError(error) ? (error.retryAfterSeconds ?? 0) * 1_000 : 0;
}
