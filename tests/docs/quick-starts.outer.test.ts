// Every other quick start does what it says, with the framework that it is for.
import { join } from 'node:path';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort, ROOT } from '../../scripts/launch.ts';
import { findPhp } from '../../scripts/php.ts';
import { launchBrowser, openHostedPage, payOnHostedPage } from '../support/guest.ts';
import { installTools } from '../support/toolbox.ts';
import { sendForgedWebhooks } from './forged-webhooks.ts';
import { readQuickStart } from './quick-start.ts';
import { payOnSite } from './quick-start-journey.ts';
import { type Site, SiteFolder } from './site-folder.ts';

const ALL_NAMES = ['react', 'vue', 'next-js', 'server-page-php', 'worker', 'deno'] as const;

/** A newcomer's machine may have no PHP and no way for us to install one. In CI its absence is a failure. */
const canRunPhp = findPhp() !== undefined || process.env.CI !== undefined;
const NAMES = ALL_NAMES.filter((name) => name !== 'server-page-php' || canRunPhp);

/** A card whose payment the upstream records with an amount that nobody asked for. */
const RECORD_WITH_ANOTHER_AMOUNT = '4000000000011801';

type Name = (typeof ALL_NAMES)[number];

let browser: Browser;
let folder: SiteFolder;
const sites = new Map<Name, Site>();
/** The first quick start's site, whose guest has bad luck. */
let unluckySite: Site;

beforeAll(async () => {
  const frameworks = await installTools('tests/consumers/tools');
  // Deno, and the wrangler of this workspace.
  const homes = [await installTools('tests/runtimes/tools'), ROOT];
  const commands = homes.map((home) => join(home, 'node_modules/.bin'));
  folder = await SiteFolder.make(['core', 'react'], frameworks, commands);
  for (const name of NAMES) sites.set(name, await folder.setUp(readQuickStart(name, await freePort())));
  unluckySite = await folder.setUp(readQuickStart('plain-html', await freePort()));
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser?.close();
  await Promise.all([...sites.values(), unluckySite].map((site) => site?.stop()));
  await folder?.remove();
});

if (!canRunPhp) test.skip('server-page-php needs PHP 8.1: install php-cli, or set PHP_PATH', () => undefined);

describe.each(NAMES)('%s', (name) => {
  let site: Site;

  beforeAll(async () => {
    const own = sites.get(name);
    if (own === undefined) throw new Error(`${name} was not set up`);
    site = own;
    // Starting is mostly waiting: the next site does so while a guest pays on this one.
    const next = sites.get(NAMES[NAMES.indexOf(name) + 1] ?? name);
    const started = site.start();
    next?.start().catch(() => undefined);
    await started;
  });
  afterAll(() => site?.stop());

  test('a guest is declined, turns back, pays once, keeps the receipt, and the hotel’s server is told', () =>
    payOnSite(browser, site));

  if (name === 'react') {
    test('a page that goes on to another booking shows no payment of the first', async () => {
      const page = await browser.newPage({ locale: 'en-US' });
      await page.goto(site.url);
      await page.locator('pay-widget').waitFor();
      // Its answer does not come.
      await page.route('**/api/checkout/RES-5678', () => undefined);
      await page.evaluate(
        "history.pushState(null, '', '/bookings/RES-5678'); dispatchEvent(new PopStateEvent('popstate'))",
      );
      await page.getByText('Loading').waitFor();
      expect(await page.locator('pay-widget').count()).toBe(0);
      await page.close();
    });
  }

  test('a webhook that the proxy did not sign changes nothing', () => sendForgedWebhooks(site));
});

test('a guest whose outcome is unknown is not offered a second payment', async () => {
  await unluckySite.start();
  const context = await browser.newContext({ locale: 'en-US' });
  const page = await context.newPage();
  await page.goto(unluckySite.url);
  const session = await sessionOn(page);
  await openHostedPage(page);
  await payOnHostedPage(page, RECORD_WITH_ANOTHER_AMOUNT);
  await page.locator('payment-status[state="unknown"]').waitFor();
  await expect.poll(() => unluckySite.output()).toContain('RES-1234 is unknown');

  await page.getByRole('link', { name: 'Back to your booking' }).click();
  await page.locator('pay-widget[state="unknown"]').waitFor();
  expect(await page.getByRole('button', { name: /pay/i }).count()).toBe(0);
  expect(await sessionOn(page)).toBe(session);
  await context.close();
});

/** Id of the checkout session that the page is about. */
async function sessionOn(page: Page): Promise<string> {
  const clientSecret = await page.locator('pay-widget').getAttribute('client-secret');
  return (clientSecret ?? '').split('_').slice(0, 2).join('_');
}
