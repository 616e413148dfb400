import { expect, test } from 'vitest';
import type { Page } from './collect-pages.ts';
import type { Section } from './page-table.ts';
import { sidebar } from './sidebar.ts';

const SECTIONS: readonly Section[] = [
  { label: 'Guides', path: 'guides', files: [] },
  {
    label: 'Reference',
    path: 'reference',
    files: [],
    groups: { 'reference/http': 'HTTP API', 'reference/core': '@x/core' },
  },
  { label: 'Empty', path: 'empty', files: [] },
];

function page(section: string, path: string, label: string): Page {
  return { section, path, label, title: label, heading: label, description: '', body: '' };
}

test('shows sections with pages, single pages before groups, and no word twice', () => {
  const pages = [
    page('Reference', 'reference/http/events', 'HTTP API: events'),
    page('Reference', 'reference/http', 'HTTP API'),
    page('Reference', 'reference/core/errors', '@x/core/errors'),
    page('Reference', 'reference/errors', 'Errors'),
    page('Guides', 'guides/go', 'Go live'),
  ];
  expect(sidebar(pages, SECTIONS)).toEqual([
    { label: 'Guides', collapsed: false, items: [{ label: 'Go live', link: '/guides/go' }] },
    {
      label: 'Reference',
      collapsed: false,
      items: [
        { label: 'Errors', link: '/reference/errors' },
        {
          label: 'HTTP API',
          collapsed: true,
          items: [
            { label: 'Events', link: '/reference/http/events' },
            { label: 'Overview', link: '/reference/http' },
          ],
        },
        { label: '@x/core', collapsed: true, items: [{ label: 'errors', link: '/reference/core/errors' }] },
      ],
    },
  ]);
});
