/**
 * `POST /v1/checkout-sessions/{id}/resolve`: a person ends an attempt whose outcome is not certain. Whoever may do it can declare
 * anything paid, so it has a scope of its own, and is mounted before the rest of the resource.
 */
import { CheckoutSessionSchema, SessionResolutionSchema } from '@innkeep/core/contract';
import { describe } from '../http/describe.ts';
import { ProblemError } from '../http/problem.ts';
import { jsonBody } from '../http/validate.ts';
import { rememberResource } from '../ledger/lists.ts';
import { merchantApp } from '../properties/resource-app.ts';
import { askSession, type SessionDependencies } from './checkout-sessions.ts';

const PATH = '/:id/resolve';
const FOUND = { status: 'succeeded', evidence: 'Settlement report, line 14', transactionId: '4711' } as const;

/** Below `/v1/checkout-sessions`. */
export const sessionResolutions = merchantApp<SessionDependencies>('resolutions', {
  tag: 'Checkout sessions',
  path: PATH,
})
  .use(PATH, rememberResource)
  .post(
    PATH,
    describe({
      id: 'resolveCheckoutSession',
      summary: 'Resolve an attempt whose outcome is not certain, with evidence',
      description:
        'For `unknown` after somebody has looked the payment up. It moves no money, and it cannot be undone. The key needs the scope `resolutions`.',
      answers: { 200: { description: 'The session', schema: CheckoutSessionSchema } },
      problems: ['not_found', 'not_resolvable'],
      example: FOUND,
    }),
    jsonBody(SessionResolutionSchema),
    async (c) => {
      const { status, evidence, transactionId = null, attempt = null, amount } = c.req.valid('json');
      if (amount !== undefined && status === 'failed') {
        throw new ProblemError('invalid_request', {
          detail: 'A failed payment moved no money: leave the amount out',
          param: 'amount',
        });
      }
      const by = c.get('key').id;
      const resolution = { status, evidence, transactionId, attempt, by, ...(amount === undefined ? {} : { amount }) };
      return c.json(
        await askSession(c, c.req.param('id'), (session, property) => session.resolve(property, resolution)),
      );
    },
  );
