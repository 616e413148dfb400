/** What a route takes, checked before its handler runs: size, type, strictness, and the path of whatever is wrong. */
import { sValidator } from '@hono/standard-validator';
import type { Context, Env, MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { GenericSchema, InferOutput } from 'valibot';
import { ProblemError } from '../problem.ts';
import { takes } from './describe.ts';

const MAX_JSON_BYTES = 16 * 1024;
const MAX_DEPTH = 16;

/** A middleware that leaves what it has checked for the handler. */
type Validator<Target extends 'json' | 'param' | 'query', Schema extends GenericSchema> = MiddlewareHandler<
  Env,
  string,
  { in: Record<Target, object>; out: Record<Target, InferOutput<Schema>> }
>;

/**
 * A JSON body; the handler has it as `c.req.valid('json')`.
 * @param options.isOptional whether no body at all stands for `{}`
 */
export function jsonBody<Schema extends GenericSchema>(
  schema: Schema,
  { isOptional = false }: { readonly isOptional?: boolean } = {},
): Validator<'json', Schema> {
  const limit = limitBody(MAX_JSON_BYTES);
  const validate = sValidator('json', guarded(schema, 'Must not be a list'), refuseIssues);
  return takes({ body: { schema, isOptional } }, async (c, next) => {
    await limit(c, async () => {
      await readText(c, isOptional);
      await validate(c, next);
    });
  });
}

/** A query, field by field; the handler has it as `c.req.valid('query')`. */
export function query<Schema extends GenericSchema>(schema: Schema): Validator<'query', Schema> {
  const validate = sValidator('query', guarded(schema, 'Must be given only once'), refuseIssues);
  return takes({ query: schema }, async (c, next) => {
    await validate(c, next);
  });
}

/** The parameters of a path; the handler has them as `c.req.valid('param')`. */
export function params<Schema extends GenericSchema>(schema: Schema): Validator<'param', Schema> {
  const validate = sValidator('param', guarded(schema, ''), refuseIssues);
  return takes({ param: schema }, async (c, next) => {
    await validate(c, next);
  });
}

/** A body of any kind; more than the limit is 413, whatever `Content-Length` says. */
export function limitBody(maxSize: number): MiddlewareHandler {
  const limit = bodyLimit({
    maxSize,
    onError: () => {
      throw new ProblemError('payload_too_large', { detail: `The body may have at most ${maxSize} bytes` });
    },
  });
  return takes({ body: { isOptional: false } }, limit);
}

/** Leaves the body where the validator looks for it, once it is known to be UTF-8 that says it is JSON. */
async function readText({ req }: Pick<Context, 'req'>, isOptional: boolean): Promise<void> {
  const keepText = (text: string) => Object.assign(req.bodyCache, { text: Promise.resolve(text) });
  const bytes = await req.arrayBuffer();
  if (bytes.byteLength === 0 && isOptional) return void keepText('{}');
  if (!/^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i.test(req.header('content-type') ?? '')) {
    throw new ProblemError('unsupported_media_type', {
      detail: 'Send Content-Type: application/json',
      param: 'Content-Type',
    });
  }
  try {
    keepText(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    throw invalid('The body is not JSON', ['body']);
  }
}

/**
 * The schema behind a guard against names that every object inherits (`__proto__`, `constructor` …): to a schema that asks
 * `name in entries` they look known. And against lists, which nothing here has: to a schema of any names they look like an
 * object.
 */
function guarded(schema: GenericSchema, listMessage: string): Pick<GenericSchema, '~standard'> {
  const standard = schema['~standard'];
  const validate: typeof standard.validate = (value) => {
    refuseInherited(value, listMessage);
    return standard.validate(value);
  };
  return { '~standard': { ...standard, validate } };
}

function refuseInherited(value: unknown, listMessage: string, path: readonly string[] = []): void {
  if (typeof value !== 'object' || value === null) return;
  if (path.length > MAX_DEPTH) throw invalid('The body is nested too deeply', path);
  if (Array.isArray(value)) throw invalid(listMessage, path.length === 0 ? ['body'] : path);
  for (const [key, child] of Object.entries(value)) {
    if (key in Object.prototype) throw invalid('This name is not allowed', [...path, key]);
    refuseInherited(child, listMessage, [...path, key]);
  }
}

/** What the validator found, if it found anything. */
interface Validation {
  readonly success: boolean;
  readonly error?: readonly {
    readonly message: string;
    readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
  }[];
}

function refuseIssues({ error = [] }: Validation): void {
  const [issue] = error;
  if (issue === undefined) return;
  const path = issue.path?.map((part) => String(typeof part === 'object' ? part.key : part)) ?? [];
  throw invalid(issue.message, path.length === 0 ? ['body'] : path);
}

function invalid(detail: string, path: readonly string[]): ProblemError {
  return new ProblemError('invalid_request', { detail, param: path.join('.') });
}
