import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { collectPages } from './collect-pages.ts';
import type { Section } from './page-table.ts';

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'innkeep-docs-'));
});
afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

function files(texts: Readonly<Record<string, string>>): void {
  for (const [file, text] of Object.entries(texts)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
}

const GUIDES: Section = {
  label: 'Guides',
  path: 'guides',
  files: ['docs/guides/second.md', { file: 'docs/guides/README.md', slug: 'index', label: 'All' }],
  rest: 'docs/guides',
};

test('orders the pages of a section: those named first, the rest by name', () => {
  files({
    'docs/guides/README.md': '# Guides',
    'docs/guides/b.md': '# B',
    'docs/guides/a.md': '# A',
    'docs/guides/second.md': '# Second',
  });
  expect(collectPages(root, [GUIDES], []).map(({ path, label }) => [path, label])).toEqual([
    ['guides/second', 'Second'],
    ['guides', 'All'],
    ['guides/a', 'A'],
    ['guides/b', 'B'],
  ]);
});

test('puts the pages made from source where the table wants them', () => {
  const page = { path: 'reference/errors', title: 'Errors', description: 'Every code.', markdown: 'Text' };
  const [first] = collectPages(root, [{ label: 'Reference', path: 'reference', files: [], generated: true }], [page]);
  expect(first).toMatchObject({ path: 'reference/errors', label: 'Errors', section: 'Reference', body: 'Text' });
});

test('names a file of docs/ that no section lists', () => {
  files({ 'docs/guides/second.md': '# Second', 'docs/guides/README.md': '# Guides', 'docs/stray/lost.md': '# Lost' });
  expect(() => collectPages(root, [GUIDES], [])).toThrow('In no section of the site: docs/stray/lost.md.');
});

test('names a listed file that is not there', () => {
  expect(() => collectPages(root, [{ ...GUIDES, files: ['docs/guides/gone.md'] }], [])).toThrow(
    'No such file: docs/guides/gone.md.',
  );
});

test('refuses two pages with one address', () => {
  files({ 'docs/guides/second.md': '# Second', 'docs/guides/README.md': '# Guides' });
  const page = { path: 'guides/second', title: 'Second', description: '', markdown: '' };
  expect(() => collectPages(root, [{ ...GUIDES, generated: true }], [page])).toThrow('Two pages at guides/second');
});
