import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { AxeResults } from 'axe-core';
import type { Browser, BrowserContext, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { bookStay, launchBrowser, openHostedPage, payOnHostedPage } from '../support/guest.ts';
import { watchLayoutShifts } from '../support/layout-shifts.ts';
import { type StackProcess, startStackProcess } from '../support/stack-process.ts';

const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
const SIZES = { wide: { width: 1280, height: 860 }, phone: { width: 375, height: 800 } } as const;
const VIEWS = ['Requests', 'Faults', 'Clock', 'Code'] as const;

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
let complaints: string[];

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
  complaints = [];
});
afterEach(() => context.close());

describe.each(Object.entries(SIZES))('the panel, %s', (size, viewport) => {
  beforeEach(() => open({ viewport }));

  test('shows every request of a payment that browser, proxy and upstream know of', async () => {
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
    expect(complaints).toEqual([]);
  });

  test('shows headers and bodies with every secret redacted', async () => {
    await pay();
    await openPanel();
    await page.locator('.x > details > summary', { hasText: 'orders €330.00' }).click();
    const detail = page.locator('.x-detail', { hasText: 'Request: hotel’s server to proxy' });
    await detail.locator('pre', { hasText: '"clientSecret": "redacted"' }).waitFor();
    await detail
      .getByText(/^\d+ headers$/)
      .first()
      .click();
    await detail
      .locator('div', { has: page.getByText('authorization', { exact: true }) })
      .locator('.redacted')
      .waitFor();
    expect(await page.locator('#wire-panel').innerHTML()).not.toContain(stack.merchantKey);
  });

  test('switches a fault on: the payment fails, and the requests show why', async () => {
    await bookStay(page, stack.demoUrl);
    await openPanel();
    await page.locator('#wire-panel').getByRole('link', { name: 'Faults' }).click();
    const fault = page.getByRole('button', { name: 'declined for initpayNoIframe', exact: true });
    await fault.click();
    await page.locator('[data-chosen="initpayNoIframe/declined"]').waitFor();
    expect(await fault.getAttribute('aria-pressed')).toBe('true');
    await closePanel();
    const booking = page.url();
    await openHostedPage(page);
    await payOnHostedPage(page);
    await page.getByRole('link', { name: 'Back to the hotel' }).waitFor();
    // Without the link, which would say that the guest gave up.
    await page.goto(`${booking}/confirmation`);
    await page.getByRole('heading', { name: 'Your card was declined' }).waitFor();
    await openPanel();
    await page.locator('#wire-panel').getByRole('link', { name: 'Requests' }).click();
    await page.getByText('The proxy asks for the state: failed').first().waitFor();
    await page.locator('#wire-panel').getByRole('link', { name: 'Faults' }).click();
    await page.getByText('No faults.').waitFor();
  });

  test('moves the clock of hotel and sandbox to the morning after the arrival', async () => {
    await bookStay(page, stack.demoUrl, 'Leave a card, pay at the hotel');
    await openPanel();
    await page.locator('#wire-panel').getByRole('link', { name: 'Clock' }).click();
    const clock = page.locator('[data-clock="hotel"]');
    const before = Date.parse((await clock.getAttribute('datetime')) ?? '');
    await page.getByRole('button', { name: /To the morning after the arrival/ }).click();
    await expect
      .poll(async () => Date.parse((await clock.getAttribute('datetime')) ?? '') - before)
      .toBeGreaterThan(13 * 86_400_000);
    expect(await page.getByRole('button', { name: /To the morning after the arrival/ }).count()).toBe(0);
  });

  test('opens and closes with the keyboard, stays as it was left, and moves no page', async () => {
    const shifts = await watchLayoutShifts(page);
    await page.goto(stack.demoUrl);
    if (size === 'wide') await page.getByRole('button', { name: 'Close the wire panel' }).press('Enter');
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
    expect(complaints).toEqual([]);
  });

  test.each(['light', 'dark'] as const)('axe finds nothing in any view, %s', async (colorScheme) => {
    await context.close();
    // The pages forbid foreign scripts, and the test’s own is one.
    await open({ viewport, colorScheme, bypassCSP: true });
    await pay();
    await openPanel();
    await page.locator('.x > details > summary', { hasText: 'orders €330.00' }).click();
    await page.locator('.x-detail pre').first().waitFor();
    const found: Record<string, string[]> = {};
    for (const name of VIEWS) {
      await page.locator('#wire-panel').getByRole('link', { name, exact: true }).click();
      await page.locator(`#wire-panel a[aria-current="page"]`, { hasText: name }).waitFor();
      await page.locator('#wire-view > *').first().waitFor();
      found[name] = await violations(page);
    }
    expect(found).toEqual(Object.fromEntries(VIEWS.map((name) => [name, []])));
  });
});

test('without JavaScript the panel is a page: it shows the requests and switches faults', async () => {
  await open({ viewport: SIZES.phone, javaScriptEnabled: false });
  await page.goto(stack.demoUrl);
  await page.getByRole('link', { name: 'Wire panel' }).click();
  await page.getByText('The guest opens the hotel’s page').first().waitFor();
  await page.locator('.x > details > summary').first().click();
  await page.getByRole('link', { name: 'Headers and bodies' }).first().click();
  await page.getByRole('heading', { name: 'Answer: 200' }).waitFor();
  await page.getByRole('link', { name: 'Faults' }).click();
  await page.getByRole('button', { name: 'slow for pay', exact: true }).click();
  await page.getByRole('button', { name: 'Switch off slow for pay' }).click();
  await page.getByText('No faults.').waitFor();
});

async function open(options: Parameters<Browser['newContext']>[0]): Promise<void> {
  context = await browser.newContext({ locale: 'en-US', ...options });
  page = await context.newPage();
  context.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  context.on('weberror', (error) => complaints.push(error.error().message));
}

async function pay(plan?: string): Promise<void> {
  await bookStay(page, stack.demoUrl, plan);
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
  const lane =
    { [stack.demoUrl]: 'hotel', [stack.proxyUrl]: 'proxy', [stack.sandboxUrl]: 'upstream' }[origin] ?? origin;
  return `${method} ${lane} ${pathname.replace(/^(\/return\/[^/]+\/)[^/]+/, '$1[redacted]')}`;
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

async function violations(shown: Page): Promise<string[]> {
  await shown.evaluate(AXE);
  const results = await shown.evaluate(() =>
    (globalThis as unknown as { axe: { run(): Promise<AxeResults> } }).axe.run(),
  );
  return results.violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`);
}
