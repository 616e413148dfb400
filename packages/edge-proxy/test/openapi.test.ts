import { type Schema, Validator } from '@cfworker/json-schema';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { openApiDocument } from '../openapi/document.ts';
import { MOTO_OPERATIONS, motoOpenApiDocument } from '../openapi/moto-document.ts';
import { OPERATIONS } from '../openapi/operations.ts';
import manifest from '../package.json' with { type: 'json' };
import { RESOURCES } from '../src/app.ts';
import { VERSION } from '../src/version.ts';
import { send } from '../test-support/client.ts';
import { KEYS } from '../test-support/environment.ts';

test('the document describes every route, and no other', () => {
  const name = ({ method, path }: { method: string; path: string }): string => `${method} ${path}`;
  const routes = RESOURCES.flatMap(([base, { routes }]) =>
    routes
      .filter(({ method }) => method !== 'ALL')
      .map(({ method, path }) => ({ method, path: base === '/' ? path : `${base}${path}`.replace(/\/$/, '') })),
  );
  expect(OPERATIONS.map(name).sort()).toEqual([...new Set(routes.map(name))].sort());
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

test('every operation has a name of its own', () => {
  expect(new Set(OPERATIONS.map(({ id }) => id)).size).toBe(OPERATIONS.length);
});

const ALL_OPERATIONS = [...OPERATIONS, ...MOTO_OPERATIONS];

describe('an operation', () => {
  test.each(OPERATIONS.filter(({ scope }) => scope !== undefined).map((each) => [each.id, each] as const))(
    '%s says which scope its key needs',
    async (_, { method, path, scope }) => {
      const address = path.replaceAll(/:\w+(\{[^}]*\})?/g, 'x');
      // This key has the scope "events" alone.
      const headers = { Authorization: `Bearer ${KEYS.auroraEvents}`, 'Content-Type': 'application/json' };
      const answer = await send(address, { method, headers, ...(method === 'POST' ? { body: '{}' } : {}) });
      const { detail } = (await answer.json()) as { detail?: string };
      if (scope === 'events') expect(answer.status).not.toBe(403);
      else
        expect({ status: answer.status, detail }).toEqual({ status: 403, detail: `This key has no scope "${scope}"` });
    },
  );

  test('has a scope exactly when it wants a merchant key', () => {
    const odd = ALL_OPERATIONS.filter(({ security, scope }) => (security === 'merchant') !== (scope !== undefined));
    expect(odd.map(({ id }) => id)).toEqual([]);
  });

  test('has an example that it would accept', () => {
    for (const { id, body } of ALL_OPERATIONS) {
      if (body?.example !== undefined)
        expect([id, v.safeParse(body.schema, body.example).issues]).toEqual([id, undefined]);
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
