import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path/posix';
import type { ReferencePage } from '../reference/all-pages.ts';
import { readDocument } from './markdown.ts';
import type { PageFile, Section } from './page-table.ts';

/** One page of the site, before its links are made addresses. */
export interface Page {
  /** Address below the site's base, without slashes at its ends; empty for the landing page. */
  readonly path: string;
  readonly title: string;
  /** The title as Markdown. */
  readonly heading: string;
  readonly description: string;
  /** What the side bar calls it. */
  readonly label: string;
  /** Label of its section. */
  readonly section: string;
  /** File it was read from, relative to the repository's root; none when it was made from source. */
  readonly file?: string;
  /** Markdown without the first heading. Links are relative to `file`, or to `docs/` when there is none. */
  readonly body: string;
}

/**
 * Every page, in the order of the side bar.
 *
 * @throws Error when a listed file is missing or does not begin with a title, when two pages have one address, or when a Markdown file of
 * `docs/` is in no section.
 */
export function collectPages(
  root: string,
  sections: readonly Section[],
  reference: readonly ReferencePage[],
): readonly Page[] {
  const listed = new Set(sections.flatMap(({ files }) => files.map((each) => pageFile(each).file)));
  const pages = sections.flatMap((section) => {
    const rest = section.rest === undefined ? [] : markdownIn(root, section.rest).filter((file) => !listed.has(file));
    const files = [...section.files, ...rest].map(pageFile);
    return [
      ...files.map((each) => readPage(root, section, each)),
      ...(section.generated === true ? reference.map((page) => generatedPage(section, page)) : []),
    ];
  });
  const lost = markdownIn(root, 'docs', '**/*.md').filter((file) => !pages.some((page) => page.file === file));
  if (lost.length > 0)
    throw new Error(`In no section of the site: ${lost.join(', ')}. Give it a place in apps/docs/src/page-table.ts.`);
  const twice = pages.find((page, index) => pages.findIndex(({ path }) => path === page.path) !== index);
  if (twice !== undefined)
    throw new Error(`Two pages at ${twice.path}: give one another slug in apps/docs/src/page-table.ts.`);
  return pages;
}

function readPage(root: string, section: Section, { file, slug, label }: PageFile): Page {
  if (!existsSync(join(root, file)))
    throw new Error(`No such file: ${file}. Take it out of apps/docs/src/page-table.ts.`);
  const document = readDocument(file, readFileSync(join(root, file), 'utf8'));
  const name = slug ?? basename(file, '.md');
  return {
    ...document,
    path: [section.path, name === 'index' ? '' : name].filter((part) => part !== '').join('/'),
    label: label ?? document.title,
    section: section.label,
    file,
  };
}

function generatedPage(section: Section, { path, title, description, markdown }: ReferencePage): Page {
  // Names of elements and packages are code, and `<pay-widget>` as text would be a tag.
  const heading = /^[<@]/.test(title) ? `\`${title}\`` : title;
  return { path, title, heading, description, label: title, section: section.label, body: markdown };
}

function pageFile(each: string | PageFile): PageFile {
  return typeof each === 'string' ? { file: each } : each;
}

function markdownIn(root: string, folder: string, pattern = '*.md'): readonly string[] {
  return globSync(pattern, { cwd: join(root, folder) })
    .map((file) => `${folder}/${file.replaceAll('\\', '/')}`)
    .sort();
}
