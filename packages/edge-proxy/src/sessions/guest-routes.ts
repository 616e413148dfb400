/** `/v1/checkout`: the guest's two calls, read the session and start it. */
import {
  type CheckoutView,
  CheckoutViewSchema,
  StartCheckoutSchema,
  type StartedCheckout,
  StartedCheckoutSchema,
} from '@innkeep/core/contract';
import type { Context } from 'hono';
import { describe } from '../http/describe.ts';
import { sha256Hex } from '../http/hash.ts';
import { ProblemError } from '../http/problem.ts';
import { jsonBody } from '../http/validate.ts';
import { UPSTREAM_ANSWER_LIMIT_MS } from '../objects/object-by-name.ts';
import { type GuestEnv, guestApp } from '../properties/resource-app.ts';
import { type SessionDependencies, sessionOfCapability, unwrapNoted } from './checkout-sessions.ts';
import type { StartedSession } from './session-page.ts';

type GuestContext = Context<GuestEnv<SessionDependencies>>;

/** The session of the caller's secret. */
const enter = async (c: GuestContext, limitMs?: number) => {
  const { clientSecret, ...from } = c.get('guest');
  const session = await sessionOfCapability(c, clientSecret, limitMs);
  if (session !== undefined) return { session, caller: { ...from, secretHash: await sha256Hex(clientSecret) } };
  throw new ProblemError('unauthorized', { detail: 'The client secret is wrong or was revoked' });
};

/** Reading the session is how its object checks the secret. */
const admit = async (c: GuestContext): Promise<CheckoutView> => {
  const { session, caller } = await enter(c);
  return unwrapNoted<{ readonly view: CheckoutView }>(c, await session.read(caller)).view;
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
    async (c) => c.json(await admit(c)),
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
      const { session, caller } = await enter(c, UPSTREAM_ANSWER_LIMIT_MS);
      const { traceparent } = c.get('dependencies');
      const how = { ...c.req.valid('json'), publicUrl: caller.publicOrigin, traceparent };
      const { view, viewUrl } = unwrapNoted<StartedSession>(c, await session.start(caller, how));
      const answer: StartedCheckout = { ...view, viewUrl };
      return c.json(answer);
    },
  );
