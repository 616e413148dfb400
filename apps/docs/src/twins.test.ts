import { expect, test } from 'vitest';
import type { Page } from './collect-pages.ts';
import { llmsFullText, llmsText, twin } from './twins.ts';

const LANDING: Page = {
  path: '',
  title: 'Innkeep',
  heading: 'Innkeep',
  description: 'Takes payments.',
  label: 'What it is',
  section: 'Start here',
  file: 'docs/README.md',
  body: 'Takes payments. [Go](guides/go.md#part) <img src="images/a.png">',
};
const GUIDE: Page = {
  path: 'guides/go',
  title: '<go>',
  heading: '`<go>`',
  description: '',
  label: 'Go',
  section: 'Guides',
  file: 'docs/guides/go.md',
  body: '[first](../README.md)',
};
const PAGES = [LANDING, GUIDE];

test('a twin has the page’s title, and links to other twins', () => {
  expect(twin(LANDING, PAGES)).toBe(
    '# Innkeep\n\nTakes payments. [Go](/docs/guides/go.md#part) <img src="/docs/images/a.png">\n',
  );
  expect(twin(GUIDE, PAGES)).toBe('# `<go>`\n\n[first](/docs/index.md)\n');
});

test('llms.txt says what it is and lists every page by section', () => {
  expect(llmsText(PAGES)).toBe(
    [
      '# Innkeep',
      '> Takes payments.',
      '## Start here',
      '- [Innkeep](/docs/index.md): Takes payments.',
      '## Guides',
      '- [`<go>`](/docs/guides/go.md)\n',
    ].join('\n\n'),
  );
});

test('llms-full.txt holds every page with its address', () => {
  const text = llmsFullText(PAGES);
  for (const part of ['<!-- /docs/index.md -->', '# Innkeep', '<!-- /docs/guides/go.md -->', '# `<go>`'])
    expect(text).toContain(part);
});
