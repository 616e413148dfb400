import { posix } from 'node:path';
import type { Page } from './collect-pages.ts';
import { changeLinks, type Link, type LinkChange } from './markdown.ts';

/** Turns what a link in the repository points at into what the site has in its place. */
export interface Addresses {
  /** Address of a page, with its anchor when there is one. */
  readonly page: (page: Page, anchor: string) => string;
  /** Address of a picture of the repository. `file` is relative to the root. */
  readonly image: (file: string) => string;
}

/**
 * A page's Markdown with links that work on the site. A link to a file of the repository that is no page becomes its text and
 * the file's path, set as code: the repository has no address that the site could know.
 */
export function rewriteLinks(page: Page, pages: readonly Page[], addresses: Addresses): string {
  const folder = posix.dirname(page.file ?? 'docs/generated.md');
  return changeLinks(page.body, (link): LinkChange => {
    if (/^[a-z][a-z0-9+.-]*:/i.test(link.target) || link.target.startsWith('#')) return undefined;
    const [path = '', anchor = ''] = link.target.split('#');
    const file = posix.join(folder, decodeURI(path)).replace(/\/$/, '');
    if (link.kind === 'image') return { target: addresses.image(file) };
    const target = pages.find((each) => each.file === file || each.file === `${file}/README.md`);
    const generated = pages.find((each) => each.file === undefined && `docs/${each.path}.md` === file);
    const found = target ?? generated;
    return found === undefined ? { markdown: withoutLink(link, file) } : { target: addresses.page(found, anchor) };
  });
}

function withoutLink({ text, isCode }: Link, file: string): string {
  if (isCode && file.endsWith(text.replace(/\/$/, ''))) return `\`${file}\``;
  const shown = isCode ? `\`${text}\`` : text;
  return `${shown} (\`${file}\`)`;
}
