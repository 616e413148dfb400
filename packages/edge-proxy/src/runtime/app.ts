/** The app without its runtime: middleware and resources over the dependencies it is given. */
import type { MiddlewareHandler } from 'hono';
import type { AppEnv } from '../http/app-context.ts';
import { deskCors, guestCors } from '../http/cors.ts';
import { isForDesks } from '../http/describe.ts';
import { errorResponse } from '../http/error-response.ts';
import { ProblemError } from '../http/problem.ts';
import { Routes } from '../http/routes.ts';
import { audit, auditTable, platformAudit } from '../ledger/audit-routes.ts';
import { deskPages } from '../ledger/desk-page-routes.ts';
import { desk, deskSessions } from '../ledger/desk-session-routes.ts';
import { events } from '../ledger/event-routes.ts';
import { csvExport } from '../ledger/export-routes.ts';
import { paymentTable } from '../ledger/payment-export-routes.ts';
import { payments } from '../ledger/payment-routes.ts';
import { platformEvents } from '../ledger/platform-event-routes.ts';
import { status } from '../ledger/status-routes.ts';
import { webhookEndpoints } from '../ledger/webhook-endpoint-routes.ts';
import { charges } from '../money/charge-routes.ts';
import { reversals } from '../money/reversal-routes.ts';
import { routedPath } from '../properties/desk-cookie.ts';
import { platformKeys } from '../properties/platform-key-routes.ts';
import { properties } from '../properties/property-routes.ts';
import { decisionOf, type ResourceApp, refuseKeyOfPage } from '../properties/resource-app.ts';
import { checkout } from '../sessions/guest-routes.ts';
import { pages } from '../sessions/page-routes.ts';
import { checkoutSessions, sessionsByKey } from '../sessions/session-routes.ts';
import { gateway } from '../upstream/gateway-routes.ts';
import type { Dependencies } from './request-log.ts';
import { requestLog } from './request-log.ts';
import { service } from './service-routes.ts';

export type { Dependencies, ObjectCalls } from './request-log.ts';

/** Sub-apps by where they are mounted. */
export type Resources = readonly (readonly [path: string, app: ResourceApp])[];

/** What every worker entry has. */
export const RESOURCES: Resources = [
  ['/v1/checkout-sessions/by-key', sessionsByKey],
  ['/v1/checkout-sessions', checkoutSessions],
  ['/v1/checkout', checkout],
  ['/v1/charges', charges],
  ['/v1/reversals', reversals],
  ['/v1/payments', payments],
  ['/v1/payments.csv', paymentTable],
  ['/v1/export.csv', csvExport],
  ['/v1/gateway', gateway],
  ['/v1/events', events],
  ['/v1/audit', audit],
  ['/v1/audit.csv', auditTable],
  ['/v1/webhook-endpoints', webhookEndpoints],
  ['/v1/desk-sessions', deskSessions],
  ['/v1/desk', desk],
  ['/v1/properties', properties],
  ['/v1/platform/events', platformEvents],
  ['/v1/platform/audit', platformAudit],
  ['/v1/platform/keys', platformKeys],
  ['/v1/status', status],
  ['/desk', deskPages],
  ['/', pages],
  ['/', service],
];

/**
 * Makes the app.
 *
 * @param more - what an entry has beyond the default resources; each sub-app must say who may call it
 */
export function createApp(dependencies: Dependencies, more: Resources = []): Routes<AppEnv<Dependencies>> {
  const app = new Routes<AppEnv<Dependencies>>({ getPath: routedPath });
  app.onError(errorResponse);
  // Answered, not thrown: a throw would skip the headers that the middleware adds on the way out.
  app.notFound((c) => errorResponse(new ProblemError('not_found', { detail: 'There is nothing at this address' }), c));
  app.use(requestLog(dependencies), refuseMalformedAddress);
  const { misconfigured } = dependencies;
  if (misconfigured !== undefined) {
    app.use(() => Promise.reject(new ProblemError('property_unavailable', misconfigured)));
  }
  app.use(refuseKeyOfPage);
  // Matches `/v1/checkout` itself, too.
  app.use('/v1/checkout/*', guestCors);
  for (const [path, resource] of [...RESOURCES, ...more]) {
    decisionOf(resource);
    const own = app.basePath(path);
    const forDesks = methodsByPath(resource.routes.filter(({ handler }) => isForDesks(handler)));
    for (const [route, methods] of methodsByPath(resource.routes)) {
      const reached = forDesks.get(route);
      if (reached !== undefined) own.all(route, deskCors(reached));
      own.all(route, allowOnly(methods));
    }
    app.route(path, resource as Routes);
  }
  return app;
}

/** The start of the last address that was well formed: that of nearly every request. */
let lastOrigin = '';

/** Whatever reads the address later may rely on it, after a payment above all. */
const refuseMalformedAddress: MiddlewareHandler = (c, next) => {
  const { url } = c.req;
  // With the slash: what follows cannot be more of the host.
  if (lastOrigin !== '' && url.startsWith(lastOrigin)) return next();
  const [origin = '', host] = /^https?:\/\/([^/?#]+)/.exec(url) ?? [];
  if (host !== undefined && isWellFormed(url, host)) {
    lastOrigin = `${origin}/`;
    return next();
  }
  throw new ProblemError('invalid_request', { detail: 'The address is not a valid URL', param: 'Host' });
};

/** A host that a parser would read otherwise is not what it says: `a@b`, or nothing before the path. */
function isWellFormed(url: string, host: string): boolean {
  return URL.canParse(url) && host.toLowerCase().startsWith(new URL(url).hostname);
}

function methodsByPath(routes: ResourceApp['routes']): Map<string, Set<string>> {
  const paths = new Map<string, Set<string>>();
  for (const { path, method } of routes) {
    if (method !== 'ALL') paths.set(path, (paths.get(path) ?? new Set()).add(method));
  }
  return paths;
}

/** Stands before the question who calls: an address says what can be done at it to anybody. */
function allowOnly(methods: ReadonlySet<string>): MiddlewareHandler {
  const allow = [...methods].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  return (c, next) => {
    if (methods.has(c.req.method === 'HEAD' ? 'GET' : c.req.method)) return next();
    throw new ProblemError('method_not_allowed', { detail: `Use ${allow.join(' or ')} here`, allow });
  };
}
