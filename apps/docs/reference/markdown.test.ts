import { expect, it } from 'vitest';
import { anchored, anchorOf, blocks, code, firstSentence, pageAnchors, table } from './markdown.ts';

it('keeps a pipe inside its cell', () => {
  expect(table(['Type'], [[code("'a' | 'b'")]])).toBe("| Type |\n| --- |\n| `'a' \\| 'b'` |");
});

it('makes no table without rows, and no blank block', () => {
  expect(blocks('One.', table(['A'], []), undefined, 'Two.')).toBe('One.\n\nTwo.');
});

it('knows the anchors of a page as the site makes them', () => {
  const page = `## createClient\n\n${anchored('property-x', 'x')}\n\n\`\`\`sh\n## no heading\n\`\`\`\n\n### POST /v1/charges/{id}\n\n## createClient`;
  expect(pageAnchors(page)).toEqual(['createclient', 'post-v1chargesid', 'createclient-1', 'property-x']);
  expect(anchorOf('POST /v1/charges/{id}')).toBe('post-v1chargesid');
});

it.each([
  ['One. Two.', 'One.'],
  ['Version 1.5 is read. More.', 'Version 1.5 is read.'],
  ['No stop', 'No stop'],
  ['Wraps\nhere. And on.', 'Wraps here.'],
])('takes the first sentence of %j', (text, expected) => {
  expect(firstSentence(text)).toBe(expected);
});
