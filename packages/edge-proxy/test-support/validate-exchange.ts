/** Every exchange of every test is held against the API's description: an answer it does not describe fails the test. */
import { type Schema, Validator } from '@cfworker/json-schema';
import { openApiDocument, toTemplate } from '../openapi/document.ts';
import { OPERATIONS } from '../openapi/operations.ts';
import { VERSION } from '../src/version.ts';

interface OperationObject {
  readonly requestBody?: { readonly content: Record<string, { readonly schema?: Schema }> };
  readonly responses: Record<string, { readonly content?: Record<string, { readonly schema?: Schema }> }>;
}

const document = openApiDocument(VERSION) as unknown as {
  readonly paths: Record<string, Record<string, OperationObject>>;
  readonly components: unknown;
};
const paths = OPERATIONS.map(({ path }) => ({
  pattern: new RegExp(
    `^${path.replaceAll('.', '\\.').replace(/:\w+(?:\{([^}]*)\})?/g, (_, values) => (values === undefined ? '[^/]+' : `(?:${values})`))}$`,
  ),
  operations: document.paths[toTemplate(path)] ?? {},
}));
const validators = new Map<Schema, Validator>();

/** Throws when the exchange is not as described. Bodies that were refused are the caller's affair. */
export async function validateExchange(
  request: { method: string; url: string; body: unknown },
  response: Response,
): Promise<void> {
  const { pathname } = new URL(request.url);
  const matching = paths.find(({ pattern }) => pattern.test(pathname));
  const operation = matching?.operations[request.method.toLowerCase()];
  // Addresses and methods that do not exist have no description.
  if (operation === undefined || response.status === 405) return;
  const where = `${request.method} ${pathname} → ${response.status}`;
  const answer = operation.responses[response.status] ?? operation.responses.default;
  if (answer === undefined) throw new Error(`${where} is not described`);
  const type = response.headers.get('content-type')?.split(';')[0] ?? '';
  if (answer.content === undefined) return;
  const media = answer.content[type] ?? answer.content['*/*'];
  if (media === undefined) throw new Error(`${where} came as “${type}”, described are ${Object.keys(answer.content)}`);
  if (media.schema !== undefined) check(media.schema, await response.clone().json(), `${where}: answer`);
  const asked = operation.requestBody?.content['application/json']?.schema;
  if (response.ok && asked !== undefined && typeof request.body === 'string' && request.body !== '') {
    check(asked, JSON.parse(request.body), `${where}: request`);
  }
}

function check(schema: Schema, value: unknown, what: string): void {
  let validator = validators.get(schema);
  if (validator === undefined) {
    // References point into the document, so the document is the schema's root.
    validator = new Validator({ ...schema, components: document.components } as Schema, '2020-12');
    validators.set(schema, validator);
  }
  const { valid, errors } = validator.validate(value);
  if (!valid)
    throw new Error(`${what} is not as described: ${JSON.stringify(errors.slice(0, 3))}\n${JSON.stringify(value)}`);
}
