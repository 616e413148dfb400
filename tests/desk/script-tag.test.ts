// The desk's script on a page of a back office, under the strictest policy that it promises to work with.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { blocksOfMarkdown } from '../../scripts/check-snippets.ts';
import { ROOT } from '../../scripts/launch.ts';
import { openDeskPage } from '../support/fake-desk.ts';
import { launchBrowser } from '../support/guest.ts';

const SCRIPT = readFileSync(join(ROOT, 'packages/desk/dist/cdn/desk.js'), 'utf8');

const PAGE = `import '/desk.js';
const desk = document.createElement('payments-desk');
desk.endpoint = 'https://office.example/innkeep';
desk.getClientSecret = async () => 'ds_test';
document.addEventListener('securitypolicyviolation', (event) => desk.setAttribute('blocked', event.violatedDirective));
document.adoptedStyleSheets.push(new CSSStyleSheet());
document.adoptedStyleSheets[0].replaceSync('body { margin: 16px }');
document.body.append(desk);`;

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

test('the manifest has what a page can use of each element, and nothing else', () => {
  const { modules } = JSON.parse(readFileSync(join(ROOT, 'packages/desk/dist/custom-elements.json'), 'utf8'));
  const lists = modules.flatMap(({ declarations }: { declarations?: { tagName?: string }[] }) => declarations ?? []);
  const named = (list: { name: string }[]): string => list.map(({ name }) => name).join(' ');
  const of = (tag: string): string[] => {
    const { members, attributes, events } = lists.find(({ tagName }: { tagName?: string }) => tagName === tag);
    return [members, attributes, events].map(named);
  };
  const shared = 'endpoint locale theme getClientSecret messages reload updateComplete';
  expect(of('payments-desk')).toEqual([
    `noFragment noShortcut ${shared}`,
    'no-fragment no-shortcut endpoint locale theme',
    'desk-select desk-filter desk-change',
  ]);
  expect(of('payments-list')).toEqual([
    `filter selected noShortcut focus ${shared}`,
    'selected no-shortcut endpoint locale theme',
    'desk-select desk-filter',
  ]);
  expect(of('payment-details')).toEqual([
    `payment focus ${shared}`,
    'payment endpoint locale theme',
    'desk-select desk-change',
  ]);
});

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

// The wide one is what a clerk's day has.
test('works under script-src self and Trusted Types, fits 360 px, and is printed with its days and in dark letters', async () => {
  const width = 360;
  const { page, errors } = await openDeskPage(browser, { scripts: { '/desk.js': SCRIPT, '/page.js': PAGE }, width });
  await page.getByText('Hier sind keine Zahlungen.').waitFor();
  expect(await widest(page)).toBeLessThanOrEqual(width - MARGIN);
  const letters = (): Promise<string> =>
    page.locator('payments-list .base').evaluate((base) => getComputedStyle(base).color);
  await page.locator('payments-desk').evaluate((desk) => desk.setAttribute('theme', 'dark'));
  await expect.poll(letters).toBe('rgb(237, 242, 240)');
  await page.emulateMedia({ media: 'print' });
  expect(await letters()).toBe('rgb(26, 33, 30)');
  const fields = ['Suche', 'Status', 'Art', 'Von', 'Bis'].map((name) => page.getByLabel(name).isVisible());
  expect(await Promise.all(fields)).toEqual([false, true, true, true, true]);
  // A search is of all days.
  await page.locator('payments-desk').evaluate((desk) => Object.assign(desk, { filter: { q: 'RES' } }));
  await page.getByLabel('Von').waitFor({ state: 'hidden' });
  // Of a long day it says that there is more.
  const json = { data: [], nextCursor: 'next', totals: [], position: 0, days: { today: '2026-11-26' } };
  await page.route('**/v1/payments?*', (route) =>
    route.fulfill({ json, headers: { 'access-control-allow-origin': '*' } }),
  );
  await page.locator('payments-desk').evaluate((desk) => Object.assign(desk, { filter: {} }));
  await page.getByRole('button', { name: 'Mehr anzeigen' }).waitFor();
  await page.emulateMedia({ media: 'screen' });
  await page.getByRole('button', { name: 'Zahlung anfordern' }).click();
  await page.getByLabel('Währung').waitFor();
  expect(await page.locator('payments-desk').getAttribute('blocked')).toBeNull();
  // Styles have come through `adoptedStyleSheets`.
  expect(await widest(page)).toBeLessThanOrEqual(width - MARGIN);
  expect(await page.locator('payments-desk').evaluate((desk) => getComputedStyle(desk).display)).toBe('block');
  expect(errors).toEqual([]);
  await page.close();
});

test('the page of the guide, word for word', async () => {
  const guide = 'docs/guides/desk.md';
  const blocks = blocksOfMarkdown(guide, readFileSync(join(ROOT, guide), 'utf8'));
  const code = (title: string): string =>
    blocks.find((each) => each.title === title)?.code.replace('https://pay.hotel.example', 'https://pay.example') ?? '';
  expect(`${code('index.html')}\n${code('office.js')}`.trim().split('\n').length).toBe(10);
  const { page, errors, secrets } = await openDeskPage(browser, {
    scripts: { '/desk.js': SCRIPT, '/office.js': code('office.js'), '/desk-secret': 'ds_guide' },
    html: code('index.html'),
  });
  await page.getByRole('heading', { name: 'Hotel Aurora' }).waitFor();
  expect([...secrets]).toEqual(['Bearer ds_guide']);
  expect(errors).toEqual([]);
  await page.close();
});
