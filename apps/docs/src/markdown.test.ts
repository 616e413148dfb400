import { expect, test } from 'vitest';
import { changeLinks, readDocument } from './markdown.ts';

test('splits a page into title, description and body', () => {
  const text =
    '# `<pay-widget>` and *more*\n\n<img src="a.png">\n\nPays **one** session.\nThe guest clicks.\n\n## Part\n';
  expect(readDocument('a.md', text)).toEqual({
    title: '<pay-widget> and more',
    heading: '`<pay-widget>` and *more*',
    description: 'Pays one session. The guest clicks.',
    body: '<img src="a.png">\n\nPays **one** session.\nThe guest clicks.\n\n## Part',
  });
});

test('describes a decision by its context, not by its status', () => {
  expect(readDocument('a.md', '# 0001 One\n\nStatus: accepted\n\n## Context\n\nWhy it is so.\n').description).toBe(
    'Why it is so.',
  );
});

test('describes a page in whole sentences, as many as a search result shows', () => {
  const long = `It ${'goes on and '.repeat(16)}ends.`;
  expect(readDocument('a.md', `# A\n\nShort. Also short. ${long}`).description).toBe('Short. Also short.');
  expect(readDocument('a.md', `# A\n\n${long} Short.`).description).toBe(long);
});

test.each(['', 'Text first.\n\n# Late', '## Second level'])(
  'refuses a page that does not begin with its title: %j',
  (text) => {
    expect(() => readDocument('docs/a.md', text)).toThrow('docs/a.md: a page begins with its title');
  },
);

test('hands every link and picture to the change, and nothing that is code', () => {
  const text = [
    '[one](a.md) ![two](b.png) <img alt="x" src="c.png" width="1"> [`three`](d.ts)',
    '[four][ref] `[no](code.md)`',
    '',
    '```md',
    '[no](block.md)',
    '```',
    '',
    '[ref]: e.md "title"',
  ].join('\n');
  const seen: string[] = [];
  changeLinks(text, ({ kind, target, isCode }) => {
    seen.push(`${kind} ${target}${isCode ? ' code' : ''}`);
    return undefined;
  });
  expect(seen).toEqual(['link a.md', 'image b.png', 'image c.png', 'link d.ts code', 'link e.md']);
});

test('changes targets, or whole links, and leaves the rest byte for byte', () => {
  const text = '* [a.md](a.md)  and [b](b.md "t")\n\n<img src="c.png">';
  const changed = changeLinks(text, ({ target }) => (target === 'b.md' ? { markdown: 'B' } : { target: `/${target}` }));
  expect(changed).toBe('* [a.md](/a.md)  and B\n\n<img src="/c.png">');
});
