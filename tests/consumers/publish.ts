import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative } from 'node:path';
import type { SitePage } from '../support/fake-hotel.ts';

const TYPES: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript' };

/** Puts every file of a project's folder among a site's pages, at its path in the project. */
export async function publish(pages: Record<string, () => SitePage>, project: string, folder: string): Promise<void> {
  for (const entry of await readdir(join(project, folder), { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    const type = TYPES[extname(file)];
    if (entry.isFile() && type !== undefined) {
      const body = await readFile(file);
      pages[`/${relative(project, file)}`] = () => ({ body, type });
    }
  }
}
