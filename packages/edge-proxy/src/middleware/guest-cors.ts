/** CORS of the guest's calls. Which property's origin may use which session is the session's own decision. */
import { ProblemError } from '../problem.ts';
import { type Middleware, publicUrl } from './app-context.ts';

/** Answers preflights for the union of all origins, and refuses every other origin before anything is read. */
export const guestCors: Middleware = async (c, next) => {
  const origin = c.req.header('origin');
  const { properties } = c.get('dependencies');
  const isKnown = origin === undefined || properties.isAnyOrigin(origin) || origin === publicUrl(c).origin;
  if (!isKnown) {
    throw new ProblemError('forbidden', { detail: 'This origin is not one of any property’s', param: 'Origin' });
  }
  if (c.req.method === 'OPTIONS') {
    return new Response(null, {
      status: 204,
      headers: {
        vary: 'Origin, Access-Control-Request-Headers',
        ...(origin === undefined ? {} : { 'access-control-allow-origin': origin }),
        'access-control-allow-methods': 'GET, POST',
        'access-control-allow-headers': 'authorization, content-type, traceparent',
        'access-control-max-age': '7200',
      },
    });
  }
  const response = await next();
  response.headers.append('vary', 'Origin');
  if (origin !== undefined && response.status !== 403) {
    response.headers.set('access-control-allow-origin', origin);
    response.headers.set('access-control-expose-headers', 'retry-after, x-request-id');
  }
  return response;
};
