import type { Browser, BrowserContext, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { bookStay, launchBrowser, openHostedPage, payOnHostedPage } from '../support/guest.ts';
import { watchLayoutShifts } from '../support/layout-shifts.ts';
import { type StackProcess, startStackProcess } from '../support/stack-process.ts';

const WIDE = { width: 1280, height: 860 };
const PHONE = { width: 375, height: 800 };

/** A row of the panel, read from its markup. */
interface Row {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly kind: string;
  readonly method: string;
  /** Without its query; what was redacted stands in brackets. */
  readonly path: string;
  readonly status: string;
  readonly caption: string;
}

let stack: StackProcess;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let problems: string[];

beforeAll(async () => {
  [stack, browser] = await Promise.all([startStackProcess(), launchBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});
beforeEach(async () => {
  await fetch(`${stack.demoUrl}/wire/clear`, {
    method: 'POST',
    headers: { origin: stack.demoUrl },
    redirect: 'manual',
  });
  problems = [];
});
afterEach(() => context.close());

test('shows every request of a payment that browser, proxy and upstream know of, with its secrets redacted', async () => {
  await open(WIDE);
  const asked: string[] = [];
  context.on('request', (request) => asked.push(`${request.method()} ${request.url()}`));
  const logStart = stack.output().length;
  const { requests: earlier } = await wireLog();

  const live = await context.newPage();
  await live.goto(`${stack.demoUrl}/wire`);
  await pay();
  await openPanel();

  // All three sources, and the panel, go on for a moment after the guest has seen the receipt.
  await expect.poll(() => logLines(logStart).filter(({ message }) => message === 'webhook').length).toBe(1);
  await page.locator('[data-rows]').getByText('The proxy tells the hotel’s server').waitFor({ state: 'attached' });
  await expect.poll(async () => (await rowsOf(page)).every(({ status }) => status !== 'waiting')).toBe(true);
  const all = await allRows();

  // The browser, by its own account. Icons are not told to Playwright, nor are preflights.
  const fromBrowser = all.filter(({ from, method }) => from === 'browser' && method !== 'OPTIONS');
  const known = asked.filter((line) => !/\/wire|\/public\/wire-panel\./.test(line)).map(toLine);
  expect(known.length).toBeGreaterThan(10);
  expect(linesOf(fromBrowser.filter(({ kind }) => kind !== 'file'))).toEqual(
    known.filter((line) => !isFile(line)).sort(),
  );
  const files = new Set(linesOf(fromBrowser.filter(({ kind }) => kind === 'file')));
  expect(known.filter((line) => isFile(line) && !files.has(line))).toEqual([]);

  // The upstream, by its wire log, which leaves out the page's stylesheet and script.
  const { requests } = await wireLog(earlier.length);
  expect(requests.length).toBeGreaterThan(4);
  expect(linesOf(all.filter(({ to, kind }) => to === 'upstream' && kind !== 'file'))).toEqual(
    requests.map(({ method, path }) => `${method} upstream ${path.split('?')[0]}`).sort(),
  );

  // The proxy, by its log: what it answered, what it asked upstream, and what it told the hotel.
  const log = logLines(logStart);
  const atProxy = all.filter(({ to }) => to === 'proxy');
  for (const line of log.filter(({ message }) => message === 'request')) {
    const index = atProxy.findIndex((row) => isAnswerOf(row, line));
    expect(index, `${line.method} ${line.route} ${line.status} is in the panel`).not.toBe(-1);
    atProxy.splice(index, 1);
  }
  expect(atProxy).toEqual([]);
  const sent = (to: string): number => all.filter((row) => row.from === 'proxy' && row.to === to).length;
  expect(sent('upstream')).toBe(log.filter(({ message }) => message === 'upstream').length);
  expect(sent('hotel')).toBe(1);

  // "This payment" leaves out what came before the booking, and nothing else.
  const start = all.findIndex(({ method, path }) => method === 'POST' && path === '/bookings');
  const mine = await rowsOf(page);
  expect(idsOf(mine)).toEqual(idsOf(all.slice(start)));

  // A panel that watched all along has what a panel loaded now has.
  await expect.poll(async () => idsOf(await rowsOf(live))).toEqual(idsOf(all));
  expect(mine.map(({ caption }) => caption)).toEqual(
    expect.arrayContaining([
      'hotel’s server to proxy: The hotel’s server orders €330.00',
      'proxy to upstream: The proxy opens a payment page for €330.00',
      'browser to upstream: The guest’s browser goes to the payment page',
      'browser to upstream: The guest sends the card to the payment service, and to nobody else',
      'proxy to upstream: The proxy asks for the state: done',
    ]),
  );

  await page.locator('.x > details > summary', { hasText: 'orders €330.00' }).click();
  const detail = page.locator('.x-detail', { hasText: 'Request: hotel’s server to proxy' });
  await detail.locator('pre', { hasText: '"clientSecret": "redacted"' }).waitFor();
  expect(await page.locator('#wire-panel').innerHTML()).not.toContain(stack.merchantKey);
  expect(problems).toEqual([]);
});

test('switches a fault on and off, and moves the clock, while it stays beside the page', async () => {
  await open(PHONE);
  await bookStay(page, stack.demoUrl, 'Leave a card, pay at the hotel');
  const booking = page.url();
  const panel = page.locator('#wire-panel');
  await openPanel();
  await panel.getByRole('link', { name: 'Faults' }).click();
  const fault = page.getByRole('button', { name: 'declined for initCreateTokenNoIframe', exact: true });
  await fault.click();
  await page.locator('[data-chosen="initCreateTokenNoIframe/declined"]').waitFor();
  expect(await fault.getAttribute('aria-pressed')).toBe('true');
  expect(await fault.evaluate((button) => button === document.activeElement)).toBe(true);
  await fault.press('Enter');
  await page.getByText('No faults.').waitFor();
  await panel.getByRole('link', { name: 'Clock' }).click();
  const clock = page.locator('[data-clock="hotel"]');
  const before = Date.parse((await clock.getAttribute('datetime')) ?? '');
  const morning = page.getByRole('button', { name: /To the morning after the arrival/ });
  await morning.click();
  await morning.waitFor({ state: 'detached' });
  expect(Date.parse((await clock.getAttribute('datetime')) ?? '') - before).toBeGreaterThan(13 * 86_400_000);
  await panel.getByRole('link', { name: 'Code' }).click();
  await panel.getByText('checkoutSessions.ensure').first().waitFor();
  expect(page.url()).toBe(booking);
  expect(problems).toEqual([]);
});

test.each([WIDE, PHONE])(
  'opens and closes with the keyboard, stays as it was left, and moves no page, $width px',
  async (viewport) => {
    await open(viewport);
    const shifts = await watchLayoutShifts(page);
    await page.goto(stack.demoUrl);
    if (viewport === WIDE) await page.getByRole('button', { name: 'Close the wire panel' }).press('Enter');
    const opener = page.getByRole('link', { name: 'Wire panel' });
    await opener.press('Enter');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('wire-title');
    await page.keyboard.press('Escape');
    expect(await page.evaluate(() => document.activeElement?.className)).toBe('wire-open');
    await page.reload();
    await opener.waitFor();
    await opener.press('Enter');
    await page.reload();
    await page.locator('[data-rows] [data-id]').first().waitFor({ state: 'attached' });
    // A slow browser shows the links of the header one by one, which is 0.005.
    expect((await shifts()).reduce((sum, { value }) => sum + value, 0)).toBeLessThan(0.01);
    expect(problems).toEqual([]);
  },
);

async function open(viewport: { width: number; height: number }): Promise<void> {
  context = await browser.newContext({ locale: 'en-US', viewport });
  page = await context.newPage();
  context.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  context.on('weberror', (error) => problems.push(error.error().message));
}

async function pay(): Promise<void> {
  await bookStay(page, stack.demoUrl);
  await closePanel();
  await openHostedPage(page);
  await payOnHostedPage(page);
  await page.getByRole('heading', { name: 'Your stay is booked' }).waitFor();
  await page.locator('payment-status').getByText('4242').first().waitFor();
}

async function openPanel(): Promise<void> {
  const opener = page.getByRole('link', { name: 'Wire panel' });
  if (await opener.isVisible()) await opener.click();
  await page.locator('#wire-view > *').first().waitFor();
}

async function closePanel(): Promise<void> {
  const close = page.getByRole('button', { name: 'Close the wire panel' });
  if (await close.isVisible()) await close.click();
}

async function rowsOf(shown: Page): Promise<Row[]> {
  return shown.locator('#wire-panel [data-rows] [data-id]').evaluateAll((rows) =>
    rows.map((row) => {
      const code = row.querySelector('.x-line code')?.cloneNode(true) as HTMLElement;
      for (const mark of code.querySelectorAll('.redacted')) mark.replaceWith('[redacted]');
      const [method = '', address = ''] = (code.textContent ?? '').split(/ (.*)/s);
      const text = (selector: string): string => row.querySelector(selector)?.textContent?.trim() ?? '';
      const { id = '', from = '', to = '', kind = '' } = (row as HTMLElement).dataset;
      const path = address.split('?')[0] ?? '';
      return { id, from, to, kind, method, path, status: text('.x-status'), caption: text('.x-caption') };
    }),
  );
}

/** Every row there is, from a panel of its own. */
async function allRows(): Promise<Row[]> {
  const plain = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
  await plain.goto(`${stack.demoUrl}/wire?scope=all`);
  const rows = await rowsOf(plain);
  await plain.context().close();
  return rows;
}

interface LogLine {
  readonly message: string;
  readonly method: string;
  readonly route: string;
  readonly status: number;
}

/** What the proxy has logged since. */
function logLines(start: number): LogLine[] {
  return stack
    .output()
    .slice(start)
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as LogLine);
}

async function wireLog(after = 0): Promise<{ requests: { method: string; path: string }[] }> {
  return (await fetch(`${stack.sandboxUrl}/__sandbox/requests?after=${after}`)).json();
}

/** Whether a row is the request of a log line, which names the route and not the address. */
function isAnswerOf(row: Row, { method, route, status }: LogLine): boolean {
  const pattern = route
    .replace(/:\w+\{([^}]+)\}/g, '($1)')
    .replace(/:\w+/g, '[^/]+')
    // A preflight is answered before its route is known.
    .replace('/*', '(/.*)?');
  return row.method === method && row.status === String(status) && new RegExp(`^${pattern}$`).test(row.path);
}

/** `POST http://…/return/cs_1/secret/success?x` → `POST proxy /return/cs_1/[redacted]/success`. */
function toLine(request: string): string {
  const [method = '', address = ''] = request.split(' ');
  const { origin, pathname } = new URL(address);
  const lifeline =
    { [stack.demoUrl]: 'hotel', [stack.proxyUrl]: 'proxy', [stack.sandboxUrl]: 'upstream' }[origin] ?? origin;
  return `${method} ${lifeline} ${pathname.replace(/^(\/return\/[^/]+\/)[^/]+/, '$1[redacted]')}`;
}

function linesOf(rows: readonly Row[]): string[] {
  return rows.map(({ method, to, path }) => `${method} ${to} ${path}`).sort();
}

function isFile(line: string): boolean {
  return /\.(?:css|js|svg)$/.test(line);
}

function idsOf(rows: readonly Row[]): string[] {
  return rows.map(({ id }) => id).sort();
}
