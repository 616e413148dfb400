/**
 * The OpenAPI document of what only the MOTO build has: the route that takes card numbers. It stands apart, so that the
 * document that the default worker serves stays true of the default worker.
 */
import { CardSchema, CreateCardSchema, ProblemSchema } from '@innkeep/core/contract';
import { toDocument } from './document.ts';
import { BODY, MERCHANT, type Operation } from './operation.ts';

/** What the MOTO build answers besides the operations of the default worker. */
export const MOTO_OPERATIONS: readonly Operation[] = [
  {
    method: 'POST',
    path: '/v1/cards',
    id: 'createCard',
    tag: 'Cards',
    summary: 'Make a token of a card that staff keyed in',
    security: 'merchant',
    scope: 'moto',
    body: { schema: CreateCardSchema, example: { cardNo: '4242424242424242', valid: '2030-12-31', cvc: '123' } },
    success: { status: 201, description: 'The token; nothing of the card is kept', schema: 'Card' },
    // Whoever may not use it is not told that it exists: 404 in place of 403.
    problems: [
      ...BODY,
      ...MERCHANT.filter((code) => code !== 'forbidden'),
      'not_found',
      'upstream_rejected',
      'upstream_error',
    ],
  },
];

/** Builds the second document for a version. */
export function motoOpenApiDocument(version: string): Record<string, unknown> {
  return toDocument(version, {
    title: 'Innkeep edge proxy, MOTO build',
    description:
      'What `worker-moto` has besides everything of the default worker: the route that takes card numbers. A property needs `moto: true` and its key the scope `moto`; whoever has not is told that there is nothing at the address.',
    operations: MOTO_OPERATIONS,
    components: { Card: CardSchema, Problem: ProblemSchema },
  });
}
