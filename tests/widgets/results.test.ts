/** The result of a payment stands: after a reload, Back, a second visit and a restart, also while the proxy is away. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { ROOT } from '../../scripts/launch.ts';
import { type FakeHotel, type SitePage, startFakeHotel } from '../support/fake-hotel.ts';
import { launchBrowser } from '../support/guest.ts';

let hotel: FakeHotel;
let browser: Browser;
let context: BrowserContext;
/** One page for all tests, which is what costs; each leaves it as a new one. */
let page: Page;

const site = (body: string): SitePage => ({
  body: `<!doctype html><html lang="en"><title>Hotel</title><script type="module" src="/widgets.js"></script>${body}</html>`,
});
/** A page whose element asks for its session in the click. */
const lazy = (returnPath: string, attributes = ''): SitePage =>
  site(`<pay-widget endpoint="${hotel.proxyUrl}" ${attributes}></pay-widget><script>
    document.querySelector('pay-widget').getClientSecret = async () =>
      (await (await fetch('/session?${returnPath}')).json()).clientSecret;
  </script>`);

beforeAll(async () => {
  browser = await launchBrowser();
  // Every pixel is drawn without a graphics card.
  context = await browser.newContext({ viewport: { width: 400, height: 400 } });
  page = await context.newPage();
  hotel = await startFakeHotel({
    '/widgets.js': () => ({
      body: readFileSync(join(ROOT, 'packages/widgets/dist/cdn/widgets.js')),
      type: 'text/javascript',
    }),
    '/session': ({ url = '' }) => ({
      body: JSON.stringify(hotel.openSession(hotel.siteUrl + url.slice('/session?'.length))),
      type: 'application/json',
    }),
    '/lazy': () => lazy('/lazy'),
    '/lazy-tab': () => lazy('/lazy-tab', 'presentation="tab"'),
    '/listening': () => {
      const { body } = lazy('/listening');
      return { body: `${body}<script type="module" src="/listener.js"></script>` };
    },
    '/listener.js': () => ({
      body: 'addEventListener("pay-completed", ({ detail }) => { document.title = "heard " + detail.state; });',
      type: 'text/javascript',
    }),
    '/blank': () => ({ body: '<!doctype html>' }),
  });
});

afterAll(async () => {
  hotel?.close();
  await browser?.close();
});

afterEach(async () => {
  await context.unrouteAll({ behavior: 'ignoreErrors' });
  await Promise.all(context.pages().map((each) => each !== page && each.close()));
  // What is kept goes when nobody is left who would keep more.
  await page.goto(`${hotel.siteUrl}/blank`);
  await page.evaluate(() => {
    localStorage.clear();
    sessionStorage.clear();
  });
});

const shown = (state: string, on = page): Promise<void> => on.locator(`pay-widget[state=${state}]`).waitFor();
const button = (name: string | RegExp): ReturnType<Page['locator']> =>
  page.locator('pay-widget').getByRole('button', { name });

/** Clicks the element's button and acts on the hosted page. */
async function act(what: 'pay' | 'decline'): Promise<void> {
  await button(/Pay/).click();
  await page.waitForURL('**/payment?**');
  await page.getByText(what, { exact: true }).click();
}

/** Everything that the device keeps, and every address that the tab has been at. */
const kept = (): Promise<string> => page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));

// With `client-secret` and a return page of its own: the quick start in tests/docs.
test.each([
  ['pay', 'succeeded', 'Payment complete'],
  ['decline', 'failed', 'The card was declined'],
] as const)(
  'with getClientSecret after %s the result (%s) survives reload, a second visit and Back',
  async (what, state, words) => {
    await page.goto(`${hotel.siteUrl}/lazy`);
    await act(what);
    await shown(state);
    const says = (on: Page): Promise<boolean> => on.getByText(words).first().isVisible();
    expect(await says(page)).toBe(true);

    await page.reload();
    await shown(state);
    expect(await says(page)).toBe(true);
    expect(page.url()).not.toContain('_sss');
    if (state === 'succeeded') expect(await kept()).not.toContain('_sss');

    const later = await context.newPage();
    await later.goto(page.url());
    await shown(state, later);
    expect(await says(later)).toBe(true);
    await later.close();

    await page.goBack();
    await page.waitForURL('**/payment?**');
    await page.goBack();
    await page.waitForURL(`${hotel.siteUrl}/lazy`);
    await shown(state);
    expect(await says(page)).toBe(true);
    expect(await button(/Pay/).count()).toBe(0);
    await page.reload();
    await shown(state);
  },
);

test('the next attempt survives a reload: it is shown, not the one that was declined', async () => {
  await page.goto(`${hotel.siteUrl}/lazy`);
  await act('decline');
  await shown('failed');
  await button('Try again').click();
  await page.waitForURL('**/payment?**');
  await page.goBack();
  await shown('waiting');
  await page.reload();
  await shown('waiting');
  await button('Open the secure page').click();
  await page.waitForURL('**/payment?**');
  await page.getByText('pay', { exact: true }).click();
  await shown('succeeded');
});

test('a page that loads its scripts after ours hears of the result again after a reload', async () => {
  await page.goto(`${hotel.siteUrl}/listening`);
  await act('pay');
  await expect.poll(() => page.title()).toBe('heard succeeded');
  await page.reload();
  await expect.poll(() => page.title()).toBe('heard succeeded');
});

test('in a tab of its own the payment is found again after a reload', async () => {
  await page.goto(`${hotel.siteUrl}/lazy-tab`);
  const [tab] = await Promise.all([context.waitForEvent('page'), button(/Pay/).click()]);
  await tab.waitForURL('**/payment?**');
  await shown('waiting');
  await page.reload();
  await shown('waiting');
  await tab.getByText('pay', { exact: true }).click();
  await shown('succeeded');
});

test.each([
  ['another address', (url: string) => location.replace(`${url}?booking=2`)],
  ['the same address, by a link', (url: string) => Object.assign(document.createElement('a'), { href: url }).click()],
])('%s, in the same entry of the history, begins anew', async (_, go) => {
  const url = `${hotel.siteUrl}/lazy-tab`;
  await page.goto(url);
  const [tab] = await Promise.all([context.waitForEvent('page'), button(/Pay/).click()]);
  await tab.waitForURL('**/payment?**');
  await tab.getByText('pay', { exact: true }).click();
  await shown('succeeded');
  await Promise.all([page.waitForEvent('load'), page.evaluate(go, url)]);
  await button('Pay now').waitFor();
});

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
