import { imageAddress, twinAddress } from './addresses.ts';
import type { Page } from './collect-pages.ts';
import { type Addresses, rewriteLinks } from './rewrite-links.ts';

const ADDRESSES: Addresses = {
  page: ({ path }, anchor) => `${twinAddress(path)}${anchor === '' ? '' : `#${anchor}`}`,
  image: imageAddress,
};

/** A page as Markdown whose links lead to other pages as Markdown. */
export function twin(page: Page, pages: readonly Page[]): string {
  return `# ${page.heading}\n\n${rewriteLinks(page, pages, ADDRESSES)}\n`;
}

/** `llms.txt`: what there is, one line per page, for a reader with little room. */
export function llmsText(pages: readonly Page[]): string {
  const [landing] = pages;
  const sections = Map.groupBy(pages, ({ section }) => section);
  const lists = [...sections].map(([section, members]) => {
    const lines = members.map(({ path, heading, description }) => {
      const link = `- [${heading}](${twinAddress(path)})`;
      return description === '' ? link : `${link}: ${description}`;
    });
    return `## ${section}\n\n${lines.join('\n')}`;
  });
  return `# Innkeep\n\n> ${landing?.description ?? ''}\n\n${lists.join('\n\n')}\n`;
}

/** `llms-full.txt`: every page, one after the other, each with its address. */
export function llmsFullText(pages: readonly Page[]): string {
  return pages.map((page) => `<!-- ${twinAddress(page.path)} -->\n\n${twin(page, pages)}`).join('\n');
}
