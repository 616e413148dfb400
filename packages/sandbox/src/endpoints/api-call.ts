import { Refusal } from '../wire/refusal.ts';
import type { World } from '../world/world.ts';

/** One call of the upstream API, read but not yet understood. */
export interface ApiCall {
  /** `<customer_id>` of the path; empty for login. */
  readonly customer: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly body: Uint8Array;
  /** Address that generated URLs begin with: the request's own origin unless configured. */
  readonly baseUrl: string;
}

/** Refuses a query parameter that the request does not have. @throws Refusal `invalid_request`. */
export function refuseUnknownQuery(world: World, call: ApiCall, known: readonly string[] = []): void {
  const unknown = [...call.url.searchParams.keys()].find((name) => !known.includes(name));
  if (unknown !== undefined && !world.profile.ignoresUnknownFields) {
    throw new Refusal('invalid_request', 'is not a query parameter of this request', unknown);
  }
}

/** The JSON body of a POST, which has no query. @throws Refusal `unsupported_media_type` or `invalid_request`. */
export function readJson(world: World, call: ApiCall): unknown {
  refuseUnknownQuery(world, call);
  const mediaType = (call.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase();
  if (mediaType !== 'application/json') {
    throw new Refusal('unsupported_media_type', 'must be application/json', 'Content-Type');
  }
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(call.body));
  } catch {
    throw new Refusal('invalid_request', 'the body must be JSON in UTF-8');
  }
}

/** The valid bearer token of the call. @throws Refusal `unauthorized` when it is missing, unknown or expired. */
export function requireBearer(world: World, call: ApiCall): string {
  const token = /^Bearer (\S+)$/i.exec(call.headers.get('authorization') ?? '')?.[1];
  if (token === undefined) throw new Refusal('unauthorized', 'must be "Bearer <access_token>"', 'Authorization');
  const bearer = world.ledger.bearers.get(token);
  if (bearer === undefined) throw new Refusal('unauthorized', 'is not a token of this service', 'Authorization');
  if (bearer.expiresAt <= world.clock.now()) throw new Refusal('unauthorized', 'has expired', 'Authorization');
  return token;
}

/** Makes a bearer token invalid and refuses the call with it, as if it had just expired. */
export function expireBearer(world: World, token: string): never {
  world.ledger.bearers.delete(token);
  throw new Refusal('unauthorized', 'has expired', 'Authorization');
}
