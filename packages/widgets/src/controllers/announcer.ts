/** What one element tells its page: its state in an attribute, and events, in order, none before the scripts of the page have run, which listen. */
import { dispatchPayEvent, type PayEventDetail, type PayEventMap } from '../events/pay-events.ts';
import { explainNetwork, tellDeveloper } from '../misuse/misuse.ts';
import { isOutcome, type PayState } from '../state/pay-state.ts';
import type { CheckoutHost } from './checkout-host.ts';
import { NOT_A_FUNCTION, type PayFault } from './faults.ts';
import { haveScriptsRun, scriptsRun } from './page-load.ts';

export class Announcer {
  readonly #host: CheckoutHost;
  /** What is told of. */
  readonly #subject: Readonly<PayEventDetail>;
  /** Of which session, in which version, each event was last told. */
  readonly #told: Record<string, string> = {};
  /** What is told once the page's scripts have run; `undefined` from then on. */
  #held: (() => void)[] | undefined;

  constructor(host: CheckoutHost, subject: Readonly<PayEventDetail>) {
    this.#host = host;
    this.#subject = subject;
    if (haveScriptsRun()) return;
    this.#held = [];
    void scriptsRun().then(() => this.#release());
  }

  /** For the page's styles. */
  reflect(): void {
    this.#host.setAttribute('state', this.#subject.state);
  }

  /** Tells the state that has come, and the outcome that it may be. */
  tellState(from: PayState): void {
    const { state: to, checkout } = this.#subject;
    // At once, and not with the next drawing: styles and listeners see the same state.
    this.reflect();
    this.dispatch('pay-statechange', { from, to });
    // Once for each version of the session: a start that came to nothing has ended no attempt.
    const { id, seq } = checkout ?? {};
    if (isOutcome(to)) this.tellOnce(`pay-${to === 'succeeded' ? 'completed' : to}`, `${id} ${seq}`);
  }

  /** Tells of a fault, and the developer what to do. */
  tellFault(fault: PayFault, endpoint: string | undefined): void {
    this.dispatch('pay-error', fault);
    if (fault.code !== 'network') tellDeveloper(this.#host, `${fault.code}: ${fault.message}`);
    else if (endpoint && navigator.onLine) void explainNetwork(this.#host, endpoint);
  }

  /** Tells the developer of a function that is none. */
  checkFunction(): void {
    const { getClientSecret } = this.#host;
    if (getClientSecret && typeof getClientSecret !== 'function')
      tellDeveloper(this.#host, `configuration: ${NOT_A_FUNCTION}`);
  }

  tellOnce(name: keyof PayEventMap, what: string): void {
    if (this.#told[name] === what) return;
    this.#told[name] = what;
    this.dispatch(name);
  }

  /** False when a listener prevented it. */
  dispatch<Name extends keyof PayEventMap>(name: Name, more?: Partial<PayEventMap[Name]['detail']>): boolean {
    const { state, checkout } = this.#subject;
    const detail = { state, checkout, ...more };
    // Inside a click, which can wait for nothing.
    if (name === 'pay-beforeopen') this.#release();
    if (!this.#held) return dispatchPayEvent(this.#host, name, detail);
    this.#held.push(() => dispatchPayEvent(this.#host, name, detail));
    return true;
  }

  #release(): void {
    const held = this.#held;
    this.#held = undefined;
    for (const dispatch of held ?? []) dispatch();
  }
}
