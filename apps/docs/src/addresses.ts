/** Path the site is served under: the demo hotel has the rest of the origin. */
export const SITE_BASE = '/docs/';

/** Address of a page, with its anchor when there is one. */
export function pageAddress(path: string, anchor = ''): string {
  return `${SITE_BASE}${path === '' ? '' : `${path}/`}${anchor === '' ? '' : `#${anchor}`}`;
}

/** Address of a picture of the repository: pictures lie in one folder of the site. */
export function imageAddress(file: string): string {
  return `${SITE_BASE}images/${file.replace(/^docs\/images\//, '').replaceAll('/', '-')}`;
}

/** Address of a page's Markdown twin: the page's own, with `.md` in place of the last slash. */
export function twinAddress(path: string): string {
  return `${SITE_BASE}${path === '' ? 'index' : path}.md`;
}
