import { createHash } from 'node:crypto';
import { defaultTreeAdapter as edit, parse, serialize } from 'parse5';
import { SITE_BASE } from './addresses.ts';
import {
  attribute,
  type Element,
  elementsOf,
  insertAfter,
  isElement,
  newElement,
  removeAttribute,
  textOf,
  wrap,
} from './html-tree.ts';
import { tableWidths } from './table-widths.ts';

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

/**
 * Makes the generator's pages fit for a strict Content Security Policy. Style attributes become classes of one style sheet, in
 * a layer below all others; inline scripts stay where they are and are named by their hashes; each page carries the policy.
 * Tables get a frame of their own to scroll in, and columns whose widths are known before their last row has arrived.
 *
 * @throws Error when a page has an inline style sheet, for which there is no place in the policy.
 */
export function finishHtml(pages: readonly string[]): Finished {
  const classes = new Map<string, string>();
  const hashes = new Set<string>();
  const documents = pages.map((text) => parse(text));
  for (const document of documents)
    for (const table of elementsOf(document).filter(({ tagName }) => tagName === 'table')) sizeTable(table);
  for (const document of documents) for (const element of elementsOf(document)) finishElement(element, classes, hashes);
  const policy = contentSecurityPolicy([...hashes].sort());
  for (const document of documents) {
    const charset = elementsOf(document).find(
      ({ tagName, attrs }) => tagName === 'meta' && attrs[0]?.name === 'charset',
    );
    if (charset === undefined) throw new Error('A page does not say its character set.');
    // Before anything that could load or run. A header says the same, and forbids frames, which only a header can.
    insertAfter(charset, [
      newElement('meta', { 'http-equiv': 'content-security-policy', content: policy }),
      newElement('link', { rel: 'stylesheet', href: STYLE_SHEET }),
    ]);
  }
  const rules = [...classes].map(([style, name]) => `.${name}{${style}}`).sort();
  return {
    pages: documents.map((document) => serialize(document)),
    css: `@layer attributes{${rules.join('\n')}}\n`,
    policy: `${policy}; frame-ancestors 'none'`,
  };
}

function finishElement(element: Element, classes: Map<string, string>, hashes: Set<string>): void {
  if (attribute(element, 'style') !== undefined) toClass(element, classes);
  switch (element.tagName) {
    case 'style':
      throw new Error('A page has an inline style sheet; the policy forbids it.');
    case 'html':
      // Without the attribute, and without JavaScript, the reader's system decides between light and dark.
      removeAttribute(element, 'data-theme');
      break;
    case 'script':
      if (attribute(element, 'src') === undefined) hashes.add(sha256(serialize(element)));
      break;
    case 'kbd':
      // The search button's shortcut is told by aria-keyshortcuts. Written on the button it would have to be in its name.
      if (element.parentNode !== null && isElement(element.parentNode) && element.parentNode.tagName === 'button')
        edit.detachNode(element);
      break;
    case 'input':
      // The box of a check list is a picture of a box: nothing to tick, and the text beside it says everything.
      if (attribute(element, 'type') === 'checkbox') element.attrs.push({ name: 'aria-hidden', value: 'true' });
      break;
    case 'table':
      wrap(element, newElement('div', { class: 'table-frame' }));
      break;
  }
}

/** Says the width of every column up front. */
function sizeTable(table: Element): void {
  const rows = elementsOf(table).filter(({ tagName }) => tagName === 'tr');
  const cells = rows.map((row) => row.childNodes.filter(isElement).map((cell) => textOf(cell).trim()));
  const { columns, least } = tableWidths(cells);
  table.attrs.push({ name: 'style', value: `min-width:${least}rem` });
  const group = newElement('colgroup', {});
  for (const width of columns)
    edit.appendChild(group, newElement('col', width === undefined ? {} : { style: `width:${width}rem` }));
  const [first] = table.childNodes;
  if (first !== undefined) edit.insertBefore(table, group, first);
}

function toClass(element: Element, classes: Map<string, string>): void {
  const style = attribute(element, 'style') ?? '';
  const name = classes.get(style) ?? `style-${createHash('sha256').update(style).digest('hex').slice(0, 8)}`;
  classes.set(style, name);
  const others = attribute(element, 'class');
  for (const each of ['style', 'class']) removeAttribute(element, each);
  element.attrs.push({ name: 'class', value: others === undefined ? name : `${others} ${name}` });
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
