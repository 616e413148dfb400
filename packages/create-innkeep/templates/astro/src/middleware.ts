import { defineMiddleware } from 'astro:middleware';
import { INNKEEP_ENDPOINT } from '../payments.js';

// Only the site's own scripts run, and they talk to nobody but the site and the proxy.
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  `connect-src 'self' ${INNKEEP_ENDPOINT}`,
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

export const onRequest = defineMiddleware(async (_context, next) => {
  const response = await next();
  // What develops the site adds scripts of its own to each page.
  if (import.meta.env.PROD) response.headers.set('content-security-policy', POLICY);
  return response;
});
