/** Writes every page as Starlight wants it, into `site/content/docs`. Git ignores that folder. */
import { copyFileSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, posix } from 'node:path';
import { renderMermaidSVG } from 'beautiful-mermaid';
import { type Page, SECTIONS } from './page-table.ts';

/** The repository. */
const ROOT: string = join(import.meta.dirname, '../../..');
/** Path the site is served under: the demo hotel has the rest of the origin. */
export const BASE = '/docs/';
/** The folder of the pages. */
const PAGES: string = join(import.meta.dirname, '../site/content/docs');
/** Files that are served as they are. */
const PUBLIC: string = join(import.meta.dirname, '../site/public');

/** Every page that is a file of the repository. */
export function writtenPages(): readonly Page[] {
  const listed = SECTIONS.flatMap(({ pages }) => pages);
  const all = [...listed, ...decisions()];
  const lost = globSync(['docs/**/*.md', 'packages/{*,widgets/src/elements/*}/README.md'], { cwd: ROOT })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !all.some((page) => page.file === file));
  if (lost.length > 0) throw new Error(`Give these a place in apps/docs/src/page-table.ts: ${lost.join(', ')}`);
  return all;
}

/** Decision records, by number. */
export function decisions(): readonly Page[] {
  return globSync('docs/decisions/[0-9]*.md', { cwd: ROOT })
    .sort()
    .map((file) => ({ file: file.replaceAll('\\', '/'), path: `decisions/${basename(file, '.md')}` }));
}

/** Makes the folder of the pages anew. */
export function stage(): void {
  for (const folder of [PAGES, PUBLIC]) rmSync(folder, { recursive: true, force: true });
  const pages = writtenPages();
  for (const page of pages) {
    const text = page.make?.() ?? readFileSync(join(ROOT, page.file), 'utf8');
    const { title, description, body } = readDocument(page.file, text);
    writePage(page.path, { title, description, label: page.label, body: withDiagrams(withLinks(page, pages, body)) });
  }
  writePage('404', {
    title: 'There is no such page',
    body: `The address may be mistyped, or the page has moved. The menu has every page, and [the first one](${BASE}) says where to begin.`,
  });
  copy('apps/docs/site/icon.svg', 'icon.svg');
  // That of the MOTO build has everything of the other.
  const file = join(ROOT, 'packages/edge-proxy/dist/assets-moto/openapi.json');
  const document = JSON.parse(readFileSync(file, 'utf8')) as object;
  // The proxy says “/”; a command that can be copied needs an address.
  const servers = [{ url: 'https://pay.hotel.example' }];
  write(join(PUBLIC, 'openapi.json'), JSON.stringify({ ...document, servers }));
}

interface Document {
  readonly title: string;
  readonly description?: string | undefined;
  readonly label?: string | undefined;
  readonly body: string;
}

/** Splits a page that begins with `# Title`; its first sentence is its description. */
export function readDocument(file: string, text: string): Document {
  const [, heading, body] = /^# (.+)\n([\s\S]*)$/.exec(text) ?? [];
  if (heading === undefined || body === undefined) throw new Error(`${file}: a page begins with “# Title”.`);
  const paragraph = body.split(/\n{2,}/).find((each) => /^\s*[\p{L}\d“”*`[]/u.test(each) && !/^\s*Status:/.test(each));
  const [sentence = ''] = /^.+?[.:](?=\s|$)/.exec(plain(paragraph ?? '')) ?? [];
  return { title: plain(heading), description: sentence, body };
}

/** Markdown without its marks. */
function plain(text: string): string {
  return text
    .replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`*]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/**
 * Turns links to files into addresses of the site. What a reader needs whole is served; another file that is no page becomes its path,
 * set as code: the repository has no address that the site could know.
 */
export function withLinks({ file }: Page, pages: readonly Page[], text: string): string {
  const resolve = (target: string): string => posix.join(posix.dirname(file), decodeURI(target)).replace(/\/$/, '');
  const isFile = (target: string): boolean => !/^(?:[a-z][a-z0-9+.-]*:|#|\/)/i.test(target);
  return outsideCode(text, (part) =>
    part
      .replaceAll(/<img\b[^>]*?\bsrc="([^"]+)"/g, (tag, target: string) =>
        isFile(target) ? tag.replace(target, image(resolve(target))) : tag,
      )
      .replaceAll(
        /(!?)\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)/g,
        (link, mark: string, words: string, target: string) => {
          if (!isFile(target)) return link;
          const [path = '', anchor] = target.split('#');
          const found = resolve(path);
          if (mark === '!') return `![${words}](${image(found)})`;
          const page = pages.find((each) => each.file === found || each.file === `${found}/README.md`);
          if (page === undefined && !existsSync(join(ROOT, found))) throw new Error(`${file}: there is no ${found}`);
          if (page === undefined && found.endsWith('.php')) return `[${words}](${download(found)})`;
          if (page === undefined)
            return words === `\`${basename(found)}\`` ? `\`${found}\`` : `${words} (\`${found}\`)`;
          return `[${words}](${pageAddress(page.path)}${anchor === undefined ? '' : `#${anchor}`})`;
        },
      ),
  );
}

/** Address of a page. */
function pageAddress(path: string): string {
  return `${BASE}${path === '' ? '' : `${path}/`}`;
}

/** Applies a change to what is neither a code block nor code in a line. */
function outsideCode(text: string, change: (part: string) => string): string {
  return text
    .split(/(^ *(`{3,}|~{3,})[\s\S]*?^ *\2 *$)/m)
    .map((part, at) => (at % 3 === 0 ? change(part) : at % 3 === 1 ? part : ''))
    .join('');
}

/** Copies a picture of the repository into the site and gives its address. */
function image(file: string): string {
  copy(file, `images/${basename(file)}`);
  return `${BASE}images/${basename(file)}`;
}

/** The same for a file that a reader takes along. */
function download(file: string): string {
  copy(file, `files/${basename(file)}`);
  return `${BASE}files/${basename(file)}`;
}

/**
 * Draws the blocks of Mermaid. The drawing takes its colours from the theme's style sheet, so its own style goes; the block's accessible
 * description is its label, and the page says the same in words.
 */
export function withDiagrams(text: string): string {
  let count = 0;
  return text.replaceAll(/^```mermaid\n([\s\S]*?)^```$/gm, (_, source: string) => {
    const label = /^\s*accDescr: (.+)$/m.exec(source)?.[1] ?? 'Diagram';
    const drawing = renderMermaidSVG(source.replace(/^\s*accDescr: .*\n/m, ''), { transparent: true, padding: 8 })
      .replace(/<style>[\s\S]*?<\/style>/, '')
      .replace(/^<svg (.*?) style="[^"]*">/, `<svg $1 role="img" aria-label="${label}">`)
      .replaceAll('arrowhead', `arrow${++count}`)
      .replaceAll(/\s*\n\s*/g, '');
    return `<figure class="diagram">${drawing}</figure>`;
  });
}

function writePage(path: string, { title, description, label, body }: Document): void {
  const matter = { title, description, sidebar: { label: label ?? title }, ...(path === '404' ? NO_PAGE : {}) };
  const head = Object.entries(matter).flatMap(([key, value]) =>
    value === undefined ? [] : [`${key}: ${JSON.stringify(value)}`],
  );
  write(
    join(PAGES, `${path === '' || path === 'upstream' || path === 'decisions' ? posix.join(path, 'index') : path}.md`),
    `---\n${head.join('\n')}\n---\n${body}`,
  );
}

const NO_PAGE = { pagefind: false, tableOfContents: false, prev: false, next: false };

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function copy(file: string, to: string): void {
  mkdirSync(dirname(join(PUBLIC, to)), { recursive: true });
  copyFileSync(join(ROOT, file), join(PUBLIC, to));
}
