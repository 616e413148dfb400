/** A hotel's back office with the desk on a page of its own, in front of a real proxy and the sandbox. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DeskFeature } from '@innkeep/core/contract';
import { createMerchantClient } from '@innkeep/core/merchant';
import { ROOT } from '../../scripts/launch.ts';
import { lookAround } from './clerk.ts';
import { payOnHostedPage, press, visit } from './form-guest.ts';
import { startMoneyStack, until } from './money-stack.ts';
import { serveHttp } from './serve-http.ts';

/** Everything at once, which no back office gives to everybody. */
const FEATURES: DeskFeature[] = ['read', 'reverse', 'charge', 'link', 'resolve', 'export'];
const SCOPES = ['read', 'checkout', 'charges', 'reversals', 'resolutions', 'tokens', 'events', 'desk', 'audit'];

/** What the page of the office is like: how wide the desk is in pixels, and whose it is. */
interface OfficePage {
  readonly lang: string;
  readonly width: number;
  readonly person?: string;
}

export type DeskOffice = Awaited<ReturnType<typeof startDeskOffice>>;

/** Starts all three on free ports. */
export async function startDeskOffice() {
  const files: Readonly<Record<string, Buffer | string>> = {
    '/desk.js': readFileSync(join(ROOT, 'packages/desk/dist/cdn/desk.js')),
    '/axe.js': readFileSync(join(ROOT, 'packages/desk/node_modules/axe-core/axe.min.js')),
    '/office.js': OFFICE,
    '/hands.js': `globalThis.hands = (${lookAround})();`,
  };
  const site = await serveHttp(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://site');
    const file = files[pathname];
    if (file !== undefined) return response.writeHead(200, { 'content-type': 'text/javascript' }).end(file);
    if (pathname === '/desk-secret') {
      const { clientSecret } = await deskSession(searchParams.get('person') ?? 'anna');
      return response.end(clientSecret);
    }
    if (pathname !== '/') return response.writeHead(404).end();
    const headers = { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy() };
    return response.writeHead(200, headers).end(pageOf(searchParams));
  });
  const stack = await startMoneyStack({
    property: {
      deskOrigins: [site.url],
      // What a desk is offered as currencies.
      maxAmount: { EUR: 1_000_000 },
    },
    scopes: SCOPES,
  });
  const merchant = createMerchantClient({ endpoint: stack.proxyUrl, secretKey: stack.merchantKey });

  const policy = (): string =>
    [
      "default-src 'none'",
      "script-src 'self'",
      `connect-src 'self' ${stack.proxyUrl}`,
      `img-src ${stack.proxyUrl} data:`,
      "base-uri 'none'",
      "require-trusted-types-for 'script'",
      'trusted-types lit-html',
    ].join('; ');
  const pageOf = (page: URLSearchParams): string =>
    `<!doctype html><html lang="${page.get('lang')}" dir="${page.get('lang') === 'ar' ? 'rtl' : 'ltr'}"><meta name="viewport" content="width=device-width">
      <title>Office</title><link rel="icon" href="data:,"><script src="/axe.js"></script><script src="/hands.js"></script><body>
      <main><payments-desk endpoint="${stack.proxyUrl}"></payments-desk></main><script type="module" src="/office.js"></script>`;
  const deskSession = (person: string): Promise<{ clientSecret: string }> =>
    merchant.deskSessions.create({ person: { id: person }, origin: site.url, features: FEATURES });

  /** A guest pays a link, or stores a card by it. */
  const pay = async (url: string, card?: string): Promise<void> => {
    await payOnHostedPage(await press(await visit(url), /./), card);
  };
  const linkOf = async (id: string): Promise<string> => (await merchant.checkoutSessions.createLink(id)).url;
  const isDone = async (id: string): Promise<void> => {
    await until(
      () => merchant.checkoutSessions.retrieve(id),
      ({ status }) => status === 'succeeded',
    );
  };
  /** A request for money, and its link. */
  const ask = async (reference: string, amount: number, description = 'Lake Room, 2 nights') => {
    const body = { kind: 'payment', reference, description } as const;
    const { id } = await merchant.checkoutSessions.create({ ...body, amount: { value: amount, currency: 'EUR' } });
    return { id, url: await linkOf(id) };
  };
  return {
    stack,
    /** The hotel's own client, as its server has it. */
    merchant,
    pageUrl: ({ lang, width, person = 'anna' }: OfficePage): string =>
      `${site.url}/?${new URLSearchParams({ lang, width: String(width), person })}`,
    ask,
    pay,
    async takePayment(reference: string, amount: number, description?: string): Promise<string> {
      const { id, url } = await ask(reference, amount, description);
      await pay(url);
      await isDone(id);
      return id;
    },
    async storeCard(reference: string, card?: string): Promise<string> {
      const { id } = await merchant.checkoutSessions.create({ kind: 'card', reference });
      await pay(await linkOf(id), card);
      await isDone(id);
      return id;
    },
    /** A charge of a card for somebody who did not come. */
    async chargeCard(reference: string, amount: number, card: string) {
      const token = await stack.storeCard(card);
      const body = { token, amount: { value: amount, currency: 'EUR' }, reference, reason: 'no_show' } as const;
      return merchant.charges.create(body, { idempotencyKey: `charge-${reference}` });
    },
    async close() {
      site.close();
      await stack.close();
    },
  };
}

/** Keeps what a page would save as a file, and what its own policy forbids. */
const OFFICE = `import '/desk.js';
const address = new URLSearchParams(location.search);
const sheet = new CSSStyleSheet();
sheet.replaceSync('body { margin: 0 } main { inline-size: ' + Number(address.get('width')) + 'px }');
document.adoptedStyleSheets.push(sheet);
globalThis.blocked = [];
document.addEventListener('securitypolicyviolation', (event) => blocked.push(event.violatedDirective + ' ' + event.blockedURI));
const { createObjectURL } = URL;
URL.createObjectURL = (blob) => {
  blob.arrayBuffer().then((bytes) => { globalThis.exported = [...new Uint8Array(bytes)]; });
  return createObjectURL(blob);
};
const desk = document.querySelector('payments-desk');
desk.getClientSecret = async () => (await fetch('/desk-secret?person=' + address.get('person'))).text();
`;
