import { beforeAll, describe, expect, it } from 'vitest';
import { referencePages } from '../apps/docs/reference/all-pages.ts';
import { type NamedThings, sourceNames } from '../apps/docs/reference/source-names.ts';
import { type CheckedPage, findReferenceProblems } from './check-reference.ts';

const messages = (pages: readonly CheckedPage[], expected: readonly NamedThings[]): readonly string[] =>
  findReferenceProblems(pages, expected).map(({ file, message }) => `${file}: ${message}`);

describe('a page', () => {
  const expected: NamedThings = {
    kind: 'error code',
    page: 'errors',
    names: ['declined', 'timeout'],
    entry: { form: 'heading', level: 3 },
  };
  const page = (markdown: string): readonly CheckedPage[] => [{ path: 'errors', markdown }];

  it('with exactly the names is right, whatever else it says', () => {
    expect(
      messages(page('## Errors\n\n### declined\n\n```sh\n### no heading\n```\n\n### timeout\n'), [expected]),
    ).toEqual([]);
  });

  it('without a name is told which', () => {
    expect(messages(page('### declined'), [expected])).toEqual(['errors: error code “timeout” has no entry']);
  });

  it('with a name too many is told which', () => {
    expect(messages(page('### declined\n### timeout\n### gone'), [expected])).toEqual([
      'errors: the entry “gone” is about no error code in the sources',
    ]);
  });

  it('that is missing altogether is named', () => {
    expect(messages([], [expected])).toEqual(['errors: there is no such page; it would have each error code']);
  });

  it('is searched for anchors and rows in one section only', () => {
    const markdown =
      '## One\n\n| A |\n| --- |\n| `row` | x |\n\n<a id="x-here"></a>\n\n### Below\n\n<a id="x-low"></a>\n\n## Two\n\n| `far` | x |\n\n<a id="x-far"></a>\n';
    const anchors: NamedThings = {
      ...expected,
      names: ['here', 'low'],
      entry: { form: 'anchor', prefix: 'x-', within: 'One' },
    };
    const rows: NamedThings = { ...expected, names: ['row'], entry: { form: 'row', within: 'One' } };
    expect(messages(page(markdown), [anchors, rows])).toEqual([]);
  });
});

describe('the reference as it is', () => {
  let pages: readonly CheckedPage[] = [];
  let expected: readonly NamedThings[] = [];

  beforeAll(async () => {
    [pages, expected] = await Promise.all([referencePages(), sourceNames()]);
  }, 180_000);

  it('has an entry for each name, and none for another', () => {
    expect(messages(pages, expected)).toEqual([]);
  });

  it('knows names of every kind', () => {
    const counts = new Map<string, number>();
    for (const { kind, names } of expected) {
      const sort = kind.replace(/ of .*/, '');
      counts.set(sort, (counts.get(sort) ?? 0) + names.length);
    }
    // A pattern that finds nothing would agree with a page that shows nothing.
    expect([...counts].filter(([, count]) => count === 0)).toEqual([]);
    expect(counts.get('export')).toBeGreaterThan(200);
    expect(counts.get('route')).toBeGreaterThan(25);
    expect(counts.get('error code')).toBeGreaterThan(40);
  });

  it('misses any entry that is taken out of it', () => {
    for (const things of expected) {
      const [name] = things.names;
      const page = pages.find(({ path }) => path === things.page);
      if (name === undefined || page === undefined) continue;
      const torn = { ...page, markdown: without(page.markdown, name, things) };
      expect(messages([torn], [things])).toEqual([`${page.path}: ${things.kind} “${name}” has no entry`]);
    }
  });
});

/** The page without the first entry of a name, as if nobody had made it. */
function without(markdown: string, name: string, { entry }: NamedThings): string {
  switch (entry.form) {
    case 'heading':
      return markdown.replace(`\n${'#'.repeat(entry.level)} ${name}\n`, '\n');
    case 'anchor':
      return markdown.replaceAll(`<a id="${entry.prefix}${name}"></a>`, '');
    case 'row':
      return markdown.replaceAll(`\n| \`${name}\` |`, '\n| gone |');
  }
}
