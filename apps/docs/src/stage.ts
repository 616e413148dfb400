import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Page } from './collect-pages.ts';
import { type Addresses, rewriteLinks } from './rewrite-links.ts';
import { sidebar } from './sidebar.ts';
import { SITE_BASE } from './site-base.ts';

/** Where the site's pages wait for the generator, relative to apps/docs. Git ignores it. */
export const STAGED = '.staged';

/** Writes every page as the generator wants it: front matter, no first heading, addresses of the site instead of files. */
export function stage(root: string, into: string, pages: readonly Page[]): void {
  rmSync(into, { recursive: true, force: true });
  const images = new Set<string>();
  const addresses: Addresses = {
    page: ({ path }, anchor) => `${SITE_BASE}${path === '' ? '' : `${path}/`}${anchor === '' ? '' : `#${anchor}`}`,
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
  write(join(into, 'sidebar.json'), JSON.stringify(sidebar(pages)));
  for (const file of images) {
    const target = join(into, 'public', imageAddress(file).slice(SITE_BASE.length));
    mkdirSync(dirname(target), { recursive: true });
    copyFileSync(join(root, file), target);
  }
}

/** Pictures lie in one folder of the site, under the path they have in the repository. */
function imageAddress(file: string): string {
  return `${SITE_BASE}images/${file.replace(/^docs\/images\//, '').replaceAll('/', '-')}`;
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
