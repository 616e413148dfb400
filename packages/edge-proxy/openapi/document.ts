/** The OpenAPI 3.1 documents, made of what the routes say about themselves and of the contract's schemas. */
import * as contract from '@innkeep/core/contract';
import { type ConversionConfig, type JsonSchema, toJsonSchema, toJsonSchemaDefs } from '@valibot/to-json-schema';
import { type GenericSchema, getMetadata, isOfKind } from 'valibot';
import { type Description, descriptionOf, type Input, inWords } from '../src/http/describe.ts';
import { ProblemError, toProblemDocument } from '../src/http/problem.ts';
import { cards } from '../src/money/card-routes.ts';
import { DESK_COOKIE } from '../src/properties/desk-cookie.ts';
import { type Decision, decisionOf } from '../src/properties/resource-app.ts';
import type { Resources } from '../src/runtime/app.ts';
import { FIELD_TEXTS } from './field-texts.ts';
import { HEADERS, MEDIA, PROBLEM_HEADERS, PROBLEM_WORDS, TAGS, WEBHOOK } from './fixed-parts.ts';
import type { Answer, HeaderName, OperationText, OperationTexts } from './operation-text.ts';
import { CHECKOUT_SESSIONS } from './operations/checkout-sessions.ts';
import { DESK } from './operations/desk.ts';
import { LEDGER } from './operations/ledger.ts';
import { MONEY } from './operations/money.ts';
import { PAGES } from './operations/pages.ts';
import { PROPERTIES } from './operations/properties.ts';
import { SERVICE } from './operations/service.ts';
import { RESOURCES } from './resources.ts';

type Json = Record<string, unknown>;
type Mode = 'input' | 'output';

/** A route with everything that is known about it. */
export interface Operation extends Description, OperationText, Input, Decision {
  readonly method: string;
  /** As the app mounts it. */
  readonly path: string;
}

const TEXTS: OperationTexts = {
  ...CHECKOUT_SESSIONS,
  ...DESK,
  ...LEDGER,
  ...MONEY,
  ...PAGES,
  ...PROPERTIES,
  ...SERVICE,
};

/** The largest integer of a client in Java or C#, unless it is told of a larger one. */
const INT32_MAX = 2_147_483_647;
/** As the contract writes the control characters. */
const NO_CONTROL = '\\u0000-\\u001f\\u007f-\\u009f';

/** Schemas that have a name, and so a place in `components`. */
const NAMED: Readonly<Record<string, GenericSchema>> = Object.fromEntries(
  Object.values<unknown>(contract).flatMap((value) => {
    const name = isOfKind('schema', Object(value)) ? metadataOf(value as GenericSchema).ref : undefined;
    return name === undefined ? [] : [[name, value as GenericSchema]];
  }),
);

const COMPONENTS = {
  input: toJsonSchemaDefs(NAMED, conversion('input')),
  output: withCodes(toJsonSchemaDefs(NAMED, conversion('output'))),
};

const ULID = '01JZ8M4Q9T6V2X3Y5A7B8C9D0E';
/** Of what is in a path and is no id of its collection. */
const PATH_EXAMPLES: Readonly<Record<string, string>> = { key: 'RES-1234-deposit', sessionId: `cs_${ULID}` };
const ID_PREFIXES: Readonly<Record<string, string>> = {
  'checkout-sessions': 'cs_',
  charges: 'ch_',
  payments: 'cs_',
  reversals: 'rv_',
  events: 'ev_',
  'desk-sessions': 'ds_',
};
const IDEMPOTENCY_KEY =
  'A key of your own for this one thing, 1 to 255 visible ASCII characters. Keep it with the booking before the first try; the same key and body never do it twice while what they made is kept, 400 days.';

const CONDITIONS: readonly Json[] = [
  {
    name: 'If-Match',
    in: 'header',
    description: 'The version that was read, as its `ETag` said it, such as `"3"`; `*` for whichever it has.',
    required: false,
    schema: { type: 'string', pattern: '^(\\*|(W/)?"[0-9]{1,15}"(, ?(W/)?"[0-9]{1,15}")*)$' },
    example: '"3"',
  },
  {
    name: 'If-None-Match',
    in: 'header',
    description: '`*`: only if it does not exist yet.',
    required: false,
    schema: { type: 'string', const: '*' },
    example: '*',
  },
];

const PERSON: Json = {
  name: 'Innkeep-Person',
  in: 'header',
  description: 'Who does it, for the audit: an id of your own. It is written down, and not checked.',
  required: false,
  schema: { type: 'string', minLength: 1, maxLength: 64, pattern: '^[\\x21-\\x7e]+$' },
  example: 'emp-42',
};

const SECURITY_SCHEMES = {
  merchant:
    'A merchant key, `sk_…`, or a platform key, `pk_…`, with the hotel’s id in the header `Innkeep-Property`. Never in a page.',
  guest: 'A session’s client secret, `cs_…`.',
  // Not as alternatives in each answer: every server that creates a session would have to ask whether there is a client secret.
  desk: 'The secret of a desk session, `ds_…`, from a page of its origin. Schemas are of what a merchant key is shown: for a desk session tokens, metadata, return addresses and client secrets are absent or empty, and events are short, as `listEvents` says.',
  platform: 'A platform key, `pk_…`, of whoever runs many hotels. Never in a page.',
  deskPage:
    'The cookie of the proxy’s own page of a desk. What that page calls has `/desk/{property}` in front of its path, such as `/desk/aurora/v1/payments`; elsewhere the cookie counts for nothing.',
};

const ANSWERS_MAY_GROW =
  'Amounts are integer minor units; instants are RFC 3339 in UTC. Answers and the kinds of events may gain members: ignore what you do not know.';

/** Builds the document of the default worker for a version: what hotels and their guests call. */
export function openApiDocument(version: string): Json {
  return toDocument(ofHotels(RESOURCES), {
    title: 'Innkeep edge proxy',
    version,
    description: `Takes a hotel’s card payments at the edge. ${ANSWERS_MAY_GROW}`,
  });
}

/** Builds the document of the MOTO build, which has the route that takes card numbers besides all that the default worker has. */
export function motoOpenApiDocument(version: string): Json {
  return toDocument(ofHotels(withCards()), {
    title: 'Innkeep edge proxy, MOTO build',
    version,
    description: `Takes a hotel’s card payments at the edge, and card numbers that staff key in: for that a property needs \`moto: true\` and its key the scope \`moto\`; whoever has not is told that there is nothing at the address. ${ANSWERS_MAY_GROW}`,
  });
}

/**
 * Builds the document of what operators call, in every build. It is one of its own: a hotel's generated client
 * need not know what a hotel cannot call.
 */
export function platformOpenApiDocument(version: string): Json {
  const operations = operationsOf(RESOURCES).filter(isForOperators);
  return toDocument(operations, {
    title: 'Innkeep edge proxy, for operators',
    version,
    description: `Looks after hotels: how each is doing, and with a platform key many of them on one deployment. ${ANSWERS_MAY_GROW}`,
  });
}

/** Everything at once, for tests: no build serves it. */
export function wholeOpenApiDocument(version: string): Json {
  return toDocument(operationsOf(withCards()), { title: 'Innkeep edge proxy, whole', version });
}

function ofHotels(resources: Resources): readonly Operation[] {
  return operationsOf(resources).filter((operation) => !isForOperators(operation));
}

function isForOperators({ caller, isForOperators: isMarked }: Operation): boolean {
  return caller === 'platform' || isMarked === true;
}

function withCards(): Resources {
  // No request comes here, so nothing looks for the bindings.
  return [...RESOURCES, ['/v1/cards', cards({} as Parameters<typeof cards>[0])]];
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
      const handlers = routes.map(({ handler }) => handler);
      const described = descriptionOf(name, handlers);
      const text = TEXTS[described.id];
      if (text === undefined) throw new TypeError(`Nothing in openapi/operations says what ${described.id} is for`);
      return { method, path, ...decisionOf(app), ...described, ...text };
    });
  });
}

function toDocument(operations: readonly Operation[], info: Json): Json {
  const paths: Record<string, Json> = {};
  for (const operation of operations) {
    const path = operation.path.replace(/:(\w+)(\{[^}]*\})?/g, '{$1}');
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: toOperation(operation) };
  }
  const webhooks = { event: { post: { ...WEBHOOK, requestBody: requestBody(contract.EventSchema, 'output') } } };
  const bodies = operations.flatMap(({ body }) =>
    body?.schema === undefined ? [] : [jsonSchema(body.schema, 'input')],
  );
  const schemas = componentsIn({ paths, webhooks }, 'output', componentsIn(bodies, 'input'));
  const used = JSON.stringify({ paths, webhooks });
  const codes = new Set(operations.flatMap((operation) => [...problemsOf(operation)]));
  return {
    openapi: '3.1.0',
    info: {
      ...info,
      contact: { name: 'The operator of this proxy' },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'The proxy itself' }],
    tags: [...new Set(operations.map(({ tag }) => tag))].map((name) => ({ name, description: TAGS[name] })),
    paths,
    webhooks,
    components: {
      securitySchemes: Object.fromEntries(
        Object.entries(SECURITY_SCHEMES)
          .filter(([name]) => operations.some((operation) => waysInto(operation).some((way) => name in way)))
          .map(([name, description]) => [
            name,
            name === 'deskPage'
              ? { type: 'apiKey', in: 'cookie', name: DESK_COOKIE, description }
              : { type: 'http', scheme: 'bearer', description },
          ]),
      ),
      headers: Object.fromEntries(
        Object.entries(HEADERS).filter(([name]) => used.includes(`#/components/headers/${name}"`)),
      ),
      examples: Object.fromEntries([...codes].map((code) => [code, { value: problemExample(code) }])),
      schemas,
    },
  };
}

/** The named schemas that something refers to, and those that they refer to. */
function componentsIn(part: unknown, mode: Mode, found: Record<string, unknown> = {}): Record<string, unknown> {
  for (const [, name = ''] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
    if (name in found) continue;
    found[name] = COMPONENTS[mode][name];
    componentsIn(COMPONENTS[mode][name], mode, found);
  }
  return found;
}

function toOperation(operation: Operation): Json {
  const { id, tag, summary, body, answers, example } = operation;
  const parameters = parametersOf(operation);
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: descriptionFor(operation),
    // One of these is enough: each is a way in of its own.
    security: waysInto(operation),
    ...(parameters.length === 0 ? {} : { parameters }),
    // A body that says nothing need not be sent.
    ...(body === undefined || body.schema === contract.EmptySchema
      ? {}
      : {
          requestBody: {
            ...(body.schema === undefined
              ? { content: { 'text/xml': MEDIA['*/*'], '*/*': MEDIA['*/*'] } }
              : requestBody(body.schema, 'input', example)),
            required: !body.isOptional,
          },
        }),
    responses: {
      ...Object.fromEntries(Object.entries(answers).map(([status, answer]) => [status, toAnswer(answer)])),
      ...toFailures(problemsOf(operation)),
    },
  };
}

function descriptionFor({ description, scopes, caller, desk }: Operation): string {
  return [
    description,
    ...(scopes === undefined ? [] : [`The key needs the scope ${inWords(scopes, '`')}.`]),
    ...(caller === 'desk' || desk === undefined ? [] : [`A desk session needs the feature \`${desk}\`.`]),
  ].join(' ');
}

function waysInto({ caller, scopes, desk }: Operation): readonly Record<string, readonly string[]>[] {
  if (caller === 'anybody') return [];
  if (caller === 'guest') return [{ guest: [] }];
  return [
    ...(scopes ?? []).map((scope) => ({ [caller]: [scope] })),
    ...(desk === undefined ? [] : ['desk', 'deskPage'].map((way) => ({ [way]: desk === 'any' ? [] : [desk] }))),
  ];
}

function requestBody(schema: GenericSchema, mode: Mode, example: unknown = metadataOf(schema).examples?.[0]): Json {
  return { required: true, content: { 'application/json': { schema: jsonSchema(schema, mode), example } } };
}

function toAnswer({ description, schema, type, headers = [], example: differs }: Answer): Json {
  const about = { description, headers: toHeaders(headers) };
  if (schema === undefined) return { ...about, ...(type === undefined ? {} : { content: { [type]: MEDIA[type] } }) };
  const [usual] = metadataOf(schema).examples ?? [];
  const example = differs === undefined ? usual : { ...Object(usual), ...differs };
  return { ...about, content: { 'application/json': { schema: jsonSchema(schema, 'output'), example } } };
}

function toHeaders(names: readonly HeaderName[]): Json {
  return Object.fromEntries(['x-request-id', ...names].map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** How a route can fail: in its own ways, and in those of its caller and of what it takes. Pages tell it in their own way. */
function problemsOf({ caller, problems = [], body, answers }: Operation): ReadonlySet<contract.ProblemCode> {
  return new Set<contract.ProblemCode>([
    ...(answers.default === undefined ? (['invalid_request', 'internal'] as const) : []),
    ...(body === undefined ? [] : (['payload_too_large'] as const)),
    ...(body?.schema === undefined ? [] : (['unsupported_media_type'] as const)),
    ...(caller === 'anybody' ? [] : (['unauthorized', 'forbidden', 'rate_limited', 'property_unavailable'] as const)),
    // With a platform key, the hotel that it names.
    ...(caller === 'merchant' ? (['not_found'] as const) : []),
    ...problems,
  ]);
}

function toFailures(codes: ReadonlySet<contract.ProblemCode>): Json {
  const byStatus = Map.groupBy(codes, (code) => contract.PROBLEM_STATUSES[code]);
  return Object.fromEntries(
    [...byStatus].map(([status, names]) => [
      status,
      {
        description: names.map((name) => [`\`${name}\``, PROBLEM_WORDS[name] ?? []].flat().join(': ')).join(', '),
        headers: toHeaders(names.flatMap((name) => PROBLEM_HEADERS[name] ?? [])),
        content: {
          'application/problem+json': {
            schema: { $ref: '#/components/schemas/Problem', properties: { code: { enum: codesOf(status) } } },
            examples: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/examples/${name}` }])),
          },
        },
      },
    ]),
  );
}

/** Every code of a status: what one operation has besides may come to another in a later version. */
function codesOf(status: number): readonly string[] {
  return Object.entries(contract.PROBLEM_STATUSES).flatMap(([code, each]) => (each === status ? [code] : []));
}

function problemExample(code: contract.ProblemCode): unknown {
  const error = new ProblemError(code, { detail: 'One sentence on what happened in this case.' });
  return toProblemDocument(error, '0af7651916cd43dd8448eb211c80319c');
}

function parametersOf(operation: Operation): readonly Json[] {
  const { method, caller, path, params = {}, param, query, idempotencyKey, hasCondition } = operation;
  const checked = param === undefined ? {} : fieldsOf(param);
  const [, , collection = ''] = path.split('/');
  const inPath = [...path.matchAll(/:(\w+)(?:\{([^}]*)\})?/g)].map(([, name = '', values]) => {
    const { description = params[name] ?? 'Id of the resource.', ...schema } = checked[name] ?? { type: 'string' };
    const fixed = values === undefined ? {} : { enum: values.split('|') };
    const [example = PATH_EXAMPLES[name] ?? `${ID_PREFIXES[collection] ?? ''}${ULID}`] =
      (schema.examples as unknown[]) ?? fixed.enum ?? [];
    return { name, in: 'path', description, required: true, schema: { ...schema, ...fixed }, example };
  });
  const mustHave = query === undefined ? [] : (jsonSchema(query, 'input').required as readonly string[]);
  const inQuery = Object.entries(query === undefined ? {} : fieldsOf(query)).map(([name, field]) => {
    const named = COMPONENTS.output[String(field.$ref).split('/').at(-1) ?? ''];
    const { description = named?.description, default: preset, ...schema } = field;
    // What a query has is text, its defaults as well.
    const value = schema.type === 'integer' ? Number(preset) : preset;
    return {
      name,
      in: 'query',
      description,
      required: mustHave.includes(name),
      schema: preset === undefined ? schema : { ...schema, default: value },
    };
  });
  const key = { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' };
  const required = idempotencyKey === 'required';
  const header = {
    name: 'Idempotency-Key',
    in: 'header',
    description: IDEMPOTENCY_KEY,
    required,
    schema: key,
    example: 'RES-1234-no-show-1',
  };
  return [
    ...inPath,
    ...inQuery,
    ...(idempotencyKey === undefined ? [] : [header]),
    ...(hasCondition === true ? CONDITIONS : []),
    ...(method !== 'GET' && (caller === 'merchant' || caller === 'platform') ? [PERSON] : []),
  ];
}

/** Fields of a query or a path, as what they mean: a number, say, and not the text it is written in. */
function fieldsOf(schema: GenericSchema): Readonly<Record<string, Json>> {
  return (jsonSchema(schema, 'output').properties ?? {}) as Record<string, Json>;
}

/** A schema as it is sent or as it comes out; within it, whatever has a name is referred to by it. */
function jsonSchema(schema: GenericSchema, mode: Mode): Json {
  const { $schema: _, $defs: __, ...rest } = toJsonSchema(schema, { ...conversion(mode), definitions: NAMED });
  return rest;
}

function conversion(typeMode: Mode): ConversionConfig {
  return {
    typeMode,
    // Checks and transformations that JSON Schema has no words for are left out: the proxy is the judge of those.
    errorMode: 'ignore',
    target: 'draft-2020-12',
    overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
    overrideAction: ({ jsonSchema }) => plainWords(jsonSchema),
    overrideSchema({ valibotSchema, jsonSchema }) {
      const { entries } = valibotSchema as Pick<Variant['options'][number], 'entries'>;
      if (entries !== undefined) {
        const described = { ...jsonSchema, properties: withTexts(jsonSchema.properties ?? {}, entries, typeMode) };
        if (typeMode === 'input') return described;
        const { additionalProperties: _, ...open } = described;
        const always = Object.keys(entries).filter((name) => entries[name]?.default !== undefined);
        const required = [...(jsonSchema.required ?? []), ...always];
        // What a guest sees is strict for us alone: callers must expect fields that a later version adds.
        return { ...(valibotSchema.type === 'strict_object' ? open : described), required };
      }
      // Some makers of clients refuse, or take for anything, what has no type.
      if (jsonSchema.const !== undefined) return { type: 'string', ...jsonSchema };
      if (!isVariant(valibotSchema)) return undefined;
      const { key, options } = valibotSchema;
      const mapping = Object.fromEntries(
        options.map((option, at) => [literalOf(option, key), Object(jsonSchema.oneOf?.[at]).$ref]),
      );
      return { ...jsonSchema, discriminator: { propertyName: key, mapping } };
    },
  };
}

/** The components with what each problem code means: whether money moved, and what to do. */
function withCodes(components: Record<string, JsonSchema>): typeof components {
  const texts = Object.entries(FIELD_TEXTS.get(contract.PROBLEM_STATUSES) ?? {});
  const list = texts.map(([code, text]) => `\n- \`${code}\`: ${text}`).join('');
  const { ProblemCode = {} } = components;
  return { ...components, ProblemCode: { ...ProblemCode, description: `${ProblemCode.description}${list}` } };
}

/** Fields with what the contract says of them, beside a reference as well. */
function withTexts(properties: NonNullable<JsonSchema['properties']>, entries: object, mode: Mode): typeof properties {
  const texts = FIELD_TEXTS.get(entries) ?? {};
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => {
      const { default: preset, ...field } = Object(property) as JsonSchema;
      // Some makers of clients take a default for something that a request must have.
      const inText = mode === 'input' && preset !== undefined ? `Default: ${JSON.stringify(preset)}.` : '';
      const description = `${texts[name] || (field.description ?? '')} ${inText}`.trim();
      const described = { ...field, ...(description !== '' && { description }) };
      return [name, inText === '' && preset !== undefined ? { ...described, default: preset } : described];
    }),
  );
}

/**
 * What clients in other languages are made of well: a number has its size, and a pattern escapes no slash. Nor has it \u, which Go and
 * PHP refuse, nor 80 to 9f, which PHP finds in the bytes of `ß`. The name of a component is no word of JSON Schema.
 */
function plainWords({ ref: _, ...words }: JsonSchema & { ref?: string }): JsonSchema {
  const { type, maximum = 0, pattern } = words;
  return {
    ...words,
    ...(pattern !== undefined && { pattern: pattern.replaceAll('\\/', '/').replace(NO_CONTROL, '\\x00-\\x1f\\x7f') }),
    ...(type === 'integer' && maximum > INT32_MAX && { format: 'int64' }),
  };
}

/** What this file reads of the options of a variant. */
interface Variant {
  readonly key: string;
  readonly options: readonly Partial<
    Variant & { readonly entries: Readonly<Record<string, { readonly literal?: string; readonly default?: unknown }>> }
  >[];
}

function isVariant(schema: object): schema is Variant {
  return 'type' in schema && schema.type === 'variant';
}

/** The value by which one option is known; of a variant within a variant, all options have the same. */
function literalOf(option: Variant['options'][number], key: string): string | undefined {
  return option.entries?.[key]?.literal ?? (option.options?.[0] && literalOf(option.options[0], key));
}

function metadataOf(schema: GenericSchema): { readonly ref?: string; readonly examples?: readonly unknown[] } {
  return getMetadata(schema as Parameters<typeof getMetadata>[0]);
}
