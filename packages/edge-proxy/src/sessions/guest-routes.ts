/** `/v1/checkout`: the guest's two calls, read the session and start it. */
import {
  CheckoutViewSchema,
  StartCheckoutSchema,
  type StartedCheckout,
  StartedCheckoutSchema,
} from '@innkeep/core/contract';
import type { Context } from 'hono';
import { noteSession } from '../http/app-context.ts';
import { describe } from '../http/describe.ts';
import { jsonBody } from '../http/validate.ts';
import { type GuestEnv, guestApp } from '../properties/resource-app.ts';
import type { SessionDependencies } from './checkout-sessions.ts';

/** Reading the session is how its object checks the secret. */
const admit = async (c: Context<GuestEnv<SessionDependencies>>) => {
  const { view, property } = await c.get('dependencies').sessions.read(c.get('guest'));
  noteSession(c, { id: view.id, property });
  return view;
};

export const checkout = guestApp<SessionDependencies>({ tag: 'Guest' })
  .get(
    '/',
    describe({
      id: 'readCheckout',
      summary: 'Read the session of a client secret',
      description: 'Ask again after `nextPollMs` milliseconds, as long as there is a number.',
      answers: { 200: { description: 'What the guest may know', schema: CheckoutViewSchema } },
    }),
    async (c) => {
      return c.json(await admit(c));
    },
  )
  .post(
    '/start',
    describe({
      id: 'startCheckout',
      summary: 'Start an attempt, or open its hosted page again while it is pending',
      description:
        'Name the `terms` that the guest was shown. Before an attempt begins, the payment service is asked how the last one ended, so that nobody pays twice. Open `viewUrl` as a top-level page, never in a frame.',
      answers: { 200: { description: 'The session and where to send the guest', schema: StartedCheckoutSchema } },
      problems: [
        'session_not_open',
        'terms_changed',
        'too_many_attempts',
        'upstream_error',
        'upstream_rejected',
        'upstream_timeout',
        'upstream_unavailable',
      ],
      example: { presentation: 'redirect', terms: 1 },
    }),
    jsonBody(StartCheckoutSchema, { admit }),
    async (c) => {
      const guest = c.get('guest');
      const how = { ...c.req.valid('json'), publicUrl: guest.publicOrigin };
      const { view, viewUrl, property } = await c.get('dependencies').sessions.start(guest, how);
      noteSession(c, { id: view.id, property });
      const answer: StartedCheckout = { ...view, viewUrl };
      return c.json(answer);
    },
  );
