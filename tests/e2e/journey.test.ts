// One whole journey in each engine, against one stack: a guest whose card is declined, who then cancels, and then pays. Chromium's goes
// on to the desk. What they left behind is then searched for secrets.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findFirefox, findWebKit } from '../../scripts/engines.ts';
import { askProxy } from '../support/ask-proxy.ts';
import { type EnginePage, openEngine } from '../support/engines.ts';
import { bookStay as bookByForm, DECLINED_CARD, GOOD_CARD, press } from '../support/form-guest.ts';
import { bookStay, launchBrowser, openHostedPage, payOnHostedPage, signIn, tryAgain } from '../support/guest.ts';
import { type StackProcess, startStackProcess } from '../support/stack-process.ts';
import { startUpstreamRecorder, type UpstreamRecorder } from '../support/upstream-recorder.ts';
import { openWatchedPage } from '../support/watched-page.ts';

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

/** Everything that is built and shipped, read once. */
const bundles = ['packages/widgets/dist', 'packages/edge-proxy/dist', 'packages/core/dist', 'apps/demo/dist']
  .flatMap((folder) => filesWith(join(ROOT, folder), ''))
  .map((file) => ({ file, text: readFileSync(file, 'latin1') }));

let recorder: UpstreamRecorder;
let stack: StackProcess;
let browser: Browser;

/** What the browser received or sent, as text, by the address it was for. */
const received: Array<{ readonly url: string; readonly text: string }> = [];
const visited: string[] = [];
let problems: readonly string[] = [];
const consoleLines: string[] = [];
let clientSecret = '';
let secretAtTheEnd = '';
let deskSecret = '';

beforeAll(async () => {
  stack = await startStackProcess({
    secrets: MARKERS,
    upstream: async (sandboxPort) => {
      recorder = await startUpstreamRecorder(sandboxPort);
      return recorder.url;
    },
  });
  browser = await launchBrowser();
});
beforeAll(async () => {
  const watched = await openWatchedPage(browser);
  const { page } = watched;
  problems = watched.problems;
  const pending: Array<Promise<void>> = [];
  page.on('request', (request) => visited.push(request.url()));
  page.on('console', (message) => consoleLines.push(message.text()));
  page.on('response', (response) => {
    const read = async (): Promise<void> => {
      const headers = JSON.stringify(await response.allHeaders());
      // A redirect and a page already left have no body to read.
      const body = await response.text().catch(() => '');
      received.push({ url: response.url(), text: `${headers}\n${body}` });
    };
    pending.push(read());
  });
  await bookStay(page, stack.demoUrl);
  clientSecret = await secretOn(page);
  await openHostedPage(page);
  await payOnHostedPage(page, DECLINED_CARD);
  await page.getByRole('link', { name: 'Back to the hotel' }).click();
  await tryAgain(page, 'Your card was declined');
  await page.getByRole('button', { name: /cancel/i }).click();
  await tryAgain(page, 'The payment was canceled');
  await payOnHostedPage(page);
  await page.getByRole('heading', { name: 'Your stay is booked' }).waitFor();
  await page.locator('payment-status').getByText('4242').first().waitFor();
  secretAtTheEnd = await secretOn(page);
  page.on('response', async (response) => {
    if (response.url() !== `${stack.demoUrl}/desk/secret`) return;
    // What the page has left behind cannot be read any more: it asks again, and the last one counts.
    deskSecret = await response.text().catch(() => deskSecret);
  });
  await signIn(page, stack.demoUrl);
  await keyInCard(page);
  await giveBack(page);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByText('Who are you?').waitFor();
  // Failures are where secrets slip out most easily: a wrong key, a wrong secret, a broken body.
  await fetch(`${stack.proxyUrl}/v1/checkout-sessions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${MARKERS.merchantKey}` },
    body: '{',
  });
  await askProxy(`${stack.proxyUrl}/v1/checkout-sessions`, `${MARKERS.merchantKey}wrong`, { method: 'POST' });
  await askProxy(`${stack.proxyUrl}/v1/checkout`, `${clientSecret}wrong`);
  // The desk and the wire panel on the page go on asking.
  await page.goto('about:blank');
  await Promise.all(pending);
  received.push({ url: `${stack.demoUrl}/wire`, text: await (await fetch(`${stack.demoUrl}/wire`)).text() });
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
  recorder?.close();
});

test('Chromium walked the whole journey, and neither an error nor the content security policy stopped anything', async () => {
  expect(problems).toEqual([]);
  await expectOnePayment(clientSecret, secretAtTheEnd);
});

/** A newcomer's machine may lack an engine, and a way for us to install it. In CI its absence is a failure. */
const isInCi = process.env.CI !== undefined;

test.runIf(isInCi || findFirefox() !== undefined)(
  'Firefox: a guest books, is declined, cancels, pays and gets a receipt, and Back shows no card that staff keyed in',
  { concurrent: true },
  () => walk('Firefox'),
);

test.runIf(isInCi || findWebKit() !== undefined)(
  'WebKit: a guest books, is declined, cancels, pays and gets a receipt',
  { concurrent: true },
  () => walk('WebKit'),
);

test('the journey left something to search', () => {
  expect(recorder.accessTokens.length).toBeGreaterThan(0);
  expect(received.length).toBeGreaterThan(5);
  expect(received.at(-1)?.text.match(/data-to=/g)?.length).toBeGreaterThan(20);
  expect(stack.output()).toContain('/v1/checkout');
  expect(clientSecret).toMatch(/^cs_/);
  expect(deskSecret).toMatch(/^ds_/);
  // A card that was keyed in was taken, and answers were read after it.
  const afterwards = received.filter(({ url }) => /\/desk\?q=RES-\w+$/.test(url));
  expect(afterwards.some(({ text }) => text.includes('•••• 4444 keyed in'))).toBe(true);
  expect(stack.output()).toContain('/v1/cards');
});

test.each(Object.entries(MARKERS))('the %s reaches neither browser, log nor bundle', (_name, marker) => {
  expect(placesWith(marker)).toEqual([]);
});

test('the upstream’s access token reaches neither browser, log nor bundle', () => {
  for (const token of recorder.accessTokens) expect(placesWith(token)).toEqual([]);
});

test('the secrets of the guest and of the desk are in no address, no log line and no console message', () => {
  for (const secret of [clientSecret, deskSecret]) {
    expect(visited.filter((url) => url.includes(secret))).toEqual([]);
    expect(consoleLines.filter((line) => line.includes(secret))).toEqual([]);
    expect(stack.output()).not.toContain(secret);
  }
});

test('the desk’s secret is told to the page alone, and is not on the wire panel', () => {
  expect(utterancesWith(deskSecret)).toEqual(['response of /desk/secret']);
});

test('the desk’s secret opens nothing once its person has signed out', async () => {
  const headers = { authorization: `Bearer ${deskSecret}`, origin: stack.demoUrl };
  expect((await fetch(`${stack.proxyUrl}/v1/desk`, { headers })).status).toBe(401);
});

test('the card number reaches neither the proxy’s storage nor a log', () => {
  expect(stack.output()).not.toContain(GOOD_CARD);
  expect(filesWith(stack.dataDir, GOOD_CARD)).toEqual([]);
});

test.each(Object.entries(KEYED_CARD))(
  'of a keyed-in card, the %s is in no answer, address, log or storage',
  (_name, digits) => {
    const isIn = (text: string): boolean => contains(text, digits);
    expect(utterancesWith(digits, isIn)).toEqual([]);
    expect(filesWith(stack.dataDir, digits, isIn)).toEqual([]);
  },
);

test('credentials are in no file of the proxy’s storage', () => {
  const storage = join(stack.dataDir, 'storage');
  expect(filesWith(storage, '')).not.toEqual([]);
  const secrets = [
    MARKERS.password,
    MARKERS.merchantKey,
    MARKERS.motoKey,
    MARKERS.apiKey,
    clientSecret,
    deskSecret,
    ...recorder.accessTokens,
  ];
  for (const secret of secrets) expect(filesWith(storage, secret)).toEqual([]);
});

test('the payment page of a small phone tears no sum apart, and no long word widens it', async () => {
  const { url } = await press(await bookByForm(stack.demoUrl), 'Continue on our payment page');
  const page = await browser.newPage({ viewport: { width: 320, height: 640 } });
  await page.goto(url);
  await page
    .locator('dt')
    .evaluateAll(([name]) => Object.assign(name ?? {}, { textContent: 'Recargo por tarjeta (2 %)' }));
  const linesOfSum = await page.locator('dd').evaluateAll(([sum]) => {
    const range = document.createRange();
    if (sum) range.selectNodeContents(sum);
    return range.getClientRects().length;
  });
  expect(linesOfSum).toBe(1);
  const texts = page.locator('h1, p, dd');
  expect(await texts.count()).toBeGreaterThan(2);
  await texts.evaluateAll((all) => {
    for (const each of all) each.textContent = 'Donaudampfschifffahrt'.repeat(4);
  });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  await page.close();
});

/** The journey of a guest, from the form to the receipt that the proxy has verified. */
async function walk(name: 'Firefox' | 'WebKit'): Promise<void> {
  const page = await openEngine(name);
  if (page === undefined)
    throw new Error(`There is no ${name}. Debian: apt-get install firefox-esr webkit2gtk-driver xvfb`);
  try {
    await pay(page);
    if (name === 'Firefox') await goBackToKeyedCard(page);
    expect(await page.problems()).toEqual([]);
  } finally {
    await page.close();
  }
}

async function pay(page: EnginePage): Promise<void> {
  await page.goto(stack.demoUrl);
  await page.evaluate(
    `(document.querySelector('[name=guest]').value = 'Ada Lovelace', document.querySelector('#book button').click())`,
  );
  const secret = (): Promise<unknown> =>
    page.evaluate(`document.querySelector('[client-secret]').getAttribute('client-secret')`);
  const open = async (label: string): Promise<void> => {
    const button = `document.querySelector('[client-secret]')?.shadowRoot?.querySelector('button[part~=button]')`;
    await page.waitFor(`${button}?.textContent.includes('${label}')`);
    await page.evaluate(`${button}.click()`);
    await page.waitFor(`document.querySelector('[autocomplete="cc-number"]')`);
  };
  const enter = async (number: string): Promise<void> => {
    const fields = { number, exp: '12/30', csc: '123', name: 'Ada Lovelace' };
    const typed = Object.entries(fields).map(
      ([field, value]) => `document.querySelector('[autocomplete="cc-${field}"]').value = '${value}'`,
    );
    await page.evaluate(`(${typed.join(', ')}, document.querySelector('button[value=pay]').click())`);
  };
  const returned = async (heading: string): Promise<void> => {
    await page.waitFor(`location.pathname.endsWith('/confirmation') && location.search.includes('checkout_session=')`);
    await page.waitFor(`document.querySelector('h1')?.textContent === '${heading}'`);
  };
  await page.waitFor(`document.querySelector('pay-widget') !== null`);
  const before = await secret();
  await open('Pay €330.00');
  await enter(DECLINED_CARD);
  const back = `[...document.querySelectorAll('a')].find(({ textContent }) => textContent === 'Back to the hotel')`;
  await page.waitFor(`${back} !== undefined`);
  await page.evaluate(`${back}.click()`);
  await returned('Your card was declined');
  await open('Try again');
  await page.evaluate(`document.querySelector('button[value=cancel]').click()`);
  await returned('The payment was canceled');
  await open('Try again');
  await enter(GOOD_CARD);
  await returned('Your stay is booked');
  await page.waitFor(
    `document.querySelector('payment-status')?.shadowRoot?.querySelector('[part~=receipt]')?.textContent.includes('4242')`,
  );
  await expectOnePayment(before, await secret());
}

/** Three attempts of one session, one client secret and one booking, which was paid once. */
async function expectOnePayment(secretBefore: unknown, secretAfter: unknown): Promise<void> {
  expect(secretAfter).toBe(secretBefore);
  const id = String(secretBefore).split('_').slice(0, 2).join('_');
  const answer = await askProxy(`${stack.proxyUrl}/v1/checkout-sessions/${id}`, stack.merchantKey);
  const session = (await answer.json()) as { reference: string };
  expect(session).toMatchObject({
    status: 'succeeded',
    result: { total: { value: 33_000, currency: 'EUR' } },
    attempts: [{ status: 'declined' }, { status: 'canceled' }, { status: 'succeeded' }],
  });
  const { hosted } = (await (await fetch(`${stack.sandboxUrl}/__sandbox/ledger`)).json()) as {
    hosted: ReadonlyArray<{ readonly phase: string; readonly resNo: string | null }>;
  };
  const ofBooking = hosted.filter(({ resNo }) => resNo === session.reference);
  expect(ofBooking.map(({ phase }) => phase === 'done')).toEqual([false, false, true]);
}

async function secretOn(page: Page): Promise<string> {
  return (await page.locator('[client-secret]').getAttribute('client-secret')) ?? '';
}

/** A booking by telephone: refused once for a mistyped number, then taken. */
async function keyInCard(page: Page): Promise<void> {
  await page.goto(`${stack.demoUrl}/desk/telephone`);
  for (const number of [KEYED_CARD.mistyped, KEYED_CARD.number]) {
    await page.getByLabel('Guest’s name').fill('Ada Lovelace');
    await page.getByLabel('Card number').fill(number);
    await page.getByLabel('Expires').fill('12/31');
    await page.getByLabel('Security code').fill(KEYED_CARD.cvc);
    await page.getByRole('button', { name: 'Book and save the card' }).click();
  }
  await page.getByText('keyed in').waitFor();
}

/** Firefox brings a page back as it was. The card fields are emptied even where it does so in spite of `no-store`. */
async function goBackToKeyedCard(page: EnginePage): Promise<void> {
  const card = { card_number: KEYED_CARD.number, expiry: '12/31', cvc: KEYED_CARD.cvc };
  const fill = Object.entries({ guest: 'Ada Lovelace', ...card })
    .map(([field, value]) => `document.querySelector('[name=${field}]').value = '${value}'`)
    .join(', ');
  const typed = `[${Object.keys(card).map((field) => `document.querySelector('[name=${field}]').value`)}]`;
  await page.goto(`${stack.demoUrl}/desk`);
  await page.evaluate(`document.querySelector('[value=max]').click()`);
  await page.waitFor(`document.querySelector('payments-desk') !== null`);
  await page.goto(`${stack.demoUrl}/desk/telephone`);
  await page.evaluate(`(${fill}, dispatchEvent(new Event('pagehide')))`);
  expect(await page.evaluate(typed)).toEqual(['', '', '']);
  await page.evaluate(`(${fill}, document.querySelector('.telephone button').click())`);
  await page.waitFor(`document.querySelector('main').textContent.includes('keyed in')`);
  await page.evaluate('(setTimeout(() => history.back()), 0)');
  await page.waitFor(`document.querySelector('.telephone') !== null`);
  expect(await page.evaluate(typed)).toEqual(['', '', '']);
}

/** The reception finds the guest by name, and in the desk refunds a part of what they paid. */
async function giveBack(page: Page): Promise<void> {
  await page.getByLabel('Find a booking').fill('lovelace');
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('link', { name: 'Ada Lovelace' }).last().click();
  const desk = page.locator('payments-desk');
  await desk.getByText('€330.00').click();
  await desk.getByRole('button', { name: 'Refund', exact: true }).click();
  await desk.getByLabel('Amount in EUR').fill('20');
  await desk.getByLabel('Reason').selectOption('requested_by_guest');
  await desk.getByRole('button', { name: 'Continue' }).click();
  await desk.getByRole('button', { name: 'Refund €20.00' }).click();
  await desk.locator('payment-details').getByText('Partially refunded').first().waitFor();
}

/** Every place outside the proxy where the text turned up. */
function placesWith(secret: string): string[] {
  return [...utterancesWith(secret), ...bundles.filter(({ text }) => text.includes(secret)).map(({ file }) => file)];
}

/** In text, but not within an id, a duration or another number, where four digits stand by chance. */
function contains(text: string, digits: string): boolean {
  return new RegExp(`(?<![\\w.-])${digits}(?![\\w.-])`).test(text);
}

/** Where a browser or a log was told it. */
function utterancesWith(secret: string, isIn = (text: string): boolean => text.includes(secret)): string[] {
  return [
    ...received.filter(({ text }) => isIn(text)).map(({ url }) => `response of ${new URL(url).pathname}`),
    ...visited.filter((url) => isIn(url)).map((url) => `address ${new URL(url).pathname}`),
    ...consoleLines.filter((line) => isIn(line)).map(() => 'browser console'),
    ...(isIn(stack.output()) ? ['log'] : []),
  ];
}

/** Files that contain the text. The proxy may take one away meanwhile: what it held is then in another, and all are read anew. */
function filesWith(folder: string, text: string, isIn = (file: string): boolean => file.includes(text)): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((name) => join(folder, name))
      .filter((file) => statSync(file).isFile() && isIn(readFileSync(file, 'latin1')));
  } catch (error) {
    // Node's own errors have a code.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return filesWith(folder, text, isIn);
  }
}
