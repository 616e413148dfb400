/** Ids, timing and the one log line of a request. The line names the route's pattern: real paths can be capabilities. */
import type { MiddlewareHandler } from 'hono';
import { routePath } from 'hono/route';
import type { AppEnv, Dependencies } from './app-context.ts';

const TRACEPARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}$/;
const NO_TRACE = '0'.repeat(32);
const HEALTH_PATH = '/healthz';

/** Gives the request its id and dependencies, and logs how it ended, unless it asked for the proxy's health and got it. */
export function requestLog(dependencies: Dependencies): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const startedAt = dependencies.now();
    const { tracing } = dependencies;
    const traceparent = c.req.header('traceparent');
    const trace = tracing?.telemetry.beginRequest(traceparent);
    const traceId = trace?.traceId ?? traceIdOf(traceparent);
    c.set('dependencies', trace === undefined ? dependencies : { ...dependencies, ...tracing?.calls(trace) });
    c.set('traceId', traceId);
    c.set('facts', {});
    await next();
    const durationMs = dependencies.now() - startedAt;
    c.res.headers.set('x-request-id', traceId);
    c.res.headers.set('server-timing', `total;dur=${durationMs}`);
    const answered = { method: c.req.method, route: routePath(c, -1), status: c.res.status, durationMs };
    trace?.end(answered);
    // It is asked every few seconds: that all is well is no news.
    if (answered.route === HEALTH_PATH && c.res.ok) return;
    dependencies.log({
      level: c.res.status >= 500 ? 'error' : 'info',
      message: 'request',
      traceId,
      ...answered,
      ...c.get('facts'),
    });
  };
}

function traceIdOf(traceparent: string | undefined): string {
  const given = TRACEPARENT.exec(traceparent ?? '')?.[1];
  return given === undefined || given === NO_TRACE ? crypto.randomUUID().replaceAll('-', '') : given;
}
