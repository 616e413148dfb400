/** The app without its runtime: middleware and routes over the dependencies it is given. */
import { Hono } from 'hono/tiny';
import type { AppEnv, Dependencies } from './middleware/app-context.ts';
import { errorResponse } from './middleware/error-response.ts';
import { guestCors } from './middleware/guest-cors.ts';
import { requestLog } from './middleware/request-log.ts';
import { noStore, securityHeaders } from './middleware/response-headers.ts';
import { ProblemError } from './problem.ts';
import { ALL_ROUTES } from './routes/all-routes.ts';
import type { Route } from './routes/route.ts';

export type { Dependencies } from './middleware/app-context.ts';
export type { Route } from './routes/route.ts';

/**
 * Makes the app. `routes` beyond the default ones are how the second worker entry adds its own.
 *
 * @param routes - every route, in the order in which they are matched
 */
export function createApp(dependencies: Dependencies, routes: readonly Route[] = ALL_ROUTES): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  app.onError(errorResponse);
  app.use(requestLog(dependencies));
  app.use(securityHeaders);
  app.use('/v1/*', noStore);
  // Matches `/v1/checkout` itself, too.
  app.use('/v1/checkout/*', guestCors);
  for (const route of routes) app.on(route.method, route.path, route.handle);
  for (const path of new Set(routes.map((route) => route.path))) {
    const allowed = routes.filter((route) => route.path === path).map((route) => route.method);
    app.all(path, () => {
      throw new ProblemError('method_not_allowed', { detail: `Use ${allowed.join(' or ')} here`, allow: allowed });
    });
  }
  // Answered, not thrown: a throw would skip the headers that the middleware adds on the way out.
  app.notFound((c) => errorResponse(new ProblemError('not_found', { detail: 'There is nothing at this address' }), c));
  return app;
}
