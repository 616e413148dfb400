/** The result of a payment stands: after a reload, Back, a second visit and a restart, also while the proxy is away. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ROOT } from '../../scripts/launch.ts';
import { type FakeHotel, type SitePage, startFakeHotel } from '../support/fake-hotel.ts';
import { launchBrowser } from '../support/guest.ts';

let hotel: FakeHotel;
let browser: Browser;
let context: BrowserContext;
/** One page for all tests, which is what costs; each leaves it as a new one. */
let page: Page;
let session: { id: string; clientSecret: string };

const site = (body: string): SitePage => ({
  body: `<!doctype html><html lang="en"><title>Hotel</title><script type="module" src="/widgets.js"></script>${body}</html>`,
});
/** A page whose element asks for its session in the click. */
const lazy = (tag: string, returnPath: string, attributes = ''): SitePage =>
  site(`<${tag} endpoint="${hotel.proxyUrl}" ${attributes}></${tag}><script>
    document.querySelector('${tag}').getClientSecret = async () =>
      (await (await fetch('/session?${returnPath}')).json()).clientSecret;
  </script>`);
const eager = (tag: string, attributes = ''): SitePage =>
  site(`<${tag} endpoint="${hotel.proxyUrl}" client-secret="${session.clientSecret}" ${attributes}></${tag}>`);

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
    '/eager': () => eager('pay-widget'),
    '/status': () => site('<payment-status></payment-status>'),
    '/lazy': () => lazy('pay-widget', '/lazy', 'continue-href="/booked?a=1"'),
    '/lazy-card': () => lazy('save-card-widget', '/lazy-card'),
    '/lazy-tab': () => lazy('pay-widget', '/lazy-tab', 'presentation="tab"'),
    '/listening': () => {
      const { body } = lazy('pay-widget', '/listening');
      return { body: `${body}<script type="module" src="/listener.js"></script>` };
    },
    '/listener.js': () => ({
      body: 'addEventListener("pay-completed", ({ detail }) => { document.title = "heard " + detail.state; });',
      type: 'text/javascript',
    }),
    '/two': () =>
      site(`${['/lazy', '/lazy'].map((path) => String(lazy('pay-widget', path).body)).join('')}<script>
        for (const each of document.querySelectorAll('pay-widget'))
          each.getClientSecret = async () => (await (await fetch('/session?/lazy')).json()).clientSecret;
      </script>`),
    '/blank': () => ({ body: '<!doctype html>' }),
    '/booked': () => site('<h1>Booked</h1>'),
  });
});

afterAll(async () => {
  hotel?.close();
  await browser?.close();
});

beforeEach(() => {
  session = hotel.openSession(`${hotel.siteUrl}/status`);
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

const shown = (state: string, on = page): Promise<void> =>
  on.locator(`:is(pay-widget, save-card-widget, payment-status)[state=${state}]`).waitFor();
const button = (name: string | RegExp): ReturnType<Page['locator']> =>
  page.locator('pay-widget, save-card-widget, payment-status').getByRole('button', { name });

/** Clicks the element's button and acts on the hosted page. */
async function act(what: 'pay' | 'decline' | 'abort', name: string | RegExp = /Pay|Save/): Promise<void> {
  await button(name).click();
  await page.waitForURL('**/payment?**');
  await page.getByText(what, { exact: true }).click();
}

/** Everything that the device keeps, and every address that the tab has been at. */
const kept = (): Promise<string> => page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));

const OUTCOMES = [
  ['pay', 'succeeded', 'Payment complete'],
  ['decline', 'failed', 'The card was declined'],
  ['abort', 'canceled', 'You canceled'],
] as const;

// What is kept for the return is kept by all elements alike, and for every outcome: each is here once.
describe.each([
  ['client-secret', '/eager', OUTCOMES.slice(0, 1)],
  ['getClientSecret', '/lazy', OUTCOMES],
  ['getClientSecret of a card', '/lazy-card', OUTCOMES.slice(0, 1)],
] as const)('with %s', (_, path, outcomes) => {
  test.each(outcomes)(
    'after %s the result (%s) survives reload, a second visit and Back',
    async (what, state, words) => {
      await page.goto(hotel.siteUrl + path);
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
      await page.waitForURL(hotel.siteUrl + path);
      await shown(state);
      expect(await says(page)).toBe(true);
      expect(await button(/Pay|Save/).count()).toBe(0);
      await page.reload();
      await shown(state);
    },
  );
});

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

test('the return page of a declined, then of a canceled attempt offers the next one of the same session', async () => {
  await page.goto(`${hotel.siteUrl}/eager`);
  await act('decline');
  await shown('failed');
  await act('abort', 'Try again');
  await shown('canceled');
  await act('pay', 'Try again');
  await shown('succeeded');
  expect(page.url()).toBe(`${hotel.siteUrl}/status?checkout_session=${session.id}`);
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

test('another visit of the same address begins anew', async () => {
  await page.goto(`${hotel.siteUrl}/lazy`);
  await act('pay');
  await shown('succeeded');
  await page.goto(`${hotel.siteUrl}/lazy`);
  await button('Pay now').waitFor();
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

test('two elements of one page each come back to their own session', async () => {
  await page.goto(`${hotel.siteUrl}/two`);
  await button('Pay now').nth(1).click();
  await page.waitForURL('**/payment?**');
  await page.goBack();
  await page.reload();
  await page.locator('pay-widget').nth(1).and(page.locator('[state=waiting]')).waitFor();
  await page.locator('pay-widget').first().and(page.locator('[state=idle]')).waitFor();
});

describe('while the proxy is away', () => {
  const cut = (): Promise<unknown> =>
    context.route(`${hotel.proxyUrl}/v1/**`, (route) => route.abort('connectionrefused'));
  const mend = (): Promise<void> => context.unroute(`${hotel.proxyUrl}/v1/**`);

  test.each(['/lazy', '/eager'])(
    'the way back (%s) waits, offers nothing to pay with, and finds the result by itself',
    async (path) => {
      await page.goto(hotel.siteUrl + path);
      await button(/Pay/).click();
      await page.waitForURL('**/payment?**');
      await cut();
      await page.getByText('pay', { exact: true }).click();
      await shown('waiting');
      expect(await page.getByText('Something went wrong').count()).toBe(0);
      expect(await page.locator('[part~=action]').count()).toBe(0);
      await mend();
      await shown('succeeded');
    },
  );

  test('a result that was seen is still shown', async () => {
    await page.goto(`${hotel.siteUrl}/lazy`);
    await act('pay');
    await shown('succeeded');
    await cut();
    await page.reload();
    await shown('succeeded');
    await page.getByText('€120.00').first().waitFor();
  });
});

describe('the next step', () => {
  test('is a link that the site has set, and tells before it is followed', async () => {
    await page.goto(`${hotel.siteUrl}/lazy`);
    await act('pay');
    await shown('succeeded');
    const link = page.locator('pay-widget').getByRole('link', { name: 'Continue' });
    await page.evaluate(() =>
      document.addEventListener('pay-continue', (event) => {
        sessionStorage.setItem('told', (event as CustomEvent<{ state: string }>).detail.state);
      }),
    );
    await link.click();
    await page.getByRole('heading', { name: 'Booked' }).waitFor();
    expect(page.url()).toBe(`${hotel.siteUrl}/booked?a=1`);
    expect(await page.evaluate(() => sessionStorage.getItem('told'))).toBe('succeeded');
  });
});
