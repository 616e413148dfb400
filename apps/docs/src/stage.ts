import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { imageAddress, pageAddress, SITE_BASE } from './addresses.ts';
import type { Page } from './collect-pages.ts';
import { type Addresses, rewriteLinks } from './rewrite-links.ts';
import { sidebar } from './sidebar.ts';

/** Where the site's pages wait for the generator, relative to apps/docs. Git ignores it. */
export const STAGED = '.staged';

const NOT_FOUND = `---
title: There is no such page
editUrl: false
pagefind: false
tableOfContents: false
prev: false
next: false
---

The address may be mistyped, or the page has moved. The search above and the menu know every page, and
[the first page](${SITE_BASE}) says where to begin.
`;

/** Writes every page as the generator wants it: front matter, no first heading, addresses of the site instead of files. */
export function stage(root: string, into: string, pages: readonly Page[]): void {
  rmSync(into, { recursive: true, force: true });
  const images = new Set<string>();
  const addresses: Addresses = {
    page: ({ path }, anchor) => pageAddress(path, anchor),
    image: (file) => {
      images.add(file);
      return imageAddress(file);
    },
  };
  for (const page of pages) {
    const matter = { title: page.title, description: page.description, sidebar: { label: page.label } };
    // JSON is YAML; strings with colons or quotes need no care of ours.
    const head = Object.entries(matter).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
    write(
      join(into, 'pages', `${page.path === '' ? 'index' : page.path}.md`),
      `---\n${head.join('\n')}\n---\n\n${rewriteLinks(page, pages, addresses)}\n`,
    );
  }
  write(join(into, 'pages', '404.md'), NOT_FOUND);
  write(join(into, 'sidebar.json'), JSON.stringify(sidebar(pages)));
  for (const file of images) copy(join(root, file), join(into, 'public', imageAddress(file).slice(SITE_BASE.length)));
  copy(join(import.meta.dirname, '../site/icon.svg'), join(into, 'public/icon.svg'));
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function copy(file: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  copyFileSync(file, to);
}
