/** The events of one element, in order; none before the scripts of the page have run, which add the listeners. */
import { dispatchPayEvent, type PayEventMap } from '../events/pay-events.ts';

export class Announcer {
  readonly #host: HTMLElement;
  /** What is told once the page's scripts have run; `undefined` from then on. */
  #held: (() => void)[] | undefined;

  constructor(host: HTMLElement) {
    this.#host = host;
    if (haveScriptsRun()) return;
    this.#held = [];
    void scriptsRun().then(() => this.#release());
  }

  /** False when a listener prevented it. */
  dispatch<Name extends keyof PayEventMap>(name: Name, detail: PayEventMap[Name]['detail']): boolean {
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

/** How the browser came to this document, and how far it is with it. */
export function pageLoad(): PerformanceNavigationTiming | undefined {
  return (performance.getEntriesByType('navigation') as PerformanceNavigationTiming[])[0];
}

const haveScriptsRun = (): boolean => pageLoad()?.domContentLoadedEventStart !== 0;

/** Once the scripts of the page have run, other than those that it loads later by itself. */
export async function scriptsRun(): Promise<void> {
  if (!haveScriptsRun()) await new Promise((resolve) => addEventListener('DOMContentLoaded', resolve, { once: true }));
}
