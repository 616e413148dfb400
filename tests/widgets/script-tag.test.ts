import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { ROOT } from '../../scripts/launch.ts';
import { type FakeHotel, type SitePage, startFakeHotel } from '../support/fake-hotel.ts';
import { launchBrowser } from '../support/guest.ts';

const CDN = join(ROOT, 'packages/widgets/dist/cdn');

const EVIL = 'http://evil.test';
// Without these the elements work all the same.
const STAND_INS = ['currentScript', 'documentElement', 'addEventListener'];

/** What the built file and Lit in it ask of the document, or of the window where no platform has it. */
function namesThatScriptsRead(): string[] {
  const file = readFileSync(join(CDN, 'widgets.iife.js'), 'utf8');
  const ofDocument = [...file.matchAll(/\bdocument\.(\w+)/g)].map(([, name = '']) => name);
  const ofWindow = file.match(/\b(?:lit|reactiveElement|litElement|Shady)[A-Z]\w+|\bShady\w+|\btrustedTypes\b/g) ?? [];
  const ofLit = ['createElement', 'createTreeWalker', 'createComment', 'importNode', 'adoptedStyleSheets'];
  return [...new Set([...STAND_INS, ...ofDocument, ...ofWindow, ...ofLit])];
}

let hotel: FakeHotel;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let session: { id: string; clientSecret: string };

const script = (name: string): SitePage => ({ body: readFileSync(join(CDN, name)), type: 'text/javascript' });

/** A page under the strictest policy that the elements promise to work with. */
function strict(body: string, headers: Record<string, string> = {}): SitePage {
  const policy = [
    "default-src 'none'",
    `script-src ${hotel.siteUrl}/widgets.js ${hotel.siteUrl}/widgets.iife.js ${hotel.siteUrl}/report.js`,
    `connect-src ${hotel.proxyUrl} ${hotel.siteUrl}/locales/`,
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types lit-html',
  ].join('; ');
  const html = `<!doctype html><html lang="en"><title>Booking</title><script src="/report.js"></script>${body}</html>`;
  return { body: html, headers: { 'content-security-policy': policy, ...headers } };
}

const ESM = '<script type="module" src="/widgets.js"></script>';
const widget = (attributes = ''): string =>
  `<pay-widget endpoint="${hotel.proxyUrl}" client-secret="${session.clientSecret}" ${attributes}><a href="/pay-link">Pay by link</a></pay-widget>`;

beforeAll(async () => {
  browser = await launchBrowser();
  hotel = await startFakeHotel({
    '/widgets.js': () => script('widgets.js'),
    '/widgets.iife.js': () => script('widgets.iife.js'),
    ...Object.fromEntries(
      ['/locales/hashes.json', '/locales/de.json'].map((path) => [
        path,
        () => ({ body: readFileSync(join(CDN, path)), type: 'application/json' }),
      ]),
    ),
    // The only script of the page's own: it counts what the policy has refused.
    '/report.js': () => ({
      body: 'window.refused = []; document.addEventListener("securitypolicyviolation", (event) => refused.push(event.violatedDirective + " " + event.blockedURI));',
      type: 'text/javascript',
    }),
    '/booking': () => strict(ESM + widget()),
    '/tab': () => strict(ESM + widget('presentation="tab"')),
    '/coop': () => strict(ESM + widget('presentation="tab"'), { 'cross-origin-opener-policy': 'same-origin' }),
    '/german': () => strict(ESM + widget('locale="de"')),
    '/classic': () => strict(`<script src="/widgets.iife.js"></script>${widget('locale="de"')}`),
    '/base': () => ({
      body: `<!doctype html><script defer src="/widgets.iife.js"></script>${widget('locale="de"')}<base href="${EVIL}/">`,
    }),
    // What an attacker can put on a page whose texts are not filtered well: elements with names, and no script.
    ...Object.fromEntries(
      namesThatScriptsRead().map((name) => [
        `/named/${name}`,
        () => ({
          body: `<!doctype html><img name="${name}" src="${EVIL}/widgets.js"><a id="${name}" href="${EVIL}/widgets.js"></a>
            <script src="/widgets.iife.js"></script>${widget('locale="de"')}`,
        }),
      ]),
    ),
    // Trusted Types would refuse a second copy of Lit before it could warn.
    '/twice': () => ({ body: `<!doctype html>${ESM}<script src="/widgets.iife.js"></script>${widget('locale="en"')}` }),
    // Mistakes of a page.
    '/no-lit': () => ({ ...strict(ESM + widget()), headers: { 'content-security-policy': 'trusted-types other' } }),
    '/lit-twice': () => strict(`${ESM}<script src="/widgets.iife.js"></script>${widget()}`),
    '/no-connect': () => ({ ...strict(ESM + widget()), headers: { 'content-security-policy': "connect-src 'self'" } }),
    '/plain': () => ({ body: `<!doctype html>${ESM}${widget('locale="en"')}` }),
    '/return': () => strict(`${ESM}<payment-status></payment-status>`),
    '/framed': () => ({ body: '<!doctype html><iframe src="/booking" width="400" height="500"></iframe>' }),
  });
});

afterAll(async () => {
  hotel.close();
  await browser.close();
});

beforeEach(async () => {
  context = await browser.newContext();
  page = await context.newPage();
  session = hotel.openSession(`${hotel.siteUrl}/return`);
});

afterEach(() => context.close());

const button = (): ReturnType<Page['locator']> => page.locator('pay-widget').getByRole('button');
const refused = (): Promise<string[]> => page.evaluate(() => (globalThis as unknown as { refused: string[] }).refused);

test('shows the ready element with one script request, under a policy that allows nothing else', async () => {
  const before = hotel.siteRequests.length;
  await page.goto(`${hotel.siteUrl}/booking`);
  await expect.poll(() => button().textContent()).toContain('Pay €120.00');

  expect(hotel.siteRequests.slice(before).filter((path) => path !== '/favicon.ico')).toEqual([
    '/booking',
    '/report.js',
    '/widgets.js',
  ]);
  expect(await refused()).toEqual([]);
});

test('pays in the same tab and shows the receipt on the return page, also after a reload on the way', async () => {
  await page.goto(`${hotel.siteUrl}/booking`);
  await button().click();
  await page.waitForURL('**/payment?**');
  expect(page.url()).not.toContain(session.clientSecret);
  await page.getByText('pay', { exact: true }).click();
  await page.locator('payment-status[state=succeeded]').waitFor();

  expect(await page.locator('payment-status').getByText('Payment complete').first().isVisible()).toBe(true);
  expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).toBe('{}');
  expect(page.url()).toBe(`${hotel.siteUrl}/return?checkout_session=${session.id}`);
  expect(await refused()).toEqual([]);
});

test('waits after the back button and after a reload, with the way back to the hosted page', async () => {
  await page.goto(`${hotel.siteUrl}/booking`);
  await button().click();
  await page.waitForURL('**/payment?**');
  await page.goBack();
  await page.locator('pay-widget[state=waiting]').waitFor();
  expect(await page.locator('pay-widget').getByText('Open the secure page').isVisible()).toBe(true);

  await page.reload();
  await page.locator('pay-widget[state=waiting]').waitFor();
  await button().click();
  await page.waitForURL('**/payment?**');
  await page.getByText('abort', { exact: true }).click();
  await page.locator('payment-status[state=canceled]').waitFor();
});

for (const path of ['/tab', '/coop'] as const) {
  test(`pays in a new tab without an opener from ${path} and carries on by itself`, async () => {
    await page.goto(`${hotel.siteUrl}${path}`);
    const [tab] = await Promise.all([context.waitForEvent('page'), button().click()]);
    await tab.waitForURL('**/payment?**');
    expect(await tab.evaluate(() => window.opener)).toBeNull();
    await tab.getByText('pay', { exact: true }).click();
    await tab.getByText('You can close this tab').waitFor();
    await tab.close();
    await page.bringToFront();
    await page.locator('pay-widget[state=succeeded]').waitFor();
    expect(await refused()).toEqual([]);
  });
}

test('opens a tab from inside a frame, never the hosted page in it', async () => {
  await page.goto(`${hotel.siteUrl}/framed`);
  const [tab] = await Promise.all([
    context.waitForEvent('page'),
    page.frameLocator('iframe').locator('pay-widget').getByRole('button').click(),
  ]);
  await tab.waitForURL('**/payment?**');
  expect(page.frames()[1]?.url()).toBe(`${hotel.siteUrl}/booking`);
});

test('shows another tab of the same session what happened in the first', async () => {
  await page.goto(`${hotel.siteUrl}/booking`);
  const other = await context.newPage();
  await other.goto(`${hotel.siteUrl}/booking`);
  await page.bringToFront();
  await button().click();
  await page.waitForURL('**/payment?**');
  await page.getByText('pay', { exact: true }).click();
  await page.locator('payment-status[state=succeeded]').waitFor();
  await other.bringToFront();
  await other.reload();
  await other.locator('pay-widget[state=succeeded]').waitFor();
});

test('loads a language from beside the file, from either format', async () => {
  for (const path of ['/german', '/classic']) {
    await page.goto(`${hotel.siteUrl}${path}`);
    await expect.poll(() => button().textContent()).toMatch(/120,00\s€ bezahlen/);
    expect(await refused()).toEqual([]);
  }
});

/** Gives the page a stranger's server, and tells what it was asked for besides pictures. */
async function watchStranger(): Promise<string[]> {
  const asked: string[] = [];
  await page.route(`${EVIL}/**`, (route) => {
    const request = route.request();
    if (request.resourceType() !== 'image') asked.push(request.url());
    const body = request.url().endsWith('.json') ? '{"pay":"Pay a stranger"}' : 'globalThis.stranger = true';
    return route.fulfill({ contentType: 'text/javascript', headers: { 'access-control-allow-origin': '*' }, body });
  });
  return asked;
}

test('loads nothing from where an element on the page points that is named like a global of the script', async () => {
  const asked = await watchStranger();
  expect(namesThatScriptsRead().length).toBeGreaterThan(10);
  for (const name of namesThatScriptsRead()) {
    await page.goto(`${hotel.siteUrl}/named/${name}`);
    // Some names keep Lit from drawing, which hiding the element would do as well; what was asked for before this has been seen.
    await page.evaluate(() => fetch('/report.js'));
    expect(await page.evaluate(() => 'stranger' in globalThis), name).toBe(false);
  }
  expect(asked).toEqual([]);
});

test('speaks the page’s language under an element that is named like the running script', async () => {
  await watchStranger();
  for (const name of STAND_INS) {
    await page.goto(`${hotel.siteUrl}/named/${name}`);
    await expect.poll(() => button().textContent(), { message: name }).toMatch(/120,00\s€ bezahlen/);
  }
});

test('shows no text that is not of its build, whoever answers for the language', async () => {
  const asked = await watchStranger();
  await page.goto(`${hotel.siteUrl}/base`);
  // In English, with numbers as the page writes them.
  await expect.poll(() => button().textContent()).toMatch(/^\s*Pay 120,00\s€\s*$/);
  expect(asked).toEqual([`${EVIL}/locales/hashes.json`]);

  for (const file of ['de', 'hashes']) {
    await page.route(`**/locales/${file}.json`, (route) => route.fulfill({ json: { pay: 'Pay a stranger', de: '' } }));
    for (const path of ['/german', '/classic']) {
      await page.goto(`${hotel.siteUrl}${path}`);
      await expect.poll(() => button().textContent()).toMatch(/^\s*Pay 120,00\s€\s*$/);
    }
  }
});

test('reports a refusal with the proxy’s own trace id and field', async () => {
  await page.route(`${hotel.proxyUrl}/v1/checkout`, (route) =>
    route.fulfill({
      status: 400,
      contentType: 'application/problem+json',
      headers: { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' },
      body: JSON.stringify({
        ...{ type: 'about:blank', title: 'Invalid request', status: 400, code: 'invalid_request' },
        ...{ detail: 'The header is not a client secret.', param: 'authorization', traceId: 'trace_4711' },
      }),
    }),
  );
  await page.addInitScript(() => {
    addEventListener('pay-error', ({ detail }: CustomEventInit) => Object.assign(globalThis, { reported: detail }));
  });
  for (const path of ['/booking', '/classic']) {
    await page.goto(`${hotel.siteUrl}${path}`);
    await page.locator('pay-widget[state=error]').waitFor();
    expect(await page.evaluate(() => (globalThis as unknown as { reported: unknown }).reported)).toEqual({
      ...{ state: 'error', checkout: null, code: 'invalid_request', recoverable: false },
      ...{ traceId: 'trace_4711', param: 'authorization' },
      message: 'The payment proxy answered 400: The header is not a client secret.',
    });
  }
});

test('keeps the first definition when both formats are loaded, and says so once', async () => {
  const warnings: string[] = [];
  page.on('console', (message) => message.type() === 'error' && warnings.push(message.text()));
  await page.goto(`${hotel.siteUrl}/twice`);
  await expect.poll(() => button().textContent()).toContain('Pay €120.00');

  await expect.poll(() => warnings).toEqual([expect.stringContaining('is defined twice')]);
});

for (const { path, line } of [
  { path: '/no-lit', line: 'lacks `trusted-types lit-html`' },
  { path: '/lit-twice', line: 'is defined twice' },
  { path: '/no-connect', line: 'add it to `connect-src`' },
]) {
  test(`${path}: what the page’s policy stops is explained on the console`, async () => {
    const lines = ourLines();
    await page.goto(`${hotel.siteUrl}${path}`);
    await expect.poll(lines).toEqual([expect.stringContaining(line)]);
  });
}

test('a page whose origin the proxy does not know: the console says which origin to add, and where to look', async () => {
  const lines = ourLines();
  const site = hotel.siteUrl.replace('127.0.0.1', 'localhost');
  await page.goto(`${site}/plain`);
  await expect.poll(lines).toEqual([expect.stringContaining(`add ${site} to the \`origins\``)]);

  expect(lines()[0]).toContain('localhost and 127.0.0.1 are two origins');
  expect(await page.locator('pay-widget').getByText('No connection. Please try again.').first().isVisible()).toBe(true);
});

/** What the elements have written on the console so far. */
function ourLines(): () => string[] {
  const lines: string[] = [];
  page.on('console', (message) => message.text().startsWith('<pay-widget') && lines.push(message.text()));
  return () => lines;
}

test('leaves the link inside usable without JavaScript', async () => {
  const quiet = await browser.newContext({ javaScriptEnabled: false });
  const plain = await quiet.newPage();
  await plain.goto(`${hotel.siteUrl}/booking`);
  expect(await plain.getByText('Pay by link').isVisible()).toBe(true);
  await quiet.close();

  await page.goto(`${hotel.siteUrl}/booking`);
  await button().waitFor();
  expect(await page.getByText('Pay by link').isVisible()).toBe(false);
});

test('can be read at 400 % zoom without scrolling sideways, and paid by keyboard alone', async () => {
  await page.setViewportSize({ width: 320, height: 256 });
  await page.goto(`${hotel.siteUrl}/booking`);
  await button().waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);

  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/payment?**');
});

test('is drawn in forced colors, with reduced motion and in the dark', async () => {
  await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce', colorScheme: 'dark' });
  await page.goto(`${hotel.siteUrl}/booking`);
  await button().waitFor();
  const look = await page.locator('pay-widget').evaluate((element) => {
    const base = element.shadowRoot?.querySelector('.base');
    return base ? getComputedStyle(base).colorScheme : '';
  });
  expect(look).toBe('light dark');
});
