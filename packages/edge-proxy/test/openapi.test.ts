import { env } from 'cloudflare:workers';
import { type Schema, Validator } from '@cfworker/json-schema';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { motoOpenApiDocument, openApiDocument, operationsOf } from '../openapi/document.ts';
import manifest from '../package.json' with { type: 'json' };
import { RESOURCES } from '../src/app.ts';
import { publicApp } from '../src/middleware/resource-app.ts';
import { cards } from '../src/routes/cards.ts';
import { VERSION } from '../src/version.ts';
import { send } from '../test-support/client.ts';
import { KEYS } from '../test-support/environment.ts';

test('a route without a description stops the build', () => {
  const app = publicApp({ tag: 'Service' }).get('/silent', (c) => c.text('nothing said'));
  expect(() => operationsOf([['/', app]])).toThrow('GET /silent has no description');
});

test('the document that is served is the one the sources make: build again if not', async () => {
  const answer = await send('/openapi.json');
  expect(answer.headers.get('content-type')).toBe('application/json');
  expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f]{32}$/);
  expect(await answer.json()).toEqual(JSON.parse(JSON.stringify(openApiDocument(VERSION))));
});

test('the version is the package’s', async () => {
  expect(VERSION).toBe(manifest.version);
  expect(await (await send('/healthz')).json()).toEqual({ status: 'ok', version: manifest.version });
});

test('every JSON answer has an example, and the example fits its schema', () => {
  for (const document of [openApiDocument(VERSION), motoOpenApiDocument(VERSION)]) {
    const { paths, components } = document as unknown as DocumentWithExamples;
    const contents = Object.values(paths)
      .flatMap((path) => Object.values(path))
      .flatMap(({ operationId, responses }) =>
        Object.values(responses).flatMap(({ content = {} }) =>
          Object.values(content).flatMap((each) => (each.schema === undefined ? [] : [[operationId, each] as const])),
        ),
      );
    expect(contents.length).toBeGreaterThan(0);
    for (const [id, { schema, example, examples = {} }] of contents) {
      const values = [example, ...Object.values(examples).map(({ value }) => value)].filter(
        (each) => each !== undefined,
      );
      expect([id, values.length > 0]).toEqual([id, true]);
      const component = components.schemas[schema?.$ref.split('/').at(-1) ?? ''];
      const validator = new Validator({ ...component, components }, '2020-12', false);
      for (const value of values) {
        const { errors } = validator.validate(JSON.parse(JSON.stringify(value)));
        expect([id, errors]).toEqual([id, []]);
      }
    }
  }
});

/** What the test of the examples reads of a document. */
interface DocumentWithExamples {
  readonly paths: Record<
    string,
    Record<string, { readonly operationId: string; readonly responses: Record<string, Answer> }>
  >;
  readonly components: { readonly schemas: Record<string, Schema> };
}

interface Answer {
  readonly content?: Record<
    string,
    {
      readonly schema?: { readonly $ref: string };
      readonly example?: unknown;
      readonly examples?: Record<string, { readonly value: unknown }>;
    }
  >;
}

const OPERATIONS = operationsOf(RESOURCES);
const ALL_OPERATIONS = [...OPERATIONS, ...operationsOf([['/v1/cards', cards(env)]])];

test('every operation has a name of its own', () => {
  expect(new Set(ALL_OPERATIONS.map(({ id }) => id)).size).toBe(ALL_OPERATIONS.length);
});

test('nothing that has a name is written out a second time', () => {
  const document = openApiDocument(VERSION) as { components: { schemas: Record<string, unknown> } };
  const { schemas } = document.components;
  expect(Object.keys(schemas)).toEqual(expect.arrayContaining(['Money', 'CheckoutSession', 'Charge', 'Problem']));
  const whole = JSON.stringify(document);
  for (const [name, schema] of Object.entries(schemas)) {
    expect([name, whole.split(JSON.stringify(schema)).length - 1]).toEqual([name, 1]);
  }
});

test('its patterns are of every regular expression engine', () => {
  const patterns = [...JSON.stringify(openApiDocument(VERSION)).matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g)];
  expect(patterns.length).toBeGreaterThan(0);
  for (const [, text = ''] of patterns) {
    const pattern = JSON.parse(text) as string;
    expect(pattern).not.toMatch(/\\p\{/);
    expect(() => new RegExp(pattern)).not.toThrow();
    expect(() => new RegExp(pattern, 'u')).not.toThrow();
  }
});

describe('an operation', () => {
  const merchants = OPERATIONS.flatMap(({ id, method, path, caller }) =>
    caller.is === 'merchant' ? [[id, { method, path, scope: caller.scope }] as const] : [],
  );
  test.each(merchants)('%s says which scope its key needs', async (_, { method, path, scope }) => {
    const address = path.replaceAll(/:\w+(\{[^}]*\})?/g, 'x');
    // This key has the scope "events" alone.
    const headers = { Authorization: `Bearer ${KEYS.auroraEvents}`, 'Content-Type': 'application/json' };
    const answer = await send(address, { method, headers, ...(method === 'POST' ? { body: '{}' } : {}) });
    const { detail } = (await answer.json()) as { detail?: string };
    if (scope === 'events') expect(answer.status).not.toBe(403);
    else expect({ status: answer.status, detail }).toEqual({ status: 403, detail: `This key has no scope "${scope}"` });
  });

  test('has an example that it would accept, if it takes a body that can have one', () => {
    for (const { id, body, example } of ALL_OPERATIONS) {
      const isEmpty = body?.schema === undefined || v.is(v.strictObject({}), v.safeParse(body.schema, {}).output);
      expect([id, example !== undefined || isEmpty]).toEqual([id, true]);
      if (body?.schema !== undefined && example !== undefined)
        expect([id, v.safeParse(body.schema, example).issues]).toEqual([id, undefined]);
    }
  });

  test('has words for each of its parameters', () => {
    for (const document of [openApiDocument(VERSION), motoOpenApiDocument(VERSION)]) {
      const paths = document.paths as Record<string, Record<string, { parameters?: { description?: string }[] }>>;
      const operations = Object.values(paths).flatMap((path) => Object.values(path));
      for (const parameter of operations.flatMap(({ parameters = [] }) => parameters)) {
        expect(parameter).toMatchObject({ description: expect.stringMatching(/\.$/) });
      }
    }
  });
});

test('what takes card numbers is in the second document alone', () => {
  expect(JSON.stringify(openApiDocument(VERSION))).not.toMatch(/\/v1\/cards|cardNo|cvc/);
  expect(Object.keys(motoOpenApiDocument(VERSION).paths as object)).toEqual(['/v1/cards']);
});
