/** Holds an exchange against an OpenAPI document. */
import { type Schema, Validator } from '@cfworker/json-schema';

type Content = Readonly<Record<string, { readonly schema?: Schema }>>;

interface OperationObject {
  readonly parameters?: readonly { readonly in: string; readonly name: string; readonly schema: Schema }[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content; readonly headers?: object }>>;
}

/** What this file reads of a document. */
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  readonly components: {
    readonly headers: Readonly<Record<string, { readonly required?: boolean; readonly schema: Schema }>>;
  };
}

/** An exchange's first half. */
interface Asked {
  readonly method: string;
  readonly url: string;
  readonly body: unknown;
}

/** A function that throws when an exchange is not as described. Bodies that were refused are the caller's affair. */
export function exchangeCheck(described: object): (asked: Asked, response: Response) => Promise<void> {
  const { paths, components } = closed(described) as Document;
  const validators = new Map<Schema, Validator>();
  const check = (schema: Schema, value: unknown, what: string): void => {
    // References point into the document, so the document is the schema's root.
    const validator = validators.get(schema) ?? new Validator({ ...schema, components } as Schema, '2020-12');
    validators.set(schema, validator);
    const { valid, errors } = validator.validate(value);
    if (!valid)
      throw new Error(`${what} is not as described: ${JSON.stringify(errors.slice(0, 3))}\n${JSON.stringify(value)}`);
  };
  const routes = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      method: method.toUpperCase(),
      pattern: new RegExp(
        `^${path.replaceAll('.', '\\.').replace(/\{(\w+)\}/g, (_, name) => segment(operation, name))}$`,
      ),
      operation,
    })),
  );
  return async (asked, response) => {
    const { pathname } = new URL(asked.url);
    const route = routes.find(({ method, pattern }) => method === asked.method && pattern.test(pathname));
    // Addresses and methods that do not exist have no description.
    if (route === undefined || response.status === 405) return;
    const { responses, requestBody } = route.operation;
    const where = `${asked.method} ${pathname} → ${response.status}`;
    const answer = responses[response.status] ?? responses.default;
    if (answer === undefined) throw new Error(`${where} is not described`);
    if (!response.headers.has('x-request-id')) throw new Error(`${where} has no id`);
    for (const [name, { required = false, schema }] of Object.entries(components.headers)) {
      const value = response.headers.get(name);
      const isDescribed = name in (answer.headers ?? {});
      if (value === null ? isDescribed && required : !isDescribed)
        throw new Error(`${where}: ${name} is ${value === null ? 'missing' : 'not described'}`);
      if (value !== null) check(schema, Object(schema).type === 'integer' ? Number(value) : value, `${where}: ${name}`);
    }
    const type = response.headers.get('content-type')?.split(';')[0] ?? '';
    if (answer.content === undefined) return;
    const media = answer.content[type];
    if (media === undefined && !('*/*' in answer.content))
      throw new Error(`${where} came as “${type}”, described are ${Object.keys(answer.content)}`);
    if (media?.schema !== undefined && /json$/.test(type))
      check(media.schema, await response.clone().json(), `${where}: answer`);
    const schema = requestBody?.content['application/json']?.schema;
    if (response.ok && schema !== undefined && typeof asked.body === 'string' && asked.body !== '') {
      check(schema, JSON.parse(asked.body), `${where}: request`);
    }
  };
}

function segment({ parameters = [] }: OperationObject, name: string): string {
  const { enum: values } = Object(parameters.find((each) => each.in === 'path' && each.name === name)?.schema);
  return values === undefined ? '[^/]+' : `(?:${values.join('|')})`;
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
