/** Reads and follows a feed of events: that of a hotel, or of a platform. */
import type { EventPage } from '../contract/event.ts';
import { InvalidInputError, InvalidResponseError, isInnkeepError, type MerchantError } from '../errors.ts';
import { wait } from '../polling/wait.ts';
import { type List, listFrom } from './list.ts';
import type { MerchantCallOptions } from './merchant-transport.ts';

/** Where to begin in a feed. */
export interface ListEvents {
  /** Position of the last event that you have handled. @default 0, the beginning */
  after?: number | undefined;
  /** How many events are read at once, 1 to 100. @default 20, and 100 to follow the feed */
  limit?: number | undefined;
}

/** Where to begin, and how to continue. */
export interface FollowEvents extends ListEvents {
  /** How long to wait before asking again when nothing is new, in milliseconds. @default 5_000 */
  pollIntervalMs?: number | undefined;
  /** Called with each failure that passes, before the wait. */
  onRetry?: ((error: unknown) => void) | undefined;
  /** Aborting ends the loop. */
  signal?: AbortSignal | undefined;
}

/** A feed of events, oldest first. Needs the scope `events` or `read`. */
export interface EventFeed<Event> {
  /**
   * The events after a position. Await it for one page, or iterate to the end of the feed. A page may be empty although more
   * follow: nothing is new when `nextAfter` stays the same. It is below `after` when the feed was set back by a restore: a page
   * says so, and an iteration throws.
   *
   * @throws {@link MerchantError}; `invalid_input`
   */
  list(query?: ListEvents, options?: MerchantCallOptions): List<Event, EventPage<Event>>;
  /**
   * Every event once, in order, including those to come: it keeps asking. Store the position of an event once you have handled
   * it, and begin after it next time. The loop waits out what passes, such as a lost connection or, once it has begun, a page of a
   * load balancer. Aborting `signal` ends it. Where the `seq` of a hotel's events skips, you were away for more than 90 days, and those
   * between are gone.
   *
   * @throws {@link MerchantError} for a refusal, such as a key that is not known; `invalid_input`, also with the path `after` when
   * the feed was set back behind the position
   */
  follow(query?: FollowEvents): AsyncGenerator<Event, void, void>;
}

/** A feed that `read` reads page by page. */
export function eventFeed<Event>(
  read: (query: ListEvents, options?: MerchantCallOptions) => Promise<EventPage<Event>>,
): EventFeed<Event> {
  return {
    list: (query, options) =>
      listFrom(
        query?.after ?? 0,
        (after) => read({ ...query, after }, options),
        ({ nextAfter }, after) => (isNew(nextAfter, after) ? nextAfter : null),
      ),
    follow: (query) => follow(read, query),
  };
}

async function* follow<Event>(
  read: (query: ListEvents, options: MerchantCallOptions) => Promise<EventPage<Event>>,
  { after: begin = 0, limit = 100, pollIntervalMs = 5_000, onRetry, signal }: FollowEvents = {},
): AsyncGenerator<Event, void, void> {
  if (!Number.isSafeInteger(begin) || begin < 0) throw new InvalidInputError('after', 'after must be a position.');
  if (typeof pollIntervalMs !== 'number' || !(pollIntervalMs > 0))
    throw new InvalidInputError('pollIntervalMs', 'pollIntervalMs must be a positive number.');
  const isOver = (): boolean => signal?.aborted === true;
  let after = begin;
  let isFirst = true;
  while (!isOver()) {
    const { data, nextAfter, delayMs } = await read({ after, limit }, { signal })
      .then((page) => {
        const delayMs = isNew(page.nextAfter, after) ? 0 : pollIntervalMs;
        isFirst = false;
        return { ...page, delayMs };
      })
      .catch((error: unknown) => {
        const delayMs = isOver() ? 0 : Math.max(pollIntervalMs, delayAfter(error, isFirst));
        if (!isOver()) onRetry?.(error);
        return { data: [], nextAfter: after, delayMs };
      });
    for (const event of data) {
      yield event;
      // What the caller does with an event may take long.
      if (isOver()) return;
    }
    after = nextAfter;
    // Aborted while it waits: the loop's condition ends it.
    if (delayMs > 0) await wait(delayMs, signal).catch(() => undefined);
  }
}

/** Whether the feed reaches the position. A feed that ends before it will give the positions between to other events. */
function isNew(nextAfter: number, after: number): boolean {
  if (nextAfter >= after) return nextAfter > after;
  const message = `The feed ends at ${nextAfter}, before ${after}: it was set back. Catch up from ${nextAfter}, or from 0.`;
  if (nextAfter < after) throw new InvalidInputError('after', message);
  throw new InvalidResponseError('', 'The answer is not a page of events.');
}

/** How long to wait after a failure that passes; throws any other. Each call was repeated a few times before it got here. */
function delayAfter(error: unknown, isFirst: boolean): number {
  const { code, status = 0, retryAfterSeconds } = isInnkeepError(error) ? (error as Partial<MerchantError>) : {};
  // At first, an answer that is not the proxy's means a wrong address; later, it comes from something in between.
  const mayPass = code === 'network' || code === 'timeout' || (code === 'invalid_response' && !isFirst);
  if (mayPass || status >= 500 || status === 429) return (retryAfterSeconds ?? 0) * 1_000;
  throw error;
}
