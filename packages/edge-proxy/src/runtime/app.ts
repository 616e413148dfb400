/** The app without its runtime: middleware and resources over the dependencies it is given. */
import type { MiddlewareHandler } from 'hono';
import type { AppEnv } from '../http/app-context.ts';
import { deskCors, guestCors } from '../http/cors.ts';
import { isForDesks } from '../http/describe.ts';
import { errorResponse } from '../http/error-response.ts';
import { ProblemError } from '../http/problem.ts';
import { Routes } from '../http/routes.ts';
import { routedPath } from '../properties/desk-cookie.ts';
import { refuseKeyOfPage } from '../properties/key-of-page.ts';
import { decisionOf, type ResourceApp } from '../properties/resource-app.ts';
import { STYLE_PATH } from '../sessions/page-style.ts';
import type { Dependencies } from './request-log.ts';
import { requestLog, withoutLog } from './request-log.ts';
import { HEALTH_PATH, showHealth } from './service-routes.ts';

export type { Dependencies, ObjectCalls } from './request-log.ts';

/** Sub-apps by where they are mounted. */
export type Resources = readonly (readonly [path: string, app: ResourceApp])[];

/**
 * Makes an app.
 *
 * @param resources - what it answers for; each sub-app must say who may call it
 */
export function createApp(dependencies: Dependencies, resources: Resources): Routes<AppEnv<Dependencies>> {
  const app = new Routes<AppEnv<Dependencies>>({ getPath: routedPath });
  app.onError(errorResponse);
  // Answered, not thrown: a throw would skip the headers that the middleware adds on the way out.
  app.notFound((c) => errorResponse(new ProblemError('not_found', { detail: 'There is nothing at this address' }), c));
  const { misconfigured, tracing } = dependencies;
  // The shortest way, where nothing has to be measured.
  if (misconfigured === undefined && tracing === undefined) app.get(HEALTH_PATH, withoutLog(dependencies, showHealth));
  app.use(requestLog(dependencies), refuseMalformedAddress);
  if (misconfigured !== undefined) {
    // The pages of guests say it themselves.
    app.use((c, next) =>
      isPage(c.req.path) || c.req.path === STYLE_PATH
        ? next()
        : Promise.reject(new ProblemError('property_unavailable', misconfigured)),
    );
  }
  app.use(refuseKeyOfPage);
  // Matches `/v1/checkout` itself, too.
  app.use('/v1/checkout/*', guestCors);
  for (const [path, resource] of resources) {
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

const PAGES = /^\/(?:pay|return)(?:\/|$)/;

/** Whether an address is one of the guests' pages. */
export function isPage(path: string): boolean {
  return PAGES.test(path);
}

/** The start of the last address that was well formed: that of nearly every request. */
let lastOrigin = '';

/** Whatever reads the address later may rely on it, above all after a payment. */
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

/** Runs before the caller is identified: an address tells anybody its methods. */
function allowOnly(methods: ReadonlySet<string>): MiddlewareHandler {
  const allow = [...methods].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  return (c, next) => {
    if (methods.has(c.req.method === 'HEAD' ? 'GET' : c.req.method)) return next();
    throw new ProblemError('method_not_allowed', { detail: `Use ${allow.join(' or ')} here`, allow });
  };
}
