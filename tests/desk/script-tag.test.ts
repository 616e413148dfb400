// The desk's script on a page of a back office, under the strictest policy that it promises to work with.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROOT } from '../../scripts/launch.ts';
import { launchBrowser } from '../support/guest.ts';

const SCRIPT = readFileSync(join(ROOT, 'packages/desk/dist/cdn/desk.js'), 'utf8');
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types lit-html',
].join('; ');

const PAGE = `import '/desk.js';
const desk = document.createElement('payments-desk');
desk.endpoint = 'https://office.example/innkeep';
desk.getClientSecret = async () => 'ds_test';
document.addEventListener('securitypolicyviolation', (event) => desk.setAttribute('blocked', event.violatedDirective));
document.adoptedStyleSheets.push(new CSSStyleSheet());
document.adoptedStyleSheets[0].replaceSync('body { margin: 16px }');
document.body.append(desk);`;

const ANSWERS: Readonly<Record<string, object>> = {
  desk: {
    property: { name: 'Hotel Aurora', livemode: false, timeZone: 'Europe/Vienna', maxAmount: null },
    person: { id: 'anna' },
    features: ['read', 'link'],
  },
  payments: {
    data: [],
    nextCursor: null,
    totals: [
      { currency: 'EUR', payments: 412, taken: 123_456_700, reversals: 38, reversed: 1_234_500, net: 122_222_200 },
    ],
    position: 0,
    days: { today: '2026-11-26' },
  },
  events: { data: [], nextAfter: 0 },
};

/** Where the element that reaches furthest to the right ends. */
const widest = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const endsIn = (root: ParentNode): number[] =>
      [...root.querySelectorAll('*')].flatMap((each) => [
        each.getBoundingClientRect().right,
        ...(each.shadowRoot ? endsIn(each.shadowRoot) : []),
      ]);
    return Math.floor(Math.max(...endsIn(document.querySelector('payments-desk')?.shadowRoot ?? document)));
  });

/** Around the element, as a page has it. */
const MARGIN = 16;

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

test.each([360, 1280])('works under script-src self and Trusted Types, and fits %i px', async (width) => {
  const page = await browser.newPage({ viewport: { width, height: 800 } });
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  await page.route('**/*', (route) => {
    const path = new URL(route.request().url()).pathname;
    const script = { '/desk.js': SCRIPT, '/page.js': PAGE }[path];
    if (script !== undefined) return route.fulfill({ contentType: 'text/javascript', body: script });
    const answer = ANSWERS[path.replace('/innkeep/v1/', '')];
    if (answer !== undefined) return route.fulfill({ json: answer });
    const body =
      '<!doctype html><html lang="de"><title>Office</title><body><script type="module" src="/page.js"></script>';
    return route.fulfill({ contentType: 'text/html', headers: { 'content-security-policy': POLICY }, body });
  });
  await page.goto('https://office.example/');
  await page.getByText('Hier sind keine Zahlungen.').waitFor();
  expect(await widest(page)).toBeLessThanOrEqual(width - MARGIN);
  await page.getByRole('button', { name: 'Geld anfordern' }).click();
  await page.getByLabel('Währung').waitFor();
  expect(await page.locator('payments-desk').getAttribute('blocked')).toBeNull();
  // Styles have come through `adoptedStyleSheets`.
  expect(await widest(page)).toBeLessThanOrEqual(width - MARGIN);
  expect(await page.locator('payments-desk').evaluate((desk) => getComputedStyle(desk).display)).toBe('block');
  expect(errors).toEqual([]);
  await page.close();
});
