/** The app without its runtime: middleware and routes over the dependencies it is given. */
import { AppContext, AppRequest, type Dependencies, type Middleware } from './middleware/app-context.ts';
import { errorResponse } from './middleware/error-response.ts';
import { guestCors } from './middleware/guest-cors.ts';
import { requestLog, traceIdOf } from './middleware/request-log.ts';
import { noStore, securityHeaders } from './middleware/response-headers.ts';
import { ProblemError } from './problem.ts';
import { ALL_ROUTES } from './routes/all-routes.ts';
import type { Route } from './routes/route.ts';

export type { Dependencies } from './middleware/app-context.ts';
export type { Route } from './routes/route.ts';

/** Answers requests. */
export interface App {
  fetch(request: Request): Promise<Response>;
}

interface Mounted extends Route {
  readonly pattern: RegExp;
}

/** Makes the app. `routes` beyond the default ones are how the second worker entry adds its own. */
export function createApp(dependencies: Dependencies, routes: readonly Route[] = ALL_ROUTES): App {
  const mounted = routes.map((route): Mounted => ({ ...route, pattern: toPattern(route.path) }));
  return {
    async fetch(request) {
      const { pathname } = new URL(request.url);
      const here = mounted.filter(({ pattern }) => pattern.test(pathname));
      const method = request.method === 'HEAD' ? 'GET' : request.method;
      const route = here.find((candidate) => candidate.method === method);
      const c = new AppContext(new AppRequest(request, pathname, paramsOf(here[0], pathname)), {
        dependencies,
        traceId: traceIdOf(request.headers.get('traceparent')),
        facts: {},
      });
      const around: Middleware[] = [requestLog(here[0]?.path ?? '*'), securityHeaders];
      if (pathname.startsWith('/v1/')) around.push(noStore);
      if (/^\/v1\/checkout(\/|$)/.test(pathname)) around.push(guestCors);
      const response = await around.reduceRight<() => Promise<Response>>(
        (next, middleware) => () => answered(c, () => middleware(c, next)),
        () => answered(c, () => (route === undefined ? refuse(here) : route.handle(c))),
      )();
      return request.method === 'HEAD' ? new Response(null, response) : response;
    },
  };
}

/** Turns a failure into its answer right where it happened, so that everything around it still adds its headers. */
async function answered(c: AppContext, handle: () => Promise<Response> | Response): Promise<Response> {
  try {
    return await handle();
  } catch (error) {
    return errorResponse(error, c);
  }
}

function refuse(here: readonly Route[]): never {
  if (here.length === 0) throw new ProblemError('not_found', { detail: 'There is nothing at this address' });
  const allow = here.map(({ method }) => method);
  throw new ProblemError('method_not_allowed', { detail: `Use ${allow.join(' or ')} here`, allow });
}

/** `/a/:b{c|d}` → a pattern with the named group `b`. */
function toPattern(path: string): RegExp {
  const source = path
    .replaceAll('.', '\\.')
    .replace(/:(\w+)(?:\{([^}]*)\})?/g, (_, name: string, values = '[^/]+') => `(?<${name}>${values})`);
  return new RegExp(`^${source}$`);
}

function paramsOf(route: Mounted | undefined, pathname: string): Record<string, string> {
  const groups = route?.pattern.exec(pathname)?.groups ?? {};
  return Object.fromEntries(Object.entries(groups).map(([name, value]) => [name, decode(value)]));
}

/** A part that is no valid escape stays as it is: it will match nothing. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
