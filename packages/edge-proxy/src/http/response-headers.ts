/** Headers that every answer of a kind carries. Nothing here may throw after `next()`: by then money may have moved. */
import type { MiddlewareHandler } from 'hono';
import { secureHeaders } from 'hono/secure-headers';
import type { AppEnv } from './app-context.ts';

// The rest is for pages, and the pages say it themselves: a QR code of ours may stand in a page of the hotel.
const options = {
  crossOriginResourcePolicy: false,
  crossOriginOpenerPolicy: false,
  originAgentCluster: false,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xFrameOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
  removePoweredBy: false,
};
const overHttp = secureHeaders({ ...options, strictTransportSecurity: false });
const overHttps = secureHeaders({ ...options, strictTransportSecurity: 'max-age=31536000' });

/** No sniffing and no referrer anywhere: addresses here are capabilities. */
export const securityHeaders: MiddlewareHandler<AppEnv> = (c, next) =>
  (c.req.url.startsWith('https:') ? overHttps : overHttp)(c, next);

/** No answer of the API may be cached. */
export const noStore: MiddlewareHandler<AppEnv> = async (c, next) => {
  await next();
  c.res.headers.set('cache-control', 'no-store');
};
