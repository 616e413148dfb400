/**
 * The running proxy with a payment service and a gateway that put a card number, control characters and very long texts into every field of
 * every answer, one at a time: what it prints, what it sends to an endpoint, and the bytes of its files. What anybody is answered is looked
 * at in the proxy's own suite, packages/edge-proxy/test/hostile-upstream.test.ts, and of the gateway in gateway.test.ts there.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer, text as textOfBody } from 'node:stream/consumers';
import type { Sandbox } from '@innkeep/sandbox';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { askSandbox } from '../support/faulty-upstream.ts';
import { type Json, type MoneyStack, startMoneyStack, until } from '../support/money-stack.ts';
import { type HttpServer, serveHttp } from '../support/serve-http.ts';

const CARD_NUMBER = '5105105105105100';
const mixture = (length: number): string =>
  `5105 1051-0510 5100 \u0000\u001b[31m\u202e <script>alert(1)</script> https://foreign.test/?${CARD_NUMBER} ${'A1 '.repeat(length / 3)}`;
/** The long one is just below what is read of an answer, percent-encoded too. */
const CANARIES: readonly string[] = [CARD_NUMBER, mixture(36_000)];
/** Far above what is read of an answer: then it is all the same where it stands, and once is enough. */
const canariesOf = (nth: number): readonly string[] => (nth === 0 ? [...CANARIES, mixture(1_048_576)] : CANARIES);

/** What the upstream lies about: a field of the answers to one operation. */
let lie: { readonly operation: string; readonly field: string; readonly value: string } | undefined;
/** Lies that were told. */
let told = 0;
/** Whether the next reversal is told that its access token is no longer good, so that there is another login. */
let refusesToken = false;
let upstream: HttpServer;
let endpoint: HttpServer;
let stack: MoneyStack;
const webhooks: string[] = [];

beforeAll(async () => {
  let sandbox: Sandbox | undefined;
  upstream = await serveHttp(async (incoming, outgoing) => {
    const operation = new URL(incoming.url ?? '/', 'http://upstream').pathname.split('/').at(-1) ?? '';
    const bytes = await buffer(incoming);
    if (incoming.url?.includes('/API/') === true) {
      outgoing.setHeader('content-type', lie?.field === 'type' ? `text/xml; n=${lie.value}` : 'text/xml');
      outgoing.end(`<a>${lie?.value}</a>`);
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
    webhooks.push(await textOfBody(incoming));
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

const call = async (path: string, body?: unknown, key?: string): Promise<Json> =>
  (await stack.call(path, { body, key })).body;

/** A session whose guest begins to pay, and does if a page of the payment service opens; a person then looks at it. */
async function playSession(): Promise<void> {
  const amount = { value: 12_000, currency: 'EUR' };
  const { id, clientSecret } = await call('/v1/checkout-sessions', { kind: 'payment', amount, reference: 'R' });
  const start = { body: { presentation: 'tab', terms: 1 }, bearer: String(clientSecret) };
  const { viewUrl } = (await stack.call('/v1/checkout/start', start)).body;
  if (typeof viewUrl === 'string' && viewUrl.startsWith(upstream.url)) {
    const form = { cardNumber: '4242424242424242', cardholder: 'A Guest', expiry: '12/30', cvc: '123' };
    await stack.sandbox.fetch(viewUrl, { method: 'POST', body: new URLSearchParams(form) });
  }
  await call(`/v1/checkout-sessions/${id}/refresh`, {});
}

/** An answer that is true ends what the proxy believes of a service that lied. */
async function tellTheTruth(): Promise<void> {
  lie = undefined;
  await playSession();
}

test.each([
  ['initpayNoIframe', 'initpay-no-iframe'],
  ['paystatus', 'paystatus'],
  ['transaction', 'transaction'],
])('a session whose %s lies', async (operation, sample) => {
  told = 0;
  const fields = fieldsOf(sample);
  for (const [nth, field] of fields.entries()) {
    for (const value of canariesOf(nth)) {
      lie = { operation, field, value };
      await playSession();
      await tellTheTruth();
    }
  }
  expect(told).toBeGreaterThan(fields.length / 2);
});

test.each(['pay', 'reversal', 'login'])('a charge and its reversal when %s lies', async (operation) => {
  const token = await stack.storeCard();
  told = 0;
  const fields = fieldsOf(operation);
  for (const [nth, field] of fields.entries()) {
    for (const value of canariesOf(nth)) {
      await tellTheTruth();
      if (operation === 'pay') lie = { operation, field, value };
      const reference = `${operation}-${field}-${value.length}`;
      const amount = { value: 8_000, currency: 'EUR' };
      const body = { token, tokenFrom: 'moto', amount, reference, reason: 'no_show' };
      const { id } = await call('/v1/charges', body, reference);
      if (operation !== 'pay') lie = { operation, field, value };
      refusesToken = operation === 'login';
      await call('/v1/reversals', { payment: id }, `${reference}-back`);
    }
  }
  expect(told).toBeGreaterThan(fields.length / 2);
});

test('a gateway that lies', async () => {
  for (const field of ['type', 'body']) {
    for (const value of [CARD_NUMBER, '5105 1051-0510 5100', `${'x'.repeat(1_048_576)}${CARD_NUMBER}`]) {
      lie = { operation: 'gateway', field, value };
      await stack.call('/v1/gateway/RMS/roomreq', { body: {} });
    }
  }
});

test('nothing of all that is in a webhook, nor printed, nor in a file', async () => {
  lie = undefined;
  const waiting = async (): Promise<number> => {
    const { data } = await call('/v1/webhook-endpoints');
    return Number((data as Json[])[0]?.waiting);
  };
  await until(waiting, (count) => count === 0, 60_000);
  expect(webhooks.length).toBeGreaterThan(10);
  expect(stack.output().length).toBeGreaterThan(10_000);
  for (const text of [...webhooks, ...stack.output().split('\n')]) {
    expect(text.replaceAll(/[\s-]/g, '')).not.toContain(CARD_NUMBER);
    expect(text).not.toMatch(/\\u00[01][0-9a-f]|\u202e|[^\P{Cc}\r\n\t]/u);
    expect(text).not.toContain('A1 '.repeat(400));
  }
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
