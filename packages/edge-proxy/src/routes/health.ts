/** `GET /healthz`. Says that the code runs; it calls nothing. */
import type { Route } from './route.ts';

/** The route. */
export const health: Route = {
  method: 'GET',
  path: '/healthz',
  handle: (c) => c.json({ status: 'ok', version: c.get('dependencies').version }),
};
