// The quick start that needs no framework does what it says: its own files, its own commands, a payment in a browser, a receipt.
import { afterAll, test } from 'vitest';
import { freePort } from '../../scripts/launch.ts';
import { launchBrowser } from '../support/guest.ts';
import { sendForgedWebhooks } from './forged-webhooks.ts';
import { readQuickStart } from './quick-start.ts';
import { payOnSite } from './quick-start-journey.ts';
import { SiteFolder } from './site-folder.ts';

const folder = await SiteFolder.make(['core', 'widgets']);
afterAll(() => folder.remove());
const site = await folder.setUp(readQuickStart('plain-html', await freePort()));
afterAll(() => site.stop());
const browser = await launchBrowser();
afterAll(() => browser.close());
await site.start();

test('a guest is declined, turns back, pays once, keeps the receipt, and the hotel’s server is told', () =>
  payOnSite(browser, site));

test('a webhook that the proxy did not sign changes nothing', () => sendForgedWebhooks(site));
