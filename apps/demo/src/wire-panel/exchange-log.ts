/** Keeps the last exchanges in memory and tells watchers about new ones. */
import type { Exchange } from './exchange.ts';

/** An exchange and its place among the others. */
export interface Entry {
  /** Place in the order in which requests arrived, from 1. Never changes. */
  readonly seq: number;
  /** Number of the log's change that made it what it is. */
  readonly revision: number;
  readonly exchange: Exchange;
}

/** What changed since a revision. */
export interface Changes {
  /** Ask with this next time. */
  readonly revision: number;
  /** True when the log was emptied meanwhile: what was seen before is gone. */
  readonly wasCleared: boolean;
  /** New and changed entries, oldest first. */
  readonly entries: readonly Entry[];
}

/** Where exchanges are kept. */
export interface ExchangeLog {
  /** Adds an exchange, or replaces the one with the same id. */
  put(exchange: Exchange): void | Promise<void>;
  /** Entries that changed after a revision; 0 gives all. Waits up to `waitMs` for one when there is none. */
  changes(after: number, options?: { readonly waitMs?: number; readonly signal?: AbortSignal }): Promise<Changes>;
  find(id: string): Promise<Entry | undefined>;
  clear(): Promise<void>;
}

const CAPACITY = 600;

/** A log that keeps the last exchanges in memory. */
export class MemoryExchangeLog implements ExchangeLog {
  readonly #capacity: number;
  readonly #entries = new Map<string, Entry>();
  readonly #waiting = new Set<() => void>();
  #seq = 0;
  #revision = 0;
  #clearedAt = 0;

  constructor(options: { readonly capacity?: number } = {}) {
    this.#capacity = options.capacity ?? CAPACITY;
  }

  put(exchange: Exchange): void {
    const known = this.#entries.get(exchange.id);
    // Between Workers a request can arrive after its answer.
    if (known !== undefined && known.exchange.state !== 'waiting' && exchange.state === 'waiting') return;
    this.#revision += 1;
    if (known === undefined) this.#seq += 1;
    this.#entries.set(exchange.id, { seq: known?.seq ?? this.#seq, revision: this.#revision, exchange });
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > this.#capacity && oldest !== undefined) this.#entries.delete(oldest);
    this.#wake();
  }

  async changes(
    after: number,
    options: { readonly waitMs?: number; readonly signal?: AbortSignal } = {},
  ): Promise<Changes> {
    // A watcher that has seen more than there is began before a restart.
    const isFromBefore = after > this.#revision;
    if (this.#revision === after) await this.#next(options);
    const entries = [...this.#entries.values()].filter((entry) => isFromBefore || entry.revision > after);
    return { revision: this.#revision, wasCleared: isFromBefore || (after > 0 && after < this.#clearedAt), entries };
  }

  async find(id: string): Promise<Entry | undefined> {
    return this.#entries.get(id);
  }

  async clear(): Promise<void> {
    this.#entries.clear();
    this.#revision += 1;
    this.#clearedAt = this.#revision;
    this.#wake();
  }

  #wake(): void {
    for (const wake of [...this.#waiting]) wake();
  }

  #next({ waitMs = 0, signal }: { readonly waitMs?: number; readonly signal?: AbortSignal }): Promise<void> {
    if (waitMs === 0 || signal?.aborted === true) return Promise.resolve();
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(done);
        signal?.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, waitMs);
      this.#waiting.add(done);
      signal?.addEventListener('abort', done, { once: true });
    });
  }
}
