/** A request's JSON body: size, type, strictness, and the path of whatever is wrong with it. */
import * as v from 'valibot';
import { ProblemError } from '../problem.ts';
import type { AppContext } from './app-context.ts';
import { readBytes } from './read-bytes.ts';

/** Largest JSON body. */
const MAX_JSON_BYTES: number = 16 * 1024;
const MAX_DEPTH = 16;

/**
 * Reads and checks a body.
 * @param options.isOptional whether no body at all stands for `{}`
 */
export async function readJsonBody<Schema extends v.GenericSchema>(
  c: AppContext,
  schema: Schema,
  options: { readonly isOptional?: boolean } = {},
): Promise<v.InferOutput<Schema>> {
  const bytes = await readBody(c, MAX_JSON_BYTES);
  if (bytes.length === 0 && options.isOptional === true) return parse(schema, {});
  const type = c.req.header('content-type') ?? '';
  if (!/^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i.test(type)) {
    throw new ProblemError('unsupported_media_type', {
      detail: 'Send Content-Type: application/json',
      param: 'Content-Type',
    });
  }
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    throw new ProblemError('invalid_request', { detail: 'The body is not JSON', param: 'body' });
  }
  refuseTreachery(json, []);
  return parse(schema, json);
}

/** Checks a query, field by field. */
export function readQuery<Schema extends v.GenericSchema>(c: AppContext, schema: Schema): v.InferOutput<Schema> {
  const query: Record<string, string> = Object.create(null);
  for (const [name, values] of Object.entries(c.req.queries())) {
    const [value, ...more] = values;
    if (more.length > 0) throw new ProblemError('invalid_request', { detail: 'Given more than once', param: name });
    if (value !== undefined) query[name] = value;
  }
  refuseTreachery(query, []);
  return parse(schema, { ...query });
}

/** The request's body; more than the limit is 413, whatever `Content-Length` says. */
export async function readBody(c: AppContext, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  const { body, headers } = c.req.raw;
  const isTooLarge = Number(headers.get('content-length') ?? 0) > limit;
  const bytes = isTooLarge ? undefined : await readBytes(body, limit);
  if (bytes !== undefined) return bytes;
  throw new ProblemError('payload_too_large', { detail: `The body may have ${limit} bytes at most` });
}

/**
 * Refuses names that every object inherits (`__proto__`, `constructor` …): to a schema that asks `name in entries` they
 * look known. And lists, which no body has: to a schema of any names they look like an object.
 */
function refuseTreachery(value: unknown, path: readonly string[]): void {
  if (typeof value !== 'object' || value === null) return;
  if (path.length > MAX_DEPTH) throw invalid('The body is nested too deeply', path);
  if (Array.isArray(value)) throw invalid('Must not be a list', path.length === 0 ? ['body'] : path);
  for (const key of Object.keys(value)) {
    if (key in Object.prototype) throw invalid('This name is not allowed', [...path, key]);
    // The key was just listed.
    refuseTreachery((value as Record<string, unknown>)[key], [...path, key]);
  }
}

function parse<Schema extends v.GenericSchema>(schema: Schema, value: unknown): v.InferOutput<Schema> {
  const parsed = v.safeParse(schema, value);
  if (parsed.success) return parsed.output;
  const [issue] = parsed.issues;
  throw invalid(issue.message, [v.getDotPath(issue) ?? 'body']);
}

function invalid(detail: string, path: readonly string[]): ProblemError {
  return new ProblemError('invalid_request', { detail, param: path.join('.') });
}
