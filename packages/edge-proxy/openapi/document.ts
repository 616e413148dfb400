/** The OpenAPI 3.1 documents, made of what the routes say about themselves and of the contract's schemas. */
import * as contract from '@innkeep/core/contract';
import { type ConversionConfig, type JsonSchema, toJsonSchema, toJsonSchemaDefs } from '@valibot/to-json-schema';
import { type GenericSchema, getMetadata, isOfKind } from 'valibot';
import { RESOURCES, type Resources } from '../src/app.ts';
import { type Answer, type Description, descriptionOf, type Input } from '../src/middleware/describe.ts';
import { type Decision, decisionOf, TAGS } from '../src/middleware/resource-app.ts';
import { ProblemError, toProblemDocument } from '../src/problem.ts';
import { cards } from '../src/routes/cards.ts';

type Json = Record<string, unknown>;

/** A route with everything that is known about it. */
export interface Operation extends Description, Input, Decision {
  readonly method: string;
  /** As the app mounts it. */
  readonly path: string;
}

/** Schemas that have a name, and so a place in `components`. */
const NAMED: Readonly<Record<string, GenericSchema>> = Object.fromEntries(
  Object.values<unknown>(contract).flatMap((value) => {
    const name = isOfKind('schema', Object(value)) ? metadataOf(value as GenericSchema).ref : undefined;
    return name === undefined ? [] : [[name, value as GenericSchema]];
  }),
);

const CONVERSION = {
  // Checks and transformations that JSON Schema has no words for are left out: the proxy is the judge of those.
  errorMode: 'ignore',
  target: 'draft-2020-12',
  overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
  overrideAction: ({ jsonSchema: { ref: _, pattern, ...words } }: { jsonSchema: JsonSchema & { ref?: string } }) => ({
    // The name of a component is no word of JSON Schema, and `\p` is unknown to most engines.
    ...words,
    ...(pattern === undefined ? {} : { pattern: pattern.replace('\\p{Cc}', '\\u0000-\\u001f\\u007f-\\u009f') }),
  }),
} satisfies ConversionConfig;

const COMPONENTS = toJsonSchemaDefs(NAMED, { ...CONVERSION, typeMode: 'output' });

const ID = 'Id of the resource.';
const IDEMPOTENCY_KEY =
  'A key of your own for this one thing, 1 to 255 visible ASCII characters. Keep it with the booking before the first try; the same key and body never do it twice while what they made is kept, 400 days.';

/** Builds the document of the default worker for a version. */
export function openApiDocument(version: string): Json {
  return toDocument(operationsOf(RESOURCES), {
    title: 'Innkeep edge proxy',
    version,
    description:
      'Takes a hotel’s card payments at the edge. Amounts are integer minor units; instants are RFC 3339 in UTC.',
  });
}

/**
 * Builds the document of what only the MOTO build has: the route that takes card numbers. It stands apart, so that the
 * document that the default worker serves stays true of the default worker.
 */
export function motoOpenApiDocument(version: string): Json {
  // No request comes here, so nothing looks for the bindings.
  return toDocument(operationsOf([['/v1/cards', cards({} as Parameters<typeof cards>[0])]]), {
    title: 'Innkeep edge proxy, MOTO build',
    version,
    description:
      'What `worker-moto` has besides everything of the default worker: the route that takes card numbers. A property needs `moto: true` and its key the scope `moto`; whoever has not is told that there is nothing at the address.',
  });
}

/** Every route of the sub-apps, in the order of their registration. */
export function operationsOf(resources: Resources): readonly Operation[] {
  return resources.flatMap(([base, app]) => {
    const handlers = Map.groupBy(
      app.routes.filter(({ method }) => method !== 'ALL'),
      ({ method, path }) => `${method} ${base === '/' ? '' : base}${path === '/' ? '' : path}`,
    );
    return [...handlers].map(([name, routes]) => {
      const [method = '', path = ''] = name.split(' ');
      return {
        method,
        path,
        ...decisionOf(app),
        ...descriptionOf(
          name,
          routes.map(({ handler }) => handler),
        ),
      };
    });
  });
}

function toDocument(operations: readonly Operation[], info: Json): Json {
  const paths: Record<string, Json> = {};
  for (const operation of operations) {
    const path = operation.path.replace(/:(\w+)(\{[^}]*\})?/g, '{$1}');
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: toOperation(operation) };
  }
  return {
    openapi: '3.1.0',
    info: { ...info, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    servers: [{ url: '/', description: 'The proxy itself' }],
    tags: [...new Set(operations.map(({ tag }) => tag))].map((name) => ({ name, description: TAGS[name] })),
    paths,
    components: {
      securitySchemes: {
        merchant: { type: 'http', scheme: 'bearer', description: 'A merchant key, `sk_…`. Never in a page.' },
        guest: { type: 'http', scheme: 'bearer', description: 'A session’s client secret, `cs_…`.' },
      },
      schemas: componentsIn(paths),
    },
  };
}

/** The named schemas that something refers to, and those that they refer to. */
function componentsIn(part: unknown, found: Record<string, unknown> = {}): Record<string, unknown> {
  for (const [, name = ''] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
    if (name in found) continue;
    found[name] = COMPONENTS[name];
    componentsIn(COMPONENTS[name], found);
  }
  return found;
}

function toOperation(operation: Operation): Json {
  const { id, tag, summary, caller, body, answers, example } = operation;
  const parameters = parametersOf(operation);
  return {
    operationId: id,
    tags: [tag],
    summary,
    // For a key that is no OAuth token, what stands in the list are the roles it needs.
    security: caller.is === 'anybody' ? [] : [{ [caller.is]: caller.is === 'merchant' ? [caller.scope] : [] }],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: !body.isOptional,
            content:
              body.schema === undefined
                ? { '*/*': {} }
                : {
                    'application/json': {
                      schema: jsonSchema(body.schema, 'input'),
                      ...(example === undefined ? {} : { example }),
                    },
                  },
          },
        }),
    responses: {
      ...Object.fromEntries(Object.entries(answers).map(([status, answer]) => [status, toAnswer(answer)])),
      ...toFailures(problemsOf(operation)),
    },
  };
}

function toAnswer({ description, schema, type }: Answer): Json {
  if (schema === undefined) return { description, ...(type === undefined ? {} : { content: { [type]: {} } }) };
  const [example] = metadataOf(schema).examples ?? [];
  return { description, content: { 'application/json': { schema: jsonSchema(schema, 'output'), example } } };
}

/** How a route can fail: in its own ways, and in those of its caller and of what it takes. */
function problemsOf({ caller, problems = [], body, query, param }: Operation): ReadonlySet<contract.ProblemCode> {
  const isHidden = caller.is === 'merchant' && caller.isHidden;
  return new Set<contract.ProblemCode>([
    ...(body === undefined && query === undefined && param === undefined ? [] : (['invalid_request'] as const)),
    ...(body === undefined ? [] : (['payload_too_large'] as const)),
    ...(body?.schema === undefined ? [] : (['unsupported_media_type'] as const)),
    ...(caller.is === 'anybody'
      ? []
      : (['unauthorized', isHidden ? 'not_found' : 'forbidden', 'rate_limited', 'property_unavailable'] as const)),
    ...problems,
  ]);
}

function toFailures(codes: ReadonlySet<contract.ProblemCode>): Json {
  const byStatus = Map.groupBy(codes, (code) => new ProblemError(code, { detail: '' }).status);
  return Object.fromEntries(
    [...byStatus].map(([status, names]) => [
      status,
      {
        description: names.map((name) => `\`${name}\``).join(', '),
        content: {
          'application/problem+json': {
            schema: { $ref: '#/components/schemas/Problem' },
            examples: Object.fromEntries(names.map((name) => [name, { value: problemExample(name) }])),
          },
        },
      },
    ]),
  );
}

function problemExample(code: contract.ProblemCode): unknown {
  const error = new ProblemError(code, { detail: 'One sentence on what happened in this case.' });
  return toProblemDocument(error, '01JZ8M4Q9T6V2X3Y5A7B8C9D0E');
}

function parametersOf({ path, params = {}, param, query, idempotencyKey }: Operation): readonly Json[] {
  const checked = param === undefined ? {} : fieldsOf(param);
  const inPath = [...path.matchAll(/:(\w+)(?:\{([^}]*)\})?/g)].map(([, name = '', values]) => {
    const { description = params[name] ?? ID, ...schema } = checked[name] ?? { type: 'string' };
    const fixed = values === undefined ? {} : { enum: values.split('|') };
    return { name, in: 'path', description, required: true, schema: { ...schema, ...fixed } };
  });
  const inQuery = Object.entries(query === undefined ? {} : fieldsOf(query)).map(([name, field]) => {
    const { description, ...schema } = field;
    return { name, in: 'query', description, required: false, schema: asNumber(schema) };
  });
  const key = { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' };
  const required = idempotencyKey === 'required';
  const header = { name: 'Idempotency-Key', in: 'header', description: IDEMPOTENCY_KEY, required, schema: key };
  return [...inPath, ...inQuery, ...(idempotencyKey === undefined ? [] : [header])];
}

function fieldsOf(schema: GenericSchema): Readonly<Record<string, Json>> {
  return (jsonSchema(schema, 'input').properties ?? {}) as Record<string, Json>;
}

/** Numbers of a query are read from texts, and their default is one too. Whoever calls should see the number. */
function asNumber(schema: Json): Json {
  const isNumber = typeof schema.default === 'string' && /^\d+$/.test(schema.default);
  return isNumber ? { type: 'integer', default: Number(schema.default) } : schema;
}

/** A schema as it is sent or as it comes out; within it, whatever has a name is referred to by it. */
function jsonSchema(schema: GenericSchema, typeMode: 'input' | 'output'): Json {
  const { $schema: _, $defs: __, ...rest } = toJsonSchema(schema, { ...CONVERSION, typeMode, definitions: NAMED });
  return rest;
}

function metadataOf(schema: GenericSchema): { readonly ref?: string; readonly examples?: readonly unknown[] } {
  return getMetadata(schema as Parameters<typeof getMetadata>[0]);
}
