/**
 * Hands a hotel's events over to the feeds of its platforms: in order, each at least once, to each platform at its own pace.
 * Nobody waits for it. What is under way is also on disk, so that the alarm goes on with it if its instance dies.
 */

import { log } from '../http/log.ts';
import type { Schedule } from '../objects/schedule.ts';
import type { ForwardedEvent } from './feed-storage.ts';
import type { LedgerStorage } from './ledger-storage.ts';
import type { PlatformFeedObject } from './platform-feed-object.ts';
import { isOfRealMoney } from './real-money.ts';

export interface ForwardingHost {
  readonly due: Schedule;
  readonly store: LedgerStorage;
  /** Platforms whose feeds have this hotel's events. */
  platforms(): readonly string[];
  /** Platforms that may be among them, while the hotel's configuration cannot be read. */
  possiblePlatforms(): readonly string[];
  /** Whether a platform may hear of real money. */
  isLive(platform: string): boolean;
  /** A platform's feed; undefined where the deployment declares none. */
  feed(platform: string): Pick<DurableObjectStub<PlatformFeedObject>, 'append'> | undefined;
}

const KIND = 'feed:';
/** After a platform, what its feed has erased since it no longer gets this hotel's events: its own place stays, should it get them again. */
const ERASED = ':erased';
const BATCH = 100;
/** When the alarm checks whether a forwarding under way has died with its instance. */
const LOST_AFTER_MS = 30_000;
const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 10 * 60_000;

export class FeedForwarding {
  readonly #host: ForwardingHost;
  readonly #running = new Map<string, Promise<void>>();
  /** How many times in a row each platform's feed has failed to take events. */
  readonly #failures = new Map<string, number>();

  constructor(host: ForwardingHost) {
    this.#host = host;
  }

  /** Whether a due task is for {@link resume}. */
  isItsOwn(kind: string): boolean {
    return kind.startsWith(KIND);
  }

  /**
   * Forwards what there is, unless a feed has just failed. Call it in the same turn as the writes it is about.
   * @param isErasure whether feeds that no longer get the events may have to erase something
   */
  async start(isErasure = false): Promise<void> {
    const { due, store } = this.#host;
    const platforms = this.#host.platforms();
    const former = isErasure ? store.toldPlatforms().filter((platform) => !platforms.includes(platform)) : [];
    for (const platform of [...platforms, ...former.map((id) => id + ERASED)]) {
      const isPaused = this.#failures.has(platform) && (due.get(KIND + platform) ?? 0) > Date.now();
      if (isPaused || this.#running.has(platform)) continue;
      if (this.#hasEvents(platform)) this.#run(platform);
    }
    for (const platform of this.#host.possiblePlatforms()) {
      const isPlanned = platforms.includes(platform) || due.get(KIND + platform) !== undefined;
      if (!isPlanned && this.#hasEvents(platform)) this.#retry(platform);
    }
    due.arm();
    await Promise.all(this.#running.values());
  }

  /** Goes on with the forwarding to one platform. */
  async resume(kind: string): Promise<void> {
    const platform = kind.slice(KIND.length);
    if (this.#running.has(platform)) this.#host.due.set(kind, Date.now() + LOST_AFTER_MS);
    else if (platform.endsWith(ERASED) || this.#host.platforms().includes(platform)) this.#run(platform);
    else if (this.#host.possiblePlatforms().includes(platform)) this.#retry(platform);
    else this.#host.due.clear(kind);
    await this.#running.get(platform);
  }

  #hasEvents(platform: string): boolean {
    const { store } = this.#host;
    return store.eventsAfter(store.feedPosition(platform), 1).length > 0;
  }

  #retry(platform: string): void {
    this.#host.due.set(KIND + platform, Date.now() + LOST_AFTER_MS);
  }

  #run(platform: string): void {
    // It may end before it has returned a promise.
    this.#running.set(platform, Promise.resolve());
    const running = this.#forward(platform);
    if (this.#running.has(platform)) this.#running.set(platform, running);
  }

  async #forward(platform: string): Promise<void> {
    const { due, store } = this.#host;
    const kind = KIND + platform;
    const failures = this.#failures.get(platform) ?? 0;
    const next = () => store.eventsToForward(platform, BATCH);
    const id = platform.replace(ERASED, '');
    const taken = store.feedPosition(id);
    const feed = this.#host.feed(id);
    if (feed === undefined) return this.#end(platform, () => due.clear(kind));
    due.set(kind, Date.now() + LOST_AFTER_MS);
    try {
      for (let batch = next(); batch.length > 0; batch = next()) {
        const told = this.#host.isLive(platform) ? batch : batch.flatMap(forTests);
        const heard = id === platform ? told : batch.flatMap((event) => untold(event, taken));
        if (heard.length > 0) await feed.append(store.property(), heard);
        store.moveFeed(platform, batch.at(-1)?.position ?? 0);
      }
      this.#failures.delete(platform);
      this.#end(platform, () => due.clear(kind));
    } catch (error) {
      const delay = Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** failures);
      this.#failures.set(platform, failures + 1);
      this.#end(platform, () => due.set(kind, Date.now() + delay));
      const fields = { property: store.property(), platform: id, attempt: failures + 1, error: String(error) };
      log('warn', 'platform_feed_unavailable', fields);
    }
  }

  /** In the same turn as the last read: what is appended later finds nothing under way and starts a new one. */
  #end(platform: string, plan: () => void): void {
    this.#running.delete(platform);
    plan();
    this.#host.due.arm();
  }
}

/** What a test platform is told: of real money, only what to erase that it was told while it was live. */
function forTests(event: ForwardedEvent): ForwardedEvent[] {
  if (!isOfRealMoney(event.body)) return [event];
  return event.redacts === undefined ? [] : [{ ...event, isForErasure: true }];
}

/** What a feed that no longer gets the events has to erase. It would look through all that it has for what it has not. */
function untold(event: ForwardedEvent, taken: number): ForwardedEvent[] {
  const redacts = event.redacts?.filter(({ position }) => position <= taken) ?? [];
  return redacts.length > 0 ? [{ ...event, redacts, isUntold: true }] : [];
}
