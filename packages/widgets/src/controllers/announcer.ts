/** What an element tells its page: its state, as an attribute, and events. Nothing before the page has come alive. */
import { dispatchPayEvent, type PayEventMap } from '../events/pay-events.ts';
import type { PayState } from '../state/pay-state.ts';
import { Hydration } from './hydration.ts';

export class Announcer {
  readonly #host: HTMLElement;
  readonly #hydration: Hydration;

  constructor(host: HTMLElement) {
    this.#host = host;
    this.#hydration = new Hydration(host);
  }

  /** For the page's styles. */
  reflect(state: PayState): void {
    this.#hydration.say(() => this.#host.setAttribute('state', state));
  }

  /** False when a listener prevented it. */
  dispatch<Name extends keyof PayEventMap>(name: Name, detail: PayEventMap[Name]['detail']): boolean {
    let isAllowed = true;
    // Inside a click, which can wait for nothing.
    if (name === 'pay-beforeopen') this.#hydration.end();
    this.#hydration.say(() => {
      isAllowed = dispatchPayEvent(this.#host, name, detail);
    });
    return isAllowed;
  }
}
