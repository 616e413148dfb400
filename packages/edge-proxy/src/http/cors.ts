/**
 * CORS of guests and desks. Which origin may use which session is the session's own decision: a preflight allows every origin, so
 * it reveals nothing, and every call behind it needs a secret.
 */
import { blankCardNumbers } from '@innkeep/core/values';
import type { MiddlewareHandler } from 'hono';
import type { AppEnv } from './app-context.ts';
import { ProblemError } from './problem.ts';

const LONGEST_ORIGIN = 200;
// A page's service worker keeps answers that may not be cached, by their address: one address is every session's.
const vary = 'Authorization, Origin';

/**
 * Answers preflights, and lets the page that asked read every answer but the refusal of its origin. Every answer says that it
 * depends on the origin and the secret, even a refusal or a preflight.
 */
function cors(allowed: Readonly<Record<'methods' | 'headers' | 'exposed', string>>): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const origin = c.req.header('origin');
    if (c.req.method === 'OPTIONS') {
      return new Response(null, {
        status: 204,
        headers: {
          vary,
          ...(origin === undefined ? {} : { 'access-control-allow-origin': origin }),
          'access-control-allow-methods': allowed.methods,
          'access-control-allow-headers': allowed.headers,
          'access-control-max-age': '7200',
        },
      });
    }
    c.set('corsHeaders', {
      vary,
      ...(origin === undefined
        ? {}
        : { 'access-control-allow-origin': origin, 'access-control-expose-headers': allowed.exposed }),
    });
    await next();
    if (origin === undefined || !isForeignOrigin(c.error)) return;
    c.set('corsHeaders', { vary });
    c.get('logFields').origin = URL.canParse(origin)
      ? blankCardNumbers(new URL(origin).origin).slice(0, LONGEST_ORIGIN)
      : 'null';
  };
}

function isForeignOrigin(error: Error | undefined): boolean {
  return error instanceof ProblemError && error.status === 403 && error.details.param === 'Origin';
}

/** Of the guest's calls. */
export const guestCors: MiddlewareHandler<AppEnv> = cors({
  methods: 'GET, POST',
  headers: 'authorization, content-type, traceparent',
  exposed: 'retry-after, x-request-id',
});

/** Of a route that desk sessions reach, by these methods. */
export function deskCors(methods: ReadonlySet<string>): MiddlewareHandler<AppEnv> {
  return cors({
    methods: [...methods].join(', '),
    headers: 'authorization, content-type, idempotency-key, traceparent',
    exposed: 'content-disposition, idempotent-replayed, location, retry-after, x-request-id',
  });
}
