import { createHash } from 'node:crypto';
import { type HTMLElement, parse } from 'node-html-parser';
import { SITE_BASE } from './addresses.ts';

/** What the pages have in common once they are finished. */
export interface Finished {
  /** Finished pages, in the order given. */
  readonly pages: readonly string[];
  /** What their style attributes said, as a style sheet. */
  readonly css: string;
  /** What browsers may do on them: the value of a Content-Security-Policy header. */
  readonly policy: string;
}

/** Address of the style sheet that `css` belongs to. */
export const STYLE_SHEET = `${SITE_BASE}styles.css`;

// Everything is read, code blocks included; only scripts, style sheets and titles are text.
const PARSING = { comment: true, blockTextElements: { script: true, style: true, title: true } };

/**
 * Makes the generator's pages fit for a strict Content Security Policy. Style attributes become classes of one style sheet, in
 * a layer below all others; inline scripts stay where they are and are named by their hashes; each page carries the policy.
 * Tables get a frame of their own to scroll in.
 *
 * @throws Error when a page has an inline style sheet, for which there is no place in the policy.
 */
export function finishHtml(pages: readonly string[]): Finished {
  const classes = new Map<string, string>();
  const hashes = new Set<string>();
  const parsed = pages.map((html) => parse(html, PARSING));
  for (const page of parsed) {
    if (page.querySelector('style') !== null)
      throw new Error('A page has an inline style sheet; the policy forbids it.');
    // Without the attribute, and without JavaScript, the reader's system decides between light and dark.
    page.querySelector('html')?.removeAttribute('data-theme');
    for (const element of page.querySelectorAll('[style]')) toClass(element, classes);
    for (const script of page.querySelectorAll('script:not([src])')) hashes.add(sha256(script.rawText));
    // The shortcut is told by aria-keyshortcuts. Written on the button it would have to be in the button's name, which says “Search”.
    page.querySelector('site-search kbd')?.remove();
    for (const table of page.querySelectorAll('main table'))
      table.replaceWith(`<div class="table-frame">${table.outerHTML}</div>`);
  }
  const policy = contentSecurityPolicy([...hashes].sort());
  for (const page of parsed) {
    // Before anything that could load or run. A header says the same, and forbids frames, which only a header can.
    const meta = `<meta http-equiv="content-security-policy" content="${policy}"/>`;
    const sheet = `<link rel="stylesheet" href="${STYLE_SHEET}"/>`;
    page.querySelector('meta[charset]')?.insertAdjacentHTML('afterend', meta + sheet);
  }
  const rules = [...classes].map(([style, name]) => `.${name}{${style}}`).sort();
  return {
    pages: parsed.map((page) => page.toString()),
    css: `@layer attributes{${rules.join('\n')}}\n`,
    policy: `${policy}; frame-ancestors 'none'`,
  };
}

function toClass(element: HTMLElement, classes: Map<string, string>): void {
  const style = element.getAttribute('style') ?? '';
  const name = classes.get(style) ?? `style-${createHash('sha256').update(style).digest('hex').slice(0, 8)}`;
  classes.set(style, name);
  element.removeAttribute('style');
  element.classList.add(name);
}

/** Everything from the site's own origin, and nothing else. The search runs as WebAssembly; icons of code blocks are data addresses. */
function contentSecurityPolicy(hashes: readonly string[]): string {
  return [
    "default-src 'none'",
    ["script-src 'self' 'wasm-unsafe-eval'", ...hashes.map((hash) => `'${hash}'`)].join(' '),
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

function sha256(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
