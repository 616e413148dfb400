// Prevents: an example that calls an address of the proxy that is not there, or shows a field that it does not have.
// The OpenAPI document that the build makes is the one source.
import { join } from 'node:path';
import { Validator } from '@cfworker/json-schema';
import { ROOT, readJson } from '../workspace.ts';

/** What examples of the HTTP API are held against. */
export interface ProxyApi {
  /** What is wrong with a call, or nothing. `address` is absolute or a path; `body` is its JSON text. */
  problemOfCall(method: string, address: string, body?: string): string | undefined;
  /** What is wrong with a resource or an event that the proxy is said to answer with. Other values are nobody's. */
  problemOfResource(value: unknown): string | undefined;
}

interface Schema {
  readonly [key: string]: unknown;
}

interface Operation {
  readonly method: string;
  /** `/v1/charges/{id}`. */
  readonly path: string;
  readonly body?: Schema;
}

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { requestBody?: { content: Content } }>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

type Content = Readonly<Record<string, { readonly schema: Schema }>>;

/** Control routes of the sandbox; `packages/sandbox/README.md` has the table. */
const SANDBOX_CONTROL: readonly Operation[] = [
  ...['requests', 'ledger', 'scenarios', 'magic'].map((name) => ({ method: 'GET', path: `/__sandbox/${name}` })),
  ...['reset', 'scenario', 'clock', 'complete'].map((name) => ({ method: 'POST', path: `/__sandbox/${name}` })),
];

const RESOURCES: Readonly<Record<string, string>> = {
  checkout_session: 'CheckoutSession',
  charge: 'Charge',
  reversal: 'Reversal',
};

/** Reads the proxy's OpenAPI document. The proxy must be built. */
export function readProxyApi(): ProxyApi {
  // The build makes it, and the proxy's tests compare it with the routes.
  const { paths, components } = readJson(join(ROOT, 'packages/edge-proxy/dist/assets/openapi.json')) as OpenApi;
  const documented = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { requestBody }]): Operation => {
      const body = requestBody?.content['application/json']?.schema;
      return { method: method.toUpperCase(), path, ...(body === undefined ? {} : { body }) };
    }),
  );
  // Only the second worker entry has it, so the document of the first leaves it out.
  const operations = [...documented, { method: 'POST', path: '/v1/cards' }];
  const complaint = (schema: Schema, value: unknown, isExcerpt: boolean): string | undefined =>
    firstComplaint({ ...schema, components }, value, isExcerpt);
  return {
    problemOfCall(method, address, text) {
      const path = address.replace(/^https?:\/\/[^/]+|^\$\{?\w+\}?(?=\/)/, '').replace(/[?#].*$/, '');
      const known = path.startsWith('/__sandbox/') ? SANDBOX_CONTROL : operations;
      const matching = known.filter((operation) => toPattern(operation.path).test(path));
      if (matching.length === 0) return `there is no route ${path}`;
      const operation = matching.find((route) => route.method === method);
      if (operation === undefined)
        return `${path} takes ${matching.map((route) => route.method).join(', ')}, not ${method}`;
      const value = parseBody(text);
      return value === undefined || operation.body === undefined ? undefined : complaint(operation.body, value, false);
    },
    problemOfResource(value) {
      const { object, type, data } = Object(value) as { object?: unknown; type?: unknown; data?: unknown };
      const name = RESOURCES[String(object)] ?? (typeof type === 'string' && Object(data).object ? 'Event' : undefined);
      const schema = name === undefined ? undefined : components.schemas[name];
      if (schema === undefined) return undefined;
      // A session is shown in documents with the secret of its first answer, too.
      const { clientSecret: _, ...shown } = Object(value) as Record<string, unknown>;
      return complaint(schema, shown, true);
    },
  };
}

/** Whether an address is one of ours in the documentation. */
export function isOurs(address: string): boolean {
  return /^(?:https:\/\/pay\.hotel\.example|http:\/\/(?:127\.0\.0\.1|localhost):87(?:87|90)|\$\{?(?:INNKEEP_ENDPOINT|PUBLIC_URL)\}?)(?:\/|$)/.test(
    address,
  );
}

/** The JSON of a body; nothing when there is none, or when the shell fills something in. */
function parseBody(text: string | undefined): unknown {
  if (text === undefined || text.includes('$')) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What a schema says first. Values with an ellipsis are left to the reader; an excerpt may leave fields out. */
function firstComplaint(schema: Schema, value: unknown, isExcerpt: boolean): string | undefined {
  const { errors } = isExcerpt
    ? new Validator(withoutRequired(schema), '2020-12', false).validate(withoutEllipses(value))
    : new Validator(schema, '2020-12', false).validate(value);
  const wrappers = ['properties', 'items', 'anyOf', 'oneOf', 'allOf', '$ref', 'false'];
  const serious = errors.find(
    ({ keyword, instanceLocation }) =>
      !wrappers.includes(keyword) && !JSON.stringify(valueAt(value, instanceLocation) ?? '').includes('…'),
  );
  return serious === undefined
    ? undefined
    : `${serious.instanceLocation.replace(/^#\/?/, '') || 'it'}: ${serious.error}`;
}

/** The same schema, satisfied with less. */
function withoutRequired<Part>(schema: Part): Part {
  // Copying keeps the shape, but for an optional list.
  if (Array.isArray(schema)) return schema.map(withoutRequired) as Part;
  if (typeof schema !== 'object' || schema === null) return schema;
  const kept = Object.entries(schema).filter(([key, value]) => !(key === 'required' && Array.isArray(value)));
  return Object.fromEntries(kept.map(([key, value]) => [key, withoutRequired(value)])) as Part;
}

/** What is there to be judged. */
function withoutEllipses(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEllipses);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([, inner]) => typeof inner !== 'string' || !inner.includes('…'));
  return Object.fromEntries(kept.map(([key, inner]) => [key, withoutEllipses(inner)]));
}

function valueAt(value: unknown, pointer: string): unknown {
  const keys = pointer.split('/').slice(1);
  return keys.reduce<unknown>((inner, key) => Object(inner)[key], value);
}

function toPattern(path: string): RegExp {
  return new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`);
}
