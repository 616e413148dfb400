import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import type { Browser } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FakeHotel, type SitePage, startFakeHotel } from '../support/fake-hotel.ts';
import { launchBrowser } from '../support/guest.ts';
import { angular } from './angular.ts';
import { astro } from './astro.ts';
import { installProjects, runTool, write } from './install.ts';
import { next } from './next.ts';
import { otherJsx } from './other-jsx.ts';
import type { FrameworkPage } from './project.ts';
import { react } from './react.ts';
import { svelte } from './svelte.ts';
import { vue } from './vue.ts';

// One project for all pages: one install, one bundle. Exact versions, so that a release of theirs cannot break ours.
const DEPENDENCIES = {
  '@angular/common': '22.2.6',
  '@angular/compiler': '22.2.6',
  '@angular/compiler-cli': '22.2.6',
  '@angular/core': '22.2.6',
  '@angular/platform-browser': '22.2.6',
  '@astrojs/check': '0.9.10',
  '@emnapi/runtime': '1.11.3',
  '@sveltejs/vite-plugin-svelte': '7.3.1',
  '@types/node': '24.19.2',
  '@types/react': '19.3.0',
  '@types/react-dom': '19.3.0',
  '@vitejs/plugin-vue': '6.0.11',
  astro: '7.3.5',
  next: '16.4.6',
  preact: '11.2.0',
  react: '19.3.1',
  'react-dom': '19.3.1',
  rxjs: '7.8.2',
  'solid-js': '1.9.19',
  svelte: '5.57.3',
  'svelte-check': '4.7.8',
  typescript: '6.0.3',
  vite: '8.3.8',
  vue: '3.5.45',
  'vue-tsc': '3.3.14',
};

const BUNDLED: readonly FrameworkPage[] = [react, vue, svelte, angular];
const PAGES: readonly FrameworkPage[] = [...BUNDLED, next, astro];

const VITE_CONFIG = `
import { svelte } from '@sveltejs/vite-plugin-svelte';
import vue from '@vitejs/plugin-vue';

export default {
  plugins: [svelte(), vue({ template: { compilerOptions: { isCustomElement: (tag) => tag.endsWith('-widget') } } })],
  build: { rolldownOptions: { input: ${JSON.stringify(BUNDLED.map(({ name }) => `${name}/index.html`))} } },
  logLevel: 'warn',
};
`;

const PLAIN_HTML = `<!doctype html>
<html lang="en">
  <meta charset="utf-8" />
  <title>Booking</title>
  <script type="module" src="/cdn/widgets.js"></script>
  <pay-widget locale="en"><a href="/pay-link">Pay by link</a></pay-widget>
  <p id="paid"></p>
  <script type="module">
    const address = new URLSearchParams(location.search);
    const widget = document.querySelector('pay-widget');
    widget.addEventListener('pay-completed', ({ detail }) => {
      document.getElementById('paid').textContent = detail.checkout.id;
    });
    if (address.has('secret')) {
      widget.endpoint = address.get('endpoint');
      widget.clientSecret = address.get('secret');
    }
  </script>
</html>
`;

const TYPES: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.css': 'text/css' };

let root: string;
let folder: string;
let hotel: FakeHotel;
let browser: Browser;
const pages: Record<string, () => SitePage> = {};

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'innkeep-consumers-'));
  folder = join(root, 'pages');
  await installProjects(root, ['core', 'widgets'], { pages: DEPENDENCIES });
  for (const { name, files } of [...PAGES, ...otherJsx]) {
    for (const [path, text] of Object.entries(files)) write(join(folder, name, path), text);
  }
  write(join(folder, 'vite.config.mjs'), VITE_CONFIG);
  await buildPages();
  hotel = await startFakeHotel(pages);
  browser = await launchBrowser();
}, 600_000);

afterAll(async () => {
  hotel?.close();
  await browser?.close();
  rmSync(root, { recursive: true, force: true });
});

for (const { name, typeCheck } of [...PAGES, ...otherJsx]) {
  test(`${name} type-checks`, () => runTool(folder, typeCheck), 240_000);
}

test('next renders the element and the link inside it on the server', () => {
  const html = readFileSync(join(folder, 'next/out/index.html'), 'utf8');
  expect(html).toMatch(/<pay-widget[^>]*>\s*<a href="\/pay-link">Pay by link<\/a>/);
});

for (const name of [...PAGES.map((page) => page.name), 'plain']) {
  test(`${name} pays once in Chromium`, async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    const problems: string[] = [];
    page.on('pageerror', ({ message }) => problems.push(message));
    const url = `${hotel.siteUrl}/${name}/index.html`;
    const { id, clientSecret } = hotel.openSession(url);
    await page.goto(`${url}?${new URLSearchParams({ endpoint: hotel.proxyUrl, secret: clientSecret })}`);
    const before = hotel.proxyRequests.length;
    await page.locator('pay-widget').getByRole('button', { name: 'Pay €120.00' }).click();
    await page.waitForURL('**/payment?**');
    await page.getByText('pay', { exact: true }).click();
    await expect.poll(() => page.locator('#paid').textContent()).toBe(id);

    expect(await page.locator('pay-widget').getByText('Payment complete').first().isVisible()).toBe(true);
    expect(hotel.proxyRequests.slice(before).filter((request) => request.startsWith('POST'))).toEqual([
      'POST /v1/checkout/start',
    ]);
    expect(problems).toEqual([]);
    await context.close();
  });
}

async function buildPages(): Promise<void> {
  for (const { build } of PAGES) if (build) await runTool(folder, build);
  await runTool(folder, ['vite', 'build']);
  publish(join(folder, 'dist'), '');
  publish(join(folder, 'next/out'), '/next');
  publish(join(folder, 'astro/dist'), '/astro');
  publish(join(folder, 'node_modules/@innkeep/widgets/dist/cdn'), '/cdn');
  pages['/plain/index.html'] = () => ({ body: PLAIN_HTML });
}

/** Puts every file of a folder on the hotel's site. */
function publish(from: string, at: string): void {
  for (const entry of readdirSync(from, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    const type = TYPES[extname(file)];
    pages[`${at}${file.slice(from.length)}`] = () => ({ body: readFileSync(file), ...(type && { type }) });
  }
}
