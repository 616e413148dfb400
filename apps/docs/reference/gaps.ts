/** Names that the sources say nothing about. The reference is not built with one of them in it. */

/** Collects what has no words. */
export class Gaps {
  readonly #found: string[] = [];

  /** The text, or a note that `what` has none. */
  require(text: string | undefined, what: string): string {
    if (text !== undefined && text.trim() !== '') return text;
    this.#found.push(what);
    return '';
  }

  /** @throws when something has no words, naming all of it */
  close(): void {
    if (this.#found.length === 0) return;
    throw new Error(`The sources do not say what this is:\n${this.#found.map((each) => `  ${each}`).join('\n')}`);
  }
}
