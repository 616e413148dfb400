/** What every route can rely on: the app's dependencies and the facts about the request at hand. */

import type { Context } from 'hono';
import type { PlatformHolder, Platforms } from '../config/platforms.ts';
import type { Properties, Property } from '../config/properties.ts';
import type { LedgerObject } from '../objects/ledger-object.ts';
import type { PlatformFeedObject } from '../objects/platform-feed-object.ts';
import { ProblemError } from '../problem.ts';
import type { CheckoutSessions, Guest } from '../rpc/checkout-sessions.ts';
import type { MoneyOperations } from '../rpc/money-operations.ts';
import type { PropertyDirectory } from '../rpc/property-directory.ts';
import type { RequestTrace } from '../telemetry/request-trace.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import type { RateLimits } from './rate-limits.ts';

/** The objects, as the routes call them. */
export interface ObjectCalls {
  /** The checkout sessions. */
  readonly sessions: CheckoutSessions;
  /** The charges and reversals. */
  readonly operations: MoneyOperations;
  /** The lists, the feed and the webhooks of a hotel. */
  readonly ledger: (property: string) => DurableObjectStub<LedgerObject>;
  /** What calls from here are made for, when the request is being followed. */
  readonly traceparent?: string | undefined;
}

/** How requests are measured and followed to the objects. */
export interface Tracing {
  readonly telemetry: Telemetry;
  readonly calls: (trace: RequestTrace) => ObjectCalls;
}

/** Everything the app needs from outside; a test may bring its own. */
export interface Dependencies extends ObjectCalls {
  /** The hotels that are configured. */
  readonly properties: Properties;
  /** The operators of many hotels. */
  readonly platforms: Platforms;
  /** The hotels of the directory, for their operators. */
  readonly directory: PropertyDirectory;
  /** The proxy's own address for a request; undefined when `PUBLIC_URL` is missing or wrong. */
  readonly publicUrl: (requestUrl: string) => URL | undefined;
  /** Absent when no collector is configured. */
  readonly tracing?: Tracing | undefined;
  /** What is known of the payment service of a hotel. */
  readonly upstreamStatus: (property: Property) => Promise<'ok' | 'down' | 'refused'>;
  /** Limits by address, where the host has them. */
  readonly secondsToWait: RateLimits;
  /** The events of all hotels of a platform; undefined where the deployment declares no feeds. */
  readonly feed: (platform: string) => DurableObjectStub<PlatformFeedObject> | undefined;
  /** A file of the `assets` folder, by its path. */
  readonly readFile: (path: string) => Promise<Response>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Writes one structured line. */
  readonly log: (line: Readonly<Record<string, unknown>>) => void;
  /** What keeps the whole deployment from being served: a setting's name, and a sentence. */
  readonly misconfigured?: { readonly param: string; readonly detail: string } | undefined;
  /** Version that the health check answers with. */
  readonly version: string;
}

/** Hono's type parameter. */
export interface AppEnv {
  Variables: {
    readonly dependencies: Dependencies;
    /** 32 hexadecimal characters: the caller's `traceparent`, or new. Sent as `x-request-id`. */
    readonly traceId: string;
    /** Facts for the log line, added while the request is served. Never a capability. */
    readonly facts: Record<string, string | number | boolean>;
  };
}

/** What a merchant's routes have besides: the hotel, and the key, which may be of a platform: `platform/key`. */
export interface MerchantEnv {
  Variables: AppEnv['Variables'] & { readonly property: Property; readonly key: { readonly id: string } };
}

/** What an operator's routes have besides: whose key it was. */
export interface PlatformEnv {
  Variables: AppEnv['Variables'] & { readonly holder: PlatformHolder };
}

/** What a guest's routes have besides: the client secret, and where it came from. */
export interface GuestEnv {
  Variables: AppEnv['Variables'] & { readonly guest: Guest };
}

/** A request being served, by whichever sub-app: a context may be written to only by those who know all of its variables. */
export type AppContext = Omit<Context<AppEnv>, 'set'>;

/** Names a guest's session and its hotel in the log line. */
export function noteSession(
  c: AppContext,
  { id, property }: { readonly id: string; readonly property: string | undefined },
): void {
  const facts = c.get('facts');
  facts.resource = id;
  if (property !== undefined) facts.property = property;
}

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
