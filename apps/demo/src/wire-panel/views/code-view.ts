import { html } from 'hono/html';
import type { Markup } from './redacted-text.ts';

/** A piece of the demo's own source. */
export interface CodeSample {
  /** What it does, in a few words. */
  readonly title: string;
  /** Path from the root of the repository. */
  readonly file: string;
  /** The number of its first line there. */
  readonly line: number;
  readonly code: string;
}

/** The code behind the page beside the panel, as it is in the repository. */
export function codeView(samples: readonly CodeSample[]): Markup {
  return html`<p class="wire-lead">The code behind this page, taken from the demo’s own sources when it was built.</p>
${samples.map(
  ({ title, file, line, code }) => html`<h3>${title}</h3>
<p class="x-none">${file}, line ${line}</p>
<pre tabindex="0" aria-label="${title}"><code>${code}</code></pre>`,
)}`;
}
