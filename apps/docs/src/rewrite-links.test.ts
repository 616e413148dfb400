import { expect, test } from 'vitest';
import type { Page } from './collect-pages.ts';
import { rewriteLinks } from './rewrite-links.ts';

function page(file: string | undefined, path: string, body = ''): Page {
  return {
    title: path,
    heading: path,
    description: '',
    label: path,
    section: 'All',
    path,
    body,
    ...(file && { file }),
  };
}

const PAGES: readonly Page[] = [
  page('docs/guides/a.md', 'guides/a'),
  page('packages/core/README.md', 'packages/core'),
  page(undefined, 'reference/errors'),
];

function rewrite(body: string): string {
  return rewriteLinks(page('docs/guides/b.md', 'guides/b', body), PAGES, {
    page: ({ path }, anchor) => `/${path}${anchor === '' ? '' : `#${anchor}`}`,
    image: (file) => `/images/${file}`,
  });
}

test('leads to the page a file became, with its anchor', () => {
  expect(rewrite('[a](a.md#part)')).toBe('[a](/guides/a#part)');
});

test('leads to the page of a folder’s README', () => {
  expect(rewrite('[core](../../packages/core) [core](../../packages/core/)')).toBe(
    '[core](/packages/core) [core](/packages/core)',
  );
});

test('leads to a page made from source by the file it would be', () => {
  expect(rewrite('[errors](../reference/errors.md)')).toBe('[errors](/reference/errors)');
});

test('leaves other sites and anchors of its own alone', () => {
  expect(rewrite('[x](https://example.com/a.md) [y](#part) <mailto:a@example.com>')).toBe(
    '[x](https://example.com/a.md) [y](#part) <mailto:a@example.com>',
  );
});

test('writes out the path of a file that is no page', () => {
  expect(rewrite('see [the table](../../scripts/check.ts), [`check.ts`](../../scripts/check.ts)')).toBe(
    'see the table (`scripts/check.ts`), `scripts/check.ts`',
  );
});

test('collects pictures under their path in the repository', () => {
  expect(rewrite('![pay](../images/pay.png)')).toBe('![pay](/images/docs/images/pay.png)');
});
