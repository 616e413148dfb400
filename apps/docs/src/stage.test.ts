import { expect, test } from 'vitest';
import { errorCodesOf, readErrorCodes } from './errors-page.ts';
import { readDocument, withDiagrams, withLinks, writtenPages } from './stage.ts';
import { finishPages } from './strict-policy.ts';

const PAGE = { file: 'docs/guides/here.md', path: 'guides/here' };
const PAGES = [PAGE, { file: 'docs/README.md', path: '' }, { file: 'packages/core/README.md', path: 'packages/core' }];

test.each([
  ['[there](../README.md#put-it)', '[there](/docs/#put-it)'],
  ['[`core`](../../packages/core)', '[`core`](/docs/packages/core/)'],
  ['[code](../../packages/core/package.json)', 'code (`packages/core/package.json`)'],
  ['[`package.json`](../../packages/core/package.json)', '`packages/core/package.json`'],
  [
    '[`innkeep.php`](../../packages/create-innkeep/templates/php/innkeep.php)',
    '[`innkeep.php`](/docs/files/innkeep.php)',
  ],
  ['[out](https://example.com/a.md) [up](#here)', '[out](https://example.com/a.md) [up](#here)'],
  ['```md\n[kept](../README.md)\n```\n[changed](../README.md)', '```md\n[kept](../README.md)\n```\n[changed](/docs/)'],
])('turns the link in %j into %j', (text, expected) => {
  expect(withLinks(PAGE, PAGES, text)).toBe(expected);
});

test('refuses a link to a file that does not exist', () => {
  expect(() => withLinks(PAGE, PAGES, '[nowhere](nowhere.md)')).toThrow(
    'docs/guides/here.md: there is no docs/guides/nowhere.md',
  );
});

test('reads the title and the first sentence of a page, and refuses one without a title', () => {
  const text = '# A `title`\n\nStatus: accepted\n\nIt [does](x.md) *this*. And that.\n';
  expect(readDocument('a.md', text)).toMatchObject({ title: 'A title', description: 'It does this.' });
  expect(() => readDocument('a.md', 'No title')).toThrow('a.md');
});

test('draws a diagram in colours of the page, without a style of its own', () => {
  const text = withDiagrams('```mermaid\nstateDiagram-v2\n  accDescr: Two states.\n  a --> b: go\n```\n');
  expect(text).toMatch(
    /^<figure class="diagram"><svg [^>]*role="img" aria-label="Two states\.">.*<\/svg><\/figure>\n$/,
  );
  expect(text).toContain('>go</text>');
  expect(text).not.toMatch(/<style| style=/);
});

test('gives every page an address of its own', () => {
  const paths = writtenPages().map(({ path }) => path);
  expect(new Set(paths).size).toBe(paths.length);
});

test('finds the code of a row, a union member and a class', () => {
  const comment = (text: string): string => `/**\n * ${text}\n *\n * Money: no.\n *\n * What to do: wait.\n */\n`;
  const source = `${comment('A row.')}busy: 409,\nexport type PayErrorCode =\n${comment('A member.')}| 'lost';\n${comment('A class.')}export class GoneError extends Error {\n  declare readonly code: 'gone';\n}`;
  expect(errorCodesOf(source).map(({ code, origin }) => [code, origin])).toEqual([
    ['busy', 'HTTP 409 of the proxy'],
    ['lost', '`pay-error` event of an element'],
    ['gone', '`GoneError`'],
  ]);
});

test('every code of the packages has its meaning, and says what happened to the money', () => {
  const codes = readErrorCodes();
  expect(codes.length).toBeGreaterThan(50);
  expect(codes.filter(({ code, comment }) => code === '' || !/^Money: /m.test(comment))).toEqual([]);
});

test('names inline scripts by hash and turns style attributes into classes, but leaves code in attributes alone', () => {
  const page = `<html lang="en" data-theme="dark"><meta charset="utf-8"/><p class="a" style="--x:1">t</p><b data-code="<p style='y'> => <script>1</script>" style="--x:1"></b><script>go()</script><script src="/a.js"></script>`;
  const { pages, css, policy } = finishPages([page], '/s.css');
  expect(css).toBe('@layer attributes{.style-0{--x:1}}\n');
  expect(pages[0]).toContain('<p class="style-0 a">');
  expect(pages[0]).toContain(`<b class="style-0" data-code="<p style='y'> => <script>1</script>">`);
  expect(pages[0]).toContain('<html lang="en">');
  expect(policy.match(/'sha256-[^']+'/g)).toHaveLength(1);
  expect(policy).not.toContain('unsafe-inline');
  expect(() => finishPages(['<style>p{}</style>'], '/s.css')).toThrow('inline style');
});

test('copies from a terminal what was typed, without prompts and answers', () => {
  const page = `<meta charset="utf-8"><button data-code="$ npm i a\x7f$ npx a\x7fready"></button>`;
  expect(finishPages([page], '/s.css').pages[0]).toContain('<button data-code="npm i a\x7fnpx a"></button>');
});
