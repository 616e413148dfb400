// Every framework on nothing but the packed packages: its own type check, its own build, a payment in Chromium. Next.js is in
// server-rendering.outer.test.ts.
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { Browser } from 'playwright';
import { afterAll, beforeAll, test } from 'vitest';
import { type FakeHotel, type SitePage, startFakeHotel } from '../support/fake-hotel.ts';
import { launchBrowser } from '../support/guest.ts';
import { makePackedProject, type PackedProject } from '../support/packed-project.ts';
import { installTools, runTool } from '../support/toolbox.ts';
import { angular } from './angular.ts';
import { astro } from './astro.ts';
import { otherJsx } from './other-jsx.ts';
import { payOnce } from './pay-once.ts';
import type { FrameworkPage } from './project.ts';
import { react } from './react.ts';
import { svelte } from './svelte.ts';
import { compileAll } from './typed-project.ts';
import { vue } from './vue.ts';

const BUNDLED: readonly FrameworkPage[] = [react, vue, svelte, angular];
const PAGES: readonly FrameworkPage[] = [...BUNDLED, astro];

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

let project: PackedProject;
let hotel: FakeHotel;
let browser: Browser;
const pages: Record<string, () => SitePage> = {};

beforeAll(async () => {
  project = await makePackedProject(['react'], await installTools('tests/consumers/tools'));
  for (const { name, files } of [...PAGES, ...otherJsx])
    await project.write(Object.fromEntries(Object.entries(files).map(([path, text]) => [join(name, path), text])));
  await project.write({ 'vite.config.mjs': VITE_CONFIG });
  await buildPages();
  hotel = await startFakeHotel(pages);
  browser = await launchBrowser();
}, 600_000);

afterAll(async () => {
  hotel?.close();
  await browser?.close();
  await project?.remove();
});

for (const { name, typeCheck } of [...PAGES, ...otherJsx]) {
  if (typeCheck) test(`${name} type-checks`, () => runTool(project.folder, typeCheck), 240_000);
}

test('TypeScript 5.7 knows the types as well', async () => {
  const tsc = join(project.folder, '../node_modules/typescript-5.7/bin/tsc');
  await compileAll(project, { tsc, module: 'nodenext', moduleResolution: 'nodenext' });
}, 240_000);

for (const name of [...PAGES.map((page) => page.name), 'plain']) {
  test(`${name} pays once in Chromium`, () => payOnce(browser, hotel, `/${name}/index.html`));
}

async function buildPages(): Promise<void> {
  for (const { build } of PAGES) if (build) await runTool(project.folder, build);
  await runTool(project.folder, ['vite', 'build']);
  publish(join(project.folder, 'dist'), '');
  publish(join(project.folder, 'astro/dist'), '/astro');
  publish(join(project.folder, 'node_modules/@innkeep/widgets/dist/cdn'), '/cdn');
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
