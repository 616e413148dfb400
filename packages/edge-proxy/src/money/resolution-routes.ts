/** `POST …/{id}/resolve` of charges and reversals: a person ends an unknown outcome. Whoever may do it can declare anything paid. */
import { ResolutionSchema } from '@innkeep/core/contract';
import { describe } from '../http/describe.ts';
import { ProblemError } from '../http/problem.ts';
import { json } from '../http/response-headers.ts';
import { Routes } from '../http/routes.ts';
import { jsonBody } from '../http/validate.ts';
import type { MerchantEnv } from '../properties/caller-env.ts';
import { askOperation, type MoneyDependencies, type OperationKind } from './money-operations.ts';

/** The route of one kind. */
export function moneyResolutions(kind: OperationKind) {
  const name = kind === 'charge' ? 'Charge' : 'Reversal';
  return new Routes<MerchantEnv<MoneyDependencies>>().post(
    '/:id/resolve',
    describe({ id: `resolve${name}`, scopes: ['resolutions'], desk: 'resolve' }),
    jsonBody(ResolutionSchema),
    async (c) => {
      const { status, evidence, transactionId = null, amount } = c.req.valid('json');
      if (amount !== undefined && (kind === 'reversal' || status === 'failed')) {
        const detail = 'Only a charge that succeeded can have moved another amount: leave the amount out';
        throw new ProblemError('invalid_request', { detail, param: 'amount' });
      }
      const finding = { status, evidence, transactionId, ...(amount === undefined ? {} : { amount }) };
      const settings = { actor: c.get('actor'), fourEyes: c.get('property').fourEyes };
      const about = { kind, id: c.req.param('id') };
      return json(
        c,
        await askOperation(c, about, (operation, property) => operation.resolve(property, finding, settings)),
      );
    },
  );
}
