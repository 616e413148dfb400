// The proxy's own page of a desk: the link, the cookie, the policy, the end. In Chromium; page.outer.test.ts has every engine.
import { createMerchantClient, type MerchantClient } from '@innkeep/core/merchant';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ENGINES, type EngineName, type EnginePage, openEngine } from '../support/engines.ts';
import { type MoneyStack, startMoneyStack } from '../support/money-stack.ts';
import { type HttpServer, serveHttp } from '../support/serve-http.ts';

let stack: MoneyStack;
let merchant: MerchantClient;
/** Another origin, with a script that anybody may load. */
let elsewhere: HttpServer;
const asked: string[] = [];

beforeAll(async () => {
  stack = await startMoneyStack({ scopes: ['desk', 'read', 'checkout'] });
  merchant = createMerchantClient({ endpoint: stack.proxyUrl, secretKey: stack.merchantKey });
  elsewhere = await serveHttp(({ url = '' }, answer) => {
    asked.push(url);
    answer.writeHead(200, { 'content-type': 'text/javascript', 'access-control-allow-origin': '*' });
    answer.end('document.body.dataset.foreign = "ran";');
  });
});

afterAll(async () => {
  await stack?.close();
  elsewhere?.close();
});

/** Expressions for the page. */
const DESK = `document.querySelector('payments-desk')?.shadowRoot`;
const TEXT = `(document.querySelector('main') ?? ${DESK})?.textContent ?? ''`;
const clickSignOut = `document.querySelector('[slot=header]').click()`;
const askForMoney = (reference: string): string => `(() => {
  ${DESK}.querySelector('.top .primary').click();
  const set = (name, value) => {
    const field = ${DESK}.querySelector('[name="' + name + '"]');
    field.value = value;
    field.dispatchEvent(new Event('input', { bubbles: true }));
  };
  setTimeout(() => {
    set('amount', '12');
    set('currency', 'EUR');
    set('reference', '${reference}');
    ${DESK}.querySelector('.action .primary').click();
  }, 0);
})()`;
const loadForeign = (url: string): string => `(() => {
  document.body.dataset.blocked = '';
  document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => {
    document.body.dataset.blocked += effectiveDirective + ' ';
  });
  const script = document.createElement('script');
  try {
    script.src = '${url}/script.js';
  } catch {
    document.body.dataset.blocked += 'require-trusted-types-for ';
  }
  document.head.append(script);
  fetch('${url}/fetch').catch(() => {});
  const frame = document.createElement('img');
  frame.src = '${url}/image';
  document.body.append(frame);
})()`;

/** The first of a list. */
async function newest<Item>(list: AsyncIterable<Item>): Promise<Item | undefined> {
  for await (const item of list) return item;
  return undefined;
}

async function walk(page: EnginePage, name: string): Promise<void> {
  const { id, url } = await merchant.deskSessions.create({
    page: true,
    person: { id: 'anna' },
    features: ['read', 'link'],
  });
  await page.goto(url);
  await page.waitFor(`${DESK}?.textContent.includes('Hotel Aurora')`);
  expect(await page.evaluate('location.href')).toBe(`${stack.proxyUrl}/desk/storm`);
  expect(await page.evaluate('document.cookie + localStorage.length + sessionStorage.length')).toBe('00');

  // A write: the browser says itself from where it comes.
  const reference = `RES-${name}`;
  await page.evaluate(askForMoney(reference));
  await expect.poll(async () => (await newest(merchant.checkoutSessions.list()))?.reference).toBe(reference);

  await page.evaluate(loadForeign(elsewhere.url));
  await page.waitFor(
    `/connect-src/.test(document.body.dataset.blocked) && /img-src/.test(document.body.dataset.blocked)`,
  );
  expect(await page.evaluate('document.body.dataset.blocked')).toMatch(/script-src|require-trusted-types-for/);
  expect([await page.evaluate('document.body.dataset.foreign ?? null'), asked]).toEqual([null, []]);

  // The link was used; the cookie goes on.
  await page.goto('about:blank');
  await page.goto(url);
  await page.waitFor(`(${TEXT}).includes('innkeep desk storm')`);
  await page.goto('about:blank');
  await page.goto(`${stack.proxyUrl}/desk/storm`);
  await page.waitFor(`${DESK}?.textContent.includes('Hotel Aurora')`);

  await page.evaluate(clickSignOut);
  await page.waitFor(`(${TEXT}).includes('innkeep desk storm')`);
  expect(await newest(merchant.deskSessions.list())).toMatchObject({ id, page: true, status: 'ended' });
}

const engines: readonly EngineName[] = process.env.DESK_ENGINES === 'all' ? ENGINES : ['Chromium'];

test.each(engines)('%s', async (name) => {
  const page = await openEngine(name);
  if (page === undefined) throw new Error(`There is no ${name} on this machine`);
  try {
    await walk(page, name);
  } finally {
    await page.close();
  }
});
