/**
 * What a route is for, takes and answers, and which scopes open it, kept beside it. The OpenAPI documents are made of this by the build;
 * of all this a request reads the scopes alone.
 */

import type { PlatformScope, ProblemCode } from '@innkeep/core/contract';
import type { MiddlewareHandler } from 'hono';
import type { GenericSchema } from 'valibot';
import type { AppEnv } from './app-context.ts';
import { ProblemError } from './problem.ts';

/** Headers of answers that the documents know, besides `x-request-id`, which every answer has. */
export type HeaderName =
  | 'Allow'
  | 'Content-Disposition'
  | 'ETag'
  | 'Location'
  | 'Retry-After'
  | 'WWW-Authenticate'
  | 'idempotent-replayed';

/** An answer that is no failure. */
export interface Answer {
  readonly description: string;
  /** Its JSON. */
  readonly schema?: GenericSchema;
  /** What it is when it is no JSON; neither means no body. */
  readonly type?: string;
  /** Headers of its own. */
  readonly headers?: readonly HeaderName[];
  /** Members in which an answer of this route differs from the example of its schema. */
  readonly example?: Readonly<Record<string, unknown>>;
}

/** What a route is for. */
export interface Description {
  /** Name of the operation, different from every other. */
  readonly id: string;
  readonly summary: string;
  /** Scopes of which a key needs one. A route for keys cannot be mounted without any; the others have none. */
  readonly scopes?: readonly [PlatformScope, ...PlatformScope[]];
  /** Whether a key without the scope is told that there is nothing. */
  readonly isHidden?: boolean;
  /** What to know before calling it. */
  readonly description: string;
  /** By status. */
  readonly answers: { readonly [status: number]: Answer; readonly default?: Answer };
  /** How it can fail besides what its caller, its query and its body can do wrong. */
  readonly problems?: readonly ProblemCode[];
  /** Whether it is for whoever watches over the hotel rather than for its site; what platform keys are for always is. */
  readonly isForOperators?: boolean;
  /** A body worth copying. */
  readonly example?: unknown;
  /** What the parameters of its path mean. */
  readonly params?: Readonly<Record<string, string>>;
}

/** What a middleware takes from a request. */
export interface Input {
  readonly body?: { readonly schema?: GenericSchema; readonly isOptional: boolean };
  readonly query?: GenericSchema;
  readonly param?: GenericSchema;
  readonly idempotencyKey?: 'optional' | 'required';
  /** Whether it can be made to depend on a version, by `If-Match` or `If-None-Match`. */
  readonly hasCondition?: boolean;
}

const notes = new WeakMap<object, Partial<Description> & Input>();

/** Describes a route, and refuses keys without its scope. It stands before everything else that the route has. */
export function describe(description: Description): MiddlewareHandler<AppEnv> {
  return takes(description, (c, next) => {
    const refusal = findScopeRefusal(description, c.get('scopes'));
    if (refusal !== undefined) throw refusal;
    return next();
  });
}

function findScopeRefusal(
  { scopes = [], isHidden = false }: { readonly scopes?: readonly string[]; readonly isHidden?: boolean },
  held: readonly string[] | undefined,
): ProblemError | undefined {
  if (held === undefined || scopes.some((scope) => held.includes(scope))) return undefined;
  if (isHidden) return new ProblemError('not_found', { detail: 'There is nothing at this address' });
  return new ProblemError('forbidden', { detail: `This key has no scope ${inWords(scopes, '"')}` });
}

/** Scopes of which one is enough, such as `"checkout" or "read"`. */
export function inWords(scopes: readonly string[], quote: string): string {
  return scopes.map((scope) => `${quote}${scope}${quote}`).join(' or ');
}

/** Says what a middleware takes from a request. */
export function takes<Handler extends object>(note: Partial<Description> & Input, handler: Handler): Handler {
  notes.set(handler, note);
  return handler;
}

/** Whether a handler says which scopes open its route. */
export function hasScopes(handler: object): boolean {
  return notes.get(handler)?.scopes !== undefined;
}

/** What was said about the handlers of one route, together. Throws when nobody described it. */
export function descriptionOf(route: string, handlers: readonly object[]): Description & Input {
  const note = Object.assign({}, ...handlers.map((handler) => notes.get(handler))) as Partial<Description> & Input;
  const { id, summary, description, answers } = note;
  if (id !== undefined && summary !== undefined && description !== undefined && answers !== undefined) {
    return { ...note, id, summary, description, answers };
  }
  throw new TypeError(`${route} has no description: let it begin with describe`);
}
