/**
 * A custom element that draws a Lit template into its shadow root, in batches.
 *
 * Lit's own base class is two fifths of Lit and does much that these elements have no use for; its templates are what
 * they need. A server has no `HTMLElement`: importing this there is safe, and only creating an element is not.
 */
import { render, type TemplateResult } from '../templates/lit.ts';

// On a server nobody constructs the class; it only has to be there to be extended.
const Base: typeof HTMLElement = globalThis.HTMLElement ?? (class {} as typeof HTMLElement);

/** Base of the elements: a shadow root with the shared style sheet, drawn once per task however much has changed. */
export abstract class ViewElement extends Base {
  /** Resolves when everything asked for so far is drawn. */
  updateComplete: Promise<void> = Promise.resolve();
  readonly #root: ShadowRoot = this.attachShadow({ mode: 'open' });
  #isPending = false;

  constructor(sheet: CSSStyleSheet) {
    super();
    this.#root.adoptedStyleSheets = [sheet];
  }

  /** Draws once more, together with everything else that changes in this task. */
  requestUpdate(): void {
    if (this.#isPending) return;
    this.#isPending = true;
    this.updateComplete = Promise.resolve().then(() => {
      this.#isPending = false;
      if (this.isConnected) this.draw();
    });
  }

  protected abstract render(): TemplateResult;

  protected draw(): void {
    const root = this.#root;
    const hadFocus = root.activeElement;
    render(this.render(), root);
    // Every class is a part of the same name: what the card's own styles can reach, a site's can.
    for (const node of root.querySelectorAll('[class]:not(i)')) node.setAttribute('part', node.className);
    // The focused control may be gone with its state: the guest stays where the news is.
    if (hadFocus && !root.activeElement) root.querySelector<HTMLElement>('[tabindex]')?.focus();
  }
}
