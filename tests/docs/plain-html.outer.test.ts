// The quick start that needs no framework does what it says: its own files, its own commands, a payment in a browser, a receipt.
import type { Browser } from 'playwright';
import { afterAll, beforeAll, test } from 'vitest';
import { freePort } from '../../scripts/launch.ts';
import { launchBrowser } from '../support/guest.ts';
import { readQuickStart } from './quick-start.ts';
import { payOnSite, sendForgedWebhooks } from './quick-start-journey.ts';
import { type Site, SiteFolder } from './site-folder.ts';

let browser: Browser;
let folder: SiteFolder;
let site: Site;

beforeAll(async () => {
  folder = await SiteFolder.make(['core', 'widgets']);
  site = await folder.setUp(readQuickStart('plain-html', await freePort()));
  browser = await launchBrowser();
  await site.start();
});

afterAll(async () => {
  await browser?.close();
  await site?.stop();
  await folder?.remove();
});

test('a guest is declined, turns back, pays once, keeps the receipt, and the hotel’s server is told', () =>
  payOnSite(browser, site));

test('a webhook that the proxy did not sign changes nothing', () => sendForgedWebhooks(site));
