/** Charges and reversals, and cards that staff key in. */
import { CardSchema, ChargeListSchema, ChargeSchema, ReversalListSchema, ReversalSchema } from '@innkeep/core/contract';
import type { GenericSchema } from 'valibot';
import type { OperationText, OperationTexts } from '../operation-text.ts';

const FOUND = { status: 'succeeded', evidence: 'Settlement report, line 14', transactionId: '4711' };
/** Members in which the answers differ from the examples of their schemas. */
const resolved = {
  seq: 4,
  resolution: { ...FOUND, by: { key: 'office', person: 'emp-7', via: 'header' }, at: '2026-09-03T08:00:00.000Z' },
};

const REDACTED = { seq: 4, reference: null, note: null, redactedAt: '2026-12-01T08:00:00.000Z' };

/** What charges and reversals share once they exist. */
function ofKind(
  name: string,
  { schema, list }: { readonly schema: GenericSchema; readonly list: GenericSchema },
): OperationTexts {
  const kind = name.toLowerCase();
  return {
    [`list${name}s`]: {
      summary: `List ${kind}s, newest first; eventually consistent`,
      description: `A ${kind} that has just changed may still be listed as it was: read it by its id where that matters.`,
      answers: { 200: { description: 'A page', schema: list } },
    },
    [`retrieve${name}`]: {
      summary: `Retrieve a ${kind}`,
      description: `The ${kind} as it is now.`,
      answers: { 200: { description: `The ${kind}`, schema } },
      problems: ['not_found'],
    },
    [`resolve${name}`]: {
      summary: 'Resolve an unknown outcome',
      description: `For \`unknown\` after somebody has looked the ${kind} up. It moves no money, and it cannot be undone.`,
      answers: { 200: { description: `The ${kind}`, schema, example: resolved } },
      problems: ['not_found', 'not_resolvable'],
      example: FOUND,
    },
    [`redact${name}`]: {
      summary: 'Redact personal data',
      description: `For a ${kind} that is final. Its reference, note, masked card, evidence and error texts are removed from every answer, list, export and event, waiting webhooks included. Amounts, ids, states and times stay.${kind === 'charge' ? ' Its reversals are redacted with it, and it can still be refunded.' : ''} Repeating it changes nothing.`,
      answers: { 200: { description: `The ${kind}, without words`, schema, example: REDACTED } },
      problems: ['not_found', 'not_final'],
    },
  };
}

/** How a creation answers. `underWay`: what only this kind has, and does not know while there is no outcome. */
function createdAnswers(
  schema: GenericSchema,
  underWay: Readonly<Record<string, null>> = {},
): OperationText['answers'] {
  return {
    201: {
      description: 'The outcome, whatever it is: a decline is not an HTTP error',
      schema,
      headers: ['Location', 'idempotent-replayed'],
    },
    202: {
      description: 'No outcome after 25 seconds; ask again with the same key, or read it',
      schema,
      headers: ['Location', 'Retry-After', 'idempotent-replayed'],
      example: { status: 'sent', final: false, seq: 2, transactionId: null, completedAt: null, ...underWay },
    },
  };
}

export const MONEY: OperationTexts = {
  ...ofKind('Charge', { schema: ChargeSchema, list: ChargeListSchema }),
  ...ofKind('Reversal', { schema: ReversalSchema, list: ReversalListSchema }),
  createCharge: {
    summary: 'Charge a stored card',
    description:
      'Give the card’s `token`, or as `card` the session that stored it; a desk session can use only `card`. Answers once the outcome is known. Repeat a lost or failed call with the same key: it returns what the first one did. `unknown` means that money may have moved: look it up, never charge again.',
    answers: createdAnswers(ChargeSchema, { maskedCard: null }),
    problems: [
      'idempotency_in_progress',
      'idempotency_mismatch',
      'possible_duplicate',
      'upstream_unavailable',
      'ledger_full',
    ],
    example: {
      token: 'the token of the stored card',
      amount: { value: 12_000, currency: 'EUR' },
      reference: 'RES-1234',
      reason: 'no_show',
    },
  },
  createReversal: {
    summary: 'Refund a payment, in full or in part',
    description:
      'Without `amount`, all that is left of the payment. Answers once the outcome is known. Repeat a lost or failed call with the same key: it returns what the first one did. `unknown` means that money may have moved: look it up, never refund again.',
    answers: createdAnswers(ReversalSchema),
    problems: [
      'not_found',
      'idempotency_in_progress',
      'idempotency_mismatch',
      'not_reversible',
      'possible_duplicate',
      'limit_reached',
      'upstream_unavailable',
    ],
    example: { payment: 'ch_01JZ8M4Q9T6V2X3Y5A7B8C9D0E', amount: { value: 2_000, currency: 'EUR' } },
  },
  createCard: {
    summary: 'Create a card token from a card that staff entered',
    description: 'Nothing of the card is kept in the proxy. Keying a card in again is safe: tokens move no money.',
    answers: { 201: { description: 'The token; nothing of the card is kept', schema: CardSchema } },
    problems: ['upstream_rejected', 'upstream_error', 'upstream_unavailable'],
    example: { cardNo: '4242424242424242', valid: '2030-12-31', cvc: '123' },
  },
};
