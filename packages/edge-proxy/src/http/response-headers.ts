/** Headers that every answer carries. */
import { isLoopbackHost } from '@innkeep/core/values';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { AppContext } from './app-context.ts';

/** Answers that have their headers already. */
const complete = new WeakSet<Response>();

/** An answer in JSON. It is made with all of its headers, since each that is set later is a call into the runtime. */
export function json(
  c: AppContext,
  value: unknown,
  status: ContentfulStatusCode = 200,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const answer = new Response(JSON.stringify(value), {
    status,
    headers: { 'content-type': 'application/json', ...headers, ...commonHeaders(c) },
  });
  complete.add(answer);
  return answer;
}

/** Adds the headers to any other answer. It may not throw: by now money may have moved. */
export function addCommonHeaders(c: AppContext): void {
  if (complete.has(c.res)) return;
  for (const [name, value] of Object.entries(commonHeaders(c))) c.res.headers.set(name, value);
}

/**
 * No sniffing and no referrer anywhere: addresses here are capabilities. No answer of the API may be cached, not even a 404.
 * Pages set the rest themselves: a hotel's page may show our QR code.
 */
function commonHeaders(c: AppContext): Record<string, string> {
  const { now, publicUrl } = c.get('dependencies');
  const { protocol, hostname = '' } = publicUrl(c.req.url) ?? {};
  return {
    ...c.get('corsHeaders'),
    'x-request-id': c.get('traceId'),
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'server-timing': `total;dur=${now() - c.get('startedAt')}`,
    // A web server in front speaks http with us. On localhost it would apply to all ports, for a year.
    ...(protocol === 'https:' && !isLoopbackHost(hostname) && { 'strict-transport-security': 'max-age=31536000' }),
    ...(c.req.path.startsWith('/v1') && { 'cache-control': 'no-store' }),
  };
}
