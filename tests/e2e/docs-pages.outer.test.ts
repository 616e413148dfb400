// The documentation as it is built and served; what needs a browser to see is in docs.outer.test.ts.
import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DOCS_DIST, type DocsServer, serveDocs } from '../../scripts/docs-server.ts';

let server: DocsServer;

beforeAll(async () => {
  server = await serveDocs(0);
});
afterAll(() => server?.close());

/** Addresses of all pages below the site's base. */
const PAGES = globSync('**/index.html', { cwd: DOCS_DIST }).map((file) =>
  file.replaceAll('\\', '/').replace('index.html', ''),
);

test('every page is sent under the policy of its build, which names each of its scripts, and none asks for anything of another origin', async () => {
  expect(PAGES.length).toBeGreaterThan(40);
  for (const path of PAGES) {
    const response = await fetch(server.url + path);
    expect(`${path} ${response.headers.get('content-security-policy')}`).toMatch(/ default-src 'none'/);
    const html = await response.text();
    for (const [, script = ''] of html.matchAll(
      /<script(?![^>]*(?: src=|"application|&quot;))[^>]*>(.*?)<\/script>/gs,
    )) {
      const hash = createHash('sha256').update(script).digest('base64');
      expect(response.headers.get('content-security-policy'), path).toContain(`'sha256-${hash}'`);
    }
    const foreign = [...html.matchAll(/<(?:script|img|iframe|link)\b[^>]*? (?:src|href)="(https?:\/\/[^"]*)"[^>]*>/g)];
    // What is canonical and what other addresses there are is not loaded.
    expect(foreign.filter(([tag]) => !/rel="(?:canonical|alternate|sitemap)"/.test(tag)).map(([, url]) => url)).toEqual(
      [],
    );
  }
});

test('the policy of every page names no other origin and no unsafe source but the one of the search', () => {
  const policy = readFileSync(`${DOCS_DIST}/csp.txt`, 'utf8');
  const sources = policy.split(/[;\s]+/).filter((word) => word.includes(':') || word.includes('unsafe'));
  expect(sources).toEqual(["'wasm-unsafe-eval'", 'data:']);
});

test('every page links to its Markdown twin, which begins with the same title', async () => {
  // The pages of the HTTP interface are made from openapi.json, which lies beside them.
  for (const path of PAGES.filter((each) => !each.startsWith('reference/http'))) {
    const html = readFileSync(`${DOCS_DIST}/${path}index.html`, 'utf8');
    const [, href = ''] = /<a href="([^"]+)" type="text\/markdown" rel="alternate">/.exec(html) ?? [];
    expect(`${path} ${href}`).toBe(`${path} /docs/${path === '' ? 'index' : path.replace(/\/$/, '')}.md`);
    const response = await fetch(new URL(href, server.url));
    expect(response.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    const [heading = ''] = (await response.text()).split('\n');
    const [, title = ''] = /<h1[^>]*>([^<]*)<\/h1>/.exec(html) ?? [];
    expect(plain(heading.slice(2))).toBe(plain(title));
  }
});

test('every page is at most two clicks from the first', () => {
  const clicks = new Map<string, number>([['', 0]]);
  for (const [path, distance] of clicks) {
    const html = readFileSync(`${DOCS_DIST}/${path}index.html`, 'utf8');
    for (const [, href = ''] of html.matchAll(/<a [^>]*href="\/docs\/([^"#]*)[^"]*"/g))
      if (PAGES.includes(href) && !clicks.has(href)) clicks.set(href, distance + 1);
  }
  expect(PAGES.filter((path) => (clicks.get(path) ?? 9) > 2)).toEqual([]);
});

test('the HTTP reference shows a request and an answer, the package reference highlighted signatures', () => {
  const http = readFileSync(`${DOCS_DIST}/reference/http/operations/createcharge/index.html`, 'utf8');
  expect(http).toContain('--url https://pay.hotel.example/v1/charges');
  expect(http).toMatch(/data-code="\{[^"]*&#x22;id&#x22;: &#x22;ch_[^"]*&#x22;maskedCard&#x22;/);
  const api = readFileSync(`${DOCS_DIST}/reference/innkeep/core/merchant/index.html`, 'utf8');
  expect(api).toMatch(/<pre[^>]*data-language="ts"/);
});

test('a diagram is drawn with the page, has a text in its place, and the table says the same', () => {
  const html = readFileSync(`${DOCS_DIST}/packages/session-states/index.html`, 'utf8');
  expect(html).toMatch(
    /<svg[^>]* role="img" aria-label="The states of an attempt to pay a session; the table below says the same."/,
  );
  expect(html).toContain('data-from="pending" data-to="succeeded"');
});

test('an address that is no page answers 404 with a page of the site', async () => {
  const response = await fetch(`${server.url}guides/nowhere/`);
  expect(response.status).toBe(404);
  expect(await response.text()).toContain('There is no such page');
});

/** Title without the marks of either language. */
function plain(text: string): string {
  return text
    .replaceAll(/&lt;/g, '<')
    .replaceAll(/&gt;/g, '>')
    .replaceAll(/&#39;|&#x27;/g, '’')
    .replaceAll(/&quot;/g, '"')
    .replaceAll(/&amp;/g, '&')
    .replaceAll("'", '’')
    .replaceAll(/[`\\]/g, '');
}
