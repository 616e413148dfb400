/** A page made from source: an address such as `reference/errors`, and Markdown without the first heading. */
export interface ReferencePage {
  /** Without slashes at its ends. */
  readonly path: string;
  readonly title: string;
  /** One sentence, plain text. */
  readonly description: string;
  /** The body. Links are files relative to `docs/`, as in every document. */
  readonly markdown: string;
}
