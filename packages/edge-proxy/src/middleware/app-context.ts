/** What every route can rely on: the app's dependencies and the facts about the request at hand. */
import type { Properties } from '../config/properties.ts';
import { ProblemError } from '../problem.ts';
import type { CheckoutSessions } from '../stores/checkout-sessions.ts';
import type { Ledgers } from '../stores/ledgers.ts';
import type { MoneyOperations } from '../stores/money-operations.ts';
import type { RateLimits } from '../stores/rate-limits.ts';

/** Everything the app needs from outside; a test may bring its own. */
export interface Dependencies {
  readonly properties: Properties;
  /** The proxy's own address for a request; undefined when `PUBLIC_URL` is missing or wrong. */
  readonly publicUrl: (requestUrl: string) => URL | undefined;
  readonly sessions: CheckoutSessions;
  readonly operations: MoneyOperations;
  readonly ledgers: Ledgers;
  readonly allow: RateLimits;
  /** A file of the `assets` folder, by its path. */
  readonly readFile: (path: string) => Promise<Response>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Writes one structured line. */
  readonly log: (line: Readonly<Record<string, unknown>>) => void;
  readonly version: string;
}

/** What is known about the request at hand besides itself. */
export interface RequestVariables {
  readonly dependencies: Dependencies;
  /** 32 hexadecimal characters: the caller's `traceparent`, or new. Sent as `x-request-id`. */
  readonly traceId: string;
  /** Facts for the log line, added while the request is served. Never a capability. */
  readonly facts: Record<string, string | number | boolean>;
}

/** The request, in the words routes use. */
export class AppRequest {
  readonly raw: Request;
  readonly url: string;
  readonly method: string;
  readonly path: string;
  readonly #params: Readonly<Record<string, string>>;

  constructor(raw: Request, path: string, params: Readonly<Record<string, string>>) {
    this.raw = raw;
    this.url = raw.url;
    this.method = raw.method;
    this.path = path;
    this.#params = params;
  }

  header(name: string): string | undefined {
    return this.raw.headers.get(name) ?? undefined;
  }

  /** A decoded part of the path, by its name in the route's pattern. */
  param(name: string): string | undefined {
    return this.#params[name];
  }

  /** All values of all query fields; the object has no prototype. */
  queries(): Record<string, string[]> {
    const query: Record<string, string[]> = Object.create(null);
    for (const [name, value] of new URL(this.url).searchParams) query[name] = [...(query[name] ?? []), value];
    return query;
  }
}

/** A request being served. */
export class AppContext {
  readonly req: AppRequest;
  readonly #variables: RequestVariables;

  constructor(req: AppRequest, variables: RequestVariables) {
    this.req = req;
    this.#variables = variables;
  }

  get<Name extends keyof RequestVariables>(name: Name): RequestVariables[Name] {
    return this.#variables[name];
  }

  json(body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Response {
    return Response.json(body, { status, headers });
  }
}

/** Something around a route. What `next` answers is final: failures have become answers by then. */
export type Middleware = (c: AppContext, next: () => Promise<Response>) => Promise<Response>;

/** The proxy's own address; every address we hand out starts with it. */
export function publicUrl(c: AppContext): URL {
  const url = c.get('dependencies').publicUrl(c.req.url);
  if (url !== undefined) return url;
  throw new ProblemError('property_unavailable', {
    detail: 'PUBLIC_URL is missing or is not an https origin; the operator has to set it',
    param: 'PUBLIC_URL',
  });
}

/** `Authorization: Bearer …`; anything else is 401. */
export function bearer(c: AppContext): string {
  const [, token] = /^Bearer ([\x21-\x7e]{1,512})$/i.exec(c.req.header('authorization') ?? '') ?? [];
  if (token === undefined)
    throw new ProblemError('unauthorized', { detail: 'Send Authorization: Bearer …', param: 'Authorization' });
  return token;
}
