import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { finishHtml } from './finish-html.ts';

function document(body: string, head = ''): string {
  return `<!DOCTYPE html><html lang="en" data-theme="dark"><head><meta charset="utf-8"/>${head}</head><body>${body}</body></html>`;
}

test('turns style attributes into classes of one style sheet, code blocks included', () => {
  const { pages, css } = finishHtml([
    document('<p class="a" style="color:red">x</p>'),
    document('<pre><code><span style="color:red">x</span></code></pre>'),
  ]);
  const [, name] = /\.(style-\w+)\{color:red\}/.exec(css) ?? [];
  expect(pages[0]).toContain(`<p class="a ${name}" >x</p>`.replace(' >', '>'));
  expect(pages[1]).toContain(`<span class="${name}">x</span>`);
  expect(css).toMatch(/^@layer attributes\{/);
});

test('names every inline script by its hash, once, in the header and in each page', () => {
  const script = '\n  const quote = \'<p style="x">\';\n';
  const hash = `'sha256-${createHash('sha256').update(script).digest('base64')}'`;
  const { pages, policy } = finishHtml([
    document(`<script>${script}</script><script type="module" src="/a.js"></script>`),
    document(`<script>${script}</script>`),
  ]);
  expect(policy.split(' ').filter((word) => word.startsWith("'sha256"))).toEqual([`${hash};`]);
  expect(policy).toContain("frame-ancestors 'none'");
  for (const page of pages) {
    expect(page).toContain(`<script>${script}</script>`);
    expect(page).toMatch(
      /<meta charset="utf-8"\/?><meta http-equiv="content-security-policy" content="default-src 'none';/,
    );
    expect(page).not.toContain('frame-ancestors');
  }
});

test('hides the boxes of a check list from screen readers, which would call each one an unnamed control', () => {
  const { pages } = finishHtml([document('<ul><li><input type="checkbox" disabled> Ask first</li></ul>')]);
  expect(pages[0]).toContain('<input type="checkbox" disabled="" aria-hidden="true"> Ask first');
});

test('refuses an inline style sheet', () => {
  expect(() => finishHtml([document('', '<style>p{color:red}</style>')])).toThrow('inline style sheet');
});

test('leaves light or dark to the reader’s system until a script decides', () => {
  expect(finishHtml([document('')]).pages[0]).not.toContain('data-theme');
});

test('keeps markup in a title as text', () => {
  expect(finishHtml([document('', '<title><pay-widget> | Innkeep</title>')]).pages[0]).toContain(
    '<title>&lt;pay-widget&gt; | Innkeep</title>',
  );
});

test('gives each table a frame to scroll in, and its columns their widths', () => {
  const table = '<table><thead><tr><th>Code</th></tr></thead><tbody><tr><td>a</td></tr></tbody></table>';
  const { pages, css } = finishHtml([document(`<main>${table}</main>`)]);
  expect(pages[0]).toMatch(
    /<div class="table-frame"><table class="style-\w+"><colgroup><col class="style-\w+"><\/colgroup>/,
  );
  expect(css).toContain('{min-width:4.25rem}');
  expect(css).toContain('{width:4.25rem}');
});
