// Prevents: a documentation site with a link, a picture or a Markdown twin that leads nowhere. The links of the sources are checked
// by check-doc-links; this looks at what readers get: every built page, its anchors, `llms.txt` and the twins.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { DOCS_DIST } from './docs-server.ts';
import { lineAt, type Problem, reportProblems } from './report-problems.ts';

const BASE = '/docs/';

/** What is wrong with a built site. `files` are its paths below the base; `read` gives the text of one. */
export function findSiteProblems(files: readonly string[], read: (file: string) => string): readonly Problem[] {
  const present = new Set(files);
  const pages = new Map(files.filter((file) => file.endsWith('.html')).map((file) => [file, readPage(read(file))]));
  const resolve = (from: string, link: string): string | undefined => {
    const { host, protocol, pathname, hash } = new URL(link, `http://site.test${BASE}${from}`);
    if (protocol !== 'http:' || host !== 'site.test') return undefined;
    if (!pathname.startsWith(BASE)) return 'leaves the site’s base path';
    const path = decodeURI(pathname.slice(BASE.length));
    const file = path === '' || path.endsWith('/') ? `${path}index.html` : path;
    if (!present.has(file)) return 'no such page or file';
    const anchor = decodeURIComponent(hash.slice(1));
    return anchor === '' || !pages.has(file) || pages.get(file)?.anchors.has(anchor) === true
      ? undefined
      : 'no such anchor';
  };

  const fromPages = [...pages].flatMap(([file, page]) => [
    ...page.links.flatMap((link) => {
      const problem = resolve(file, link);
      return problem === undefined ? [] : [{ file, message: `${link}: ${problem}` }];
    }),
    ...page.pictures.map((picture) => ({ file, message: `${picture}: write its width and height, or the page jumps` })),
    ...(file === '404.html' || present.has(twinOf(file))
      ? []
      : [{ file, message: `has no Markdown twin ${twinOf(file)}` }]),
    ...(file === '404.html' || page.twins.includes(`${BASE}${twinOf(file)}`)
      ? []
      : [{ file, message: `does not name its Markdown twin ${BASE}${twinOf(file)}` }]),
  ]);
  const fromTexts = files
    .filter((file) => file.endsWith('.md') || file === 'llms.txt')
    .flatMap((file) => {
      const text = withoutCode(read(file));
      return [...text.matchAll(/\]\(<?([^)\s>]+)>?\)/g)].flatMap((match) => {
        const problem = resolve(file, match[1] ?? '');
        return problem === undefined
          ? []
          : [{ file, line: lineAt(text, match.index), message: `${match[1]}: ${problem}` }];
      });
    });
  const unlisted = files
    .filter((file) => file.endsWith('.md') && !read('llms.txt').includes(`(${BASE}${file})`))
    .map((file) => ({ file: 'llms.txt', message: `does not list ${file}` }));
  return [...fromPages, ...fromTexts, ...unlisted];
}

/** What one page links to and can be linked to. */
interface BuiltPage {
  readonly links: readonly string[];
  readonly anchors: ReadonlySet<string>;
  /** Pictures without a size. */
  readonly pictures: readonly string[];
  /** Markdown that the page names as its own. */
  readonly twins: readonly string[];
}

function readPage(html: string): BuiltPage {
  const elements = elementsOf(parse(html));
  const values = (name: string): readonly string[] => elements.flatMap((attributes) => attributes.get(name) ?? []);
  return {
    links: ['href', 'src'].flatMap(values),
    anchors: new Set(values('id')),
    pictures: elements
      .filter((each) => each.get('') === 'img' && !(each.has('width') && each.has('height')))
      .map((each) => each.get('src') ?? 'a picture'),
    twins: elements
      .filter((each) => each.get('rel') === 'alternate' && each.get('type') === 'text/markdown')
      .flatMap((each) => each.get('href') ?? []),
  };
}

/** Attributes of every element; the name of the element is under the empty name. */
function elementsOf(parent: DefaultTreeAdapterTypes.ParentNode): readonly ReadonlyMap<string, string>[] {
  return parent.childNodes.flatMap((child) =>
    'attrs' in child
      ? [
          new Map([['', child.tagName], ...child.attrs.map(({ name, value }): [string, string] => [name, value])]),
          ...elementsOf(child),
        ]
      : [],
  );
}

/** `guides/go-live/index.html` → `guides/go-live.md`. */
function twinOf(file: string): string {
  return file === 'index.html' ? 'index.md' : file.replace(/(?:\/index)?\.html$/, '.md');
}

/** Blanks out code, keeping every offset. */
function withoutCode(text: string): string {
  return text.replace(/^(`{3,}|~{3,})[\s\S]*?^\1[^\n]*$|`[^`\n]*`/gm, (code) => code.replaceAll(/[^\n]/g, ' '));
}

if (import.meta.main) {
  const files = globSync('**/*', { cwd: DOCS_DIST, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(DOCS_DIST.length + 1)
        .replaceAll('\\', '/'),
    );
  reportProblems(
    findSiteProblems(files, (file) => readFileSync(join(DOCS_DIST, file), 'utf8')),
    'Links are repaired in the Markdown they come from; src/page-table.ts of apps/docs says which file becomes which page.',
    `${files.filter((file) => file.endsWith('.html')).length} pages`,
  );
}
