// The booking page, and the page that guests come back to.
import { checkoutOf, INNKEEP_ENDPOINT } from './payments.js';

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

/**
 * @param {Request} request
 * @param {{ elements: string }} options address of the elements' script
 * @returns {Promise<Response>}
 */
export async function answer(request, { elements }) {
  const { pathname } = new URL(request.url);
  if (pathname === '/') return new Response(null, { status: 302, headers: { location: '/bookings/RES-1234' } });
  const [, reference = '', isReturn] = /^\/bookings\/([\w-]+)(\/paid)?$/.exec(pathname) ?? [];
  if (isReturn) {
    return page(
      `<payment-status></payment-status>
    <a href="/bookings/${reference}">Back to your booking</a>`,
      elements,
    );
  }
  const checkout = await checkoutOf(reference);
  if (!checkout) return new Response('Not found', { status: 404 });
  return page(
    `<pay-widget endpoint="${checkout.endpoint}" client-secret="${checkout.clientSecret}"></pay-widget>`,
    elements,
  );
}

/** @param {string} body @param {string} elements */
function page(body, elements) {
  const html = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <title>Hotel Aurora</title>
    <link rel="icon" href="data:,">
    <script type="module" src="${elements}"></script>
  </head>
  <body>${body}</body>
</html>`;
  return new Response(html, {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': POLICY,
      // The page holds a client secret: no cache may keep it.
      'cache-control': 'no-store',
    },
  });
}
