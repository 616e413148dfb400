import type { MiddlewareHandler } from 'hono';
import { secureHeaders } from 'hono/secure-headers';

/** The headers of every answer: one content security policy for the hotel, one for the documentation. */
export function securityHeaders(proxyUrl: string): MiddlewareHandler {
  const common = {
    referrerPolicy: 'no-referrer',
    // The demo runs on loopback http, too: telling the browser to insist on https would only break it.
    strictTransportSecurity: false,
  } as const;
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
  const documentation = secureHeaders({
    ...common,
    contentSecurityPolicy: {
      defaultSrc: ["'none'"],
      // The site’s pages set the colour scheme before they are drawn, and its search is compiled to WebAssembly.
      scriptSrc: ["'self'", "'unsafe-inline'", "'wasm-unsafe-eval'"],
      styleSrc: ["'self'", "'unsafe-inline'"],
      imgSrc: ["'self'", 'data:'],
      fontSrc: ["'self'"],
      connectSrc: ["'self'"],
      formAction: ["'none'"],
      baseUri: ["'none'"],
      frameAncestors: ["'none'"],
    },
  });
  return (c, next) => (/^\/docs(?:\/|$)/.test(c.req.path) ? documentation(c, next) : hotel(c, next));
}
