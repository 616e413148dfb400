/** `POST …/{id}/resolve` of charges and reversals: a person ends an unknown outcome. Whoever may do it can declare anything paid. */
import { ChargeSchema, ResolutionSchema, ReversalSchema } from '@innkeep/core/contract';
import { Hono } from 'hono';
import { describe } from '../http/describe.ts';
import { jsonBody } from '../http/validate.ts';
import type { MerchantEnv } from '../properties/resource-app.ts';
import { askOperation, type MoneyDependencies, type OperationKind } from './money-operations.ts';

const FOUND = { status: 'succeeded', evidence: 'Settlement report, line 14', transactionId: '4711' } as const;
/** Members in which the answers differ from the examples of their schemas. */
const resolved = { seq: 4, resolution: { ...FOUND, by: 'office', at: '2026-09-03T08:00:00.000Z' } };

/** The route of one kind. */
export function moneyResolutions(kind: OperationKind) {
  const [name, schema] = kind === 'charge' ? ['Charge', ChargeSchema] : ['Reversal', ReversalSchema];
  return new Hono<MerchantEnv<MoneyDependencies>>().post(
    '/:id/resolve',
    describe({
      id: `resolve${name}`,
      scopes: ['resolutions'],
      summary: 'End an unknown outcome with evidence',
      description: `For \`unknown\` after somebody has looked the ${kind} up. It moves no money, and it cannot be undone.`,
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
