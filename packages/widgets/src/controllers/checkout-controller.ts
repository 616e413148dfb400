/**
 * One checkout session of one element: which it is, what the proxy says of it, and what the guest does with it.
 *
 * Nothing is believed but what the proxy answers. One session at a time, one request in flight per purpose, and
 * everything stops when the element leaves the page.
 */
import { type Checkout, type CheckoutView, createCheckout } from '@innkeep/core/checkout';
import type { ReactiveController } from '#lit';
import type { LocalizeController } from '../localization/localize-controller.ts';
import { inputOf, isOutcome, nextState, type PayInput, type PayState } from '../state/pay-state.ts';
import { Announcer } from './announcer.ts';
import type { CheckoutHost } from './checkout-host.ts';
import { askForSession, describeFault, isRefused, missing, type PayFault, WAIT_LIMIT_MS } from './faults.ts';
import { HostedPageController, type HostedTab, openHostedTab } from './hosted-page.ts';
import { scriptsRun } from './page-load.ts';
import { type PolledSession, PollingController, type WakeEvent } from './polling-controller.ts';
import { type RememberedSession, returnedSessionId, SessionMemory } from './session-memory.ts';
import { startAttempt } from './start-attempt.ts';

/** The elements of this page. */
const present = new Set<CheckoutController>();

export class CheckoutController implements ReactiveController, PolledSession {
  state: PayState = 'idle';
  checkout: CheckoutView | null = null;
  fault: PayFault | undefined;
  client: Checkout | undefined;
  /** What is shown is from an earlier visit: the proxy has not answered yet. */
  isRemembered = false;

  readonly page: HostedPageController;
  readonly polling: PollingController;
  readonly #host: CheckoutHost;
  readonly #language: LocalizeController;
  readonly #memory: SessionMemory;
  readonly #announcer: Announcer;
  #session: RememberedSession | undefined;
  /** What the device remembers of the session, while the proxy has not answered. */
  #lastHeard: CheckoutView | undefined;
  #boundTo: string | undefined;
  /** The page gave it a session once, or it began anew: what else this device knows is another guest's. */
  #claimsNone = false;
  #isReading = false;
  #waitLimit: ReturnType<typeof setTimeout> | undefined;
  #run = new AbortController();

  constructor(host: CheckoutHost, language: LocalizeController) {
    this.#host = host;
    this.#language = language;
    host.addController(this);
    this.page = new HostedPageController(host);
    this.polling = new PollingController(host, this);
    this.#memory = new SessionMemory(host);
    this.#announcer = new Announcer(host, this);
  }

  hostConnected(): void {
    present.add(this);
    this.#memory.arrive();
    if (this.client && !this.checkout?.final) void this.resume();
  }

  hostUpdate(): void {
    this.#announcer.checkFunction();
    if (this.#host.isConnected) this.bind();
  }

  hostUpdated(): void {
    // Not before there is something to show.
    if (!this.isLoading) this.#announcer.reflect();
  }

  hostDisconnected(): void {
    this.#stop();
    if (this.state === 'opening') this.#enter('cancel');
    // What it had is there for the taking: for one that came into its place, and for itself if it is put back.
    for (const each of present) {
      if (each.client || each.state !== 'idle') continue;
      each.#boundTo = undefined;
      each.#host.requestUpdate();
    }
    present.delete(this);
  }

  /** Whether there is nothing to show yet: the first answer, or the secret itself, is still to come. */
  get isLoading(): boolean {
    return this.state === 'idle' && !this.checkout && (this.#isReading || !(this.client || this.#canAsk));
  }

  /** Whether a click can bring a session. */
  get #canAsk(): boolean {
    return !this.#host.isStatusOnly && !!this.#host.getClientSecret;
  }

  /** Whether the guest has come to read a result. */
  get isReturn(): boolean {
    return this.#host.isStatusOnly || !!returnedSessionId();
  }

  /** Whether `start` would do something now. */
  get canStart(): boolean {
    const { state, checkout } = this;
    const { isStatusOnly, noRetry } = this.#host;
    const isNext = checkout?.status === 'open' && !!checkout.error;
    if (isNext ? noRetry : isStatusOnly) return false;
    if (state === 'expired') return this.#canAsk;
    return state === 'idle' || this.canRetry || (isNext && isOutcome(state));
  }

  /** Whether another try can change anything. */
  get canRetry(): boolean {
    return this.state === 'error' && !!this.fault?.recoverable;
  }

  /** Whether it asks again after an answer that failed. */
  get isRetrying(): boolean {
    return this.state === 'error' && this.#isReading;
  }

  /** Takes up the session that the element is configured with now. */
  bind(): void {
    const { endpoint } = this.#host;
    // A template, or whatever wrote it down, may have put blanks around it.
    const clientSecret = `${this.#host.clientSecret || ''}`.trim();
    const boundTo = `${endpoint} ${clientSecret}`;
    // One that was missed, and is set after all.
    const isLate = this.#canAsk && this.fault?.code === 'secret_missing' && this.fault.param === 'clientSecret';
    // A page may set a secret while it still makes that very one.
    if ((boundTo === this.#boundTo && !isLate) || (this.state === 'opening' && !this.#session)) return;
    this.#boundTo = boundTo;
    if (clientSecret) this.#claimsNone = true;
    // A site may hand over as an attribute what `getClientSecret` has just returned.
    if (clientSecret && clientSecret === this.#session?.clientSecret && endpoint === this.#session.endpoint) return;
    const { signal } = this.#stop();
    this.#forget();
    this.#set('idle');
    try {
      const isOver = this.#claimsNone && !clientSecret;
      if (this.#claimsNone) this.#memory.forget();
      const known = isOver ? undefined : this.#memory.claim(endpoint, clientSecret);
      const session = known?.session ?? (clientSecret && endpoint ? { endpoint, clientSecret } : undefined);
      if (session) {
        this.#use(session);
        // The proxy is asked first, and this is shown when it does not answer: so nothing jumps.
        this.#lastHeard = known?.view;
      } else {
        const view = known?.view;
        const show = (): void => {
          if (signal.aborted) return;
          this.#stop();
          // A result that nobody needs to be asked about.
          if (view) this.take(view, true);
          // The element that a guest comes back to, and that finds nothing here, lacks more than the address.
          else if (!((endpoint && this.#canAsk) || this.#memory.isClaimed))
            this.fail(missing(endpoint || (clientSecret ? '' : returnedSessionId())));
        };
        this.#isReading = !!view;
        // The page's scripts hear of it by then, or set a session after all.
        const isForScripts = this.isReturn && !(isOver || clientSecret || this.#canAsk);
        if (view || isForScripts) void scriptsRun().then(show);
        // A page may set its element up late, but not never; and a script of others may never come.
        if (view || !isForScripts) this.#waitLimit = setTimeout(show, WAIT_LIMIT_MS);
      }
    } catch (error) {
      this.fail(error);
    }
    void this.resume();
  }

  /** Opens the hosted page. Call it inside the guest's click. Resolves once the guest is on the way, or it failed. */
  async start(): Promise<PayState> {
    // What was set in this very task counts.
    this.bind();
    return this.canStart && this.#announcer.dispatch('pay-beforeopen') ? this.#start() : this.state;
  }

  /** What the button does: look again where nothing is known yet, else start. */
  act(): Promise<PayState> {
    return this.canRetry && this.client && !(this.checkout && this.canStart) ? this.resume() : this.start();
  }

  /** Opens the hosted page of a pending session once more; the proxy answers with the same address. */
  reopen(): void {
    if (this.state === 'waiting' && this.#announcer.dispatch('pay-beforeopen')) void this.#start();
  }

  /** The guest goes on to what the site has next; false when the site takes it from here. */
  continue(): boolean {
    return this.#announcer.dispatch('pay-continue');
  }

  /** Looks at the session now and carries on from what the proxy says. Resolves with the state it finds. */
  async resume(): Promise<PayState> {
    if (this.state !== 'opening') await this.look(!!this.#pollMs);
    return this.state;
  }

  /** Stops waiting on this page. The session is not touched. */
  cancel(): void {
    this.#stop();
    this.#enter('cancel');
  }

  /** Back to idle. A session that may still be paid is kept and looked at, so its last attempt shows again; in `unknown` nothing happens. */
  reset(): void {
    if (!nextState(this.state, 'reset') || !(this.client || this.#canAsk)) return;
    const wasOpen = this.state === 'waiting' || this.state === 'opening';
    this.#stop();
    if (this.#canAsk && this.checkout?.final) {
      this.#forget();
      this.#memory.forget();
      this.#claimsNone = true;
    }
    this.#enter('reset');
    if (!wasOpen) void this.resume();
  }

  wake({ type, persisted }: WakeEvent): void {
    if (persisted) this.page.notice = undefined;
    if (this.#pollMs) this.polling.watchOn();
    // These two also come with every click into the page.
    else if (type === 'focus' || (type === 'pageshow' && !persisted)) return;
    else if (this.canRetry) void this.resume();
    else if (this.state !== 'opening' && this.checkout?.status === 'open') void this.look(true);
  }

  async look(isQuiet: boolean): Promise<void> {
    const { client } = this;
    if (!client) return;
    const { signal } = this.#stop();
    this.#isReading = true;
    this.#host.requestUpdate();
    try {
      const view = await client.read({ signal });
      signal.throwIfAborted();
      this.take(view);
    } catch (error) {
      if (signal.aborted) return;
      if (this.#lastHeard && !isRefused(error)) {
        this.take(this.#lastHeard, true);
        void this.resume();
        return;
      }
      if (isQuiet && !isRefused(error)) this.polling.plan(this.#pollMs);
      else this.fail(error);
    }
    if (signal.aborted) return;
    this.#isReading = false;
    this.#host.requestUpdate();
  }

  take(view: CheckoutView, isRemembered = false): void {
    const known = this.checkout;
    this.isRemembered = isRemembered;
    this.#lastHeard = undefined;
    // Answers may overtake each other; an older version of the session is ignored.
    if (known?.id === view.id && view.seq < known.seq) return;
    this.page.stay(known?.seq === view.seq);
    this.checkout = view;
    this.#memory.keep(view);
    // A changed price is shown as on the first day, whatever came of the last attempt.
    this.#enter(this.page.notice === 'changed' ? view.status : inputOf(view));
    if (view.status === 'open') this.#announcer.tellOnce('pay-ready', view.id);
    this.polling.plan(this.#pollMs);
  }

  fail(error: unknown): void {
    if (this.state !== 'error' && !nextState(this.state, 'error')) return;
    this.fault = describeFault(error);
    this.#enter('error');
    this.#announcer.tellFault(this.fault, this.#session?.endpoint);
  }

  /** When to look again; nothing when there is nothing to wait for, or nobody who waits. */
  get #pollMs(): number | null | undefined {
    return this.state === 'waiting' || isOutcome(this.state) ? this.checkout?.nextPollMs : null;
  }

  async #start(): Promise<PayState> {
    const tab = openHostedTab(this.#host.presentation, this.#language.messages.opening);
    const { signal } = this.#stop();
    // Only the hotel's server can open a session anew; any other one is continued.
    if (this.state === 'expired') this.#forget();
    this.#enter('start');
    try {
      if (!this.client) {
        this.#use(await askForSession(this.#host, signal));
        this.bind();
      }
      if (this.#session) this.#memory.remember(this.#session);
      await this.#open(tab, signal);
    } catch (error) {
      tab?.close();
      if (!signal.aborted) this.fail(error);
    }
    return this.state;
  }

  async #open(tab: HostedTab, signal: AbortSignal): Promise<void> {
    const { client } = this;
    if (!client) throw missing(this.#host.endpoint);
    const presentation = tab === undefined ? 'redirect' : 'tab';
    const { viewUrl, ...view } = await startAttempt(client, this.checkout, { presentation, signal });
    signal.throwIfAborted();
    if (!viewUrl && view.status === 'open') {
      this.#enter('open');
      this.page.notice = 'changed';
    }
    this.take(view);
    if (viewUrl && this.state === 'waiting') this.page.leave(viewUrl, tab);
    else tab?.close();
  }

  #enter(input: PayInput): void {
    this.#set(nextState(this.state, input) ?? this.state);
  }

  #set(to: PayState): void {
    const from = this.state;
    this.#host.requestUpdate();
    if (to === from) return;
    this.state = to;
    this.page.notice = undefined;
    this.#announcer.tellState(from);
  }

  #use(session: RememberedSession): void {
    this.client = createCheckout(session);
    this.#session = session;
  }

  #forget(): void {
    this.checkout = null;
    this.#session = this.client = this.fault = this.#lastHeard = undefined;
    this.page.forget();
  }

  /** Ends every request, watch and timer of this element and begins a new run. */
  #stop(): AbortController {
    this.#run.abort();
    clearTimeout(this.#waitLimit);
    this.polling.stop();
    this.#isReading = false;
    this.#run = new AbortController();
    return this.#run;
  }
}
