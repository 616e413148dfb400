/**
 * `POST …/{id}/resolve` of charges and reversals: a person ends an unknown outcome. Whoever may do it can declare anything paid, so it
 * has a scope of its own, and is mounted before the rest of each resource.
 */
import { ChargeSchema, ResolutionSchema, ReversalSchema } from '@innkeep/core/contract';
import { describe } from '../http/describe.ts';
import { jsonBody } from '../http/validate.ts';
import { rememberResource } from '../ledger/lists.ts';
import { merchantApp } from '../properties/resource-app.ts';
import { askOperation, type MoneyDependencies, type OperationKind } from './money-operations.ts';

const PATH = '/:id/resolve';
const FOUND = { status: 'succeeded', evidence: 'Settlement report, line 14', transactionId: '4711' } as const;
/** Members in which the answers differ from the examples of their schemas. */
const resolved = { seq: 4, resolution: { ...FOUND, by: 'office', at: '2026-09-03T08:00:00.000Z' } };

/** Below `/v1/charges`. */
export const chargeResolutions = moneyResolutions('charge');

/** Below `/v1/reversals`. */
export const reversalResolutions = moneyResolutions('reversal');

function moneyResolutions(kind: OperationKind) {
  const [name, schema] = kind === 'charge' ? ['Charge', ChargeSchema] : ['Reversal', ReversalSchema];
  return merchantApp<MoneyDependencies>('resolutions', { tag: 'Charges and reversals', path: PATH })
    .use(PATH, rememberResource)
    .post(
      PATH,
      describe({
        id: `resolve${name}`,
        summary: 'End an unknown outcome with evidence',
        description: `For \`unknown\` after somebody has looked the ${kind} up. It moves no money, and it cannot be undone. The key needs the scope \`resolutions\`.`,
        answers: { 200: { description: `The ${kind}`, schema, example: resolved } },
        problems: ['not_found', 'not_resolvable'],
        example: FOUND,
      }),
      jsonBody(ResolutionSchema),
      async (c) => {
        const { status, evidence, transactionId = null } = c.req.valid('json');
        const resolution = { status, evidence, transactionId, by: c.get('key').id };
        const about = { kind, id: c.req.param('id') };
        return c.json(await askOperation(c, about, (operation, property) => operation.resolve(property, resolution)));
      },
    );
}
