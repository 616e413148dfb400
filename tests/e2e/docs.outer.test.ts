// The documentation as it is built and served: what a browser sees of it, and what its files say.
import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DOCS_DIST, type DocsServer, serveDocs } from '../../scripts/docs-server.ts';
import { violationsOf } from '../support/axe.ts';
import { launchBrowser } from '../support/guest.ts';
import { watchLayoutShifts } from '../support/layout-shifts.ts';
import { openWatchedPage } from '../support/watched-page.ts';

const WCAG = { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] };
const PHONE = { width: 375, height: 800 };
// Many pages in one test, on machines that may be busy.
const DESKTOP = { width: 1280, height: 900 };

/** Addresses of all pages below the site's base. */
const PAGES = globSync('**/index.html', { cwd: DOCS_DIST }).map((file) =>
  file.replaceAll('\\', '/').replace('index.html', ''),
);

/** One page of each kind: the first, prose, code, tables, lists, a check list, pages made from source, and no page at all. */
const KINDS = [
  '',
  'guides/charges-and-reversals/',
  'guides/go-live/',
  'packages/pay-widget/',
  'upstream/outcomes/',
  'decisions/',
  'nowhere/',
  'quick-starts/plain-html/',
  'concepts/payment-states/',
  'reference/errors/',
  'packages/cli/',
  'packages/session-states/',
  'reference/http/',
  'reference/http/operations/createcharge/',
  'reference/innkeep/core/merchant/',
];

let server: DocsServer;
let browser: Browser;

beforeAll(async () => {
  [server, browser] = await Promise.all([serveDocs(0), launchBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

test('no page of any kind reports an error, breaks the policy, leaves the origin or jumps', async () => {
  const { page, problems } = await openWatchedPage(browser, { viewport: PHONE });
  page.on('console', (message) => message.type() === 'warning' && problems.push(`warning: ${message.text()}`));
  page.on('request', (request) => {
    if (!request.url().startsWith(server.url)) problems.push(`asks for ${request.url()}`);
  });
  const shifts = await watchLayoutShifts(page);
  for (const path of KINDS) {
    await page.goto(server.url + path);
    // The most that Web Vitals call good: a long table may settle its columns while it arrives.
    for (const { value, moved } of await shifts())
      if (value > 0.1) problems.push(`${path} jumps by ${value}: ${moved}`);
  }
  await page.context().close();
  // The address of no page is answered as such, which Chromium logs.
  expect(problems.filter((each) => !/404.*\/nowhere\/$/.test(each))).toEqual([]);
});

// What its scripts do is the same on every page of a kind; how wide it is depends on its words.
test('no page is wider than a phone', async () => {
  const page = await browser.newPage({ viewport: PHONE, javaScriptEnabled: false });
  const wide: string[] = [];
  expect(PAGES.length).toBeGreaterThan(40);
  for (const path of PAGES) {
    await page.goto(server.url + path, { waitUntil: 'domcontentloaded' });
    const { scrollWidth, clientWidth } = await page.evaluate(() => document.documentElement);
    if (scrollWidth > clientWidth) wide.push(`${path} is ${scrollWidth} wide`);
  }
  await page.close();
  expect(wide).toEqual([]);
});

// Colours do not depend on the width, nor the layout on the colours: two runs see what four would.
test.each([
  { colorScheme: 'light', viewport: PHONE },
  { colorScheme: 'dark', viewport: DESKTOP },
] as const)(
  'axe finds nothing on a page of each kind, $colorScheme, $viewport.width',
  async ({ colorScheme, viewport }) => {
    // The pages forbid foreign scripts, and the test’s own is one.
    const page = await browser.newPage({ colorScheme, bypassCSP: true, viewport });
    const found: Record<string, readonly string[]> = {};
    for (const path of KINDS) {
      await page.goto(server.url + path);
      found[path] = await violationsOf(page, ':root', WCAG);
    }
    await search(page, 'webhook');
    found.search = await violationsOf(page, ':root', WCAG);
    await page.close();
    expect(found).toEqual(Object.fromEntries(Object.keys(found).map((name) => [name, []])));
  },
);

test('without JavaScript there are content and navigation', async () => {
  const page = await browser.newPage({ javaScriptEnabled: false, viewport: DESKTOP });
  await page.goto(server.url);
  await page.getByRole('heading', { level: 1, name: 'Innkeep' }).waitFor();
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Rotate keys' }).click();
  await page.getByRole('heading', { level: 2, name: 'A merchant key, step by step' }).waitFor();
  // The search needs JavaScript, so it is not offered.
  expect(await page.getByRole('button', { name: 'Search' }).isVisible()).toBe(false);
  await page.close();
});

test('the search finds words on their pages, from the site’s own files', async () => {
  const page = await browser.newPage({ viewport: DESKTOP });
  const foreign: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(server.url)) foreign.push(request.url());
  });
  await search(page, 'previousPassword');
  for (const [words, title] of [
    ['refund', 'Refund a payment, in full or in part'],
    ['charge', 'Charges and reversals'],
    ['3-D Secure', 'Go live'],
    ['deposit', 'Pay by link'],
    ['PCI', 'PCI scope'],
    ['webhook signature', 'Webhooks'],
    ['currency', 'Money and units'],
    ['Java', 'HTTP, from any language'],
    ['GDPR', 'Privacy'],
    ['previousPassword', 'Rotate keys'],
  ] as const) {
    await page.getByRole('textbox', { name: 'Search' }).fill(words);
    const titles = async (): Promise<string[]> => {
      const texts = await page.locator('.pagefind-ui__result-title').allTextContents();
      return texts.slice(0, 5).map((each) => each.trim());
    };
    // Each result is fetched by itself; until it is there, its place is empty.
    await expect.poll(titles).toContain(title);
  }
  // In the dialog: the side bar behind it has a link of the same name, which nothing can click now.
  await page.getByRole('dialog').getByRole('link', { name: 'Rotate keys' }).first().click();
  await page.getByRole('heading', { level: 1, name: 'Rotate keys' }).waitFor();
  await page.close();
  expect(foreign).toEqual([]);
});

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

test('a guide comes before what is made from source', async () => {
  const page = await browser.newPage({ viewport: DESKTOP });
  await search(page, 'webhook signature');
  await expect
    .poll(async () => (await page.locator('.pagefind-ui__result-title').first().textContent())?.trim())
    .toBe('Webhooks');
  await page.close();
});

test('the package reference names the shapes of the contract, and says what each method does within a window', async () => {
  const html = readFileSync(`${DOCS_DIST}/reference/innkeep/core/contract/index.html`, 'utf8');
  // One match may be too long a line to show.
  expect(/>attempts<\/code><\/td>\s*<td><a href="[^"]*#checkoutattempt">/.test(html)).toBe(true);
  expect(html.includes('>...</code>')).toBe(false);
  const page = await browser.newPage({ viewport: DESKTOP });
  await page.goto(`${server.url}reference/innkeep/core/merchant/`);
  const frame = page.locator('.table-frame').filter({ hasText: 'checkoutSessions.ensure' });
  expect(await frame.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  await page.close();
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

/** Searches from the first page of the site. */
async function search(page: Page, words: string): Promise<void> {
  // The site loads its search when the browser is idle, and a browser on a busy machine may not be, for a long time.
  await page.addInitScript(() => {
    globalThis.requestIdleCallback = (whenIdle) => {
      setTimeout(() => whenIdle({ didTimeout: false, timeRemaining: () => 50 }));
      return 0;
    };
  });
  await page.goto(server.url);
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('textbox', { name: 'Search' }).fill(words);
  await page.locator('.pagefind-ui__result').first().waitFor();
}

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
