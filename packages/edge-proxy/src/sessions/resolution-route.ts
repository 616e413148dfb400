/** `POST /v1/checkout-sessions/{id}/resolve`: a person ends an attempt whose outcome is not certain. Whoever may do it can declare anything paid. */
import { SessionResolutionSchema } from '@innkeep/core/contract';
import { describe } from '../http/describe.ts';
import { ProblemError } from '../http/problem.ts';
import { json } from '../http/response-headers.ts';
import { Routes } from '../http/routes.ts';
import { jsonBody } from '../http/validate.ts';
import type { MerchantEnv } from '../properties/caller-env.ts';
import { askSession, type SessionDependencies } from './checkout-sessions.ts';

/** Below `/v1/checkout-sessions`. */
export const sessionResolutions = new Routes<MerchantEnv<SessionDependencies>>().post(
  '/:id/resolve',
  describe({ id: 'resolveCheckoutSession', scopes: ['resolutions'], desk: 'resolve' }),
  jsonBody(SessionResolutionSchema),
  async (c) => {
    const { status, evidence, transactionId = null, attempt = null, amount } = c.req.valid('json');
    if (amount !== undefined && status === 'failed') {
      throw new ProblemError('invalid_request', {
        detail: 'A failed payment moved no money: leave the amount out',
        param: 'amount',
      });
    }
    const actor = c.get('actor');
    const finding = { status, evidence, transactionId, attempt, ...(amount === undefined ? {} : { amount }) };
    return json(
      c,
      await askSession(c, c.req.param('id'), (session, property) => session.resolve(property, finding, actor)),
    );
  },
);
