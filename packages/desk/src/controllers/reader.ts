/** One thing that an element shows and reads again: the newest question wins, and what was read stays while nothing better comes. */
import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { type DeskFault, faultOf } from '../client/desk-fault.ts';
import type { DeskConnection } from './desk-connection.ts';

const SLOW_MS = 4_000;

/** The element's side. */
export interface ReaderHost extends ReactiveControllerHost {
  /** `undefined` while the element is not set up. */
  readonly link: DeskConnection | undefined;
}

/** Reads for one element. */
export class Reader<Value> implements ReactiveController {
  /** What was read last. */
  declare value: Value | undefined;
  /** Why the last read brought nothing. */
  declare fault: DeskFault | undefined;
  /** Whether an answer is awaited. */
  declare isLoading: boolean | undefined;
  /** Whether it has been awaited for long. */
  declare isSlow: boolean | undefined;

  readonly #host: ReaderHost;
  readonly #read: (link: DeskConnection, signal: AbortSignal) => Promise<Value>;
  #current: AbortController | undefined;

  constructor(host: ReaderHost, read: (link: DeskConnection, signal: AbortSignal) => Promise<Value>) {
    this.#host = host;
    this.#read = read;
    host.addController(this);
  }

  hostDisconnected(): void {
    this.#current?.abort();
    this.#host.link?.release(this);
  }

  /** Forgets what was read: it was about something else. */
  clear(): void {
    this.#current?.abort();
    this.#host.link?.release(this);
    this.value = undefined;
    this.fault = undefined;
    this.isLoading = false;
    this.#host.requestUpdate();
  }

  /** Reads now. Resolves with what came, or `undefined`. */
  async load(): Promise<Value | undefined> {
    const { link } = this.#host;
    if (!link) return undefined;
    this.#current?.abort();
    const current = new AbortController();
    this.#current = current;
    this.isLoading = true;
    const slow = setTimeout(() => {
      this.isSlow = true;
      this.#host.requestUpdate();
    }, SLOW_MS);
    this.#host.requestUpdate();
    try {
      const value = await this.#read(link, current.signal);
      if (current.signal.aborted) return undefined;
      this.value = value;
      this.fault = undefined;
      link.report(this, undefined);
      return value;
    } catch (error) {
      if (current.signal.aborted) return undefined;
      this.fault = faultOf(error);
      // What is not there was asked for and answered: the connection is well.
      link.report(this, [400, 404].includes(this.fault.status) ? undefined : this.fault);
      return undefined;
    } finally {
      clearTimeout(slow);
      if (this.#current === current) {
        this.isLoading = false;
        this.isSlow = false;
        this.#host.requestUpdate();
      }
    }
  }
}
