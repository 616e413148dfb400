// Requests made from the served document's own schemas: no answer is a 500 or outside the document. 1,000 of them in
// `pnpm test`; more with OPENAPI_REQUESTS=12000. OPENAPI_SEED replays a run.
import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exchangeCheck } from '../../packages/edge-proxy/test-support/exchange-check.ts';
import { TEST_LIMITS } from '../../scripts/test-limits.ts';
import { inParallel, type Json, startMoneyStack } from '../support/money-stack.ts';
import { type JsonSchema, type Sources, valuesOf } from './json-arbitrary.ts';

const SEED = Number(process.env.OPENAPI_SEED ?? randomInt(2 ** 31));
const COUNT = Number(process.env.OPENAPI_REQUESTS ?? 1_000);

const MUST_SUCCEED = [
  'createCheckoutSession',
  'ensureCheckoutSession',
  'createCharge',
  'createReversal',
  'startCheckout',
  'listEvents',
  'sendToGateway',
  'createCard',
];

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly schema: JsonSchema;
}

interface Operation {
  readonly operationId: string;
  readonly security: readonly Readonly<Record<string, unknown>>[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: JsonSchema; readonly example?: unknown }>>;
  };
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
}

const stack = await startMoneyStack({
  moto: true,
  property: {
    moto: true,
    surcharge: true,
    origins: ['https://hotel.example'],
    gateway: { apiKey: '0123456789'.repeat(4), allow: ['RMS/keepalivereq'] },
  },
});
afterAll(() => stack.close());
const document = (await (await fetch(`${stack.proxyUrl}/openapi.json`)).json()) as Document;
const check = exchangeCheck(document);
const token = await stack.storeCard();
const known: Record<string, unknown[] | undefined> = {
  token: [token],
  returnUrl: ['https://hotel.example/booking'],
  reference: ['RES-1', 'RES-2'],
  protocol: ['RMS'],
  method: ['keepalivereq'],
  cardNo: ['4242424242424242'],
  key: ['RES-1-stay', 'RES-2:card'],
  terms: [1],
  // Most charges name a token alone.
  card: [undefined],
  // A charge has no attempts: most reversals name none.
  attempt: [undefined],
  amount: Array.from({ length: 50 }, (_, at) => ({ value: at + 1, currency: 'EUR' })),
};

beforeAll(async () => {
  // Whatever the seed, there is something that reversals can be of.
  const amount = { value: 100_000, currency: 'EUR' };
  const body = { token, tokenFrom: 'moto', amount, reference: 'RES-0', reason: 'no_show' };
  const charged = await stack.call('/v1/charges', { body, key: 'known' });
  expect(charged.body).toMatchObject({ status: 'succeeded' });
  remember(charged.body);
});

test(`no request made from the document is answered outside of it (seed ${SEED})`, {
  timeout: TEST_LIMITS.testTimeout + COUNT * 200,
}, async () => {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  const statuses = new Map<string, Set<number>>();
  const ask = async (at: number, { path, method, operation }: (typeof operations)[number]): Promise<void> => {
    const [request] = fc.sample(requestOf(path, operation), { seed: SEED + at, numRuns: 1 });
    const response = await fetch(`${stack.proxyUrl}${request?.address}`, {
      method,
      redirect: 'manual',
      headers: request?.headers ?? {},
      ...(request?.body === undefined ? {} : { body: request.body }),
    });
    const seen = `${operation.operationId} → ${response.status}, request ${at} of seed ${SEED}: ${JSON.stringify(request)}`;
    expect(response.status, seen).not.toBe(500);
    await check({ method, url: response.url, body: request?.body }, response);
    statuses.set(operation.operationId, (statuses.get(operation.operationId) ?? new Set()).add(response.status));
    remember(response.status < 300 ? ((await response.json().catch(() => ({}))) as Json) : {});
  };
  await inParallel(
    8,
    Array.from(
      { length: COUNT },
      (_, at) => () => ask(at, operations[at % operations.length] as (typeof operations)[number]),
    ),
  );
  // Otherwise nothing but refusals would have been looked at. Some seeds need more requests until one makes sense.
  const succeeded = (id: string): boolean => [...(statuses.get(id) ?? [])].some((status) => status < 300);
  for (const id of MUST_SUCCEED) {
    const operation = operations.find((each) => each.operation.operationId === id);
    for (let more = 0; operation && !succeeded(id) && more < 300; more++) await ask(COUNT + more, operation);
    expect(succeeded(id), id).toBe(true);
  }
});

interface Made {
  readonly address: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
}

function requestOf(path: string, { security, parameters = [], requestBody }: Operation): fc.Arbitrary<Made> {
  const [, , collection = ''] = path.split('/');
  const sources: Sources = { schemas: document.components.schemas, known: { ...known, id: known[collection] } };
  const within = (place: string) => {
    const fields = parameters.filter((each) => each.in === place);
    return fc.record(Object.fromEntries(fields.map(({ name, schema }) => [name, valuesOf(schema, sources, name)])), {
      requiredKeys: fields.filter(({ required }) => required).map(({ name }) => name),
    }) as fc.Arbitrary<Json>;
  };
  const [[type, { schema = {}, example = undefined } = {}] = []] = Object.entries(requestBody?.content ?? {});
  const isJson = type === 'application/json';
  // Of what is no JSON, the schema says nothing about what makes sense.
  const body = type === undefined ? fc.constant(undefined) : isJson ? valuesOf(schema, sources) : fc.constant(example);
  const secret = security.some((each) => 'guest' in each) ? (known.clientSecret ?? ['cs_none']) : [stack.merchantKey];
  const bearer = fc.oneof(
    { weight: 20, arbitrary: fc.constantFrom(...(secret as string[])) },
    { weight: 1, arbitrary: fc.constant('sk_wrong') },
  );
  return fc
    .tuple(within('path'), within('query'), within('header'), body, bearer)
    .map(([inPath, query, headers, sent, key]) => ({
      address: `${path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(text(inPath[name])) || 'x')}${search(query)}`,
      headers: {
        authorization: `Bearer ${key}`,
        ...(type === undefined ? {} : { 'content-type': type }),
        ...Object.fromEntries(
          Object.entries(headers).map(([name, value]) => [name, text(value).replaceAll(/[^\x21-\x7e]/g, '') || 'x']),
        ),
      },
      ...(sent === undefined ? {} : { body: isJson ? JSON.stringify(sent) : text(sent) }),
    }));
}

function text(value: unknown): string {
  return typeof value === 'string' ? value.replace(/\p{Surrogate}/gu, '') : JSON.stringify(value ?? 'x');
}

function search(query: Json): string {
  const fields = Object.entries(query).filter(([, value]) => value !== undefined);
  return fields.length === 0 ? '' : `?${new URLSearchParams(fields.map(([name, value]) => [name, text(value)]))}`;
}

/** Keeps what later requests can be about. */
function remember({ object, id, status, clientSecret, url, nextCursor }: Json): void {
  const keep = (name: string, value: unknown): void => {
    if (typeof value === 'string') known[name] = [...(known[name] ?? []), value].slice(-50);
  };
  if (object === 'checkout_session') keep('checkout-sessions', id);
  if (object === 'charge') keep('charges', id);
  if (object === 'reversal') keep('reversals', id);
  if (object === 'charge' && status === 'succeeded') keep('payment', id);
  if (object === undefined && String(id).startsWith('ev_')) keep('events', id);
  keep('clientSecret', clientSecret);
  keep('cursor', nextCursor);
  keep('linkId', typeof url === 'string' ? url.split('/').at(-1) : undefined);
}
