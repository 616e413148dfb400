/**
 * State and time of one checkout session on a page; the element it serves owns the markup.
 *
 * Nothing is believed but what the proxy answers. One session at a time, one request in flight per purpose, and
 * everything stops when the element leaves the page.
 */
import { type CheckoutView, createCheckout } from '@innkeep/core/checkout';
import { dispatchPayEvent, type PayEventMap } from '../events/pay-events.ts';
import { isOutcome, nextState, type PayInput, type PayState } from '../state/pay-state.ts';
import { type HostedTab, isClosed, isSafeViewUrl, leaveFor, openHostedTab, type Presentation } from './hosted-page.ts';
import {
  forgetSession,
  type RememberedSession,
  recallSession,
  rememberSession,
  returnedSessionId,
} from './session-memory.ts';

type Client = ReturnType<typeof createCheckout>;

/** The element's side of the controller: what it is configured with. */
export interface CheckoutHost extends HTMLElement {
  requestUpdate(): void;
  endpoint: string | undefined;
  clientSecret: string | undefined;
  presentation: Presentation;
  getClientSecret: (() => Promise<string>) | undefined;
  /** An element that only reports, and so has an error to report when there is no session. */
  readonly isStatusOnly: boolean;
  /** Shown in a new tab until the hosted page loads. */
  openingText(): string;
  /** The state has changed and its attribute is due. */
  showState(): void;
}

/** A fault, as `pay-error` reports it. */
export interface PayFault {
  code: string;
  recoverable: boolean;
}

/** Something the guest should know while waiting; never an outcome. */
export type Notice = 'leaving' | 'blocked' | 'closed';

// Several wake-up events fire together (visible, focus, pageshow): one look serves them all.
const WAKE_PAUSE_MS = 100;
// Asking again cannot change these answers.
const REFUSALS = [400, 401, 403, 404];
// Never sooner than the proxy asks, and a little later by chance.
const POLL_JITTER = 0.1;
const COUNTDOWN_FROM_MS = 600_000;

// One session belongs to one element without a secret of its own: the first that connected.
const claims = new Map<string, CheckoutController>();

/** Runs one session for one element. */
export class CheckoutController {
  state: PayState = 'idle';
  checkout: CheckoutView | null = null;
  fault: PayFault | undefined;
  notice: Notice | undefined;
  viewUrl: string | undefined;

  readonly #host: CheckoutHost;
  #session: RememberedSession | undefined;
  #client: Client | undefined;
  #boundTo: string | undefined;
  #tab: HostedTab;
  #isReading = false;
  #listeners: AbortController | undefined;
  #run = new AbortController();
  #watching: AbortController | undefined;
  #lookedAt = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(host: CheckoutHost) {
    this.#host = host;
  }

  /** Whether there is nothing to show yet: the first answer, or the secret itself, is still to come. */
  get isLoading(): boolean {
    return (
      this.state === 'idle' && !this.checkout && (this.#isReading || !(this.#client || this.#host.getClientSecret))
    );
  }

  /** Whether `start` would do something now. */
  get canStart(): boolean {
    const { state } = this;
    if (this.#host.isStatusOnly) return false;
    if (state === 'error') return this.canRetry;
    return state === 'idle' || (isOutcome(state) && !!nextState(state, 'start') && !!this.#host.getClientSecret);
  }

  /** Whether another try can change anything. */
  get canRetry(): boolean {
    return this.state === 'error' && !!this.fault?.recoverable;
  }

  /** Whether the hosted page belongs in a tab of its own. */
  get isInTab(): boolean {
    return this.#tab !== undefined;
  }

  /** Whole minutes left to start, while that is worth saying: in the last ten. */
  get countdown(): number | undefined {
    const left = this.#msLeft();
    return left > 0 && left <= COUNTDOWN_FROM_MS ? Math.ceil(left / 60_000) : undefined;
  }

  /** The element has come to the page. */
  connect(): void {
    if (this.#listeners) return;
    this.#listeners = new AbortController();
    const { signal } = this.#listeners;
    for (const type of ['pageshow', 'focus', 'online', 'offline']) addEventListener(type, this.#wake, { signal });
    for (const type of ['visibilitychange', 'resume']) document.addEventListener(type, this.#wake, { signal });
    if (this.#client && !this.checkout?.final) void this.resume();
  }

  /** The element has left its place. */
  disconnect(): void {
    // A move in the DOM disconnects and connects in one task: only a real departure stops anything.
    queueMicrotask(() => {
      if (this.#host.isConnected) return;
      this.#listeners?.abort();
      this.#listeners = undefined;
      this.#stop();
      if (this.state === 'opening') this.#enter('cancel');
      for (const [id, owner] of claims) if (owner === this) claims.delete(id);
    });
  }

  /** Takes up the session that the element is configured with now. */
  bind(): void {
    const { endpoint, clientSecret, getClientSecret, isStatusOnly } = this.#host;
    const boundTo = `${endpoint} ${clientSecret}`;
    if (boundTo === this.#boundTo || this.state === 'opening') return;
    const isFirst = this.#boundTo === undefined;
    this.#boundTo = boundTo;
    // A site may hand over as an attribute what `getClientSecret` has just returned.
    if (clientSecret && clientSecret === this.#session?.clientSecret && endpoint === this.#session.endpoint) return;
    if (!isFirst) {
      this.#stop();
      this.#forget();
      this.#set('idle');
    }
    const id = returnedSessionId();
    const kept = id && (claims.get(id) ?? this) === this ? recallSession(id) : undefined;
    try {
      if (clientSecret) {
        if (endpoint) this.#use({ endpoint, clientSecret });
      } else if (id && kept && (endpoint || kept.endpoint) === kept.endpoint) {
        claims.set(id, this);
        this.#use(kept);
      } else if ((isStatusOnly || id) && !getClientSecret && !(id && claims.has(id))) {
        throw toError('secret_missing');
      }
    } catch (error) {
      this.#fail(error);
    }
    void this.resume();
  }

  /** Opens the hosted page. Call it inside the guest's click. Resolves once the guest is on the way, or it failed. */
  async start(): Promise<PayState> {
    // What was set in this very task counts.
    this.bind();
    return this.canStart && this.#dispatch('pay-beforeopen') ? this.#start() : this.state;
  }

  /** What the button does: look again where nothing is known yet, else start. */
  act(): Promise<PayState> {
    return this.canRetry && this.#client && !(this.checkout && this.canStart) ? this.resume() : this.start();
  }

  /** Opens the hosted page of a pending session once more; the proxy answers with the same address. */
  reopen(): void {
    if (this.state === 'waiting' && this.#dispatch('pay-beforeopen')) void this.#start();
  }

  /** Looks at the session now and carries on from what the proxy says. Resolves with the state it finds. */
  async resume(): Promise<PayState> {
    if (this.#isWatchable) void this.#watch();
    else if (this.state !== 'opening') await this.#look();
    return this.state;
  }

  /** Stops waiting on this page. The session is not touched. */
  cancel(): void {
    this.#stop();
    this.#enter('cancel');
  }

  /** Back to the beginning. A session that may still be paid is kept; in `unknown` nothing happens. */
  reset(): void {
    if (!nextState(this.state, 'reset')) return;
    const wasOpen = this.state === 'waiting' || this.state === 'opening';
    this.#stop();
    if (this.#host.getClientSecret && this.checkout?.final) this.#forget();
    this.#enter('reset');
    if (!wasOpen) void this.resume();
  }

  get #isWatchable(): boolean {
    return this.checkout?.final === false && ['waiting', 'unknown', 'expired'].includes(this.state);
  }

  async #start(): Promise<PayState> {
    const tab = openHostedTab(this.#host.presentation, this.#host.openingText());
    const { signal } = this.#stop();
    // A session with an outcome cannot be paid; any other one is continued, never doubled by a new one.
    if (isOutcome(this.state)) this.#forget();
    this.#enter('start');
    try {
      if (!this.#client) await this.#askForSecret(signal);
      await this.#open(tab, signal);
    } catch (error) {
      tab?.close();
      if (!signal.aborted) this.#fail(error);
    }
    return this.state;
  }

  async #askForSecret(signal: AbortSignal): Promise<void> {
    const { endpoint, getClientSecret } = this.#host;
    let clientSecret: string | undefined;
    try {
      // A site that never answers must not keep a window open that nobody waits for.
      const aborted = new Promise<never>((_, reject) => signal.addEventListener('abort', reject));
      clientSecret = await Promise.race([getClientSecret?.(), aborted]);
    } catch {
      // The site's error may quote its own secrets, so nothing of it is passed on.
      throw toError('secret_failed', true);
    }
    signal.throwIfAborted();
    if (!endpoint || !clientSecret) throw toError('secret_missing');
    this.#use({ endpoint, clientSecret });
  }

  async #open(tab: HostedTab, signal: AbortSignal): Promise<void> {
    const client = this.#client;
    const session = this.#session;
    if (!client || !session) throw toError('secret_missing');
    let view: CheckoutView;
    let viewUrl: string | undefined;
    try {
      ({ viewUrl, ...view } = await client.start({
        presentation: tab === undefined ? 'redirect' : 'tab',
        signal,
      }));
      if (!isSafeViewUrl(viewUrl)) throw toError('untrusted_url');
    } catch (error) {
      // Paid, or ended, somewhere else in the meantime: that is an answer.
      if (toFault(error).code !== 'session_not_open') throw error;
      view = await client.read({ signal });
    }
    signal.throwIfAborted();
    this.viewUrl = viewUrl;
    this.#take(view);
    if (!viewUrl || this.state !== 'waiting') {
      tab?.close();
      return;
    }
    this.#tab = tab;
    if (!this.isInTab) rememberSession(view.id, session);
    this.notice = leaveFor(viewUrl, tab) ? (this.isInTab ? undefined : 'leaving') : 'blocked';
  }

  async #look(isQuiet = false): Promise<void> {
    const client = this.#client;
    if (!client) return;
    const { signal } = this.#stop();
    this.#isReading = true;
    this.#host.requestUpdate();
    try {
      const view = await client.read({ signal });
      signal.throwIfAborted();
      this.#take(view);
    } catch (error) {
      if (!signal.aborted && !isQuiet) this.#fail(error);
    }
    if (!signal.aborted) this.#isReading = false;
  }

  /** Watches until the outcome is final; a running watch is replaced, and so looks at once. */
  async #watch(): Promise<void> {
    clearTimeout(this.#timer);
    this.#watching?.abort();
    this.#watching = undefined;
    if (isHidden() || !this.#client) return;
    const stop = new AbortController();
    this.#watching = stop;
    this.#lookedAt = performance.now();
    try {
      for await (const view of this.#client.watch({ signal: stop.signal, jitter: POLL_JITTER })) {
        if (stop.signal.aborted) return;
        this.#take(view);
      }
    } catch (error) {
      if (!stop.signal.aborted) this.#fail(error);
    } finally {
      if (this.#watching === stop) this.#watching = undefined;
    }
  }

  readonly #wake = ({ type, persisted }: Event & { persisted?: boolean }): void => {
    this.#host.requestUpdate();
    if (isHidden()) {
      this.#watching?.abort();
      this.#watching = undefined;
      return;
    }
    if (type === 'offline') return;
    if (persisted) this.notice = undefined;
    if (this.#isWatchable) {
      if (!this.notice && isClosed(this.#tab)) this.notice = 'closed';
      if (!this.#watching || performance.now() - this.#lookedAt > WAKE_PAUSE_MS) void this.#watch();
    } else if (type === 'focus' || (type === 'pageshow' && !persisted)) {
      return;
    } else if (this.canRetry) {
      void this.resume();
    } else if (this.state === 'idle' && this.checkout?.status === 'open') {
      void this.#look(true);
    }
  };

  #take(view: CheckoutView): void {
    const known = this.checkout;
    // Answers may overtake each other; an older version of the session is no news.
    if (known?.id === view.id && view.seq < known.seq) return;
    this.checkout = view;
    if (view.final) forgetSession(view.id);
    this.#enter(view.status);
    if (view.status === 'open' && known?.id !== view.id) this.#dispatch('pay-ready');
    this.#schedule();
    // What was just read is not read again before the proxy wants it to be.
    if (this.#isWatchable && !this.#watching) this.#timer = setTimeout(() => this.#watch(), view.nextPollMs || 5000);
  }

  #fail(error: unknown): void {
    const { code = 'internal', status = 0, recoverable } = toFault(error);
    if (this.state !== 'error' && !nextState(this.state, 'error')) return;
    this.fault = { code, recoverable: recoverable ?? !REFUSALS.includes(status) };
    this.#enter('error');
    this.#dispatch('pay-error', this.fault);
  }

  #enter(input: PayInput): void {
    this.#set(nextState(this.state, input) ?? this.state);
  }

  #set(to: PayState): void {
    const from = this.state;
    this.#host.requestUpdate();
    if (to === from) return;
    this.state = to;
    this.notice = undefined;
    this.#host.showState();
    this.#dispatch('pay-statechange', { from, to });
    if (isOutcome(to)) this.#dispatch(`pay-${to === 'succeeded' ? 'completed' : to}`);
  }

  #dispatch<Name extends keyof PayEventMap>(name: Name, more?: Partial<PayEventMap[Name]['detail']>): boolean {
    return dispatchPayEvent(this.#host, name, { state: this.state, checkout: this.checkout, ...more });
  }

  #use(session: RememberedSession): void {
    try {
      this.#client = createCheckout(session);
      this.#session = session;
    } catch {
      throw toError('configuration');
    }
  }

  #forget(): void {
    this.checkout = null;
    this.#session = this.#client = this.fault = this.viewUrl = this.#tab = undefined;
  }

  /** Ends every request, watch and timer of this element and begins a new run. */
  #stop(): AbortController {
    this.#run.abort();
    this.#watching?.abort();
    this.#watching = undefined;
    this.#isReading = false;
    clearTimeout(this.#timer);
    this.#run = new AbortController();
    return this.#run;
  }

  #msLeft(): number {
    return this.checkout?.status === 'open' ? Date.parse(this.checkout.expiresAt) - Date.now() : Number.NaN;
  }

  /** Keeps the minutes on the page true, and looks once when they are over: the proxy decides what has expired. */
  #schedule(): void {
    clearTimeout(this.#timer);
    const left = this.#msLeft();
    if (!(left > 0)) return;
    this.#timer = setTimeout(
      () => {
        this.#host.requestUpdate();
        if (this.#msLeft() > 0) this.#schedule();
        else if (!isHidden()) void this.#look(true);
      },
      (left % 60_000) + 50,
    );
  }
}

const isHidden = (): boolean => document.visibilityState === 'hidden';

function toError(code: string, recoverable = false): Error & PayFault {
  return Object.assign(new Error(code), { code, recoverable });
}

// Whatever was thrown; errors of core carry a code, and those of the proxy a status.
function toFault(error: unknown): { code?: string; status?: number; recoverable?: boolean } {
  return Object(error);
}
