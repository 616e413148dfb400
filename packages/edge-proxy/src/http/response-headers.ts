/** Headers that every answer carries. */
import type { AppContext } from './app-context.ts';

/**
 * No sniffing and no referrer anywhere: addresses here are capabilities. No answer of the API may be cached, not even that there is nothing.
 * What else is for pages, the pages say themselves: a QR code of ours may stand in a page of the hotel. It may not throw: by now money may
 * have moved.
 */
export function addCommonHeaders(c: AppContext): void {
  const { headers } = c.res;
  headers.set('x-request-id', c.get('traceId'));
  headers.set('referrer-policy', 'no-referrer');
  headers.set('x-content-type-options', 'nosniff');
  if (c.req.url.startsWith('https:')) headers.set('strict-transport-security', 'max-age=31536000');
  if (c.req.path.startsWith('/v1')) headers.set('cache-control', 'no-store');
}
