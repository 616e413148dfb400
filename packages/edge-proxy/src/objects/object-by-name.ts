/** The only way to an object, so that neither `JURISDICTION` nor the time limit can be forgotten. */
import { orTimeout } from '../http/deadline.ts';
import type { RequestTrace } from '../telemetry/request-trace.ts';

export interface Placement {
  readonly JURISDICTION?: string;
}

/** How long an object may take to answer. */
const ANSWER_LIMIT_MS = 10_000;
/** How long an object may take that waits for the payment service, directly or not. It has shorter limits of its own. */
export const UPSTREAM_ANSWER_LIMIT_MS = 60_000;

/** How an object is called. */
export interface CallSettings {
  /** Follows the calls. */
  readonly trace?: RequestTrace | undefined;
  /** How long a call may take. @default 10_000 */
  readonly limitMs?: number | undefined;
}

/**
 * The object of this name, in the jurisdiction of the deployment. A call of it that takes too long is rejected with a
 * `TimeoutError`; it may still be carried out.
 */
export function objectByName<T extends Rpc.DurableObjectBranded>(
  namespace: DurableObjectNamespace<T>,
  name: string,
  { JURISDICTION }: Placement,
  settings: CallSettings = {},
): DurableObjectStub<T> {
  const located =
    JURISDICTION === undefined || JURISDICTION === ''
      ? namespace
      : namespace.jurisdiction(JURISDICTION as DurableObjectJurisdiction);
  return withLimits(located.getByName(name), settings);
}

function withLimits<Stub extends object>(stub: Stub, { trace, limitMs = ANSWER_LIMIT_MS }: CallSettings): Stub {
  return new Proxy(stub, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function' || typeof name !== 'string') return member;
      return (...args: unknown[]): Promise<unknown> => {
        // Not `member.apply`: on a stub that would be a method of the other object.
        const call = orTimeout(limitMs, Reflect.apply(member, target, args));
        return trace === undefined ? call : trace.follow(name, call);
      };
    },
  });
}
