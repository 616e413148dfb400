/**
 * The feed of one platform: the events of all its hotels in one order. Each hotel's ledger hands its own over; what the key of
 * a caller is not for is left out when it is read.
 */

import { PlacedObject } from '../objects/placed-object.ts';
import { tableSchedule } from '../objects/schedule.ts';
import { type FeedQuery, FeedStorage, type ForwardedEvent } from './feed-storage.ts';

const DAY_MS = 24 * 60 * 60_000;
const RETENTION_MS: number = 90 * DAY_MS;
/** Pause between two batches of deletions, so that others get their turn. */
const FORGET_PAUSE_MS = 1_000;
/** An object holds 10 GB. Before that the oldest events go, however young they are. */
const MAX_BYTES = 8_000_000_000;

/** Its name is the platform's id. */
export class PlatformFeedObject extends PlacedObject {
  readonly #store = new FeedStorage(this.ctx.storage);
  readonly #due = tableSchedule(this.ctx.storage, true);

  /** Takes over events of a hotel, in their order. Returns once they are on disk. Those that it has already change nothing. */
  async append(property: string, events: readonly ForwardedEvent[]): Promise<void> {
    this.#store.append(property, events, Date.now());
    const isFull = this.#store.isLarge(MAX_BYTES);
    this.#due.setEarlier('retention', Date.now() + (isFull ? FORGET_PAUSE_MS : DAY_MS));
    this.#due.arm();
  }

  /** Events after a position, oldest first, as JSON texts. */
  async events(query: FeedQuery): Promise<{ items: string[]; nextAfter: number }> {
    return this.#store.list(query);
  }

  /** Deletes what is old. */
  override async alarm(): Promise<void> {
    await this.#due.run(async ({ kind }) => {
      const isFull = this.#store.isLarge(MAX_BYTES);
      if (isFull)
        console.warn(JSON.stringify({ level: 'warn', message: 'platform_feed_full', platform: this.ctx.id.name }));
      const isMoreOld = this.#store.forget({ before: Date.now() - RETENTION_MS, maxBytes: MAX_BYTES });
      this.#due.set(kind, Date.now() + (isMoreOld ? FORGET_PAUSE_MS : DAY_MS));
    });
  }
}
