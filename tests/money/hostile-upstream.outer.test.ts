/**
 * The running proxy with a payment service and a gateway that put a card number, control characters, a script, foreign
 * addresses and very long texts into every field of every answer, one at a time. Looked at is everything that leaves the proxy or stays:
 * answers, pages, webhooks, the feed, lists, the export, what it prints and its files. The inner ring has the same in the proxy's own
 * suite, packages/edge-proxy/test/hostile-upstream.test.ts, and of the gateway in gateway.test.ts there.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer, text as textOfBody } from 'node:stream/consumers';
import type { Sandbox } from '@innkeep/sandbox';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { askProxy } from '../support/ask-proxy.ts';
import { askSandbox } from '../support/faulty-upstream.ts';
import { type Json, type MoneyStack, startMoneyStack, until } from '../support/money-stack.ts';
import { type HttpServer, serveHttp } from '../support/serve-http.ts';

const CARD_NUMBER = '5105105105105100';
const ADDRESS = `https://foreign.test/pay?card=${CARD_NUMBER}`;
const mixture = (length: number): string =>
  `5105 1051-0510 5100 \u0000\u001b[31m\u202e <script>alert(1)</script> javascript:alert(1) ${ADDRESS} ${'A1 '.repeat(length / 3)}`;
/** The longest is just below what is read of an answer, percent-encoded too. */
const CANARIES: readonly unknown[] = [
  CARD_NUMBER,
  Number(CARD_NUMBER),
  ADDRESS,
  'javascript:alert(1)',
  mixture(36_000),
];
/** Far above what is read of an answer: then it is all the same where it stands. */
const MEGABYTE = mixture(1_048_576);
/** The longest once is enough. */
const canariesOf = (nth: number): readonly unknown[] => (nth === 0 ? [...CANARIES, MEGABYTE] : CANARIES);

/** What the upstream lies about: a field of the answers to one operation. */
let lie: { readonly operation: string; readonly field: string; readonly value: unknown } | undefined;
/** Lies that were told. */
let told = 0;
/** Whether the next reversal is told that its access token is no longer good, so that there is another login. */
let refusesToken = false;
let upstream: HttpServer;
let endpoint: HttpServer;
let stack: MoneyStack;
/** What anybody was told, with where. */
const seen: { readonly where: string; readonly text: string }[] = [];

beforeAll(async () => {
  let sandbox: Sandbox | undefined;
  upstream = await serveHttp(async (incoming, outgoing) => {
    const operation = new URL(incoming.url ?? '/', 'http://upstream').pathname.split('/').at(-1) ?? '';
    const bytes = await buffer(incoming);
    if (incoming.url?.includes('/API/') === true) {
      outgoing.setHeader('content-type', lie?.field === 'type' ? `text/xml; n=${String(lie.value)}` : 'text/xml');
      outgoing.end(lie?.operation === 'gateway' ? `<a>${String(lie.value)}</a>` : '<a/>');
      return;
    }
    if (operation === 'reversal' && refusesToken) {
      refusesToken = false;
      outgoing.writeHead(401).end();
      return;
    }
    const answer = sandbox && (await askSandbox(sandbox, incoming, bytes));
    let text = (await answer?.text()) ?? '';
    if (lie?.operation === operation && answer?.status === 200) {
      text = JSON.stringify({ ...(JSON.parse(text) as Json), [lie.field]: lie.value });
      told += 1;
    }
    outgoing.writeHead(answer?.status ?? 500, { 'content-type': 'application/json' }).end(text);
  });
  endpoint = await serveHttp(async (incoming, outgoing) => {
    seen.push({ where: 'webhook', text: await textOfBody(incoming) });
    outgoing.writeHead(204).end();
  });
  stack = await startMoneyStack({
    upstreamUrl: upstream.url,
    property: {
      gateway: { apiKey: 'g'.repeat(40), allow: ['RMS/roomreq'] },
      webhooks: [{ url: `${endpoint.url}/hooks`, secret: `whsec_${btoa('0123456789abcdef01234567')}` }],
    },
  });
  sandbox = stack.sandbox;
});

afterAll(async () => {
  await stack?.close();
  upstream?.close();
  endpoint?.close();
});

/** Fields that the documents show, and one that nobody knows. */
function fieldsOf(sample: string): string[] {
  const file = new URL(`../../docs/upstream/samples/${sample}.json`, import.meta.url);
  const { responses } = JSON.parse(readFileSync(file, 'utf8')) as { responses: Record<string, Json> };
  return [...new Set([...Object.values(responses).flatMap(Object.keys), 'unheardOf'])];
}

/** A merchant's call, whose answer is looked at. */
async function call(path: string, init: { body?: unknown; key?: string } = {}): Promise<Json> {
  return look('answer', path, await askProxy(`${stack.proxyUrl}${path}`, stack.merchantKey, init));
}

/** A guest's call. */
async function guest(path: string, secret: string, body?: unknown): Promise<Json> {
  return look('guest', path, await askProxy(`${stack.proxyUrl}${path}`, secret, { body }));
}

async function look(where: string, path: string, response: Response): Promise<Json> {
  const text = await response.text();
  const headers = [...response.headers].map((header) => header.join(': ')).join('\n');
  seen.push({ where: `${where} ${path}`, text: `${headers}\n${text}` });
  return response.headers.get('content-type')?.includes('json') === true ? (JSON.parse(text) as Json) : {};
}

/** An answer that is true, which ends what the proxy believes of a service that lied. */
async function tellTheTruth(): Promise<void> {
  lie = undefined;
  const session = await call('/v1/checkout-sessions', { body: SESSION });
  await guest('/v1/checkout/start', String(session.clientSecret), START);
  await call(`/v1/checkout-sessions/${session.id}/refresh`, { body: {} });
}

const SESSION = {
  kind: 'payment',
  amount: { value: 12_000, currency: 'EUR' },
  reference: 'R',
  expiresInSeconds: 3_600,
};
const START = { presentation: 'tab', terms: 1 };

/** What is wrong with what was seen. It is not looked at twice. */
function problems(): string[] {
  return seen.splice(0).flatMap(({ where, text }) => {
    const isForGuests = /^(guest|page)/.test(where);
    return [
      ...(holdsCard(text) ? ['a card number'] : []),
      // The export's own line ends, and the line between headers and body.
      ...(/\\u00[01][0-9a-f]|\u202e|[^\P{Cc}\r\n\t]/u.test(text) ? ['a control character'] : []),
      ...(text.includes('A1 '.repeat(400)) ? ['a long text'] : []),
      ...(isForGuests && /javascript:|foreign\.test|<script>/.test(text) ? ['a script or a foreign address'] : []),
    ].map((what) => `${what} in ${where}: ${text.slice(0, 600)}`);
  });
}

const holdsCard = (text: string): boolean => text.replaceAll(/[\s-]/g, '').includes(CARD_NUMBER);

test.each([
  ['initpayNoIframe', 'initpay-no-iframe'],
  ['paystatus', 'paystatus'],
  ['transaction', 'transaction'],
])('a session whose %s lies', async (operation, sample) => {
  told = 0;
  const fields = fieldsOf(sample);
  for (const [nth, field] of fields.entries()) {
    for (const value of canariesOf(nth)) {
      lie = undefined;
      const session = await call('/v1/checkout-sessions', { body: SESSION });
      const link = await call(`/v1/checkout-sessions/${session.id}/link`, { body: {} });
      lie = { operation, field, value };
      const { viewUrl } = await guest('/v1/checkout/start', String(session.clientSecret), START);
      if (typeof viewUrl === 'string' && viewUrl.startsWith(upstream.url)) await pay(viewUrl);
      await call(`/v1/checkout-sessions/${session.id}/refresh`, { body: {} });
      await call(`/v1/checkout-sessions/${session.id}`);
      await guest('/v1/checkout', String(session.clientSecret));
      const { pathname } = new URL(String(link.url));
      await look('page', pathname, await fetch(`${stack.proxyUrl}${pathname}`, { redirect: 'manual' }));
      expect(problems(), `${field}: ${String(value).slice(0, 40)}`).toEqual([]);
      await tellTheTruth();
    }
  }
  expect(told).toBeGreaterThan(fields.length / 2);
});

/** The guest pays on the hosted page. */
async function pay(viewUrl: string): Promise<void> {
  const form = { cardNumber: '4242424242424242', cardholder: 'A Guest', expiry: '12/30', cvc: '123' };
  await stack.sandbox.fetch(viewUrl, { method: 'POST', body: new URLSearchParams(form) });
}

test.each(['pay', 'reversal', 'login'])('a charge and its reversal when %s lies', async (operation) => {
  const token = await stack.storeCard();
  told = 0;
  let nth = 0;
  const fields = fieldsOf(operation);
  for (const [place, field] of fields.entries()) {
    for (const value of canariesOf(place)) {
      await tellTheTruth();
      nth += 1;
      if (operation === 'pay') lie = { operation, field, value };
      const reference = `${operation}-${nth}`;
      const body = {
        token,
        tokenFrom: 'moto',
        amount: { value: 8_000, currency: 'EUR' },
        reference,
        reason: 'no_show',
      };
      const charge = await call('/v1/charges', { body, key: reference });
      if (operation !== 'pay') lie = { operation, field, value };
      refusesToken = operation === 'login';
      const reversal = await call('/v1/reversals', { body: { payment: charge.id }, key: `${reference}-back` });
      for (const { object, id } of [charge, reversal]) if (id !== undefined) await call(`/v1/${object}s/${id}`);
      expect(problems(), `${field}: ${String(value).slice(0, 40)}`).toEqual([]);
    }
  }
  expect(told).toBeGreaterThan(fields.length / 2);
});

test('a gateway that lies', async () => {
  for (const field of ['type', 'body']) {
    for (const value of [CARD_NUMBER, '5105 1051-0510 5100', `${'x'.repeat(1_048_576)}${CARD_NUMBER}`]) {
      lie = { operation: 'gateway', field, value };
      await call('/v1/gateway/RMS/roomreq', { body: {} });
      expect(problems(), field).toEqual([]);
    }
  }
});

test('nothing of all that is in a webhook, the feed, a list or the export, nor printed, nor in a file', async () => {
  lie = undefined;
  let events = 0;
  for (let after = 0, hasMore = true; hasMore; ) {
    const page = await call(`/v1/events?limit=100&after=${after}`);
    hasMore = (page.data as unknown[]).length > 0;
    events += (page.data as unknown[]).length;
    after = Number(page.nextAfter);
  }
  expect(events).toBeGreaterThan(10);
  for (const path of ['/v1/checkout-sessions', '/v1/charges', '/v1/reversals']) {
    expect(((await call(`${path}?limit=100`)).data as unknown[]).length, path).toBeGreaterThan(5);
  }
  const day = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
  await call(`/v1/export.csv?from=${day(Date.now() - 86_400_000)}&to=${day(Date.now() + 86_400_000)}`);
  const waiting = async (): Promise<number> => {
    const { data } = await call('/v1/webhook-endpoints');
    return Number((data as Json[])[0]?.waiting);
  };
  await until(waiting, (count) => count === 0, 60_000);
  seen.push({ where: 'log', text: stack.output() });
  expect(stack.output().length).toBeGreaterThan(10_000);
  expect(problems()).toEqual([]);
  const folder = join(stack.dataDir, 'storage');
  let files = 0;
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const text = textOf(join(folder, name));
    if (text === undefined) continue;
    files += 1;
    expect(text.includes(CARD_NUMBER) || text.includes('5105 1051-0510 5100'), name).toBe(false);
    expect(text.includes('A1 '.repeat(400)), name).toBe(false);
  }
  expect(files).toBeGreaterThan(20);
});

/** A file's bytes; undefined for a folder, and for a journal that goes while it is read. */
function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return undefined;
  }
}
