import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ROOT } from '../../scripts/launch.ts';
import { type FakeHotel, type SitePage, startFakeHotel } from '../support/fake-hotel.ts';
import { launchBrowser } from '../support/guest.ts';

const CDN = join(ROOT, 'packages/widgets/dist/cdn');

const EVIL = 'http://evil.test';
// Without these the elements work all the same.
const STAND_INS = ['currentScript', 'documentElement', 'addEventListener'];

/** Every pixel of it is drawn without a graphics card. */
const WINDOW = { width: 400, height: 400 };

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
/** One page for all tests, which is what costs; each leaves it as a new one. */
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

const lazy = (returnPath: string, attributes = ''): SitePage => ({
  body: `<!doctype html><html lang="en">${ESM}<pay-widget endpoint="${hotel.proxyUrl}" ${attributes}></pay-widget><script>
    document.querySelector('pay-widget').getClientSecret = async () =>
      (await (await fetch('/session?${returnPath}')).json()).clientSecret;
  </script></html>`,
});

beforeAll(async () => {
  browser = await launchBrowser();
  context = await browser.newContext({ locale: 'en-US', viewport: WINDOW });
  page = await context.newPage();
  hotel = await startFakeHotel({
    '/widgets.js': () => script('widgets.js'),
    '/widgets.iife.js': () => script('widgets.iife.js'),
    ...Object.fromEntries(
      ['/locales/hashes.json', '/locales/de.json'].map((path) => [
        path,
        () => ({ body: readFileSync(join(CDN, path)), type: 'application/json' }),
      ]),
    ),
    // The only script of the page's own: it keeps what the policy has refused, and the faults that the elements report.
    '/report.js': () => ({
      body: `window.refused = [];
        document.addEventListener('securitypolicyviolation', (event) => refused.push(event.violatedDirective + ' ' + event.blockedURI));
        window.faults = [];
        addEventListener('pay-error', ({ detail }) => faults.push(detail));`,
      type: 'text/javascript',
    }),
    '/blank': () => ({ body: '<!doctype html>' }),
    '/booking': () => strict(ESM + widget()),
    '/coop': () => strict(ESM + widget('presentation="tab"'), { 'cross-origin-opener-policy': 'same-origin' }),
    '/german': () => strict(ESM + widget('locale="de"')),
    '/arabic': () => strict(ESM + widget('locale="ar"')),
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
    '/twice': () => ({
      body: `<!doctype html>${ESM}<script src="/widgets.iife.js"></script>${widget('locale="en"')}`,
      headers: { 'content-security-policy': "trusted-types lit-html 'allow-duplicates'" },
    }),
    // Mistakes of a page.
    '/no-lit': () => ({ ...strict(ESM + widget()), headers: { 'content-security-policy': 'trusted-types other' } }),
    '/lit-twice': () => strict(`${ESM}<script src="/widgets.iife.js"></script>${widget()}`),
    '/no-connect': () => ({ ...strict(ESM + widget()), headers: { 'content-security-policy': "connect-src 'self'" } }),
    '/plain': () => ({ body: `<!doctype html>${ESM}${widget('locale="en"')}` }),
    '/http-proxy': () => ({
      body: `<!doctype html><html lang="en"><title>Booking</title><script src="/report.js"></script>${ESM}
        ${widget().replace(hotel.proxyUrl, 'http://pay.hotel.example')}</html>`,
    }),
    '/next-step': () => strict(ESM + widget('continue-href="/booked"')),
    '/return': () => strict(`${ESM}<payment-status></payment-status>`),
    // One load for all of them: each frame is a page as good as another.
    '/all-named': () => ({
      body: `<!doctype html>${namesThatScriptsRead()
        .map((name) => `<iframe name="frame-${name}" src="/named/${name}"></iframe>`)
        .join('')}`,
    }),
    // Pages whose element asks for its session in the click.
    '/session': ({ url = '' }) => ({
      body: JSON.stringify(hotel.openSession(hotel.siteUrl + url.slice('/session?'.length))),
      type: 'application/json',
    }),
    '/lazy': () => lazy('/lazy'),
    '/lazy-tab': () => lazy('/lazy-tab', 'presentation="tab"'),
    '/listening': () => ({ body: `${lazy('/listening').body}<script type="module" src="/listener.js"></script>` }),
    '/listener.js': () => ({
      body: 'addEventListener("pay-completed", ({ detail }) => { document.title = "heard " + detail.state; });',
      type: 'text/javascript',
    }),
    '/framed': () => ({ body: '<!doctype html><iframe src="/booking" width="400" height="500"></iframe>' }),
  });
});

afterAll(async () => {
  hotel?.close();
  await browser?.close();
});

beforeEach(() => {
  session = hotel.openSession(`${hotel.siteUrl}/return`);
});

afterEach(async () => {
  page.removeAllListeners();
  for (const each of [page, context]) await each.unrouteAll({ behavior: 'ignoreErrors' });
  await page.emulateMedia({ media: null });
  await page.setViewportSize(WINDOW);
  await Promise.all(context.pages().map((each) => each !== page && each.close()));
  // What is kept goes when nobody is left who would keep more.
  await page.goto(`${hotel.siteUrl}/blank`);
  await page.evaluate(() => {
    localStorage.clear();
    sessionStorage.clear();
  });
});

const button = (name: string | RegExp = ''): ReturnType<Page['locator']> =>
  page.locator('pay-widget').getByRole('button', { name });
const refused = (): Promise<string[]> => page.evaluate(() => (globalThis as unknown as { refused: string[] }).refused);

test('shows the ready element with one script request, under a policy that allows nothing else', async () => {
  const before = hotel.siteRequests.length;
  await page.goto(`${hotel.siteUrl}/booking`);
  await expect.poll(() => button().textContent()).toContain('Pay €120.00');
  // That is for a page without scripts.
  expect(await page.getByText('Pay by link').isVisible()).toBe(false);

  expect(hotel.siteRequests.slice(before).filter((path) => path !== '/favicon.ico')).toEqual([
    '/booking',
    '/report.js',
    '/widgets.js',
  ]);
  expect(await refused()).toEqual([]);
});

test('pays in the same tab and shows the receipt on the return page', async () => {
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

test('pays in a new tab without an opener from a page that is isolated, and carries on by itself', async () => {
  await page.goto(`${hotel.siteUrl}/coop`);
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

test('opens a tab from inside a frame, never the hosted page in it', async () => {
  await page.goto(`${hotel.siteUrl}/framed`);
  const [tab] = await Promise.all([
    context.waitForEvent('page'),
    page.frameLocator('iframe').locator('pay-widget').getByRole('button').click(),
  ]);
  await tab.waitForURL('**/payment?**');
  expect(await tab.evaluate(() => window.opener)).toBeNull();
  expect(page.frames()[1]?.url()).toBe(`${hotel.siteUrl}/booking`);
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
  await page.goto(`${hotel.siteUrl}/all-named`);
  for (const name of namesThatScriptsRead()) {
    const frame = page.frame(`frame-${name}`);
    // Some names keep Lit from drawing, which hiding the element would do as well; what was asked for before this has been seen.
    await frame?.evaluate(() => fetch('/report.js'));
    expect(await frame?.evaluate(() => 'stranger' in globalThis), name).toBe(false);
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
  await expect.poll(() => button().textContent()).toMatch(/^\s*Pay €120\.00\s*$/);
  expect(asked).toEqual([`${EVIL}/locales/hashes.json`]);

  for (const file of ['de', 'hashes']) {
    await page.route(`**/locales/${file}.json`, (route) => route.fulfill({ json: { pay: 'Pay a stranger', de: '' } }));
    for (const path of ['/german', '/classic']) {
      await page.goto(`${hotel.siteUrl}${path}`);
      await expect.poll(() => button().textContent()).toMatch(/^\s*Pay €120\.00\s*$/);
    }
  }
});

test.each(['hashes', 'ar'])('is English, and says so, when its language does not arrive in time: %s', async (file) => {
  const tab = await context.newPage();
  // Its limit is over sooner.
  await tab.addInitScript(`
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    AbortSignal.timeout = (limit) => timeout(limit === 5_000 ? 100 : limit);
  `);
  await tab.route(`**/locales/${file}.json`, () => undefined);
  await tab.goto(`${hotel.siteUrl}/arabic`);
  await tab.getByRole('button', { name: 'Pay €120.00' }).waitFor();
  const look =
    '(({ lang, dir }) => [lang, dir])(document.querySelector("pay-widget").shadowRoot.querySelector(".base"))';
  expect(await tab.evaluate(look)).toEqual(['en', 'ltr']);
});

test('speaks the next language of a page whose first one did not arrive', async () => {
  await page.route('**/locales/hashes.json', (route) => route.abort());
  await page.goto(`${hotel.siteUrl}/arabic`);
  await page.getByRole('button', { name: 'Pay €120.00' }).waitFor();
  await page.unroute('**/locales/hashes.json');
  await page.evaluate('document.querySelector("pay-widget").locale = "de"');
  await expect.poll(() => button().textContent()).toMatch(/120,00\s€ bezahlen/);
});

test('prints the receipt without the way on', async () => {
  await fetch(`${hotel.proxyUrl}/pay?PD=${session.id}`, { redirect: 'manual' });
  await page.goto(`${hotel.siteUrl}/next-step`);
  const next = page.getByRole('link', { name: 'Continue' });
  await next.waitFor();
  await page.emulateMedia({ media: 'print' });
  expect(await next.isVisible()).toBe(false);
  expect(await page.getByText('€120.00').first().isVisible()).toBe(true);
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
  { path: '/lit-twice', line: "lacks `trusted-types lit-html 'allow-duplicates'`" },
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
  page.on('console', (message) => /^<(pay|save)/.test(message.text()) && lines.push(message.text()));
  return () => lines;
}

test('an http proxy on an https page: the console names what a browser never lets through', async () => {
  const lines = ourLines();
  await page.route('https://hotel.example/**', async (route) => {
    const { pathname } = new URL(route.request().url());
    await route.fulfill({ response: await route.fetch({ url: hotel.siteUrl + pathname }) });
  });
  await page.goto('https://hotel.example/http-proxy');
  await page.getByText('No connection. Please try again.', { exact: true }).waitFor();
  await expect
    .poll(lines)
    .toEqual([
      expect.stringMatching(/^<pay-widget> cannot reach http:\/\/pay\.hotel\.example: .* over https may not call http/),
    ]);
  await expect.poll(() => page.evaluate('faults')).toMatchObject([{ code: 'network' }]);
  expect(await page.getByRole('button').textContent()).toContain('Try again');
});

test('leaves the link inside usable without JavaScript', async () => {
  const plain = await browser.newPage({ javaScriptEnabled: false });
  await plain.goto(`${hotel.siteUrl}/booking`);
  expect(await plain.getByText('Pay by link').isVisible()).toBe(true);
  await plain.close();
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

// After a reload, Back, a second visit and a restart, also while the proxy is away.
describe('the result of a payment stands', () => {
  const shown = (state: string, on = page): Promise<void> => on.locator(`pay-widget[state=${state}]`).waitFor();

  /** Clicks the element's button and acts on the hosted page. */
  async function act(what: 'pay' | 'decline'): Promise<void> {
    await button(/Pay/).click();
    await page.waitForURL('**/payment?**');
    await page.getByText(what, { exact: true }).click();
  }

  /** Shows it on the page that it came back to, and wherever else it was asked for. */
  async function stands(state: string, words: string): Promise<void> {
    const says = async (on = page): Promise<void> => {
      await shown(state, on);
      expect(await on.getByText(words).first().isVisible()).toBe(true);
    };
    await says();
    await page.reload();
    await says();
    expect(page.url()).not.toContain('_sss');

    const later = await context.newPage();
    await later.goto(page.url());
    await says(later);
    await later.close();

    await page.goBack();
    await page.waitForURL('**/payment?**');
    await page.goBack();
    await page.waitForURL(`${hotel.siteUrl}/lazy`);
    await says();
    expect(await button(/Pay/).count()).toBe(0);
    await page.reload();
    await shown(state);
  }

  // With `client-secret` and a return page of its own: the quick start in tests/docs.
  test('with getClientSecret it survives reload, a second visit and Back: after a decline, and after the next attempt', async () => {
    await page.goto(`${hotel.siteUrl}/lazy`);
    await act('decline');
    await stands('failed', 'The card was declined');
    await button('Try again').click();
    await page.waitForURL('**/payment?**');
    await page.goBack();
    await shown('waiting');
    await page.reload();
    await shown('waiting');
    await button('Open the secure page').click();
    await page.waitForURL('**/payment?**');
    await page.getByText('pay', { exact: true }).click();
    await stands('succeeded', 'Payment complete');
    // Everything that the device keeps.
    expect(await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))).not.toContain('_sss');
  });

  test('a page that loads its scripts after ours hears of the result again after a reload', async () => {
    await page.goto(`${hotel.siteUrl}/listening`);
    await act('pay');
    await expect.poll(() => page.title()).toBe('heard succeeded');
    await page.reload();
    await expect.poll(() => page.title()).toBe('heard succeeded');
  });

  test.each([
    ['another address', (url: string) => location.replace(`${url}?booking=2`)],
    ['the same address, by a link', (url: string) => Object.assign(document.createElement('a'), { href: url }).click()],
  ])(
    'in a tab of its own it is found again after a reload; %s, in the same entry of the history, begins anew',
    async (_, go) => {
      const url = `${hotel.siteUrl}/lazy-tab`;
      await page.goto(url);
      const [tab] = await Promise.all([context.waitForEvent('page'), button(/Pay/).click()]);
      await tab.waitForURL('**/payment?**');
      await shown('waiting');
      await page.reload();
      await shown('waiting');
      await tab.getByText('pay', { exact: true }).click();
      await shown('succeeded');
      await Promise.all([page.waitForEvent('load'), page.evaluate(go, url)]);
      await button('Pay now').waitFor();
      await page.reload();
      await button('Pay now').waitFor();
    },
  );

  test('while the proxy is away the way back waits, offers nothing to pay with, and finds the result by itself', async () => {
    await page.goto(`${hotel.siteUrl}/lazy`);
    await button(/Pay/).click();
    await page.waitForURL('**/payment?**');
    await context.route(`${hotel.proxyUrl}/v1/**`, (route) => route.abort('connectionrefused'));
    await page.getByText('pay', { exact: true }).click();
    await shown('waiting');
    expect(await page.getByText('Something went wrong').count()).toBe(0);
    expect(await page.locator('[part~=action]').count()).toBe(0);
    await context.unroute(`${hotel.proxyUrl}/v1/**`);
    await shown('succeeded');
  });
});
