import { readFileSync } from 'node:fs';
import type { CheckoutView } from '@innkeep/core/contract';
import type { Browser } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkoutPage } from '../../packages/edge-proxy/src/sessions/checkout-page.ts';
import { MESSAGES } from '../../packages/edge-proxy/src/sessions/messages.ts';
import { launchBrowser } from '../support/guest.ts';

const SHEET = readFileSync(new URL('../../packages/edge-proxy/assets/pages.css', import.meta.url), 'utf8');
const VIEW: CheckoutView = {
  ...{ id: 'cs_1', kind: 'payment', status: 'open', final: false, seq: 1, terms: 1, returned: false, livemode: false },
  ...{ amount: { value: 12_000, currency: 'EUR' }, surcharge: true, hotelName: 'Aurora', acceptedBrands: [] },
  ...{ reference: 'RES-1', description: null, receipt: null, error: null, expiresAt: '', nextPollMs: null },
};

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

test.each<[string, Partial<CheckoutView>]>([
  ['the name of the hotel', { hotelName: 'Donaudampfschifffahrtsgesellschaftskapitänshotel' }],
  ['an address in the description', { description: `https://hotel.example/offers/${'spring-'.repeat(12)}2026` }],
  ['the reference', { reference: 'R'.repeat(60) }],
])('a long word in %s does not widen the page of a small phone', async (_, change) => {
  const page = await browser.newPage({ viewport: { width: 320, height: 640 } });
  const view = { ...VIEW, ...change };
  await page.setContent(String(await checkoutPage({ view, locale: 'de', messages: MESSAGES.de, payAction: '/x' })));
  await page.addStyleTag({ content: SHEET });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  await page.close();
});
