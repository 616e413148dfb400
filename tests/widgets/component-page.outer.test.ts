import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PICTURES } from '../../packages/widgets/component-page/sessions.ts';
import { type ComponentPage, serveComponentPage } from '../../packages/widgets/scripts/component-page.ts';
import { violationsOf } from '../support/axe.ts';
import { launchBrowser } from '../support/guest.ts';

const THEMES = ['light', 'dark'];
const LOCALES = ['en', 'de', 'el', 'ar', 'he', 'ja', 'zh-Hans', 'th'];

let site: ComponentPage;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  site = await serveComponentPage(0);
  browser = await launchBrowser();
  page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
});

afterAll(async () => {
  await browser.close();
  await site.close();
});

async function show(query: string): Promise<void> {
  await page.goto(`${site.url}/?${query}`);
  const expected = PICTURES.map(({ name }) => name);
  await expect
    .poll(() => page.locator('#states figure').evaluateAll((figures) => figures.map(({ id }) => id)))
    .toEqual(expected);
  // Two pictures are of what never ends; every other one has its texts when the skeleton is gone.
  await expect.poll(() => page.locator('#states figure:not(#loading) [part~=skeleton]').count()).toBe(0);
}

test('every picture shows the state it is called after, drawn by the script-tag file', async () => {
  await show('theme=light&locale=en');
  const shown = await page
    .locator('#states figure > :last-child')
    .evaluateAll((elements) =>
      elements.map((element) => [element.parentElement?.id ?? '', element.getAttribute('state') ?? '']),
    );
  const states = ['idle', 'opening', 'waiting', 'succeeded', 'failed', 'canceled', 'expired', 'unknown', 'error'];
  for (const [name = '', state] of shown) {
    const expected = states.find((each) => name.split('-').includes(each)) ?? { loading: '' }[name] ?? 'error';
    expect(state, name).toBe(expected);
  }
});

/** What axe finds in all pictures. */
const problems = (): Promise<string[]> => violationsOf(page, '#states');

for (const theme of THEMES) {
  for (const locale of LOCALES) {
    test(`axe finds nothing in any state, ${theme}, in ${locale}`, async () => {
      await show(`theme=${theme}&locale=${locale}`);
      expect(await problems()).toEqual([]);
    });
  }
}

test('axe looks inside: it finds colors that a site makes too faint', async () => {
  await show('theme=light&locale=en');
  await page.locator('#idle pay-widget').evaluate((element) => element.style.setProperty('--pay-color-text', '#ddd'));
  expect((await problems()).join()).toContain('color-contrast');
});

test('the theme editor shows a change on every element, writes its CSS, and warns of colors that are too faint', async () => {
  await show('theme=dark&locale=en');
  const css = (): Promise<string | null> => page.locator('#theme-css').textContent();
  const warnings = page.locator('#theme [role=status] li');
  expect(await css()).toContain('Change a value');
  expect(await warnings.count()).toBe(0);

  await page.getByLabel('--pay-color-primary, dark').fill('#ff8800');
  await page.getByLabel('--pay-border-radius').fill('2px');
  await page.getByLabel('--pay-border-radius').press('Enter');
  expect(await css()).toBe(
    [
      'pay-widget,',
      'save-card-widget,',
      'payment-status {',
      '  --pay-color-primary: light-dark(#14513f, #ff8800);',
      '  --pay-border-radius: 2px;',
      '}',
    ].join('\n'),
  );
  const button = page.locator('#idle').getByRole('button');
  await expect
    .poll(() => button.evaluate((element) => getComputedStyle(element).backgroundColor))
    .toBe('rgb(255, 136, 0)');

  await page.getByLabel('--pay-accessible-color-on-color-primary, dark').fill('#ffffff');
  await expect.poll(() => warnings.allTextContents()).toEqual([expect.stringMatching(/^dark: .*contrast of 2\.\d/)]);
  await page.getByRole('button', { name: 'Reset' }).click();
  expect(await css()).toContain('Change a value');
});
