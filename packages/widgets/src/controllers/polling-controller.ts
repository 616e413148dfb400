/** When a session is looked at: at the proxy's pace while it can still change, and at once when the guest comes back. */
import type { Checkout, CheckoutView } from '@innkeep/core/checkout';
import type { ReactiveController, ReactiveControllerHost } from '#lit';

/** What is looked at, and who hears of it. */
export interface PolledSession {
  readonly client: Checkout | undefined;
  readonly checkout: CheckoutView | null;
  /** The guest or the network has come back. */
  wake(event: WakeEvent): void;
  /** Looks once; `isQuiet` when nobody has asked for it, and a failure is nothing to report. */
  look(isQuiet: boolean): Promise<void>;
  take(view: CheckoutView): void;
  fail(error: unknown): void;
}

/** What woke the page; `persisted` when it comes out of the back-forward cache. */
export type WakeEvent = Event & { persisted?: boolean };

// Several wake-up events fire together (visible, focus, pageshow): one look serves them all.
const WAKE_PAUSE_MS = 100;
// Never sooner than the proxy asks, and a little later by chance.
const POLL_JITTER = 0.1;
const COUNTDOWN_FROM_MS = 600_000;

/** Runs the watch, the timer and the wake-up events of one element; the controller of its session stops the first two. */
export class PollingController implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #session: PolledSession;
  #listeners = new AbortController();
  #watching: AbortController | undefined;
  #lookedAt = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(host: ReactiveControllerHost, session: PolledSession) {
    this.#host = host;
    this.#session = session;
    host.addController(this);
  }

  hostConnected(): void {
    this.#listeners = new AbortController();
    const { signal } = this.#listeners;
    // All on the window, even what happens to the document: an <img name="addEventListener"> takes the document's own away.
    for (const type of ['pageshow', 'focus', 'online', 'offline', 'visibilitychange', 'resume'])
      addEventListener(type, this.#wake, { signal, capture: type !== 'focus' });
  }

  hostDisconnected(): void {
    this.#listeners.abort();
  }

  /** Whole minutes left to start, while that is worth saying: in the last ten. */
  get countdown(): number | undefined {
    const left = this.#msLeft();
    return left > 0 && left <= COUNTDOWN_FROM_MS ? Math.ceil(left / 60_000) : undefined;
  }

  /** Watches until the outcome is final; a running watch is replaced, and so looks at once. */
  async watch(): Promise<void> {
    this.stop();
    const { client } = this.#session;
    if (isHidden() || !client) return;
    const stop = new AbortController();
    this.#watching = stop;
    this.#lookedAt = performance.now();
    try {
      for await (const view of client.watch({ signal: stop.signal, jitter: POLL_JITTER })) {
        if (stop.signal.aborted) return;
        this.#session.take(view);
      }
    } catch (error) {
      if (!stop.signal.aborted) this.#session.fail(error);
    } finally {
      if (this.#watching === stop) this.#watching = undefined;
    }
  }

  /** Watches on after a wake-up, unless another one has just looked. */
  watchOn(): void {
    if (!this.#watching || performance.now() - this.#lookedAt > WAKE_PAUSE_MS) void this.watch();
  }

  /** Plans what follows a view: what was just read is not read again before the proxy wants it to be, if ever. */
  plan(nextPollMs: number | null | undefined): void {
    clearTimeout(this.#timer);
    if (!nextPollMs) this.#countDown();
    else if (!this.#watching) this.#timer = setTimeout(() => this.watch(), nextPollMs);
  }

  stop(): void {
    this.#watching?.abort();
    this.#watching = undefined;
    clearTimeout(this.#timer);
  }

  readonly #wake = (event: WakeEvent): void => {
    this.#host.requestUpdate();
    if (isHidden()) this.stop();
    else if (event.type !== 'offline') this.#session.wake(event);
  };

  /** Keeps the minutes on the page true, and says when they are over: the proxy decides what has expired. */
  #countDown(): void {
    const left = this.#msLeft();
    if (!(left > 0)) return;
    this.#timer = setTimeout(
      () => {
        this.#host.requestUpdate();
        if (this.#msLeft() > 0) this.#countDown();
        else if (!isHidden()) void this.#session.look(true);
      },
      (left % 60_000) + 50,
    );
  }

  #msLeft(): number {
    const { checkout } = this.#session;
    return checkout?.status === 'open' ? Date.parse(checkout.expiresAt) - Date.now() : Number.NaN;
  }
}

const isHidden = (): boolean => document.visibilityState === 'hidden';
