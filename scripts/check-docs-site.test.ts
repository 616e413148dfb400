import { expect, test } from 'vitest';
import { findSiteProblems } from './check-docs-site.ts';

/** A page that is whole: it names its twin and can be jumped into. */
function page(twin: string, body = ''): string {
  return `<html><head><link rel="alternate" type="text/markdown" href="/docs/${twin}"></head><body><h2 id="part">Part</h2>${body}</body></html>`;
}

const SITE: Readonly<Record<string, string>> = {
  'index.html': page('index.md', '<a href="/docs/guides/go/#part">go</a> <a href="https://example.com/x">out</a>'),
  'index.md': '# First\n\n[go](/docs/guides/go.md)\n',
  'guides/go/index.html': page('guides/go.md', '<a href="#part">up</a><img src="/docs/a.png" width="1" height="1">'),
  'guides/go.md': '# Go\n\n`[code](nowhere.md)`\n',
  '404.html': '<html><body><a href="/docs/">first</a></body></html>',
  'llms.txt': '- [First](/docs/index.md)\n- [Go](/docs/guides/go.md)\n',
  'a.png': '',
};

function messages(changes: Readonly<Record<string, string>>): readonly string[] {
  const site = { ...SITE, ...changes };
  return findSiteProblems(Object.keys(site), (file) => site[file as keyof typeof site] ?? '').map(
    ({ file, message }) => `${file} ${message}`,
  );
}

test('finds nothing in a site that is whole', () => {
  expect(messages({})).toEqual([]);
});

test('names a link to a page that is not there', () => {
  expect(messages({ '404.html': '<a href="/docs/gone/">gone</a>' })).toEqual([
    '404.html /docs/gone/: no such page or file',
  ]);
});

test('names an anchor that its page does not have', () => {
  expect(messages({ '404.html': '<a href="/docs/guides/go/#gone">gone</a>' })).toEqual([
    '404.html /docs/guides/go/#gone: no such anchor',
  ]);
});

test('names a link out of the base path', () => {
  expect(messages({ '404.html': '<a href="/booking">book</a>' })).toEqual([
    '404.html /booking: leaves the site’s base path',
  ]);
});

test('names a missing picture, and one without a size', () => {
  expect(messages({ '404.html': '<img src="/docs/b.png" width="1" height="1"><img src="/docs/a.png">' })).toEqual([
    '404.html /docs/b.png: no such page or file',
    '404.html /docs/a.png: write its width and height, or the page jumps',
  ]);
});

test('names a page without a twin, and a twin that is not named or listed', () => {
  expect(messages({ 'new/index.html': '<p>New</p>', 'extra.md': '# Extra' })).toEqual([
    'new/index.html has no Markdown twin new.md',
    'new/index.html does not name its Markdown twin /docs/new.md',
    'llms.txt does not list extra.md',
  ]);
});

test('follows the links of twins and of llms.txt', () => {
  expect(messages({ 'index.md': '# First\n\n[gone](/docs/gone.md)\n' })).toEqual([
    'index.md /docs/gone.md: no such page or file',
  ]);
});
