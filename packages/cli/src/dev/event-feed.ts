/** The feed of events, followed as it grows. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Feed } from '../operator/feed.ts';

const PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 30_000;
const PAGE = 100;

/** Settings of {@link followEvents}. */
export interface FollowOptions<Event> {
  readonly events: Feed<Event>;
  readonly after: number;
  readonly signal: AbortSignal;
  /** Told when the feed cannot be read, and once it can be read again. @returns whether to go on */
  readonly onError?: (error: unknown) => Promise<boolean>;
}

/** Yields every event after a position, and waits for more until the signal aborts. */
export async function* followEvents<Event>(options: FollowOptions<Event>): AsyncGenerator<Event, void, undefined> {
  const { events, signal, onError } = options;
  let { after } = options;
  let failures = 0;
  while (!signal.aborted) {
    try {
      const { data, nextAfter } = await events.list({ after, limit: PAGE }, { signal });
      failures = 0;
      yield* data;
      const isAtEnd = nextAfter === after;
      after = nextAfter;
      if (!isAtEnd) continue;
    } catch (error) {
      if (signal.aborted) return;
      failures++;
      if (onError === undefined || !(await onError(error))) throw error;
    }
    await delay(Math.min(PAUSE_MS * 2 ** Math.min(failures, 5), MAX_PAUSE_MS), undefined, { signal }).catch(
      () => undefined,
    );
  }
}

/** The position of the newest event, found in about twenty short looks, however long the feed is. */
export async function endOfFeed(events: Feed<unknown>, signal: AbortSignal): Promise<number> {
  const hasAfter = async (after: number): Promise<boolean> =>
    (await events.list({ after, limit: 1 }, { signal })).nextAfter > after;
  let end = 0;
  let step = 1;
  for (; await hasAfter(end + step - 1); step *= 2) end += step;
  for (step = Math.floor(step / 2); step >= 1; step = Math.floor(step / 2)) {
    if (await hasAfter(end + step - 1)) end += step;
  }
  return end;
}
