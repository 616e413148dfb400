import type { MiddlewareHandler } from 'hono';
import { secureHeaders } from 'hono/secure-headers';

/** The headers of every answer, with the content security policy of the hotel’s own pages. */
export function securityHeaders(proxyUrl: string): MiddlewareHandler {
  const common = {
    referrerPolicy: 'no-referrer',
    // The demo runs on loopback http, too: telling the browser to insist on https would only break it.
    strictTransportSecurity: false,
  } as const;
  // #region content-security-policy
  const hotel = secureHeaders({
    ...common,
    contentSecurityPolicy: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'"],
      // The QR code of a payment link is drawn by the proxy.
      imgSrc: ["'self'", proxyUrl],
      connectSrc: ["'self'", proxyUrl],
      // Without JavaScript a form leads to the proxy’s payment page; Chrome checks the redirect, too.
      formAction: ["'self'", proxyUrl],
      baseUri: ["'none'"],
      frameAncestors: ["'none'"],
    },
  });
  // #endregion
  // The documentation’s own policy comes from its build: fileRoutes sets it.
  const documentation = secureHeaders(common);
  return (c, next) => (/^\/docs(?:\/|$)/.test(c.req.path) ? documentation(c, next) : hotel(c, next));
}
