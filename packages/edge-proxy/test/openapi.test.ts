import { env } from 'cloudflare:workers';
import { dereference, type Schema, validate } from '@cfworker/json-schema';
import { PROBLEM_STATUSES, type ProblemCode, WEBHOOK_EVENT_TYPES } from '@innkeep/core/contract';
import { currencyCodes } from '@innkeep/core/values';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import {
  motoOpenApiDocument,
  openApiDocument,
  operationsOf,
  platformOpenApiDocument,
  wholeOpenApiDocument,
} from '../openapi/document.ts';
import manifest from '../package.json' with { type: 'json' };
import { cards } from '../src/money/card-routes.ts';
import { toMerchantOperation } from '../src/money/money-record.ts';
import { publicApp } from '../src/properties/resource-app.ts';
import { VERSION } from '../src/telemetry/version.ts';
import { send } from '../test-support/client.ts';
import { NEW_CHARGE_RECORD, NEW_REVERSAL_RECORD } from '../test-support/records.ts';
import { RESOURCES } from '../test-support/whole-app.ts';

/** Each document as text: to make one is dear. */
const TEXTS = {
  whole: JSON.stringify(wholeOpenApiDocument(VERSION)),
  hotels: JSON.stringify(openApiDocument(VERSION)),
  moto: JSON.stringify(motoOpenApiDocument(VERSION)),
  platforms: JSON.stringify(platformOpenApiDocument(VERSION)),
};
const parsed = (name: keyof typeof TEXTS) => JSON.parse(TEXTS[name]) as Described;
const pathsOf = (name: keyof typeof TEXTS): string[] => Object.keys(parsed(name).paths);
const WHOLE = parsed('whole');

test('a route without a description stops the build', () => {
  const app = publicApp({ tag: 'Service' }).get('/silent', (c) => c.text('nothing said'));
  expect(() => operationsOf([['/', app]])).toThrow('GET /silent has no description');
});

/** The documents that are served. Unlike those made here, they have the texts of the contract's TSDoc. */
async function served(path: string): Promise<string> {
  const answer = await send(path);
  expect(answer.headers.get('content-type')).toBe('application/json');
  expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f]{32}$/);
  return answer.text();
}

test.each([
  ['/openapi.json', 'hotels'],
  ['/openapi-platform.json', 'platforms'],
] as const)('%s is what the sources make: build again if not', async (path, name) => {
  const document = await served(path);
  const withoutTexts = (json: string) =>
    JSON.parse(json, (_, value) => {
      const isField = ['type', '$ref', 'anyOf', 'oneOf', 'in'].some((member) => Object(value)[member] !== undefined);
      return isField ? { ...value, description: undefined } : value;
    });
  expect(withoutTexts(document)).toEqual(withoutTexts(TEXTS[name]));
});

test.each(['/openapi.json', '/openapi-platform.json'])('%s says what each field and parameter means', async (path) => {
  const described: [name: string, text: unknown][] = [];
  JSON.parse(await served(path), (key, value) => {
    const fields = value?.type === 'object' ? Object.entries<{ description?: string }>(value.properties ?? {}) : [];
    for (const [name, { description }] of fields) described.push([name, description]);
    if (key === 'parameters') for (const { name, description } of value) described.push([name, description]);
    return value;
  });
  expect(described.length).toBeGreaterThan(300);
  const silent = described.filter(([, text]) => !/[.…]$/.test(String(text)));
  const advice =
    'Give each a sentence: a field in its TSDoc in core contract/, a path’s parameter in openapi/operations. Then build';
  expect(silent, advice).toEqual([]);
});

test('each problem code says whether money moved, and what to do', async () => {
  const { components } = JSON.parse(await served('/openapi.json')) as Described;
  for (const code of Object.keys(PROBLEM_STATUSES)) {
    const text = expect.stringMatching(new RegExp(`^- \`${code}\`: .+ Money: .+ What to do: .+\\.$`, 'm'));
    expect(components.schemas.ProblemCode).toMatchObject({ description: text });
  }
});

test('no text names what only TypeScript has', async () => {
  const documents = (await served('/openapi.json')) + (await served('/openapi-platform.json'));
  const texts = [...documents.matchAll(/"description":"((?:[^"\\]|\\.)*)"/g)].map(([, text = '']) => text);
  const names = texts.flatMap((text) => text.match(/\b[A-Za-z]*[a-z][A-Z]\w*/g) ?? []);
  expect(names.length).toBeGreaterThan(30);
  // A name of the payment service’s, one of the documents’ own, and units.
  const known = new Set([...(documents.match(/(?<=")\w+(?=")/g) ?? []), 'serviceProvider', 'OpenAPI', 'KiB', 'MiB']);
  expect(names.filter((name) => !known.has(name))).toEqual([]);
});

test('what a field does when it is left out is in its text or its schema', async () => {
  const { components } = JSON.parse(await served('/openapi.json')) as Described;
  const { CreateReversal, CreateDeskSession } = components.schemas;
  const optional = [CreateReversal?.properties?.amount, CreateDeskSession?.properties?.maxReversal];
  for (const field of optional) expect(field).toMatchObject({ description: expect.stringContaining('Without it') });
});

test('the version is the package’s', async () => {
  expect(VERSION).toBe(manifest.version);
  expect(await (await send('/healthz')).json()).toEqual({ status: 'ok', version: manifest.version });
});

test('every body has an example, and the example fits its schema', () => {
  const { paths, webhooks, components } = WHOLE;
  const operations = Object.values({ ...paths, ...webhooks }).flatMap((path) => Object.values(path));
  const bodies = operations.flatMap(({ operationId, requestBody = {}, responses }) =>
    [requestBody, ...Object.values(responses)].flatMap(({ content = {} }) =>
      Object.values(content).map((media) => ({ operationId, ...media })),
    ),
  );
  // References point into the document, which is read once for all.
  const schemas = dereference({ components, anyOf: bodies.map(({ schema = {} }) => schema) } as object);
  for (const { operationId, schema = {}, example, examples = {} } of bodies) {
    const named = Object.keys(examples).map((name) => components.examples[name]?.value);
    const values = [example, ...named].filter((each) => each !== undefined);
    expect([operationId, values.length > 0]).toEqual([operationId, true]);
    for (const value of values) {
      const { errors } = validate(value, schema as Schema, '2020-12', schemas, false);
      expect([operationId, errors]).toEqual([operationId, []]);
    }
  }
});

test('a failure of each status has a code of that status', () => {
  const failures = Object.values(WHOLE.paths).flatMap((path) =>
    Object.values(path).flatMap(({ responses }) =>
      Object.entries(responses).filter(([, { content = {} }]) => 'application/problem+json' in content),
    ),
  );
  expect(new Set(failures.map(([status]) => status))).toEqual(new Set(Object.values(PROBLEM_STATUSES).map(String)));
  for (const [status, { content = {} }] of failures) {
    const codes = content['application/problem+json']?.schema?.properties?.code?.enum ?? [];
    expect(codes.map((code) => PROBLEM_STATUSES[code])).toEqual(codes.map(() => Number(status)));
    expect(codes).not.toEqual([]);
  }
});

test('what the limits are is what is enforced', () => {
  const { paths, components } = WHOLE;
  const queryOf = (path: string, name: string) =>
    paths[path]?.get?.parameters?.find((each) => each.name === name)?.schema;
  expect(queryOf('/v1/charges', 'limit')).toEqual({ type: 'integer', minimum: 1, maximum: 100, default: 20 });
  expect(queryOf('/v1/events', 'after')).toMatchObject({ type: 'integer', minimum: 0, default: 0 });
  expect(queryOf('/v1/payments.csv', 'separator')).toMatchObject({ enum: ['comma', 'semicolon'], default: 'comma' });
  const [byKey] = paths['/v1/checkout-sessions/by-key/{key}']?.put?.parameters ?? [];
  expect(byKey).toMatchObject({ name: 'key', example: 'RES-1234-deposit' });
  const { SessionResolution, CreatePaymentSession, Currency } = components.schemas;
  expect(SessionResolution?.properties?.evidence).toMatchObject({ maxLength: 500, pattern: '\\S' });
  expect(CreatePaymentSession?.properties?.returnUrl).toMatchObject({ maxLength: 2_000, pattern: '^https?://.' });
  expect(CreatePaymentSession?.properties?.metadata).toMatchObject({ $ref: '#/components/schemas/Metadata' });
  expect(Currency?.enum).toEqual(currencyCodes().sort());
});

test('what must be sent, and what is always sent, is required', () => {
  const [from, to] = WHOLE.paths['/v1/audit.csv']?.get?.parameters ?? [];
  expect([from, to]).toMatchObject([{ required: true }, { required: true }]);
  expect(WHOLE.paths['/v1/export.csv']?.get?.parameters).toMatchObject(Array(4).fill({ required: false }));
  const [settings] = WHOLE.components.schemas.PropertyResource?.properties?.settings?.anyOf ?? [];
  expect(settings?.required).toEqual(expect.arrayContaining(['livemode', 'dayStartsAt', 'moto', 'origins', 'gateway']));
  expect(settings?.required).not.toContain('maxAmount');
});

test('who may not key in cards is refused as the document says', () => {
  expect(WHOLE.paths['/v1/cards']?.post?.responses).toMatchObject({ 403: {}, 404: {} });
});

test('a configuration can be changed at any depth', () => {
  const { schema } = WHOLE.paths['/v1/properties/{id}']?.patch?.requestBody?.content?.['application/json'] ?? {};
  const errors = (patch: object) => validate(patch, schema as Schema, '2020-12', undefined, false).errors;
  const nested = { gateway: { allow: ['RMS/x'], productId: null }, maxAmount: { JPY: null, EUR: 1 }, moto: null };
  expect(errors(nested)).toEqual([]);
  for (const wrong of [{ gateway: { allow: 'RMS/x' } }, { gateway: { other: 1 } }, { maxAmount: { EUR: 'all' } }]) {
    expect(errors(wrong)).not.toEqual([]);
  }
});

test('what has several forms says by which field, and what may grow is open', () => {
  const { paths, components } = WHOLE;
  const create = paths['/v1/checkout-sessions']?.post?.requestBody?.content?.['application/json']?.schema;
  expect(create?.discriminator).toMatchObject({
    propertyName: 'kind',
    mapping: { card: expect.stringMatching(/CreateCardSession$/) },
  });
  const { CheckoutSession, CheckoutView, Event } = components.schemas;
  expect(CheckoutSession?.properties?.result?.anyOf?.[0]?.discriminator).toMatchObject({ propertyName: 'kind' });
  expect(Event?.properties?.type?.anyOf).toEqual([{ type: 'string', enum: WEBHOOK_EVENT_TYPES }, { type: 'string' }]);
  // The guest's view is strict inside of the proxy alone.
  for (const answer of [CheckoutSession, CheckoutView, Event])
    expect(answer).not.toHaveProperty('additionalProperties');
  expect(components.schemas.CreateCharge).toMatchObject({ additionalProperties: false });
});

test('webhooks are described with their signature', () => {
  const { parameters = [] } = WHOLE.webhooks.event?.post ?? {};
  expect(parameters.map(({ name }) => name)).toEqual(['webhook-id', 'webhook-timestamp', 'webhook-signature']);
});

/** What these tests read of a document. */
interface Described {
  readonly paths: Record<string, Record<string, OperationObject>>;
  readonly webhooks: Record<string, Record<string, OperationObject>>;
  readonly components: {
    readonly schemas: Record<string, SchemaObject>;
    readonly examples: Record<string, { readonly value: unknown }>;
  };
}

interface OperationObject {
  readonly operationId: string;
  readonly parameters?: readonly {
    readonly name: string;
    readonly description?: string;
    readonly schema: SchemaObject;
  }[];
  readonly requestBody?: Body;
  readonly responses: Record<string, Body>;
}

interface Body {
  readonly content?: Record<
    string,
    { readonly schema?: SchemaObject; readonly example?: unknown; readonly examples?: Record<string, unknown> }
  >;
}

interface SchemaObject {
  readonly required?: readonly string[];
  readonly enum?: readonly ProblemCode[];
  readonly properties?: Record<string, SchemaObject>;
  readonly anyOf?: readonly SchemaObject[];
  readonly discriminator?: object;
}

const ALL_OPERATIONS = operationsOf([...RESOURCES, ['/v1/cards', cards(env)]]);

test('every operation has a name of its own', () => {
  expect(new Set(ALL_OPERATIONS.map(({ id }) => id)).size).toBe(ALL_OPERATIONS.length);
});

test('nothing that has a name is written out a second time', () => {
  const { schemas } = WHOLE.components;
  expect(Object.keys(schemas)).toEqual(expect.arrayContaining(['Money', 'CheckoutSession', 'Charge', 'Problem']));
  for (const [name, schema] of Object.entries(schemas)) {
    expect([name, TEXTS.whole.split(JSON.stringify(schema)).length - 1]).toEqual([name, 1]);
  }
});

test('its patterns are of every regular expression engine', () => {
  const patterns = [...TEXTS.whole.matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g)];
  expect(patterns.length).toBeGreaterThan(0);
  // As PHP reads it, byte by byte.
  const bytes = String.fromCharCode(...new TextEncoder().encode('Straße, 70 €'));
  for (const [, text = ''] of patterns) {
    const pattern = JSON.parse(text) as string;
    expect(pattern).not.toMatch(/\\[pu/]/);
    expect(() => new RegExp(pattern)).not.toThrow();
    expect(() => new RegExp(pattern, 'u')).not.toThrow();
    if (pattern.startsWith('^[^')) expect(bytes).toMatch(new RegExp(pattern));
  }
});

test('each value says what a client in Java or C# makes of it', () => {
  expect(TEXTS.whole).not.toContain('"schema":{}');
  const typed: Record<string, unknown>[] = [];
  JSON.parse(TEXTS.whole, (_, part) => {
    if (part?.type === 'integer' || part?.const !== undefined) typed.push(part);
    return part;
  });
  expect(typed.filter(({ format }) => format === 'int64').length).toBeGreaterThan(20);
  for (const part of typed) {
    const isLong = Number(part.maximum) > 2 ** 31 - 1;
    expect(part).toMatchObject(part.const === undefined ? { type: 'integer' } : { type: 'string' });
    expect([part, part.format]).toEqual([part, isLong ? 'int64' : undefined]);
  }
});

describe('an operation', () => {
  test('has an example that it would accept, if it takes a body that can have one', () => {
    for (const { id, body, example } of ALL_OPERATIONS) {
      const isEmpty = body?.schema === undefined || v.is(v.strictObject({}), v.safeParse(body.schema, {}).output);
      expect([id, example !== undefined || isEmpty]).toEqual([id, true]);
      if (body?.schema !== undefined && example !== undefined)
        expect([id, v.safeParse(body.schema, example).issues]).toEqual([id, undefined]);
    }
  });
});

test('what takes card numbers is in the document of the MOTO build alone, which has all the rest', () => {
  expect(TEXTS.hotels).not.toMatch(/\/v1\/cards|cardNo|cvc/);
  expect(pathsOf('moto').sort()).toEqual([...pathsOf('hotels'), '/v1/cards'].sort());
});

test('what operators call is in a document of their own', () => {
  const ofPlatforms = pathsOf('platforms');
  expect(ofPlatforms).toContain('/v1/properties/{id}');
  const ofHotels = pathsOf('moto');
  expect([...ofHotels, ...ofPlatforms].sort()).toEqual(Object.keys(WHOLE.paths).sort());
  expect(ofHotels.filter((path) => ofPlatforms.includes(path))).toEqual([]);
});

/**
 * What an answer has: members, which of them are null, and whatever code reads. Examples of answers that a journey does not come by every
 * day are held against the code that makes them; tests/docs holds the others against the answers of a whole journey.
 */
function form(answer: unknown): unknown {
  return Object.fromEntries(
    Object.entries(Object(answer)).map(([name, value]) => [
      name,
      value === null || ['object', 'status', 'final', 'seq'].includes(name) ? value : typeof value,
    ]),
  );
}

test.each([
  ['/v1/charges', { ...NEW_CHARGE_RECORD, state: 'sent', seq: 2 }],
  // The example is of a charge.
  ['/v1/reversals', { ...NEW_REVERSAL_RECORD, reason: 'service', note: 'Sauna', attempt: null, state: 'sent', seq: 2 }],
] as const)('%s: the example without an outcome after 25 seconds is one that is under way', (path, record) => {
  expect(form(WHOLE.paths[path]?.post?.responses[202]?.content?.['application/json']?.example)).toEqual(
    form(toMerchantOperation(record)),
  );
});

test('cards are masked as the payment service does it', () => {
  expect(TEXTS.whole).toContain('424242......4242');
  expect(TEXTS.whole).not.toContain('424242*');
});
