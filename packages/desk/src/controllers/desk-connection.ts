/** What the elements of one desk share: the client, who is at the desk, the feed, and what was begun and not ended. */
import type { Desk, DeskEvent, DeskFeature } from '@innkeep/core/contract';
import { createDeskClient, type DeskClient, type DeskClientOptions } from '../client/desk-client.ts';
import { DeskFault, faultOf } from '../client/desk-fault.ts';
import type { Draft } from './draft.ts';

/** Called with the ids of what changed, or with `'*'` for all of it; with nothing when only the connection did. */
export type DeskListener = (changed: ReadonlySet<string>) => void;

const POLL_MS = 5_000;
/** How often the feed is asked before all is read again: a new request, a guest who begins to pay, and the hotel's next day are no events. */
const POLLS_PER_READ = 12;
const LONGEST_PAUSE_MS = 60_000;
const STALE_MS = 60_000;
const AFTER_WRITE_MS = 1_500;

/** The connection of one desk to the proxy. */
export class DeskConnection {
  readonly client: DeskClient;
  /** Who is at the desk; `undefined` before the first answer. */
  declare desk: Desk | undefined;
  /** Whether it has passed to somebody else or to another mode, where one begins anew: nothing more is sent with it. */
  declare isOver: boolean | undefined;
  /** When the last answer came. */
  declare freshAt: number | undefined;
  /** Forms by what they are for. One that was sent and has no outcome is opened again with its key. */
  readonly drafts: Map<string, Draft> = new Map();
  /** Those of the person before, until this one opens a form. */
  declare before: DeskConnection['drafts'] | undefined;

  readonly #listeners = new Set<DeskListener>();
  /** Why nothing new can be had, by who asked; the feed's own under this connection. */
  readonly #faults = new Map<object, DeskFault>();
  #opening: Promise<Desk> | undefined;
  #position: number | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;
  #polls = 0;
  #isPolling = false;

  constructor(options: DeskClientOptions) {
    this.client = createDeskClient(options, () => this.open(true));
  }

  /** The newest reason why something cannot be had; `undefined` while all is well. */
  get fault(): DeskFault | undefined {
    return [...this.#faults.values()].at(-1);
  }

  /** Whether something is offered. It is the proxy that decides. */
  can(feature: DeskFeature): boolean {
    return !!this.desk?.features.includes(feature);
  }

  /** Asks who is at the desk: once, unless what may be done has changed. */
  open(again = false): Promise<Desk> {
    if (again) this.#opening = undefined;
    this.#opening ??= this.client
      .json<Desk>('desk')
      .then((desk) => {
        if (!desk.property || !desk.features) throw new DeskFault('invalid_response');
        const { property, person } = this.desk ?? desk;
        const { id, livemode } = desk.property;
        this.isOver ||= id !== property.id || livemode !== property.livemode || desk.person.id !== person.id;
        this.desk = desk;
        this.#tell();
        if (this.isOver) throw new DeskFault('secret_failed');
        return desk;
      })
      .catch((error: unknown) => {
        this.#opening = undefined;
        throw error;
      });
    return this.#opening;
  }

  /** Says how a read went, and whose it was: what another one reads does not mend it. What passes by itself is tried again. */
  report(reader: object, fault: DeskFault | undefined): void {
    if (!fault) {
      this.#recover(reader);
      return;
    }
    this.#failures += 1;
    this.#faults.delete(reader);
    this.#faults.set(reader, fault);
    this.#tell();
    this.#schedule();
  }

  /** Forgets what somebody reported who asks no more. */
  release(reader: object): void {
    if (this.#faults.delete(reader)) this.#settle();
  }

  // Whoever reads anything has a connection, and so has the feed.
  #recover(reader: object): void {
    const wasFaulty = [reader, this].map((each) => this.#faults.delete(each)).includes(true);
    const isFirst = this.freshAt === undefined;
    if (!this.fault) this.freshAt = Date.now();
    if (wasFaulty || isFirst) this.#settle();
  }

  #settle(): void {
    if (!this.fault) {
      this.#failures = 0;
      // Whoever had to sign in has done so: what was refused for that can be sent now.
      for (const draft of this.drafts.values()) if (draft.fault?.isSignedOut) draft.fault = undefined;
    }
    this.#tell();
    this.#schedule();
  }

  /** Follows the feed from here on, unless it is followed already: what one element has read, the others have not. */
  followFrom(position: number): void {
    if (this.#position !== undefined) return;
    this.#position = position;
    this.#schedule();
  }

  /** Tells of everything that changes until the returned function is called. */
  subscribe(listener: DeskListener): () => void {
    document.addEventListener('visibilitychange', this.#wake);
    addEventListener('online', this.#wake);
    this.#listeners.add(listener);
    this.#schedule(0);
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      document.removeEventListener('visibilitychange', this.#wake);
      removeEventListener('online', this.#wake);
      clearTimeout(this.#timer);
    };
  }

  /** Has everybody read again, now. */
  readonly retry = (): void => {
    void this.open(true).catch(() => {});
    this.#tell(new Set('*'));
  };

  /** Something was done here: lists have it a moment later, and not all of it is in the feed. */
  wrote(): void {
    setTimeout(() => this.#tell(new Set('*')), AFTER_WRITE_MS);
  }

  // Nobody sees a hidden page: it asks again when it is seen.
  readonly #wake = (): void => {
    const isStale = Date.now() - (this.freshAt ?? 0) > STALE_MS;
    if (!document.hidden && (this.fault || isStale)) this.retry();
    this.#schedule(this.fault ? POLL_MS : 0);
  };

  #schedule(delayMs = POLL_MS): void {
    clearTimeout(this.#timer);
    if (document.hidden || this.#listeners.size === 0) return;
    if (!this.fault) {
      if (this.#position !== undefined) this.#timer = setTimeout(() => void this.#poll(), delayMs);
      return;
    }
    const passing = [...this.#faults.values()].filter(({ passes }) => passes);
    if (passing.length === 0) return;
    const pauseMs = Math.min(LONGEST_PAUSE_MS, POLL_MS * 2 ** (this.#failures - 1));
    const askedMs = passing.map(({ retryAfterSeconds }) => (retryAfterSeconds ?? 0) * 1_000);
    this.#timer = setTimeout(this.retry, Math.max(pauseMs, ...askedMs));
  }

  async #poll(): Promise<void> {
    const after = this.#position;
    if (this.#isPolling || after === undefined) return;
    this.#isPolling = true;
    try {
      const query = { after: String(after), limit: '100' };
      const { data, nextAfter } = await this.client.json<{ data: DeskEvent[]; nextAfter: number }>('events', { query });
      this.#position = nextAfter;
      this.#isPolling = false;
      if (!this.fault) this.freshAt = Date.now();
      this.#polls += 1;
      // Lower after a restore: what was read may be of events that are gone.
      const isAll = nextAfter < after || this.#polls % POLLS_PER_READ === 0;
      const changed = new Set(isAll ? '*' : data.flatMap(({ resource }) => resource ?? []));
      if (changed.size > 0) this.#tell(changed);
      this.#schedule(nextAfter > after ? 0 : POLL_MS);
    } catch (error) {
      this.#isPolling = false;
      this.report(this, faultOf(error));
    }
  }

  #tell(changed: ReadonlySet<string> = new Set()): void {
    for (const listener of [...this.#listeners]) listener(changed);
  }
}
