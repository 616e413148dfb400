/** Headers that every answer of a kind carries. */
import type { Middleware } from './app-context.ts';

/** No sniffing and no referrer anywhere: addresses here are capabilities. */
export const securityHeaders: Middleware = async (c, next) => {
  const response = await next();
  response.headers.set('x-content-type-options', 'nosniff');
  response.headers.set('referrer-policy', 'no-referrer');
  if (c.req.url.startsWith('https:')) response.headers.set('strict-transport-security', 'max-age=31536000');
  return response;
};

/** Nothing of the API may be kept by anybody. */
export const noStore: Middleware = async (_c, next) => {
  const response = await next();
  response.headers.set('cache-control', 'no-store');
  return response;
};
