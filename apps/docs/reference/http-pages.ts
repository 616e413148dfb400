/** The pages of the HTTP API, made from the proxy's OpenAPI documents and the words of core's types. */
import type { DeclarationReflection } from 'typedoc';
import { openApiDocument, TAGS } from '../../../packages/edge-proxy/openapi/document.ts';
import { motoOpenApiDocument } from '../../../packages/edge-proxy/openapi/moto-document.ts';
import type { Operation } from '../../../packages/edge-proxy/openapi/operation.ts';
import { HEADER_WORDS } from '../../../packages/edge-proxy/openapi/parameter-words.ts';
import { VERSION } from '../../../packages/edge-proxy/src/version.ts';
import type { ApiIndex } from './api-index.ts';
import { summaryText } from './comment-text.ts';
import { type FieldContext, fieldTable, type JsonSchema, typeOf } from './field-rows.ts';
import type { Gaps } from './gaps.ts';
import { ALL_OPERATIONS, groupPath, operationLink, operationName } from './http-operations.ts';
import { address, anchorOf, blocks, code, codeBlock, codeLink, heading, table } from './markdown.ts';
import type { ReferencePage } from './reference-page.ts';
import type { SourceModel } from './source-model.ts';

const OVERVIEW = 'reference/http';
const MERCHANT = 'packages/core/src/merchant/merchant-client.ts';
const CHECKOUT = 'packages/core/src/checkout/checkout-client.ts';

/** One described operation, as far as the pages read it. */
interface DescribedOperation {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly required: boolean;
    readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>>;
  };
  readonly responses: Readonly<Record<string, Answer>>;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly description?: string;
  readonly required: boolean;
  readonly schema: JsonSchema;
}

interface Answer {
  readonly description: string;
  readonly content?: Readonly<Record<string, { readonly schema?: { readonly $ref: string } }>>;
}

/** Where the words for each object's fields are, and on which page the object is described. */
const OBJECTS: Readonly<
  Record<string, { readonly tag?: Operation['tag']; readonly words?: readonly [string, string] }>
> = {
  CheckoutSession: { tag: 'Checkout sessions', words: [MERCHANT, 'CheckoutSession'] },
  CreatedCheckoutSession: { tag: 'Checkout sessions', words: [MERCHANT, 'CreatedCheckoutSession'] },
  CheckoutSessionList: { words: [MERCHANT, 'Page'] },
  ClientSecret: { tag: 'Checkout sessions' },
  PaymentLink: { tag: 'Checkout sessions' },
  Charge: { tag: 'Charges and reversals', words: [MERCHANT, 'Charge'] },
  ChargeList: { words: [MERCHANT, 'Page'] },
  Reversal: { tag: 'Charges and reversals', words: [MERCHANT, 'Reversal'] },
  ReversalList: { words: [MERCHANT, 'Page'] },
  Event: { tag: 'Events', words: [MERCHANT, 'WebhookEvent'] },
  EventList: { tag: 'Events', words: [MERCHANT, 'EventPage'] },
  WebhookEndpoint: { tag: 'Events', words: [MERCHANT, 'WebhookEndpoint'] },
  WebhookEndpointList: {},
  CheckoutView: { tag: 'Guest', words: [CHECKOUT, 'CheckoutView'] },
  StartedCheckout: { tag: 'Guest', words: [CHECKOUT, 'StartedCheckout'] },
  Problem: { words: [CHECKOUT, 'Problem'] },
  Health: { tag: 'Service' },
  Card: { tag: 'Cards', words: [MERCHANT, 'Card'] },
};

/** Where the words for the fields of each body are. */
const BODIES: Readonly<Record<string, readonly [string, string]>> = {
  createCheckoutSession: [MERCHANT, 'CreateCheckoutSession'],
  resolveCheckoutSession: [MERCHANT, 'SessionResolution'],
  createCharge: [MERCHANT, 'CreateCharge'],
  resolveCharge: [MERCHANT, 'Resolution'],
  createReversal: [MERCHANT, 'CreateReversal'],
  resolveReversal: [MERCHANT, 'Resolution'],
  createCard: [MERCHANT, 'CreateCard'],
  startCheckout: [CHECKOUT, 'StartCheckout'],
};

const LIST_ANCHOR = 'lists';

/** What all pages are made from. */
interface Api {
  readonly model: SourceModel;
  readonly index: ApiIndex;
  readonly gaps: Gaps;
  readonly operations: ReadonlyMap<string, DescribedOperation>;
  readonly schemas: Readonly<Record<string, JsonSchema>>;
}

/** The overview, and one page for each group of operations. */
export function httpPages(model: SourceModel, index: ApiIndex, gaps: Gaps): readonly ReferencePage[] {
  const documents = [openApiDocument(VERSION), motoOpenApiDocument(VERSION)] as unknown as readonly {
    readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
    readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
  }[];
  const described = documents.flatMap(({ paths }) => Object.values(paths).flatMap((path) => Object.values(path)));
  const api: Api = {
    model,
    index,
    gaps,
    operations: new Map(described.map((each) => [each.operationId, each])),
    schemas: Object.assign({}, ...documents.map(({ components }) => components.schemas)) as Api['schemas'],
  };
  const tags = [...new Set(ALL_OPERATIONS.map(({ tag }) => tag))];
  return [overview(api, tags), ...tags.map((tag) => groupPage(api, tag))];
}

function overview(api: Api, tags: readonly Operation['tag'][]): ReferencePage {
  const document = openApiDocument(VERSION) as {
    readonly info: { readonly description: string };
    readonly components: { readonly securitySchemes: Readonly<Record<string, { readonly description: string }>> };
  };
  const { securitySchemes } = document.components;
  return {
    path: OVERVIEW,
    title: 'HTTP API',
    description: 'Every address of the proxy: who may call it, what it takes, what it answers.',
    markdown: blocks(
      document.info.description,
      'The proxy serves this description itself, as OpenAPI 3.1, at `/openapi.json`.',
      heading(2, 'Operations'),
      ...tags.map((tag) =>
        blocks(
          `[${tag}](${address(groupPath(tag))}): ${TAGS[tag]}`,
          operationTable(ALL_OPERATIONS.filter((each) => each.tag === tag)),
        ),
      ),
      heading(2, 'Who may call'),
      'A call says who it comes from with `Authorization: Bearer …`:',
      table(
        ['Caller', 'Secret'],
        Object.entries(securitySchemes).map(([name, { description }]) => [name, description]),
      ),
      `What a merchant key may do is its list of [scopes](${address('reference/configuration', 'merchantkeys-scopes')}).`,
      heading(2, 'Idempotency-Key'),
      HEADER_WORDS['Idempotency-Key'],
      heading(2, 'Money'),
      commentText(api, 'packages/core/src/values/index.ts', 'MoneyJson'),
      fieldTable(api.schemas.Charge?.properties?.amount ?? {}, {
        ...context(api, 'Money', api.model.declaration('packages/core/src/values/index.ts', 'MoneyJson')),
        linkTo: undefined,
      }),
      heading(2, 'Lists'),
      commentText(api, MERCHANT, 'Page'),
      fieldTable(api.schemas.ChargeList ?? {}, {
        ...context(api, 'List', api.model.declaration(MERCHANT, 'Page')),
        linkTo: (schema) => (schema.properties?.object?.const === 'charge' ? 'resource' : undefined),
      }),
      heading(2, 'Problem'),
      api.schemas.Problem?.description,
      fieldTable(api.schemas.Problem ?? {}, context(api, 'Problem', api.model.declaration(CHECKOUT, 'Problem'))),
    ),
  };
}

/** What the comment of a type says. */
function commentText({ model, index }: Api, file: string, name: string): string {
  return summaryText(model.declaration(file, name).comment, index.find);
}

function operationTable(operations: readonly Operation[]): string {
  return table(
    ['Operation', 'Caller', 'In short'],
    operations.map((operation) => [operationLink(operation), caller(operation), operation.summary]),
  );
}

function caller({ security, scope }: Operation): string {
  switch (security) {
    case 'merchant':
      return `merchant, scope ${code(scope ?? '')}`;
    case 'guest':
      return 'guest';
    case 'none':
      return 'anybody';
  }
}

function groupPage(api: Api, tag: Operation['tag']): ReferencePage {
  const operations = ALL_OPERATIONS.filter((each) => each.tag === tag);
  const objects = Object.entries(OBJECTS).filter(([, object]) => object.tag === tag);
  const isMoto = tag === 'Cards';
  return {
    path: groupPath(tag),
    title: `HTTP API: ${tag.toLowerCase()}`,
    description: `${tag}: HTTP operations of the proxy. ${TAGS[tag]}`,
    markdown: blocks(
      TAGS[tag],
      isMoto
        ? `**Not part of the default worker.** ${String(motoInfo())} As OpenAPI 3.1: ${code('dist/openapi-moto.json')} of the package.`
        : '',
      operationTable(operations),
      ...operations.map((operation) => operationEntry(api, operation)),
      ...objects.map(([name]) => objectEntry(api, name)),
    ),
  };
}

function motoInfo(): unknown {
  return (motoOpenApiDocument(VERSION) as { readonly info: { readonly description: string } }).info.description;
}

function operationEntry(api: Api, operation: Operation): string {
  const described = api.operations.get(operation.id);
  if (described === undefined) throw new Error(`No document describes ${operation.id}.`);
  return blocks(
    heading(2, operationName(operation)),
    `${operation.summary}.`,
    callerText(operation),
    parameterTable(described),
    bodyText(api, operation, described),
    example(operation),
    answers(operation, described),
  );
}

function callerText({ security, scope }: Operation): string {
  switch (security) {
    case 'merchant':
      return `Called by the hotel’s server with a merchant key that has the scope [${code(scope ?? '')}](${address('reference/configuration', 'merchantkeys-scopes')}).`;
    case 'guest':
      return 'Called by the guest’s page with the client secret of its session, from one of the property’s origins.';
    case 'none':
      return 'Called by anybody; there is no key.';
  }
}

function parameterTable({ parameters = [] }: DescribedOperation): string {
  return table(
    ['Parameter', 'In', 'Type', 'Meaning'],
    parameters.map(({ name, in: place, required, schema, description = '' }) => {
      const preset = schema.default === undefined ? '' : ` Default: ${code(String(schema.default))}.`;
      const field = { path: name, schema, isRequired: required, isNullable: false };
      return [code(`${name}${required ? '' : '?'}`), place, typeOf(field), `${description}${preset}`];
    }),
  );
}

function bodyText(api: Api, operation: Operation, { operationId, requestBody }: DescribedOperation): string {
  if (requestBody === undefined) return '';
  const [type = '', content] = Object.entries(requestBody.content)[0] ?? [];
  if (type !== 'application/json') return 'The body is sent on as it is, with its content type.';
  const words = BODIES[operationId];
  const rows = fieldTable(content?.schema ?? {}, {
    ...context(api, `body of ${operationName(operation)}`, words && api.model.declaration(...words)),
  });
  if (rows === '') return 'The body is empty, or `{}`.';
  return blocks(requestBody.required ? 'Body, JSON:' : 'Body, JSON, may be left out:', rows);
}

/** A command line that can be copied: what it needs is in its variables. */
function example({ method, path, security, body, idempotencyKey, tag }: Operation): string {
  if (tag === 'Pages' || tag === 'Service') return '';
  if (body !== undefined && body.example === undefined && body.isOptional !== true) return '';
  const values: Readonly<Record<string, string>> = { id: '$ID' };
  const query = path === '/v1/export.csv' ? '?from=2026-09-01&to=2026-10-01' : '';
  const address_ = `"https://pay.hotel.example${path.replace(/:(\w+)/g, (_, name: string) => values[name] ?? '')}${query}"`;
  const isPost = method === 'POST';
  const lines = [
    `curl ${isPost && body?.example === undefined ? '-X POST ' : ''}${address_}`,
    `-H "Authorization: Bearer $${security === 'guest' ? 'CLIENT_SECRET' : 'INNKEEP_SECRET_KEY'}"`,
    ...(idempotencyKey === 'required' ? ['-H "Idempotency-Key: $KEY"'] : []),
    ...(body?.example === undefined
      ? []
      : ['-H "Content-Type: application/json"', `-d '${JSON.stringify(body.example)}'`]),
  ];
  return codeBlock('sh', lines.join(' \\\n  '));
}

function answers({ problems }: Operation, { responses }: DescribedOperation): string {
  const rows = Object.entries(responses).map(([status, { description, content }]) => {
    const [[type = '', body] = []] = Object.entries(content ?? {});
    if (type === 'application/problem+json') {
      const codes = problems.filter((each) => description.includes(`\`${each}\``));
      return [
        status,
        [...new Set(codes)].map((each) => codeLink(each, address('reference/errors', each))).join(', '),
        objectLink('Problem'),
      ];
    }
    const name = body?.schema?.$ref.split('/').at(-1);
    return [
      status === 'default' ? 'else' : status,
      description,
      name === undefined ? code(type).replace('``', 'none') : objectLink(name),
    ];
  });
  return table(['Status', 'Meaning', 'Body'], rows);
}

/** A link to the description of an object. */
function objectLink(name: string): string {
  const tag = OBJECTS[name]?.tag;
  if (tag !== undefined) return `[${spaced(name)}](${address(groupPath(tag), anchorOf(spaced(name)))})`;
  const item = name.replace(/List$/, '');
  if (item === name) return `[${spaced(name)}](${address(OVERVIEW, anchorOf(spaced(name)))})`;
  return `[list](${address(OVERVIEW, LIST_ANCHOR)}) of ${objectLink(item)}`;
}

function objectEntry(api: Api, name: string): string {
  const schema = api.schemas[name];
  if (schema === undefined) throw new Error(`No document has the object ${name}.`);
  const words = OBJECTS[name]?.words;
  const base = baseOf(api, name);
  const all = context(api, `object ${name}`, words && api.model.declaration(...words));
  return blocks(
    heading(2, spaced(name)),
    schema.description,
    base === undefined ? '' : `Everything of ${objectLink(base)}, and:`,
    fieldTable(schema, base === undefined ? all : { ...all, without: fieldNames(api.schemas[base]) }),
  );
}

/** The object of the same page that this one only adds to. */
function baseOf({ schemas }: Api, name: string): string | undefined {
  const own = Object.keys(schemas[name]?.properties ?? {});
  return Object.keys(OBJECTS).find((other) => {
    const theirs = Object.keys(schemas[other]?.properties ?? {});
    const isSamePage = OBJECTS[other]?.tag === OBJECTS[name]?.tag;
    return isSamePage && theirs.length > 2 && theirs.length < own.length && theirs.every((each) => own.includes(each));
  });
}

function fieldNames(schema: JsonSchema | undefined, prefix = ''): readonly string[] {
  return Object.entries(schema?.properties ?? {}).flatMap(([name, inner]) => [
    `${prefix}${name}`,
    ...[inner, ...(inner.anyOf ?? [])].flatMap((each) =>
      [each, ...(each.anyOf ?? [])].flatMap((one) => fieldNames(one, `${prefix}${name}.`)),
    ),
  ]);
}

function context(api: Api, what: string, words: DeclarationReflection | undefined): FieldContext {
  return { gaps: api.gaps, what, find: api.index.find, words, linkTo: linkToObject };
}

/** Money and the resources have entries of their own. */
function linkToObject(schema: JsonSchema): string | undefined {
  const names = Object.keys(schema.properties ?? {});
  if (names.length === 2 && names.includes('value') && names.includes('currency')) {
    return `[money](${address(OVERVIEW, 'money')})`;
  }
  const objects: Readonly<Record<string, string>> = {
    checkout_session: 'CheckoutSession',
    charge: 'Charge',
    reversal: 'Reversal',
    webhook_endpoint: 'WebhookEndpoint',
  };
  const name = objects[String(schema.properties?.object?.const)];
  if (name !== undefined) return objectLink(name);
  return /^\^ev_/.test(schema.properties?.id?.pattern ?? '') ? objectLink('Event') : undefined;
}

/** `CheckoutSession` → `Checkout session`. */
function spaced(name: string): string {
  return name.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
