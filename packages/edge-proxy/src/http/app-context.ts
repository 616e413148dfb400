/** What every route can rely on: the app's dependencies and the log fields of the request at hand. */

import type { DeskSession } from '@innkeep/core/contract';
import type { Context } from 'hono';
import { ProblemError } from './problem.ts';
import type { LimitedAct, RateLimits } from './rate-limits.ts';

/** What every route needs from outside; a test may bring its own. Each subject adds what only its routes need. */
export interface AppDependencies {
  /** The proxy's own address for a request; undefined when `PUBLIC_URL` is missing or wrong. */
  readonly publicUrl: (requestUrl: string) => URL | undefined;
  /** Limits by address, where the host has them. */
  readonly secondsToWait: RateLimits;
  /** A file of the `assets` folder, by its path. */
  readonly readFile: (path: string) => Promise<Response>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Writes one structured line. */
  readonly log: (line: Readonly<Record<string, unknown>>) => void;
  /** Version that the health check answers with. */
  readonly version: string;
  /** The trace that calls from here belong to, when the request is traced. */
  readonly traceparent?: string | undefined;
}

/** What a desk session may do at this moment. `maxReversal`: of its person; null where only its key has a limit. */
export type DeskGrant = Readonly<Pick<DeskSession, 'id' | 'person' | 'features' | 'maxReversal' | 'expiresAt'>>;

/** Hono's type parameter. `Needed`: what a subject's routes need besides. */
export interface AppEnv<Needed = object> {
  Variables: {
    readonly dependencies: AppDependencies & Needed;
    /** 32 hexadecimal characters: the caller's `traceparent`, or new. Sent as `x-request-id`. */
    readonly traceId: string;
    /** Milliseconds since the epoch. */
    readonly startedAt: number;
    /** CORS headers that let the calling page read the answer. Absent where no page calls. */
    readonly corsHeaders?: Readonly<Record<string, string>>;
    /** Fields of the log line, added while the request is served. Never a capability. */
    readonly logFields: Record<string, string | number | boolean>;
    /** What the caller’s key may do. Absent where no key is asked for. */
    readonly scopes?: readonly string[];
    /** What the caller’s desk session may do. Absent for every other caller. */
    readonly desk?: DeskGrant;
    /** Whether the caller’s key lacked the scope of the route, or a desk session its feature. */
    readonly lacksScope?: boolean;
  };
}

/** A request being served by any sub-app. Only code that knows all variables of a context may write to it. */
export type AppContext<Needed = object> = Omit<Context<AppEnv<Needed>>, 'set'>;

/** The proxy's own address; every address we hand out starts with it. */
export function publicUrl(c: AppContext): URL {
  const url = c.get('dependencies').publicUrl(c.req.url);
  if (url !== undefined) return url;
  throw new ProblemError('property_unavailable', {
    detail: 'PUBLIC_URL is missing or is not an https origin; the operator must set it',
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

/** Counts an act of the caller's address. */
export async function limit(c: AppContext, act: LimitedAct): Promise<void> {
  const retryAfterSeconds = await c.get('dependencies').secondsToWait(act, c.req.raw.headers);
  if (retryAfterSeconds === 0) return;
  throw new ProblemError('rate_limited', {
    detail: 'Too many requests from this address; wait a moment',
    retryAfterSeconds,
  });
}
