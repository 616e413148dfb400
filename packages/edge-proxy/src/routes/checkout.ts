/** `/v1/checkout`: the guest's two calls, read the session and start it. */
import {
  CheckoutViewSchema,
  StartCheckoutSchema,
  type StartedCheckout,
  StartedCheckoutSchema,
} from '@innkeep/core/contract';
import type { Context } from 'hono';
import type { GuestEnv } from '../middleware/app-context.ts';
import { describe } from '../middleware/describe.ts';
import { guestApp } from '../middleware/resource-app.ts';
import { jsonBody } from '../middleware/validate.ts';

/** Reading the session is how its object checks the secret. */
const admit = (c: Context<GuestEnv>) => c.get('dependencies').sessions.read(c.get('guest'));

export const checkout = guestApp({ tag: 'Guest' })
  .get(
    '/',
    describe({
      id: 'readCheckout',
      summary: 'Read the session of a client secret',
      description: 'Ask again after `nextPollMs` milliseconds, as long as there is a number.',
      answers: { 200: { description: 'What the guest may know', schema: CheckoutViewSchema } },
    }),
    async (c) => {
      const view = await c.get('dependencies').sessions.read(c.get('guest'));
      c.get('facts').resource = view.id;
      return c.json(view);
    },
  )
  .post(
    '/start',
    describe({
      id: 'startCheckout',
      summary: 'Open the hosted page, or the same page again while the payment is pending',
      description:
        'Never makes a second payment, however often it is called. Open `viewUrl` as a top-level page, never in a frame.',
      answers: { 200: { description: 'The session and where to send the guest', schema: StartedCheckoutSchema } },
      problems: ['session_not_open', 'upstream_error', 'upstream_rejected', 'upstream_timeout', 'upstream_unavailable'],
      example: { presentation: 'redirect' },
    }),
    jsonBody(StartCheckoutSchema, { admit }),
    async (c) => {
      const guest = c.get('guest');
      const how = { ...c.req.valid('json'), publicUrl: guest.publicOrigin };
      const { view, viewUrl } = await c.get('dependencies').sessions.start(guest, how);
      c.get('facts').resource = view.id;
      const answer: StartedCheckout = { ...view, viewUrl };
      return c.json(answer);
    },
  );
