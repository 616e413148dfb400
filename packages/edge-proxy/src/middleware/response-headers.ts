/** Headers that every answer of a kind carries. */
import type { MiddlewareHandler } from 'hono';
import type { AppEnv } from './app-context.ts';

/** No sniffing and no referrer anywhere: addresses here are capabilities. */
export const securityHeaders: MiddlewareHandler<AppEnv> = async (c, next) => {
  await next();
  c.res.headers.set('x-content-type-options', 'nosniff');
  c.res.headers.set('referrer-policy', 'no-referrer');
  if (new URL(c.req.url).protocol === 'https:') {
    c.res.headers.set('strict-transport-security', 'max-age=31536000');
  }
};

/** Nothing of the API may be kept by anybody. */
export const noStore: MiddlewareHandler<AppEnv> = async (c, next) => {
  await next();
  c.res.headers.set('cache-control', 'no-store');
};
