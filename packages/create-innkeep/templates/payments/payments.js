// The hotel's side of a payment. Only the server imports this file: it knows the merchant key.
import { createMerchantClient } from '@innkeep/core/merchant';

/** Set by `npm run dev`; in production by whatever runs the site. */
const { SITE_URL = '', INNKEEP_ENDPOINT = '', INNKEEP_SECRET_KEY = '', INNKEEP_WEBHOOK_SECRET = '' } = process.env;

export { INNKEEP_ENDPOINT, INNKEEP_WEBHOOK_SECRET };

/** Made with the first request: a build has no secrets. */
const merchant = () => createMerchantClient({ endpoint: INNKEEP_ENDPOINT, secretKey: INNKEEP_SECRET_KEY });

// Stands in for your bookings. The amount comes from here, never from the page. 33000 is 330.00 EUR.
const bookings = new Map([
  ['RES-1234', { reference: 'RES-1234', description: '2 nights', total: { value: 33000, currency: 'EUR' } }],
]);

/**
 * What the booking's page needs to take the payment: the one session of this booking, however often and wherever its page is
 * loaded, and whatever became of earlier attempts to pay. Undefined when there is no such booking. A real site also asks whether this guest may see it.
 *
 * @param {string} reference
 */
export async function checkoutOf(reference) {
  const booking = bookings.get(reference);
  if (!booking) return undefined;
  const { clientSecret } = await merchant().checkoutSessions.ensure(booking.reference, {
    kind: 'payment',
    amount: booking.total,
    reference: booking.reference,
    description: booking.description,
    returnUrl: `${SITE_URL}/bookings/${booking.reference}/paid`,
  });
  return { endpoint: INNKEEP_ENDPOINT, clientSecret };
}

/**
 * Called for every webhook that the proxy has signed. Update the booking here: confirm it when the session is `succeeded`, release
 * it when it is `expired` and `final`. After `checkout.attempt_failed` the guest can try again, and the booking stays on hold, only
 * while the session is `open`. Events may come twice and out of order, so read the session instead of trusting the order.
 *
 * @param {import('@innkeep/core/webhooks').WebhookEvent} event
 */
export async function onEvent(event) {
  if (!event.type.startsWith('checkout.')) return;
  const session = await merchant().checkoutSessions.retrieve(String(event.data.object.id));
  console.log(`${session.reference} is ${session.status}`);
}
