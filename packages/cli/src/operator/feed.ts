import type { EventPage } from '@innkeep/core/merchant';

/** A feed: that of a hotel, or of an operator's hotels. A page may be empty and lead on; nothing is new when `nextAfter` stays. */
export interface Feed<Event> {
  list(query?: { after?: number; limit?: number }, options?: { signal?: AbortSignal }): Promise<EventPage<Event>>;
}
