/** Every exchange of every test is held against the API's description: an answer it does not describe fails the test. */
import { env } from 'cloudflare:workers';
import { type Schema, Validator } from '@cfworker/json-schema';
import { motoOpenApiDocument, openApiDocument, operationsOf } from '../openapi/document.ts';
import { RESOURCES } from '../src/app.ts';
import { cards } from '../src/routes/cards.ts';
import { VERSION } from '../src/version.ts';

interface OperationObject {
  readonly operationId: string;
  readonly requestBody?: { readonly content: Record<string, { readonly schema?: Schema }> };
  readonly responses: Record<string, { readonly content?: Record<string, { readonly schema?: Schema }> }>;
}

interface Document {
  readonly paths: Record<string, Record<string, OperationObject>>;
  readonly components: unknown;
}

const routes = [
  { document: openApiDocument(VERSION), resources: RESOURCES },
  { document: motoOpenApiDocument(VERSION), resources: [['/v1/cards', cards(env)]] as const },
].flatMap(({ document, resources }) => {
  const { paths, components } = closed(document) as Document;
  const described = Object.values(paths).flatMap((path) => Object.values(path));
  return operationsOf(resources).map(({ id, method, path }) => ({
    method,
    pattern: new RegExp(
      `^${path.replaceAll('.', '\\.').replace(/:\w+(?:\{([^}]*)\})?/g, (_, values) => (values === undefined ? '[^/]+' : `(?:${values})`))}$`,
    ),
    operation: described.find(({ operationId }) => operationId === id),
    components,
  }));
});
const validators = new Map<Schema, Validator>();

/** Throws when the exchange is not as described. Bodies that were refused are the caller's affair. */
export async function validateExchange(
  request: { method: string; url: string; body: unknown },
  response: Response,
): Promise<void> {
  const { pathname } = new URL(request.url);
  const route = routes.find(({ method, pattern }) => method === request.method && pattern.test(pathname));
  // Addresses and methods that do not exist have no description.
  if (route?.operation === undefined || response.status === 405) return;
  const { operation, components } = route;
  const where = `${request.method} ${pathname} → ${response.status}`;
  const answer = operation.responses[response.status] ?? operation.responses.default;
  if (answer === undefined) throw new Error(`${where} is not described`);
  const type = response.headers.get('content-type')?.split(';')[0] ?? '';
  if (answer.content === undefined) return;
  const media = answer.content[type] ?? answer.content['*/*'];
  if (media === undefined) throw new Error(`${where} came as “${type}”, described are ${Object.keys(answer.content)}`);
  if (media.schema !== undefined)
    check(media.schema, await response.clone().json(), { what: `${where}: answer`, components });
  const asked = operation.requestBody?.content['application/json']?.schema;
  if (response.ok && asked !== undefined && typeof request.body === 'string' && request.body !== '') {
    check(asked, JSON.parse(request.body), { what: `${where}: request`, components });
  }
}

/** A field that has no description is a mistake of ours here, though callers must expect fields that a later version adds. */
function closed(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(closed);
  if (typeof part !== 'object' || part === null) return part;
  const own = Object.fromEntries(Object.entries(part).map(([name, value]) => [name, closed(value)]));
  return own.type === 'object' && own.properties !== undefined && own.additionalProperties === undefined
    ? { ...own, additionalProperties: false }
    : own;
}

function check(
  schema: Schema,
  value: unknown,
  { what, components }: { readonly what: string; readonly components: unknown },
): void {
  let validator = validators.get(schema);
  if (validator === undefined) {
    // References point into the document, so the document is the schema's root.
    validator = new Validator({ ...schema, components } as Schema, '2020-12');
    validators.set(schema, validator);
  }
  const { valid, errors } = validator.validate(value);
  if (!valid)
    throw new Error(`${what} is not as described: ${JSON.stringify(errors.slice(0, 3))}\n${JSON.stringify(value)}`);
}
