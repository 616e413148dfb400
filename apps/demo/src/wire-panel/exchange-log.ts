import type { Exchange } from './exchange.ts';

const CAPACITY = 200;

/** Keeps the last exchanges in memory. */
export class ExchangeLog {
  #exchanges: Exchange[] = [];

  add(exchange: Exchange): void {
    this.#exchanges.push(exchange);
    if (this.#exchanges.length > CAPACITY) this.#exchanges.shift();
  }

  /** All of them, the last request first. One that others were sent for ends after them, and began before. */
  list(): Exchange[] {
    return this.#exchanges.toSorted((one, other) => other.startedAt - one.startedAt);
  }

  /** Forgets all of them, or those to one server. */
  clear(to?: string): void {
    this.#exchanges = this.#exchanges.filter((exchange) => to !== undefined && exchange.to !== to);
  }
}
