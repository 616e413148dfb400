/** Keeps the last exchanges in memory, in the order in which their requests arrived, and tells watchers of every change. */
import type { Exchange } from './exchange.ts';

const CAPACITY = 600;

/** The last exchanges. */
export class ExchangeLog {
  readonly #capacity: number;
  readonly #exchanges = new Map<string, Exchange>();
  readonly #watchers = new Set<() => void>();

  constructor(options: { readonly capacity?: number } = {}) {
    this.#capacity = options.capacity ?? CAPACITY;
  }

  /** Adds an exchange, or replaces the one with the same id. */
  put(exchange: Exchange): void {
    const known = this.#exchanges.get(exchange.id);
    // Between Workers a request can arrive after its answer.
    if (known !== undefined && known.state !== 'waiting' && exchange.state === 'waiting') return;
    this.#exchanges.set(exchange.id, exchange);
    const [oldest] = this.#exchanges.keys();
    if (this.#exchanges.size > this.#capacity && oldest !== undefined) this.#exchanges.delete(oldest);
    this.#tell();
  }

  /** All of them, oldest first. */
  list(): Exchange[] {
    return [...this.#exchanges.values()];
  }

  find(id: string): Exchange | undefined {
    return this.#exchanges.get(id);
  }

  clear(): void {
    this.#exchanges.clear();
    this.#tell();
  }

  /** Calls `tell` after every change, until the function that it returns is called. */
  watch(tell: () => void): () => void {
    this.#watchers.add(tell);
    return () => this.#watchers.delete(tell);
  }

  #tell(): void {
    for (const tell of this.#watchers) tell();
  }
}
