import { expect, it } from 'vitest';
import { findLinkProblems, headingAnchors } from './check-doc-links.ts';

const TEXTS: Readonly<Record<string, string>> = {
  'README.md': '# Innkeep\n',
  'docs/errors.md': '# Errors\n\n## `declined`, and why\n\n## Again\n\n## Again\n',
};

function messages(text: string): readonly string[] {
  const files = new Set([...Object.keys(TEXTS), 'docs/guide.md', 'packages/core/src/index.ts']);
  return findLinkProblems('docs/guide.md', text, files, (file) => TEXTS[file] ?? '').map(
    ({ line, message }) => `${line} ${message}`,
  );
}

it('accepts links to files, folders, headings and the web', () => {
  const text =
    '# Here\n[a](../README.md) [b](errors.md#declined-and-why) [c](../packages/core) [d](#here) [e](https://hotel.example/x)';
  expect(messages(text)).toEqual([]);
});

it('finds a missing file, a missing heading and an absolute path', () => {
  expect(messages('[a](missing.md)\n[b](errors.md#gone)\n[c](/README.md)\n\n[d]: also-missing.md')).toEqual([
    '1 missing.md: no such file',
    '2 errors.md#gone: no such heading',
    '3 /README.md: write a link relative to this file',
    '5 also-missing.md: no such file',
  ]);
});

it('ignores what only looks like a link in code', () => {
  expect(messages('`[a](missing.md)`\n\n```ts\nx[a](missing);\n```\n')).toEqual([]);
});

it('makes anchors the way the web view does', () => {
  expect([...headingAnchors(TEXTS['docs/errors.md'] ?? '')]).toEqual([
    'errors',
    'declined-and-why',
    'again',
    'again-1',
  ]);
});
