// A project as users have it, with nothing but the packed packages: do the types resolve, does it build, does it render on a server,
// does it run? What other people's frameworks make of them is in *.outer.test.ts.
import { readdir, readFile, symlink } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { Browser } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../../scripts/launch.ts';
import { type FakeHotel, type SitePage, startFakeHotel } from '../support/fake-hotel.ts';
import { launchBrowser } from '../support/guest.ts';
import { makePackedProject, type PackedProject } from '../support/packed-project.ts';
import { runTool } from '../support/toolbox.ts';
import { FROM_ADDRESS, payOnce } from './pay-once.ts';
import { publish } from './publish.ts';
import { readFields } from './read-fields.ts';
import { compileAll } from './typed-project.ts';

/** What the project has beside the packages, as this workspace has it. */
const REACT = ['react', 'react-dom', '@types/react'];
const CORE = 'node_modules/@innkeep/core/dist';
const VITE = join(ROOT, 'packages/widgets/node_modules/.bin/vite');

let project: PackedProject;
let browser: Browser;
let hotel: FakeHotel;
const pages: Record<string, () => SitePage> = {};

beforeAll(async () => {
  project = await makePackedProject(['react']);
  for (const name of REACT)
    await symlink(join(ROOT, 'packages/react/node_modules', name), join(project.folder, 'node_modules', name));
  hotel = await startFakeHotel(pages);
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser?.close();
  hotel?.close();
  await project?.remove();
});

/** What a page says in its title that imports packages by name, without a bundler. */
async function titleWith(imports: Readonly<Record<string, string>>, module: string): Promise<string> {
  const map = JSON.stringify({ imports });
  const body = `<!doctype html><script type="importmap">${map}</script><script type="module">${module}</script>`;
  pages['/page.html'] = () => ({ body });
  const page = await browser.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  await page.goto(`${hotel.siteUrl}/page.html`);
  await expect.poll(async () => errors.length > 0 || (await page.title()) !== '').toBe(true);
  expect(errors).toEqual([]);
  return page.title();
}

const BOOKING = `
import { PayWidget } from '@innkeep/react';
import { createElement, useEffect, useState } from 'react';
import { clientSecret, endpoint } from './address.js';

export function Booking() {
  const [paid, setPaid] = useState('');
  const [session, setSession] = useState({});
  // The address is known in the browser only; a real page would get the secret from its server.
  useEffect(() => setSession({ endpoint, clientSecret }), []);
  const link = createElement('a', { href: '/pay-link' }, 'Pay by link');
  const onPayCompleted = ({ detail }) => setPaid(detail.checkout?.id ?? '');
  const widget = createElement(PayWidget, { ...session, locale: 'en', onPayCompleted }, link);
  return createElement('main', null, widget, createElement('p', { id: 'paid' }, paid));
}
`;

describe('a project with the packed packages', () => {
  it('has types', async () => {
    await compileAll(project, {
      tsc: join(ROOT, 'node_modules/.bin/tsc'),
      module: 'nodenext',
      moduleResolution: 'nodenext',
    });
  });

  it.each(['contract', 'merchant', 'checkout', 'webhooks'])(
    'says in an editor what each field of %s is',
    async (entry) => {
      await project.write({
        'hover/tsconfig.json': JSON.stringify({
          compilerOptions: { module: 'nodenext', strict: true, skipLibCheck: true, types: [] },
          files: ['index.ts'],
        }),
        'hover/index.ts': `export * from '@innkeep/core/${entry}';\n`,
      });
      // Not within what only an operator's own programs read: a configuration as it is parsed.
      const { fields, silent } = readFields(join(project.folder, 'hover'), entry !== 'contract');
      expect(fields).toBeGreaterThan(20);
      const advice =
        'Each needs a TSDoc text. One that has it and is within another field: give its schema an interface, like MoneyType of core contract/money.ts';
      expect(silent, advice).toEqual([]);
    },
  );

  it('runs as a Node script', async () => {
    await project.write({
      'script.mjs':
        "import { Money } from '@innkeep/core';\nimport { xmlDocument } from '@innkeep/core/gateway';\n" +
        "console.log(String(Money.parse('120', 'EUR')), xmlDocument({ OC: 'KA' }).contentType);\n",
    });
    const output = await runTool(project.folder, [process.execPath, 'script.mjs']);
    expect(output.trim()).toBe('120.00 EUR text/xml; charset=ISO-8859-1');
  });

  it('renders on a server, comes alive from a bundle of Vite, and takes one payment', async () => {
    await project.write({
      'site/address.js': FROM_ADDRESS,
      'site/booking.js': BOOKING,
      'site/server.js': `
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { Booking } from './booking.js';
console.log(renderToString(createElement(Booking)));
`,
      'site/client.js': `
import { createElement } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { Booking } from './booking.js';
hydrateRoot(document.getElementById('app'), createElement(Booking));
`,
    });
    const rendered = (await runTool(project.folder, [process.execPath, 'site/server.js'])).trim();
    expect(rendered).toMatch(/<pay-widget[^>]*><a href="\/pay-link">Pay by link<\/a><\/pay-widget>/);
    await project.write({
      'site/index.html': `<!doctype html><title>Booking</title><div id="app">${rendered}</div><script type="module" src="./client.js"></script>`,
    });
    await runTool(project.folder, [VITE, 'build', 'site', '--base', '/site/dist/', '--logLevel', 'warn']);
    await publish(pages, project.folder, 'site/dist');
    await payOnce(browser, hotel, '/site/dist/index.html');
  });

  it('runs in a page without a bundler', async () => {
    await publish(pages, project.folder, CORE);
    const session = { endpoint: hotel.proxyUrl, clientSecret: hotel.openSession().clientSecret };
    const module = `
import { createCheckout } from '@innkeep/core/checkout';
document.title = (await createCheckout(${JSON.stringify(session)}).read()).status;
`;
    expect(await titleWith({ '@innkeep/core/checkout': `/${CORE}/checkout/checkout-client.js` }, module)).toBe('open');
  });

  it('talks to the gateway in a page without a bundler, so that no bundler needs a plug-in', async () => {
    const imports: Record<string, string> = { '@innkeep/core/': `/${CORE}/` };
    for (const name of ['ky', 'valibot', '@rgrove/parse-xml']) {
      const folder = `node_modules/${name}`;
      await publish(pages, project.folder, folder);
      const { exports } = JSON.parse(await readFile(join(project.folder, folder, 'package.json'), 'utf8'));
      imports[name] = `/${folder}/${entryOf(exports['.'] ?? exports).replace('./', '')}`;
    }
    const module = `
import { readGatewayReply } from '@innkeep/core/gateway/index.js';
const bytes = new TextEncoder().encode('<SIHOT-Document><RC>0</RC></SIHOT-Document>');
document.title = readGatewayReply({ contentType: 'text/xml', bytes }).document.name;
`;
    expect(await titleWith(imports, module)).toBe('SIHOT-Document');
  });

  it.each(['core', 'widgets', 'react'])('finds sources and built files of %s, and nothing else', async (name) => {
    const folder = join(project.folder, 'node_modules/@innkeep', name);
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const files = entries
      .filter((entry) => entry.isFile())
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
    expect(
      files.filter((file) => !/^(dist|src)\/|^(package\.json|README\.md|CHANGELOG\.md|LICENSE)$/.test(file)),
    ).toEqual([]);
    expect(files.filter((file) => /\.test\.|tsbuildinfo/.test(file))).toEqual([]);
    expect(files).toContain('dist/index.d.ts');
  });
});

/** What a browser gets of a package: its module, however its conditions are nested. */
function entryOf(entry: unknown): string {
  if (typeof entry === 'string') return entry;
  const { import: module, default: other } = entry as { readonly import?: unknown; readonly default?: unknown };
  return entryOf(module ?? other);
}
