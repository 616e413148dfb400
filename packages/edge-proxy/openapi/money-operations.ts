/** What the routes of charges and reversals are for, in words. */

import {
  CreateChargeSchema,
  CreateReversalSchema,
  ExportRangeSchema,
  ListMoneyOperationsSchema,
  ResolutionSchema,
} from '@innkeep/core/contract';
import * as v from 'valibot';
import { BODY, MERCHANT, type Operation } from './operation.ts';

const CREATED = 'The outcome, whatever it is: a decline is no HTTP error. A replay has `idempotent-replayed: true`';
const UNDER_WAY = 'No outcome after 25 seconds; ask again with the same key, or read it';

/** In the order of the document. */
export const MONEY_OPERATIONS: readonly Operation[] = [
  {
    method: 'POST',
    path: '/v1/charges',
    id: 'createCharge',
    tag: 'Charges and reversals',
    summary: 'Charge a stored card, once for each key',
    security: 'merchant',
    scope: 'charges',
    body: {
      schema: CreateChargeSchema,
      example: {
        token: 'the token of the stored card',
        amount: { value: 12000, currency: 'EUR' },
        reference: 'RES-1234',
        reason: 'no_show',
      },
    },
    idempotencyKey: 'required',
    success: { status: 201, description: CREATED, schema: 'Charge' },
    alsoSuccess: { status: 202, description: UNDER_WAY, schema: 'Charge' },
    problems: [
      ...BODY,
      ...MERCHANT,
      'idempotency_in_progress',
      'idempotency_mismatch',
      'possible_duplicate',
      'upstream_unavailable',
    ],
  },
  ...readings({ object: 'charge', Object: 'Charge', path: '/v1/charges' }),
  {
    method: 'POST',
    path: '/v1/reversals',
    id: 'createReversal',
    tag: 'Charges and reversals',
    summary: 'Give back a payment or a part of it, once for each key; without `amount` all that is left',
    security: 'merchant',
    scope: 'charges',
    body: {
      schema: CreateReversalSchema,
      example: { payment: 'ch_01JZ8M4Q9T6V2X3Y5A7B8C9D0E', amount: { value: 2000, currency: 'EUR' } },
    },
    idempotencyKey: 'required',
    success: { status: 201, description: CREATED, schema: 'Reversal' },
    alsoSuccess: { status: 202, description: UNDER_WAY, schema: 'Reversal' },
    problems: [
      ...BODY,
      ...MERCHANT,
      'not_found',
      'idempotency_in_progress',
      'idempotency_mismatch',
      'not_reversible',
      'upstream_unavailable',
    ],
  },
  ...readings({ object: 'reversal', Object: 'Reversal', path: '/v1/reversals' }),
  {
    method: 'GET',
    path: '/v1/export.csv',
    id: 'exportCsv',
    tag: 'Charges and reversals',
    summary: 'Started payments, charges and reversals created or completed in a range, for reconciliation',
    security: 'merchant',
    scope: 'events',
    query: ExportRangeSchema,
    success: { status: 200, description: 'One row each, quoted; formulas are made text', type: 'text/csv' },
    problems: ['invalid_request', ...MERCHANT],
  },
  {
    method: 'POST',
    path: '/v1/gateway/:protocol/:method',
    id: 'sendToGateway',
    tag: 'Gateway',
    summary: 'Send one body to the classic interface; bytes and content type go through unchanged, both ways',
    security: 'merchant',
    scope: 'gateway',
    body: { schema: v.unknown(), type: '*/*' },
    success: { status: 200, description: 'The gateway’s own answer', type: '*/*' },
    problems: ['invalid_request', 'payload_too_large', ...MERCHANT, 'upstream_error', 'upstream_timeout'],
  },
];

function readings(name: { object: string; Object: 'Charge' | 'Reversal'; path: string }): Operation[] {
  const { object, path } = name;
  const one = { status: 200, description: `The ${object}`, schema: name.Object };
  return [
    {
      method: 'GET',
      path,
      id: `list${name.Object}s`,
      tag: 'Charges and reversals',
      summary: `List ${object}s, newest first; eventually consistent`,
      security: 'merchant',
      scope: 'charges',
      query: ListMoneyOperationsSchema,
      success: { status: 200, description: 'A page', schema: `${name.Object}List` },
      problems: ['invalid_request', ...MERCHANT],
    },
    {
      method: 'GET',
      path: `${path}/:id`,
      id: `retrieve${name.Object}`,
      tag: 'Charges and reversals',
      summary: `Read a ${object}`,
      security: 'merchant',
      scope: 'charges',
      success: one,
      problems: [...MERCHANT, 'not_found'],
    },
    {
      method: 'POST',
      path: `${path}/:id/resolve`,
      id: `resolve${name.Object}`,
      tag: 'Charges and reversals',
      summary: 'End an unknown outcome with evidence',
      security: 'merchant',
      scope: 'charges',
      body: {
        schema: ResolutionSchema,
        example: { status: 'failed', evidence: 'Vendor support: never arrived' },
      },
      success: one,
      problems: [...BODY, ...MERCHANT, 'not_found', 'not_resolvable'],
    },
  ];
}
