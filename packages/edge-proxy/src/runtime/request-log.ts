/** Ids, timing, common headers and the one log line of a request. The line names the route's pattern: real paths can be capabilities. */
import type { Context, MiddlewareHandler } from 'hono';
import type { AppContext, AppDependencies, AppEnv } from '../http/app-context.ts';
import { addCommonHeaders } from '../http/response-headers.ts';
import { routeOf } from '../http/routes.ts';
import type { FeedDependencies } from '../ledger/platform-event-routes.ts';
import type { StatusDependencies } from '../ledger/status-routes.ts';
import type { MoneyDependencies } from '../money/money-operations.ts';
import type { CallerDependencies } from '../properties/caller-env.ts';
import type { DirectoryDependencies } from '../properties/property-routes.ts';
import type { SessionDependencies } from '../sessions/checkout-sessions.ts';
import type { RequestTrace } from '../telemetry/request-trace.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import { HEALTH_PATH } from './service-routes.ts';

/** The objects, as the routes call them. */
export interface ObjectCalls extends SessionDependencies, MoneyDependencies {
  /** The trace that calls from here belong to, when the request is traced. */
  readonly traceparent?: string | undefined;
}

/** Everything the app needs from outside; a test may bring its own. */
export interface Dependencies
  extends AppDependencies,
    ObjectCalls,
    CallerDependencies,
    DirectoryDependencies,
    StatusDependencies,
    FeedDependencies {
  /** How requests are measured and followed to the objects. Absent when no collector is configured. */
  readonly tracing?:
    | { readonly telemetry: Telemetry; readonly calls: (trace: RequestTrace) => ObjectCalls }
    | undefined;
  /** What keeps the whole deployment from being served: a setting's name, and a sentence. */
  readonly misconfigured?: { readonly param: string; readonly detail: string } | undefined;
}

const TRACEPARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}$/;
const NO_TRACE = '0'.repeat(32);

/** Gives the request its id and dependencies, and logs how it ended, unless it asked for the proxy's health and got it. */
export function requestLog(dependencies: Dependencies): MiddlewareHandler<AppEnv<Dependencies>> {
  return async (c, next) => {
    const { trace, startedAt, traceId } = begin(c, dependencies);
    await next();
    const durationMs = dependencies.now() - startedAt;
    addCommonHeaders(c);
    const answered = { method: c.req.method, route: routeOf(c), status: c.res.status, durationMs };
    const isRoutine = answered.status === 200 && answered.route === HEALTH_PATH;
    trace?.end({ ...answered, isRoutine });
    if (isRoutine) return;
    dependencies.log({
      level: answered.status >= 500 ? 'error' : 'info',
      message: 'request',
      traceId,
      ...answered,
      ...c.get('logFields'),
    });
  };
}

/** Answers what is asked every few seconds, without a line in the log. What a page asks is looked at first: it may hold a key. */
export function withoutLog(
  dependencies: Dependencies,
  answer: (c: AppContext) => Response,
): MiddlewareHandler<AppEnv<Dependencies>> {
  return async (c, next) => {
    if (c.req.header('origin') !== undefined) return next();
    begin(c, dependencies);
    return answer(c);
  };
}

function begin(c: Context<AppEnv<Dependencies>>, dependencies: Dependencies) {
  const { tracing } = dependencies;
  const startedAt = dependencies.now();
  const traceparent = c.req.header('traceparent');
  const trace = tracing?.telemetry.beginRequest(traceparent);
  const traceId = trace?.traceId ?? traceIdOf(traceparent);
  c.set('dependencies', trace === undefined ? dependencies : { ...dependencies, ...tracing?.calls(trace) });
  c.set('startedAt', startedAt);
  c.set('traceId', traceId);
  c.set('logFields', {});
  return { trace, startedAt, traceId };
}

function traceIdOf(traceparent: string | undefined): string {
  const given = TRACEPARENT.exec(traceparent ?? '')?.[1];
  return given === undefined || given === NO_TRACE ? crypto.randomUUID().replaceAll('-', '') : given;
}
