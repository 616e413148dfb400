/**
 * The feed of one platform: the events of all its hotels in one order. Each hotel's ledger hands its own over; a page leaves out
 * the hotels that the caller's key is not for.
 */

import { log } from '../http/log.ts';
import { PlacedObject } from '../objects/placed-object.ts';
import { type FeedQuery, FeedStorage, type ForwardedEvent } from './feed-storage.ts';

const DAY_MS = 24 * 60 * 60_000;
const RETENTION_MS: number = 90 * DAY_MS;
/** Pause between two batches of deletions, so that others get their turn. */
const FORGET_PAUSE_MS = 1_000;
/** An object holds 10 GB. Before that the oldest events go, however young they are. */
const MAX_BYTES = 8_000_000_000;

/** Its name is the platform's id. */
export class PlatformFeedObject extends PlacedObject {
  #opened: FeedStorage | undefined;

  /** Takes over events of a hotel, in their order. Returns once they are on disk. Events that it already has change nothing. */
  async append(property: string, events: readonly ForwardedEvent[]): Promise<void> {
    this.#store.append(property, events, Date.now());
    const isFull = this.#store.isLarge(MAX_BYTES);
    this.#store.due.setEarlier('retention', Date.now() + (isFull ? FORGET_PAUSE_MS : DAY_MS));
    this.#store.due.arm();
  }

  /** Events after a position, oldest first, as JSON texts. */
  async events(query: FeedQuery): Promise<{ items: string[]; nextAfter: number }> {
    return this.#store.list(query);
  }

  /** Deletes what is old. */
  protected override async runAlarm(): Promise<void> {
    await this.#store.due.run(async ({ kind }) => {
      const isFull = this.#store.isLarge(MAX_BYTES);
      if (isFull) log('warn', 'platform_feed_full', { platform: this.ctx.id.name });
      const isMoreOld = this.#store.forget({ before: Date.now() - RETENTION_MS, maxBytes: MAX_BYTES });
      this.#store.due.set(kind, Date.now() + (isMoreOld ? FORGET_PAUSE_MS : DAY_MS));
    });
  }

  /** Opened when it is first needed: what a newer version has stored is refused there. */
  get #store(): FeedStorage {
    this.#opened ??= new FeedStorage(this.ctx.storage);
    return this.#opened;
  }
}
