/**
 * Where calls to the payment service get their bearer token: from a copy in this isolate, or else from the property's
 * access token object.
 */
import { InnkeepError } from '@innkeep/core/errors';
import { objectByName, type Placement } from '../objects/object-by-name.ts';
import type { Property } from '../properties/configured-properties.ts';
import type { TelemetryVariables } from '../telemetry/telemetry-settings.ts';
import type { AccessTokenObject, TokenAnswer } from './access-token-object.ts';
import { accessTokenObjectName, accountOf } from './account-of.ts';
import { failureCode } from './upstream-failure.ts';
import { logTokenFailure } from './upstream-log.ts';

export interface AccessTokenBindings extends Placement, TelemetryVariables {
  readonly ACCESS_TOKENS: DurableObjectNamespace<AccessTokenObject>;
}

interface TokenCopy {
  readonly token: string;
  /** The copy is used until here; the object decides about renewal. */
  readonly useUntil: number;
}

/** The one asked for longest ago first. */
const copies = new Map<string, TokenCopy>();
/**
 * How long a copy is used without asking: short, so that a renewal reaches every isolate well before the old token ends,
 * and so that an unresolved upstream reaches it before it has refused charges for longer than one failure counts.
 */
const COPY_LIFETIME_MS = 10_000;

/** When upstreams became unresolved, as far as this isolate knows, or were last said to be. The oldest first. */
const unresolved = new Map<string, number>();
/** Whoever uses an upstream hears of it again with each token: one that nobody has heard of for so long is forgotten. */
const UNRESOLVED_LIFETIME_MS: number = 10 * 60_000;

/** Remembers what the property's access token object said, or what this isolate saw fail. */
export function recordUnresolved(property: Property, isUnresolved: boolean): void {
  const key = upstreamKey(property);
  const now = Date.now();
  unresolved.delete(key);
  if (isUnresolved) unresolved.set(key, now);
  dropWhile(unresolved, (since) => now - since >= UNRESOLVED_LIFETIME_MS);
}

/** Drops the oldest entries: those of hotels that nobody uses any more. */
function dropWhile<Value>(line: Map<string, Value>, isOver: (value: Value) => boolean): void {
  for (const [name, value] of line) {
    if (!isOver(value)) return;
    line.delete(name);
  }
}

/** Whether the object wants to know of a success of this upstream. */
export function isUnresolvedUpstream(property: Property): boolean {
  return unresolved.has(upstreamKey(property));
}

function upstreamKey(property: Property): string {
  return JSON.stringify([property.id, property.baseUrl]);
}

/**
 * Core's `accessToken` option for one property. Throws core's error when no token can be obtained.
 * @param traceparent of what the token is for
 */
export function accessTokenSource(
  bindings: AccessTokenBindings,
  property: Property,
  traceparent?: string,
): (hint: { rejected?: string }) => Promise<string> {
  return async ({ rejected }) => {
    const name = await accessTokenObjectName(property);
    const copy = copies.get(name);
    if (copy !== undefined && copy.token !== rejected && Date.now() < copy.useUntil) return copy.token;
    // No promise is shared here: one that belongs to another request's context may never settle. The object shares.
    return ask(bindings, { name, property, rejected: rejected ?? null, traceparent });
  };
}

export async function accessTokenObject(
  bindings: AccessTokenBindings,
  property: Property,
): Promise<DurableObjectStub<AccessTokenObject>> {
  return objectByName(bindings.ACCESS_TOKENS, await accessTokenObjectName(property), bindings);
}

/**
 * Reports the calls for one resource to the property's access token object, without making the caller wait. Failures are always
 * reported; successes only while the upstream is unresolved, so that ordinary polling costs no extra hop. An isolate learns of it
 * with its next access token, within ten seconds; from then on each of its successes resolves it at once.
 */
export function healthReporter(
  bindings: AccessTokenBindings,
  property: Property,
  source: string,
): (isUp: boolean) => void {
  return (isUp) => {
    if (isUp && !isUnresolvedUpstream(property)) return;
    const at = Date.now();
    recordUnresolved(property, true);
    accessTokenObject(bindings, property)
      .then((object) => object.reportHealth({ source, isUp, at, property: property.id }))
      .then((isUnresolved) => recordUnresolved(property, isUnresolved))
      // A lost report does no harm: it stays unresolved, so the next call reports again.
      .catch(() => undefined);
  };
}

/** Reports the starts of one session like {@link healthReporter}: refused ones always, taken ones only while something is unresolved. */
export function startReporter(
  bindings: AccessTokenBindings,
  property: Property,
  session: string,
): (isTaken: boolean) => void {
  return (isTaken) => {
    if (isTaken && !isUnresolvedUpstream(property)) return;
    recordUnresolved(property, true);
    accessTokenObject(bindings, property)
      .then((object) => object.noteStart(session, isTaken))
      .catch(() => undefined);
  };
}

/** Reports a code to the object that knows which codes came before. If this is lost, the next report logs it. */
export function noteReturnCode(bindings: AccessTokenBindings, property: Property, returnCode: string): void {
  accessTokenObject(bindings, property)
    .then((object) => object.noteReturnCode(property.id, returnCode))
    .catch(() => undefined);
}

/** How long the object of a token may take, a login included. */
const LOGIN_LIMIT_MS = 30_000;

async function ask(
  bindings: AccessTokenBindings,
  about: {
    readonly name: string;
    readonly property: Property;
    readonly rejected: string | null;
    readonly traceparent: string | undefined;
  },
): Promise<string> {
  const stub = objectByName(bindings.ACCESS_TOKENS, about.name, bindings, { limitMs: LOGIN_LIMIT_MS });
  const { property, rejected, traceparent } = about;
  const asked = stub.getToken(property.id, rejected, traceparent, accountOf(property));
  const answer = await asked.catch((error: unknown): TokenAnswer => {
    // Without an answer there is no token, so nothing is sent, and these codes say so.
    const code = failureCode(error);
    if (code === 'timeout') return { ok: false, code };
    logTokenFailure(property.id, error);
    return { ok: false, code: 'internal' };
  });
  if (!answer.ok) {
    copies.delete(about.name);
    throw new InnkeepError(answer.code, `No access token: ${answer.code}`);
  }
  recordUnresolved(property, answer.isUnresolved === true);
  const now = Date.now();
  dropWhile(copies, ({ useUntil }) => useUntil <= now);
  copies.delete(about.name);
  copies.set(about.name, { token: answer.token, useUntil: Math.min(answer.expiresAt, now + COPY_LIFETIME_MS) });
  return answer.token;
}
