import { isInnkeepError } from '@innkeep/core/errors';
import { verifyWebhook, type WebhookEvent } from '@innkeep/core/webhooks';
import { Hono } from 'hono';
import type { Bookings } from '../booking/bookings.ts';

/**
 * Where the proxy reports how a payment ended, whether or not the guest ever comes back. Safe to repeat: an event that is
 * not newer than what is known changes nothing.
 */
export function webhookRoutes(input: { bookings: Bookings; secret: string }): Hono {
  const { bookings, secret } = input;
  const app = new Hono();

  app.post('/webhooks/innkeep', async (c) => {
    let event: WebhookEvent;
    try {
      // The signature covers the body as it was sent, so it is read as text. Its time is compared with the real time.
      event = await verifyWebhook(await c.req.text(), c.req.raw.headers, secret);
    } catch (error) {
      if (isInnkeepError(error, 'webhook_verification_failed')) return c.text('Not a webhook of ours', 400);
      throw error;
    }
    take(event);
    return c.body(null, 204);
  });
  return app;

  function take(event: WebhookEvent): void {
    const resource = event.data.object;
    // Nothing about a booking.
    if (resource.object === 'webhook_endpoint') return;
    const booking = bookings.list().find(({ reference }) => reference === resource.reference);
    // A booking from before the last restart: there is nothing left to tell.
    if (booking === undefined || (booking.lastNews?.seq ?? 0) >= event.seq) return;
    // A declined card changes nothing else: the room stays on hold for the next attempt, and payments.ts ends the hold.
    bookings.setNews(booking.id, { type: event.type, seq: event.seq, at: event.timestamp });
  }
}
