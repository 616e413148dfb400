/** The OpenAPI 3.1 document, made from the routes' own request schemas, the answers' schemas and a line of words each. */
import * as contract from '@innkeep/core/contract';
import { toJsonSchema } from '@valibot/to-json-schema';
import { type GenericSchema, getMetadata } from 'valibot';
import { type ProblemCode, ProblemError, toProblemDocument } from '../src/problem.ts';
import type { Operation, Success } from './operation.ts';
import { OPERATIONS } from './operations.ts';
import { HEADER_WORDS, PATH_WORDS, QUERY_WORDS } from './parameter-words.ts';

type Json = Record<string, unknown>;

const COMPONENTS: Readonly<Record<string, GenericSchema>> = {
  CheckoutSession: contract.CheckoutSessionSchema,
  CreatedCheckoutSession: contract.CreatedCheckoutSessionSchema,
  CheckoutSessionList: contract.CheckoutSessionListSchema,
  ClientSecret: contract.ClientSecretSchema,
  PaymentLink: contract.PaymentLinkSchema,
  Charge: contract.ChargeSchema,
  ChargeList: contract.ChargeListSchema,
  Reversal: contract.ReversalSchema,
  ReversalList: contract.ReversalListSchema,
  Event: contract.EventSchema,
  EventList: contract.EventListSchema,
  WebhookEndpointList: contract.WebhookEndpointListSchema,
  CheckoutView: contract.CheckoutViewSchema,
  StartedCheckout: contract.StartedCheckoutSchema,
  Problem: contract.ProblemSchema,
  Health: contract.HealthSchema,
};

/** What a document describes. */
interface Contents {
  readonly title: string;
  readonly description: string;
  readonly operations: readonly Operation[];
  readonly components: Readonly<Record<string, GenericSchema>>;
}

/** Builds the document of the default worker for a version. */
export function openApiDocument(version: string): Json {
  return toDocument(version, {
    title: 'Innkeep edge proxy',
    description:
      'Takes a hotel’s card payments at the edge. Amounts are integer minor units; instants are RFC 3339 in UTC.',
    operations: OPERATIONS,
    components: COMPONENTS,
  });
}

/** Builds a document of the given operations. */
export function toDocument(version: string, { title, description, operations, components }: Contents): Json {
  const paths: Record<string, Json> = {};
  for (const operation of operations) {
    const path = toTemplate(operation.path);
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: toOperation(operation) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title,
      version,
      description,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'The proxy itself' }],
    tags: [...new Set(operations.map(({ tag }) => tag))].map((name) => ({ name, description: TAGS[name] })),
    paths,
    components: {
      securitySchemes: {
        merchant: { type: 'http', scheme: 'bearer', description: 'A merchant key, `sk_…`. Never in a page.' },
        guest: { type: 'http', scheme: 'bearer', description: 'A session’s client secret, `cs_…`.' },
      },
      schemas: Object.fromEntries(
        Object.entries(components).map(([name, schema]) => [name, jsonSchema(schema, 'output')]),
      ),
    },
  };
}

/** What a group of operations is for. */
const TAGS: Readonly<Record<Operation['tag'], string>> = {
  'Checkout sessions': 'For the hotel’s server.',
  Guest: 'For the guest’s page, from the property’s origins.',
  'Charges and reversals': 'For the hotel’s own systems. Nothing here is ever sent twice.',
  Cards: 'For staff who key in cards. Only the MOTO build has it.',
  Gateway: 'For the hotel’s own systems: the classic interface, with the key added.',
  Events: 'What happened, in order; the same events go to webhooks.',
  Pages: 'For the guest’s browser itself.',
  Service: 'For operators.',
};

/** `/a/:b{c|d}` → `/a/{b}`. */
export function toTemplate(path: string): string {
  return path.replace(/:(\w+)(\{[^}]*\})?/g, '{$1}');
}

function toOperation(operation: Operation): Json {
  const parameters = [...pathParameters(operation.path), ...queryParameters(operation), ...headerParameters(operation)];
  return {
    operationId: operation.id,
    tags: [operation.tag],
    summary: operation.summary,
    // For a key that is no OAuth token, what stands in the list are the roles it needs.
    security: operation.security === 'none' ? [] : [{ [operation.security]: scopesOf(operation) }],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(operation.body === undefined
      ? {}
      : {
          requestBody: {
            required: operation.body.isOptional !== true,
            content: {
              [operation.body.type ?? 'application/json']: {
                schema: withWords(jsonSchema(operation.body.schema, 'input'), operation.body.words),
                ...(operation.body.example === undefined ? {} : { example: operation.body.example }),
              },
            },
          },
        }),
    responses: { ...successes(operation), ...failures(operation.problems), ...pageFailures(operation) },
  };
}

function scopesOf({ scope }: Operation): readonly string[] {
  return scope === undefined ? [] : [scope];
}

function successes({ success, alsoSuccess }: Operation): Json {
  return { ...toSuccess(success), ...(alsoSuccess === undefined ? {} : toSuccess(alsoSuccess)) };
}

function toSuccess({ status, description, schema, type = 'application/json' }: Success): Json {
  const body =
    schema === undefined ? {} : { schema: { $ref: `#/components/schemas/${schema}` }, example: exampleOf(schema) };
  const content = status === 303 ? {} : { content: { [type]: body } };
  return { [status]: { description, ...content } };
}

function failures(codes: readonly ProblemCode[]): Json {
  const byStatus = new Map<number, ProblemCode[]>();
  for (const code of codes) {
    const { status } = new ProblemError(code, { detail: '' });
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, names]) => [
      status,
      {
        description: [...new Set(names)].map((name) => `\`${name}\``).join(', '),
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

/** Pages fail as pages. */
function pageFailures({ tag, id }: Operation): Json {
  if (tag !== 'Pages') return {};
  const page = (description: string): Json => ({ description, content: { 'text/html': {} } });
  return {
    404: page('No such address'),
    ...(id.startsWith('returnFrom') ? { 303: { description: 'To the return address' } } : {}),
    ...(id === 'startPaymentLink' ? { default: page('The link’s page again, with the reason') } : {}),
  };
}

function pathParameters(path: string): Json[] {
  return [...path.matchAll(/:(\w+)(?:\{([^}]*)\})?/g)].map(([, name = '', values]) => ({
    name,
    in: 'path',
    description: PATH_WORDS[name],
    required: true,
    schema: { type: 'string', ...(values === undefined ? {} : { enum: values.split('|') }) },
  }));
}

function queryParameters({ query }: Operation): Json[] {
  if (query === undefined) return [];
  const { properties = {}, required = [] } = jsonSchema(query, 'input') as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    description: QUERY_WORDS[name],
    required: required.includes(name),
    schema: asNumber(schema),
  }));
}

/** Numbers of a query are read from texts, and their default is one too. Whoever calls should see the number. */
function asNumber(schema: Json): Json {
  const isNumber = typeof schema.default === 'string' && /^\d+$/.test(schema.default);
  return isNumber ? { type: 'integer', default: Number(schema.default) } : schema;
}

function headerParameters({ idempotencyKey }: Operation): Json[] {
  if (idempotencyKey === undefined) return [];
  const schema = { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' };
  const name = 'Idempotency-Key';
  return [{ name, in: 'header', description: HEADER_WORDS[name], required: idempotencyKey === 'required', schema }];
}

function withWords(schema: Json, words: Readonly<Record<string, string>> = {}): Json {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Json>).map(([name, property]) => [
    name,
    words[name] === undefined ? property : { ...property, description: words[name] },
  ]);
  return properties.length === 0 ? schema : { ...schema, properties: Object.fromEntries(properties) };
}

/** A schema as JSON Schema, as it is sent or as it comes out. */
function jsonSchema(schema: GenericSchema, typeMode: 'input' | 'output'): Json {
  // Checks and transformations that JSON Schema has no words for are left out: the proxy is the judge of those.
  const { $schema: _, ...rest } = toJsonSchema(schema, {
    typeMode,
    errorMode: 'ignore',
    target: 'draft-2020-12',
    // The name of a component is no word of JSON Schema.
    overrideAction: ({ jsonSchema }) => {
      const { ref: _, ...words } = jsonSchema as Json;
      return words;
    },
  });
  return rest;
}

/** What an answer of a component looks like. */
function exampleOf(component: string): unknown {
  const { examples = [] } = getMetadata(
    component === 'Card' ? contract.CardSchema : (COMPONENTS[component] as GenericSchema),
  ) as {
    examples?: readonly unknown[];
  };
  return examples[0];
}

/** What a failure with a code looks like. */
function problemExample(code: ProblemCode): unknown {
  const error = new ProblemError(code, { detail: 'One sentence on what happened in this case.' });
  return toProblemDocument(error, '01JZ8M4Q9T6V2X3Y5A7B8C9D0E');
}
