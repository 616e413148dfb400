import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bookStay, GOOD_CARD, launchBrowser, openHostedPage, payOnHostedPage } from '../support/guest.ts';
import { type StackProcess, startStackProcess } from '../support/stack-process.ts';
import { startUpstreamRecorder, type UpstreamRecorder } from '../support/upstream-recorder.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Nothing else in the world looks like these, so one hit anywhere is a leak. */
const MARKERS = {
  username: 'canary-username-7f3a9c',
  password: 'canary-password-d41e0b',
  apiKey: 'canaryapikey000000000000000000000000a51c',
  merchantKey: `sk_test_canarymerchantkey${'b7'.repeat(12)}`,
  motoKey: `sk_test_canarymotokey${'c8'.repeat(12)}`,
  webhookSecret: `whsec_canarywebhooksecret${'d9'.repeat(8)}`,
};

/** A card that staff key in, first mistyped by one digit. Mastercard, so that its last digits are its own. */
const KEYED_CARD = { number: '5555555555554444', mistyped: '5555555555554445', cvc: '7391' };

let recorder: UpstreamRecorder;
let stack: StackProcess;
let browser: Browser;

/** What the browser received or sent, as text, by the address it was for. */
const received: Array<{ readonly url: string; readonly text: string }> = [];
const visited: string[] = [];
const consoleLines: string[] = [];
let clientSecret = '';

beforeAll(async () => {
  stack = await startStackProcess({
    secrets: MARKERS,
    upstream: async (sandboxPort) => {
      recorder = await startUpstreamRecorder(sandboxPort);
      return recorder.url;
    },
  });
  browser = await launchBrowser();
  const page = await (await browser.newContext()).newPage();
  const pending: Array<Promise<void>> = [];
  page.on('request', (request) => visited.push(request.url()));
  page.on('console', (message) => consoleLines.push(message.text()));
  page.on('response', (response) => {
    const read = async (): Promise<void> => {
      const headers = JSON.stringify(await response.allHeaders());
      // The panel's live feed has no end; what it carries is read below.
      const isFeed = response.headers()['content-type'] === 'text/event-stream';
      // A redirect and a page already left have no body to read.
      const body = isFeed ? '' : await response.text().catch(() => '');
      received.push({ url: response.url(), text: `${headers}\n${body}` });
    };
    pending.push(read());
  });
  await bookStay(page, stack.demoUrl);
  clientSecret = (await page.locator('pay-widget').getAttribute('client-secret')) ?? '';
  await openHostedPage(page);
  await payOnHostedPage(page);
  await page.getByRole('heading', { name: 'Your stay is booked' }).waitFor();
  await page.locator('payment-status').getByText('4242').first().waitFor();
  await keyInCard(page);
  // Failures are where secrets slip out most easily: a wrong key, a wrong secret, a broken body.
  await fetch(`${stack.proxyUrl}/v1/checkout-sessions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${MARKERS.merchantKey}` },
    body: '{',
  });
  await fetch(`${stack.proxyUrl}/v1/checkout-sessions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${MARKERS.merchantKey}wrong` },
  });
  await fetch(`${stack.proxyUrl}/v1/checkout`, { headers: { authorization: `Bearer ${clientSecret}wrong` } });
  await readPanel();
  await Promise.all(pending);
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
  recorder?.close();
});

test('the journey left something to search', () => {
  expect(recorder.accessTokens.length).toBeGreaterThan(0);
  expect(received.length).toBeGreaterThan(5);
  expect(received.filter(({ url }) => url.includes('/wire/exchanges/')).length).toBeGreaterThan(20);
  expect(stack.output()).toContain('/v1/checkout');
  expect(clientSecret).toMatch(/^cs_/);
});

test.each(Object.entries(MARKERS))('the %s reaches neither browser, log nor bundle', (_name, marker) => {
  expect(placesWith(marker)).toEqual([]);
});

test('the upstream’s access token reaches neither browser, log nor bundle', () => {
  for (const token of recorder.accessTokens) expect(placesWith(token)).toEqual([]);
});

test('the client secret is in no address, no log line and no console message', () => {
  expect(visited.filter((url) => url.includes(clientSecret))).toEqual([]);
  expect(consoleLines.filter((line) => line.includes(clientSecret))).toEqual([]);
  expect(stack.output()).not.toContain(clientSecret);
});

test('the card number reaches neither the proxy’s storage nor a log', () => {
  expect(stack.output()).not.toContain(GOOD_CARD);
  expect(filesUnder(stack.dataDir).filter((file) => readFileSync(file).includes(GOOD_CARD))).toEqual([]);
});

test.each(Object.entries(KEYED_CARD))(
  'of a keyed-in card, the %s is in no answer, address, log or storage',
  (_name, digits) => {
    expect(utterancesWith(digits)).toEqual([]);
    expect(filesUnder(stack.dataDir).filter((file) => readFileSync(file).includes(digits))).toEqual([]);
  },
);

test('a keyed-in card left its mark: it was taken, and answers were read after it', () => {
  const afterwards = received.filter(({ url }) => /\/desk\/[0-9A-Z]{20}$/.test(new URL(url).pathname));
  expect(afterwards.some(({ text }) => text.includes('•••• 4444'))).toBe(true);
  expect(stack.output()).toContain('/v1/cards');
});

test('credentials are in no file of the proxy’s storage', () => {
  const storage = filesUnder(join(stack.dataDir, 'storage'));
  expect(storage.length).toBeGreaterThan(0);
  const secrets = [
    MARKERS.password,
    MARKERS.merchantKey,
    MARKERS.motoKey,
    MARKERS.apiKey,
    clientSecret,
    ...recorder.accessTokens,
  ];
  for (const secret of secrets) expect(storage.filter((file) => readFileSync(file).includes(secret))).toEqual([]);
});

/** Everything the panel beside the pages can be asked for: its live feed, its views, and each request in full. */
async function readPanel(): Promise<void> {
  const feed = (await fetch(`${stack.demoUrl}/wire/exchanges`)).body?.pipeThrough(new TextDecoderStream()).getReader();
  const rows = (await feed?.read())?.value ?? '';
  await feed?.cancel();
  const details = [...rows.matchAll(/\/wire\/exchanges\/[\w-]+/g)].map(([path]) => path);
  const views = ['requests', 'faults', 'clock', 'code'].map((view) => `/wire?view=${view}`);
  received.push({ url: `${stack.demoUrl}/wire/exchanges`, text: rows });
  for (const path of new Set([...views, ...details])) {
    received.push({ url: `${stack.demoUrl}${path}`, text: await (await fetch(`${stack.demoUrl}${path}`)).text() });
  }
}

/** A booking by telephone: refused once for a mistyped number, then taken and charged. */
async function keyInCard(page: Page): Promise<void> {
  await page.goto(`${stack.demoUrl}/desk/telephone`);
  for (const number of [KEYED_CARD.mistyped, KEYED_CARD.number]) {
    await page.getByLabel('Guest’s name').fill('Ada Lovelace');
    await page.getByLabel('Card number').fill(number);
    await page.getByLabel('Expires').fill('12/31');
    await page.getByLabel('Security code').fill(KEYED_CARD.cvc);
    await page.getByRole('button', { name: 'Book and keep the card' }).click();
  }
  await page.getByLabel('Amount in EUR').fill('10');
  await page.getByRole('button', { name: 'Charge', exact: true }).click();
  await page.getByText('Charge of €10.00: succeeded.').waitFor();
  for (const path of ['/desk', page.url().replace(/\/charge$/, '')]) {
    await page.goto(new URL(path, stack.demoUrl).href);
  }
}

/** Every place outside the proxy where the text turned up. */
function placesWith(secret: string): string[] {
  const bundles = ['packages/widgets/dist', 'packages/edge-proxy/dist', 'packages/core/dist', 'apps/demo/dist'].flatMap(
    (folder) => filesUnder(join(ROOT, folder)),
  );
  return [...utterancesWith(secret), ...bundles.filter((file) => readFileSync(file).includes(secret))];
}

/** Where a browser or a log was told it, besides the table of test cards. The documentation, which is built too, has that table. */
function utterancesWith(secret: string): string[] {
  return [
    ...received
      .filter(({ url, text }) => text.includes(secret) && !url.endsWith('/wire?view=faults'))
      .map(({ url }) => `response of ${new URL(url).pathname}`),
    ...visited.filter((url) => url.includes(secret)).map((url) => `address ${new URL(url).pathname}`),
    ...consoleLines.filter((line) => line.includes(secret)).map(() => 'browser console'),
    ...(stack.output().includes(secret) ? ['log'] : []),
  ];
}

function filesUnder(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((file) => statSync(file).isFile());
}
