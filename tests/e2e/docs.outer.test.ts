import { globSync } from 'node:fs';
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
  const context = await browser.newContext({ viewport: PHONE, javaScriptEnabled: false });
  const page = await context.newPage();
  const wide: string[] = [];
  expect(PAGES.length).toBeGreaterThan(40);
  for (const path of PAGES) {
    await page.goto(server.url + path, { waitUntil: 'domcontentloaded' });
    const { scrollWidth, clientWidth } = await page.evaluate(() => document.documentElement);
    if (scrollWidth > clientWidth) wide.push(`${path} is ${scrollWidth} wide`);
  }
  await context.close();
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
    const context = await browser.newContext({ colorScheme, bypassCSP: true, viewport });
    const page = await context.newPage();
    const found: Record<string, readonly string[]> = {};
    for (const path of KINDS) {
      await page.goto(server.url + path);
      found[path] = await violationsOf(page, ':root', WCAG);
    }
    await search(page, 'webhook');
    found.search = await violationsOf(page, ':root', WCAG);
    await context.close();
    expect(found).toEqual(Object.fromEntries(Object.keys(found).map((name) => [name, []])));
  },
);

test('without JavaScript there are content and navigation', async () => {
  const context = await browser.newContext({ javaScriptEnabled: false, viewport: DESKTOP });
  const page = await context.newPage();
  await page.goto(server.url);
  await page.getByRole('heading', { level: 1, name: 'Innkeep' }).waitFor();
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Rotate keys' }).click();
  await page.getByRole('heading', { level: 2, name: 'A merchant key, step by step' }).waitFor();
  // The search needs JavaScript, so it is not offered.
  expect(await page.getByRole('button', { name: 'Search' }).isVisible()).toBe(false);
  await context.close();
});

test('the search finds words on their pages, from the site’s own files', async () => {
  const context = await browser.newContext({ viewport: DESKTOP });
  const page = await context.newPage();
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
  await context.close();
  expect(foreign).toEqual([]);
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
