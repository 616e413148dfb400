/**
 * CORS of the guest's calls. Which origin may use which session is the session's own decision: a preflight allows whoever
 * asks, so that it reveals nothing, and without a client secret nothing else is behind it.
 */
import { blankCardNumbers } from '@innkeep/core/values';
import type { MiddlewareHandler } from 'hono';
import type { AppEnv } from './app-context.ts';

const LONGEST_ORIGIN = 200;

/**
 * Answers preflights, and lets the page that asked read every answer but the refusal of its origin. Every answer says that it depends on
 * the origin, be it a refusal or a preflight.
 */
export const guestCors: MiddlewareHandler<AppEnv> = async (c, next) => {
  const origin = c.req.header('origin');
  if (c.req.method === 'OPTIONS') {
    return new Response(null, {
      status: 204,
      headers: {
        vary: 'Origin',
        ...(origin === undefined ? {} : { 'access-control-allow-origin': origin }),
        'access-control-allow-methods': 'GET, POST',
        'access-control-allow-headers': 'authorization, content-type, traceparent',
        'access-control-max-age': '7200',
      },
    });
  }
  await next();
  c.res.headers.set('vary', 'Origin');
  if (origin === undefined) return;
  if (c.res.status === 403) {
    c.get('logFields').origin = URL.canParse(origin)
      ? blankCardNumbers(new URL(origin).origin).slice(0, LONGEST_ORIGIN)
      : 'null';
  } else {
    c.res.headers.set('access-control-allow-origin', origin);
    c.res.headers.set('access-control-expose-headers', 'retry-after, x-request-id');
  }
};
