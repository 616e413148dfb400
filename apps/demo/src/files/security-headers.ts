import type { MiddlewareHandler } from 'hono';
import { secureHeaders } from 'hono/secure-headers';

/** The headers of every answer, with the content security policy of the hotel’s own pages. */
export function securityHeaders(proxyUrl: string): MiddlewareHandler {
  const common = {
    referrerPolicy: 'no-referrer',
    // The demo runs on loopback http, too: telling the browser to insist on https would only break it.
    strictTransportSecurity: false,
  } as const;
  const page = (frames: { frameSrc?: string[]; frameAncestors: string[] }): MiddlewareHandler =>
    secureHeaders({
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
        ...frames,
      },
    });
  // The pages of the hotel show the page of the wire panel beside them, and no other site shows any of them.
  const hotel = page({ frameSrc: ["'self'"], frameAncestors: ["'none'"] });
  const wirePanel = page({ frameAncestors: ["'self'"] });
  // The documentation’s own policy comes from its build: fileRoutes sets it.
  const documentation = secureHeaders(common);
  return (c, next) => {
    if (/^\/docs(?:\/|$)/.test(c.req.path)) return documentation(c, next);
    return /^\/wire(?:\/|$)/.test(c.req.path) ? wirePanel(c, next) : hotel(c, next);
  };
}
