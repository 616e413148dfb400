/** Ids, timing and the one log line of a request. The line names the route's pattern: real paths can be capabilities. */
import { toHex } from '../crypto/encoding.ts';
import type { Middleware } from './app-context.ts';

const TRACEPARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}$/;
const NO_TRACE = '0'.repeat(32);

/** Logs how a request ended. `route` is its pattern. */
export function requestLog(route: string): Middleware {
  return async (c, next) => {
    const { now, log } = c.get('dependencies');
    const traceId = c.get('traceId');
    const startedAt = now();
    const response = await next();
    const durationMs = now() - startedAt;
    response.headers.set('x-request-id', traceId);
    response.headers.set('server-timing', `total;dur=${durationMs}`);
    const { status } = response;
    const level = status >= 500 ? 'error' : 'info';
    log({ level, message: 'request', traceId, method: c.req.method, route, status, durationMs, ...c.get('facts') });
    return response;
  };
}

/** The caller's trace id, or a new one. */
export function traceIdOf(traceparent: string | null): string {
  const given = TRACEPARENT.exec(traceparent ?? '')?.[1];
  return given === undefined || given === NO_TRACE ? toHex(crypto.getRandomValues(new Uint8Array(16))) : given;
}
