// Mistakes that only a whole page can make. Those that an element shows by itself are tested beside it.
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { ROOT } from '../../scripts/launch.ts';
import { launchBrowser } from '../support/guest.ts';

const SITE = 'https://hotel.example';
const SECRET = `cs_01J0000000000000000000000A_${'s'.repeat(43)}`;

let browser: Browser;
let page: Page;
/** A site whose proxy takes every call and answers none. */
let silence: Server;
let silentUrl: string;
/** What the elements say on the console. */
let lines: string[];

beforeAll(async () => {
  browser = await launchBrowser();
  silence = createServer(({ url }, response) => {
    if (url === '/widgets.js') response.setHeader('content-type', 'text/javascript').end(SCRIPT);
    else if (url === '/')
      response.setHeader('content-type', 'text/html').end(documentWith(payWidget(`${silentUrl}/proxy`)));
  });
  await new Promise<void>((resolve) => silence.listen(0, '127.0.0.1', resolve));
  // A server that listens on a port has an address with one.
  silentUrl = `http://127.0.0.1:${(silence.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await browser?.close();
  silence?.closeAllConnections();
  silence?.close();
});
beforeEach(async () => {
  page = await (await browser.newContext({ locale: 'en-US' })).newPage();
  lines = [];
  page.on('console', (message) => void (/^<(pay|save)/.test(message.text()) && lines.push(message.text())));
});
afterEach(() => page.context().close());

const SCRIPT = readFileSync(join(ROOT, 'packages/widgets/dist/cdn/widgets.js'));

const payWidget = (endpoint: string): string =>
  `<pay-widget endpoint="${endpoint}" client-secret="${SECRET}"></pay-widget>`;

/** A page that keeps the faults that its elements report. */
function documentWith(body: string): string {
  const listener = `const faults = []; addEventListener('pay-error', ({ detail }) => faults.push(detail.code + ' ' + detail.param));`;
  return `<!doctype html><html lang="en"><title>Booking</title><link rel="icon" href="data:,"><script>${listener}</script>
    <script type="module" src="/widgets.js"></script>${body}</html>`;
}

/** Opens a page of the hotel's site. */
async function open(body: string, path = '/'): Promise<void> {
  await page.route(`${SITE}/**`, (route) =>
    new URL(route.request().url()).pathname === '/widgets.js'
      ? route.fulfill({ body: SCRIPT, contentType: 'text/javascript' })
      : route.fulfill({ body: documentWith(body), contentType: 'text/html; charset=utf-8' }),
  );
  await page.goto(SITE + path);
}

const faults = (): Promise<unknown> => page.evaluate('faults');

test('an http proxy on an https page: the console names what a browser never lets through', async () => {
  await open(payWidget('http://pay.hotel.example'));
  await page.getByText('No connection. Please try again.', { exact: true }).waitFor();
  await expect
    .poll(() => lines)
    .toEqual([
      expect.stringMatching(
        /^<pay-widget> cannot reach http:\/\/pay\.hotel\.example: .* came over https may not call http/,
      ),
    ]);
  await expect.poll(faults).toEqual(['network undefined']);
  expect(await page.getByRole('button').textContent()).toContain('Try again');
});

test('a return page in another browser: the guest is sent to the hotel, the developer to a further client secret', async () => {
  const body = '<payment-status endpoint="https://pay.hotel.example"></payment-status>';
  await open(body, '/paid?checkout_session=cs_01J0000000000000000000000A');
  await page.getByText('The result cannot be shown here. Please contact the hotel.').first().waitFor();
  await expect
    .poll(() => lines)
    .toEqual([
      expect.stringMatching(
        /^<payment-status> secret_missing: .*On a return page your server makes a further client secret/,
      ),
    ]);
  await expect.poll(faults).toEqual(['secret_missing clientSecret']);
});

test('a proxy that takes the call and never answers is given up after 10 seconds, with a way on', async () => {
  // Fifty times as fast; what was asked for is kept.
  await page.addInitScript(`
    globalThis.limits = [];
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    AbortSignal.timeout = (limit) => { limits.push(limit); return timeout(limit / 50); };
  `);
  await page.goto(silentUrl);
  await page.getByRole('button', { name: 'Try again' }).waitFor();
  await expect
    .poll(() => lines)
    .toEqual([expect.stringMatching(/^<pay-widget> timeout: No answer from the payment proxy in time/)]);
  await expect.poll(faults).toEqual(['timeout undefined']);
  expect(await page.evaluate('limits')).toEqual([10_000]);
});
