import type { Exchange } from './exchange.ts';

const CAPACITY = 300;

/** Keeps the last exchanges in memory. */
export class ExchangeLog {
  readonly #capacity: number;
  #exchanges: Exchange[] = [];

  constructor(options: { readonly capacity?: number } = {}) {
    this.#capacity = options.capacity ?? CAPACITY;
  }

  add(exchange: Exchange): void {
    this.#exchanges.push(exchange);
    if (this.#exchanges.length > this.#capacity) this.#exchanges.shift();
  }

  /** All of them, the last request first. One that others were sent for ends after them, and began before. */
  list(): Exchange[] {
    return this.#exchanges.toSorted((one, other) => other.startedAt - one.startedAt);
  }

  clear(): void {
    this.#exchanges = [];
  }
}
