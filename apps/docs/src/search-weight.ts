/** Sections for readers with a task. Reference and notes repeat their words, often more densely. */
const TASKS = ['quick-starts', 'concepts', 'guides'];
/** Sections that few readers look for. */
const BACKGROUND = ['packages', 'upstream', 'decisions', 'contributing', 'security', 'architecture', 'glossary'];

/**
 * How much a page's words count in the search.
 *
 * @param id the page's path below the site's base: `guides/go-live`
 */
export function searchWeight(id: string): number {
  const [section = ''] = id.split('/');
  if (TASKS.includes(section)) return 2;
  return BACKGROUND.includes(section) ? 0.5 : 1;
}
