/** What a route takes, checked before its handler runs: size, type, strictness, and the path of whatever is wrong. */
import { sValidator } from '@hono/standard-validator';
import { type RuleIssue, ruleInWords } from '@innkeep/core/contract';
import type { Context, Env, MiddlewareHandler } from 'hono';
import type { GenericSchema, InferOutput } from 'valibot';
import { orTimeout, waitAtMost } from './deadline.ts';
import { takes } from './describe.ts';
import { ProblemError } from './problem.ts';

const MAX_JSON_BYTES = 16 * 1024;
const MAX_DEPTH = 16;
/** Limits by currency. PHP writes an empty map as a list. As a map it would allow nothing, but no limit was meant. */
const LIMITS = /^max(Amount|Reversal)$/;
/** How long a body may take to arrive. */
const BODY_LIMIT_MS = 20_000;
/** A body that takes longer is waited for only when its sender is known. */
const SOON_MS = 250;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** A middleware that leaves what it has checked for the handler. */
type Validator<Target extends 'json' | 'param' | 'query', Schema extends GenericSchema> = MiddlewareHandler<
  Env,
  string,
  { in: Record<Target, object>; out: Record<Target, InferOutput<Schema>> }
>;

/**
 * A JSON body; the handler has it as `c.req.valid('json')`.
 * @param options.isOptional whether no body at all stands for `{}`
 * @param options.mayHoldLists whether the schema knows where a list belongs
 * @param options.admit refuses whoever may not call. For a handler that refuses them itself: called only when the body is slow or
 * wrong, so that a stranger's is neither waited for nor described
 */
export function jsonBody<Schema extends GenericSchema, Caller extends Env = Env>(
  schema: Schema,
  {
    isOptional = false,
    mayHoldLists = false,
    admit,
  }: {
    readonly isOptional?: boolean;
    readonly mayHoldLists?: boolean;
    readonly admit?: (c: Context<Caller>) => Promise<unknown>;
  } = {},
): Validator<'json', Schema> {
  const isValid = async () => undefined;
  const validate = sValidator('json', guarded(schema, mayHoldLists ? undefined : 'Must not be a list'), refuseIssues);
  return takes({ body: { schema, isOptional } }, async (c, next) => {
    // True for every route that has such a caller.
    const admitCaller = admit && (() => admit(c as unknown as Context<Caller>));
    try {
      await readText(c, isOptional, admitCaller);
      await validate(c, isValid);
    } catch (error) {
      await admitCaller?.();
      throw error;
    }
    await next();
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

/** A body of any kind; the handler has it as `c.req.arrayBuffer()`. */
export function anyBody(maxBytes: number): MiddlewareHandler {
  return takes({ body: { isOptional: false } }, async ({ req }, next) => {
    const bytes = await readBytes(req, maxBytes);
    Object.assign(req.bodyCache, { arrayBuffer: Promise.resolve(bytes.buffer) });
    await next();
  });
}

/** Reads a body of limited size in limited time. More than the limit is 413, whatever `Content-Length` says. */
async function readBytes(
  req: Context['req'],
  maxBytes: number,
  admit?: () => Promise<unknown>,
): Promise<Uint8Array<ArrayBuffer>> {
  // Made when it is needed: an error takes its stack with it.
  const tooLarge = (): ProblemError =>
    new ProblemError('payload_too_large', { detail: `The body may have at most ${maxBytes} bytes` });
  if (Number(req.header('content-length')) > maxBytes) throw tooLarge();
  const reader = req.raw.body?.getReader();
  if (reader === undefined) return new Uint8Array();
  const readAll = async (): Promise<Uint8Array<ArrayBuffer>> => {
    const chunks: Uint8Array<ArrayBuffer>[] = [];
    let size = 0;
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      size += part.value.length;
      if (size > maxBytes) throw tooLarge();
      // A copy: workerd gives each piece, however small, 4 KiB of its own.
      chunks.push(new Uint8Array(part.value));
    }
    const [first] = chunks;
    // Nearly every body comes in one piece.
    return first?.length === size ? first : new Uint8Array(await new Blob(chunks).arrayBuffer());
  };
  try {
    const reading = readAll();
    if (admit !== undefined) {
      const early = await waitAtMost(SOON_MS, reading);
      if (early !== undefined) return await reading;
      await admit();
    }
    return await orTimeout(BODY_LIMIT_MS, reading);
  } catch (error) {
    // The rest is not waited for; a caller who has gone has nothing to cancel.
    void reader.cancel().catch(() => undefined);
    // Any other failure here is at the caller's end of the connection.
    throw error instanceof ProblemError ? error : invalid('The body broke off, or took 20 seconds', ['body']);
  }
}

/** Leaves the body where the validator looks for it, once it is known to be UTF-8 and declared as JSON. */
async function readText(
  { req }: Pick<Context, 'req'>,
  isOptional: boolean,
  admit?: () => Promise<unknown>,
): Promise<void> {
  const keepText = (text: string) => Object.assign(req.bodyCache, { text: Promise.resolve(text) });
  const bytes = await readBytes(req, MAX_JSON_BYTES, admit);
  if (bytes.byteLength === 0 && isOptional) return void keepText('{}');
  if (!/^application\/json\s*(;\s*(charset="?utf-8"?\s*)?)?$/i.test(req.header('content-type') ?? '')) {
    throw new ProblemError('unsupported_media_type', {
      detail: 'Must be application/json in UTF-8',
      param: 'Content-Type',
    });
  }
  try {
    keepText(utf8.decode(bytes));
  } catch {
    throw invalid('The body is not JSON', ['body']);
  }
}

/**
 * The schema behind a guard against names that every object inherits (`__proto__`, `constructor` …): they look known to a schema
 * that asks `name in entries`. And against lists where none belongs: they look like an object to a schema of any names.
 */
function guarded(schema: GenericSchema, listMessage: string | undefined): Pick<GenericSchema, '~standard'> {
  const standard = schema['~standard'];
  const validate: typeof standard.validate = (value) => {
    refuseInherited(value, listMessage);
    return standard.validate(value);
  };
  return { '~standard': { ...standard, validate } };
}

function refuseInherited(value: unknown, listMessage: string | undefined, path: readonly string[] = []): void {
  if (typeof value !== 'object' || value === null) return;
  if (path.length > MAX_DEPTH) throw invalid('The body is nested too deeply', path);
  if (Array.isArray(value) && (listMessage !== undefined || path.length === 0)) {
    throw invalid(listMessage ?? 'Must not be a list', path.length === 0 ? ['body'] : path);
  }
  const name = path.at(-1) ?? '';
  if (Array.isArray(value) && LIMITS.test(name))
    throw invalid(`${name} must be an object such as {"EUR":500000}`, path);
  for (const [key, child] of Object.entries(value)) {
    if (key in Object.prototype) throw invalid('This name is not allowed', [...path, key]);
    refuseInherited(child, listMessage, [...path, key]);
  }
}

/** What the validator found, if it found anything. */
interface Validation {
  readonly success: boolean;
  readonly error?: readonly Issue[];
}

/** What valibot says about one thing that is wrong. */
interface Issue extends RuleIssue {
  readonly message: string;
  /** What was received, as a type or in quotes. */
  readonly received?: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

function refuseIssues({ error = [] }: Validation): void {
  const [issue] = error;
  if (issue === undefined) return;
  const path = issue.path?.map((part) => String(typeof part === 'object' ? part.key : part)) ?? [];
  throw invalid(messageFor(issue), path.length === 0 ? ['body'] : path);
}

/** Valibot’s own messages quote what came, which may be a secret: none of them is passed on. */
function messageFor(issue: Issue): string {
  if (!issue.message.startsWith('Invalid ')) return issue.message;
  if (issue.expected === 'never') return 'This request has no such field';
  return issue.received === 'undefined' ? 'Must be given' : `Must ${ruleInWords(issue)}`;
}

function invalid(detail: string, path: readonly string[]): ProblemError {
  const end = path.findIndex((name) => !isHarmless(name));
  const param = path.slice(0, end < 0 ? path.length : end).join('.');
  return new ProblemError('invalid_request', { detail, ...(param === '' ? {} : { param }) });
}

/** A card number may have been put into the name of a field. */
function isHarmless(name: string): boolean {
  return /^[A-Za-z_][\w[\]-]{0,63}$/.test(name) && name.replace(/\D/g, '').length < 6;
}
