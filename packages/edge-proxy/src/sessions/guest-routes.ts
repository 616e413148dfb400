/** `/v1/checkout`: the guest's two calls, read the session and start it. */
import { type CheckoutView, StartCheckoutSchema, type StartedCheckout } from '@innkeep/core/contract';
import type { Context } from 'hono';
import { describe } from '../http/describe.ts';
import { sha256Hex } from '../http/hash.ts';
import { ProblemError } from '../http/problem.ts';
import { json } from '../http/response-headers.ts';
import { jsonBody } from '../http/validate.ts';
import { UPSTREAM_ANSWER_LIMIT_MS } from '../objects/object-by-name.ts';
import type { GuestEnv } from '../properties/caller-env.ts';
import { guestApp } from '../properties/resource-app.ts';
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
  .get('/', describe({ id: 'readCheckout' }), async (c) => json(c, await admit(c)))
  .post('/start', describe({ id: 'startCheckout' }), jsonBody(StartCheckoutSchema, { admit }), async (c) => {
    const { session, caller } = await enter(c, UPSTREAM_ANSWER_LIMIT_MS);
    const { traceparent } = c.get('dependencies');
    const how = { ...c.req.valid('json'), publicUrl: caller.publicOrigin, traceparent };
    const { view, viewUrl } = unwrapNoted<StartedSession>(c, await session.start(caller, how));
    const answer: StartedCheckout = { ...view, viewUrl };
    return json(c, answer);
  });
