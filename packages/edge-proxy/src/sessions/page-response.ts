/** Answers of the proxy's own pages. */
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { AppContext } from '../http/app-context.ts';
import type { CallerDependencies } from '../properties/caller-env.ts';
import type { Page } from './checkout-page.ts';

/**
 * An HTML answer under a policy that allows its own sheet, its own form and nothing else.
 * @param options.failure the answer that a program would get, when the page stands in for one
 * @param options.viewUrl where the attempt under way is paid
 */
export async function pageResponse(
  c: AppContext<CallerDependencies>,
  page: Page,
  options: { readonly failure?: Response; readonly property?: string; readonly viewUrl?: string | undefined } = {},
): Promise<Response> {
  const retryAfter = options.failure?.headers.get('retry-after') ?? null;
  return c.html(page, (options.failure?.status ?? 200) as ContentfulStatusCode, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': contentSecurityPolicy(await formTargets(c, options)),
    'cache-control': 'no-store',
    'x-robots-tag': 'noindex',
    'x-frame-options': 'DENY',
    'cross-origin-opener-policy': 'same-origin',
    ...(retryAfter === null ? {} : { 'retry-after': retryAfter }),
  });
}

function contentSecurityPolicy(targets: readonly string[]): string {
  const form = ["'self'", ...targets].join(' ');
  return `default-src 'none'; style-src 'self'; img-src 'self' data:; form-action ${form}; base-uri 'none'; frame-ancestors 'none'`;
}

/** Some browsers apply `form-action` to the redirect after the post as well, so the hosted page's origins are in it. */
async function formTargets(
  c: AppContext<CallerDependencies>,
  { property: id, viewUrl }: { readonly property?: string; readonly viewUrl?: string | undefined },
): Promise<readonly string[]> {
  const property = id === undefined ? undefined : await c.get('dependencies').properties.find(id);
  const configured =
    property === undefined || property.invalid
      ? []
      : [property.baseUrl, ...property.allowedOrigins, ...property.viewOrigins];
  // It is blank once its session was redacted.
  const addresses = viewUrl ? [...configured, viewUrl] : configured;
  return [...new Set(addresses.map((address) => new URL(address).origin))];
}
