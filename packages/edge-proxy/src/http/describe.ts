/**
 * The operation of a route, what it takes, and which scopes and features open it, kept beside it. The build makes the OpenAPI
 * documents from this and the texts in `openapi/operations`; a request reads only the scopes and features.
 */

import type { DeskFeature, PlatformScope } from '@innkeep/core/contract';
import type { MiddlewareHandler } from 'hono';
import type { GenericSchema } from 'valibot';
import type { AppEnv } from './app-context.ts';
import { ProblemError } from './problem.ts';

/** Which operation a route is, and for whom. */
export interface Description {
  /** Name of the operation, different from every other. */
  readonly id: string;
  /** Scopes of which a key needs one. A route for keys cannot be mounted without any; the others have none. */
  readonly scopes?: readonly [PlatformScope, ...PlatformScope[]];
  /** The feature that a desk session needs to call it, or `any`. Without it no desk session can. */
  readonly desk?: DeskFeature | 'any';
  /** Whether a key without the scope is told that there is nothing. */
  readonly isHidden?: boolean;
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

/** Names the operation of a route, and refuses keys without its scope and desk sessions without its feature. It stands before everything else that the route has. */
export function describe(description: Description): MiddlewareHandler<AppEnv> {
  return takes(description, (c, next) => {
    const desk = c.get('desk');
    const refusal =
      desk === undefined
        ? findScopeRefusal(description, c.get('scopes'))
        : findFeatureRefusal(description, desk.features);
    if (refusal === undefined) return next();
    c.set('lacksScope', true);
    throw refusal;
  });
}

function findScopeRefusal(
  { scopes = [], isHidden = false }: { readonly scopes?: readonly string[]; readonly isHidden?: boolean },
  held: readonly string[] | undefined,
): ProblemError | undefined {
  if (held === undefined || scopes.some((scope) => held.includes(scope))) return undefined;
  if (isHidden) return new ProblemError('not_found', { detail: 'There is nothing at this address' });
  const detail =
    scopes.length === 0 ? 'Only desk sessions can call this' : `This key needs the scope ${inWords(scopes, '"')}`;
  return new ProblemError('forbidden', { detail });
}

function findFeatureRefusal({ desk }: Description, held: readonly DeskFeature[]): ProblemError | undefined {
  if (desk === 'any' || (desk !== undefined && held.includes(desk))) return undefined;
  const detail = desk === undefined ? 'Desk sessions cannot do this' : `This desk session needs the feature "${desk}"`;
  return new ProblemError('forbidden', { detail });
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

/** Whether a handler says that desk sessions reach its route. */
export function isForDesks(handler: object): boolean {
  return notes.get(handler)?.desk !== undefined;
}

/** The descriptions of one route's handlers, merged. Throws when there is none. */
export function descriptionOf(route: string, handlers: readonly object[]): Description & Input {
  const { id, ...note } = Object.assign({}, ...handlers.map((handler) => notes.get(handler))) as Partial<Description> &
    Input;
  if (id !== undefined) return { ...note, id };
  throw new TypeError(`${route} has no description: start it with describe`);
}
