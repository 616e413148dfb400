import type { EventFeed } from '@innkeep/core/merchant';

/** The position of the newest event, found with about twenty short reads, however long the feed is. */
export async function endOfFeed(events: Pick<EventFeed<unknown>, 'list'>, signal: AbortSignal): Promise<number> {
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
