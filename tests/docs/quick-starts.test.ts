// Every quick start does what it says: its own files, its own commands, a payment in a browser, a receipt.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../../scripts/launch.ts';
import { findPhp } from '../../scripts/php.ts';
import { launchBrowser, openHostedPage, payOnHostedPage } from '../support/guest.ts';
import { readQuickStart } from './quick-start.ts';
import { type Site, SiteFolder } from './site-folder.ts';

const ALL_NAMES = ['plain-html', 'react', 'vue', 'next-js', 'server-page-php', 'worker', 'deno'] as const;

/** A newcomer's machine may have no PHP and no way for us to install one. In CI its absence is a failure. */
const canRunPhp = findPhp() !== undefined || process.env.CI !== undefined;
const NAMES = ALL_NAMES.filter((name) => name !== 'server-page-php' || canRunPhp);

/** A card whose payment the upstream records with an amount that nobody asked for. */
const RECORD_WITH_ANOTHER_AMOUNT = '4000000000011801';

type Name = (typeof ALL_NAMES)[number];

let browser: Browser;
/** For what is no site. */
let beside: string;
let folder: SiteFolder;
const sites = new Map<Name, Site>();
/** The first page's site once more, with a hotel of its own. */
let unluckySite: Site;

beforeAll(async () => {
  beside = await mkdtemp(join(tmpdir(), 'innkeep-quick-starts-'));
  folder = await SiteFolder.make(beside);
  for (const name of NAMES) sites.set(name, await folder.setUp(readQuickStart(name, await freePort())));
  unluckySite = await folder.setUp({ ...readQuickStart('plain-html', await freePort()), name: 'unknown-outcome' });
  browser = await launchBrowser();
}, 180_000);

afterAll(async () => {
  await browser?.close();
  await Promise.all([...sites.values(), unluckySite].map((site) => site?.stop()));
  await folder?.remove();
  await rm(beside, { recursive: true, force: true });
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
  }, 180_000);
  afterAll(() => site?.stop());

  test('a guest turns back, tries again, pays once, keeps the receipt, and the hotel’s server is told', async () => {
    const context = await browser.newContext({ locale: 'en-US' });
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));

    const policy = (await page.goto(site.url))?.headers()['content-security-policy'] ?? '';
    expect(policy).toMatch(
      /^default-src 'none'; script-src (?:'self'|'nonce-[\w-]+' 'strict-dynamic'); connect-src 'self' http:/,
    );
    expect(policy).toContain("base-uri 'none'; form-action 'self'; frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe-');
    await payButton(page).waitFor();
    // A guest who loads the page again stays with the same session.
    await page.reload();
    await payButton(page).waitFor();
    await openHostedPage(page);
    await page.getByRole('button', { name: /cancel/i }).click();
    await page.waitForURL('**?checkout_session=cs_*');
    await page.locator('payment-status[state="canceled"]').waitFor();
    await page.reload();
    await page.locator('payment-status[state="canceled"]').waitFor();
    await expect.poll(() => site.output()).toContain('RES-1234 is canceled');

    await page.getByRole('link', { name: 'Back to your booking' }).click();
    await payButton(page).waitFor();
    await openHostedPage(page);
    await payOnHostedPage(page);
    await page.waitForURL('**?checkout_session=cs_*');
    const receipt = page.locator('payment-status [part~="receipt"]');
    await receipt.getByText('€330.00').first().waitFor();
    await receipt.getByText('4242').first().waitFor();
    await page.reload();
    await receipt.getByText('4242').first().waitFor();
    await expect.poll(() => site.output()).toContain('RES-1234 is succeeded');

    // Paid is paid: the booking page offers no second payment.
    await page.goto(site.url);
    await page.getByText('Payment complete').first().waitFor();
    expect(await page.getByRole('button', { name: /pay/i }).count()).toBe(0);
    // The receipt stands: on the way back, and on a second visit.
    await page.goBack();
    await receipt.getByText('4242').first().waitFor();
    const secondVisit = await context.newPage();
    await secondVisit.goto(page.url());
    await secondVisit.locator('payment-status [part~="receipt"]').getByText('4242').first().waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  }, 60_000);

  test('a webhook that the proxy did not sign changes nothing', async () => {
    const forge = async (headers: Record<string, string>): Promise<number> => {
      const body = JSON.stringify({ id: 'ev_1', type: 'checkout.succeeded', data: { object: { id: 'cs_forged' } } });
      return (await fetch(new URL('/hooks', site.url), { method: 'POST', headers, body })).status;
    };
    const now = String(Math.floor(Date.now() / 1000));
    const signature = `v1,${Buffer.alloc(32).toString('base64')}`;
    expect(await forge({ 'webhook-id': 'ev_1', 'webhook-timestamp': now, 'webhook-signature': signature })).toBe(400);
    expect(await forge({ 'webhook-id': 'ev_1', 'webhook-timestamp': 'now', 'webhook-signature': signature })).toBe(400);
    expect(await forge({})).toBe(400);
  });
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
}, 60_000);

/** Id of the checkout session that the page is about. */
async function sessionOn(page: Page): Promise<string> {
  const clientSecret = await page.locator('pay-widget').getAttribute('client-secret');
  return (clientSecret ?? '').split('_').slice(0, 2).join('_');
}

function payButton(page: Page) {
  return page.getByRole('button', { name: 'Pay €330.00' });
}
