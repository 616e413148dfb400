// What the hotel's server answers: the checkout of a booking, and the proxy's webhooks.
import { nodeWebhook } from '@innkeep/core/webhooks';
import { checkoutOf, INNKEEP_WEBHOOK_SECRET, onEvent } from '../payments.js';

/** A middleware of Node's server, of Vite and of Express. What is not its own it leaves to the next one. */
export async function answerPayments(request, response, next) {
  // Not new URL(): whoever sends the request chooses the text, and of some it throws.
  const [pathname] = request.url.split('?');
  const [, reference] = /^\/api\/bookings\/([\w-]+)\/checkout$/.exec(pathname) ?? [];
  if (pathname !== '/hooks' && reference === undefined) return next();
  try {
    if (pathname === '/hooks') return await nodeWebhook(INNKEEP_WEBHOOK_SECRET, onEvent)(request, response);
    const checkout = request.method === 'POST' ? await checkoutOf(reference) : undefined;
    if (!checkout) return response.writeHead(404).end();
    // It holds a client secret: no cache may keep it.
    response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' });
    response.end(JSON.stringify(checkout));
  } catch (error) {
    console.error(error);
    if (!response.headersSent) response.writeHead(500);
    response.end();
  }
}
