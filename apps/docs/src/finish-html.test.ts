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

test('gives each table of the text a frame to scroll in', () => {
  expect(finishHtml([document('<main><table><tr><td>1</td></tr></table></main>')]).pages[0]).toContain(
    '<div class="table-frame"><table><tbody><tr><td>1</td></tr></tbody></table></div>',
  );
});
