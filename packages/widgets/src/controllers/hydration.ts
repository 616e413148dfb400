/**
 * The wait for React. When it takes over what a server rendered, it compares the tag with what it renders itself, and only then does the
 * page listen. An element that came with the page draws itself at once, but writes no attribute and dispatches no event until then.
 */

const LOOK_EVERY_MS = 50;
const PATIENCE_MS = 5000;

/** Holds back what an element has to say. */
export class Hydration {
  readonly #host: Element;
  #held: (() => void)[] | undefined;

  constructor(host: Element) {
    this.#host = host;
    // What a script makes is not connected yet, and was rendered by nobody else.
    if (host.isConnected || document.readyState === 'loading') this.#held = [];
  }

  /** Does it now, or once the page has come alive; in order. */
  say(act: () => void): void {
    if (!this.#held) act();
    else if (this.#held.push(act) === 1) void this.#wait();
  }

  /** Ends the wait: a page on which the guest clicks is alive. */
  end(): void {
    const held = this.#held;
    this.#held = undefined;
    for (const act of held ?? []) act();
  }

  async #wait(): Promise<void> {
    const giveUpAt = performance.now() + PATIENCE_MS;
    let hasWaited = false;
    while (isAwaited(this.#host) && performance.now() < giveUpAt) {
      hasWaited = true;
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    }
    // React marks a tag a moment before it runs the effects in which a page adds its listeners.
    if (hasWaited) await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    this.end();
  }
}

/** Whether React may still take the element over. A page that has loaded without it does not wait. */
function isAwaited(element: Element): boolean {
  if (hasMark(element, 'Props')) return false;
  if (document.readyState !== 'complete') return true;
  for (let node: Node | null = element; node; node = node.parentNode) if (hasMark(node, 'Container')) return true;
  return false;
}

/** React’s mark on a node: `__reactProps$…` on what it has, `__reactContainer$…` on the root that it renders. */
function hasMark(node: Node, mark: string): boolean {
  return Object.keys(node).some((key) => key.startsWith(`__react${mark}$`));
}

/** Once the scripts of the page have run, other than those that it loads later by itself. */
export async function scriptsRun(): Promise<void> {
  const [load] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  if (load?.domContentLoadedEventStart !== 0) return;
  await new Promise((resolve) => addEventListener('DOMContentLoaded', resolve, { once: true }));
}
