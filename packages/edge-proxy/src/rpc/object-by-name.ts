/** The only way to an object, so that neither `JURISDICTION` nor the time limit can be forgotten. */
import { orTimeout } from '../deadline.ts';
import type { RequestTrace } from '../telemetry/request-trace.ts';

export interface Placement {
  readonly JURISDICTION?: string;
}

/** How long an object may take to answer. */
const RPC_LIMIT_MS = 10_000;
/** Methods that wait for the payment service, directly or not. Each has shorter limits of its own. */
const LONGER_LIMITS_MS: Readonly<Record<string, number>> = {
  getToken: 30_000,
  succeed: 30_000,
  start: 60_000,
  startFromLink: 60_000,
  charge: 60_000,
  reverse: 60_000,
};

/**
 * The object of this name, in the jurisdiction of the deployment. A call of it that takes too long is rejected with a
 * `TimeoutError`; it may be carried out all the same.
 * @param trace follows the calls
 */
export function objectByName<T extends Rpc.DurableObjectBranded>(
  namespace: DurableObjectNamespace<T>,
  name: string,
  { JURISDICTION }: Placement,
  trace?: RequestTrace,
): DurableObjectStub<T> {
  const located =
    JURISDICTION === undefined || JURISDICTION === ''
      ? namespace
      : namespace.jurisdiction(JURISDICTION as DurableObjectJurisdiction);
  return withLimits(located.getByName(name), trace);
}

function withLimits<Stub extends object>(stub: Stub, trace: RequestTrace | undefined): Stub {
  return new Proxy(stub, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function' || typeof name !== 'string') return member;
      return (...args: unknown[]): Promise<unknown> => {
        const limitMs = Object.hasOwn(LONGER_LIMITS_MS, name) ? LONGER_LIMITS_MS[name] : undefined;
        // Not `member.apply`: on a stub that would be a method of the other object.
        const call = orTimeout(limitMs ?? RPC_LIMIT_MS, Reflect.apply(member, target, args));
        return trace === undefined ? call : trace.follow(name, call);
      };
    },
  });
}
