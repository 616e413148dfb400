/**
 * `reversal`: refund money.
 *
 * Import path: `@innkeep/core/operations/reversal`.
 *
 * @see upstream API, sections "Reversal request" and "Reversal response"
 * @module
 */
import * as v from 'valibot';
import type { CallOptions, Context } from '../context.ts';
import { InvalidInputError } from '../errors.ts';
import { type CommonOverrides, commonFields, post } from '../operation-request.ts';
import { type Accepted, type Given, parseAccepted } from '../schemas/parse-answer.ts';
import { IdSchema, isName, LenientTextSchema } from '../schemas/text.ts';
import { requireObject, requireText } from '../values/check-text.ts';
import type { Money } from '../values/money.ts';
import { requireMoney, toWireAmount } from '../values/wire-amount.ts';

/** Input of {@link reversal}. */
export interface ReversalInput extends CommonOverrides {
  /** `transactionID` of the payment to reverse. With a part blanked (`[redacted]`) it is refused: use the vendor's portal. */
  transactionID: string;
  /** Amount to refund, above zero. */
  amount: Money;
  /** The provider of the payment. @default the context's direct provider */
  serviceProvider?: string | undefined;
}

const ReversalAnswerSchema = v.object({
  /** Id of the reversal. It may equal the payment's id: do not use it as a key. */
  transactionID: IdSchema,
  /** Numeric code as text. */
  cardType: LenientTextSchema,
  /** Provider that refunded the money. */
  serviceProvider: LenientTextSchema,
});

/** An executed reversal. @interface */
export type ReversalResult = Given<v.InferOutput<typeof ReversalAnswerSchema>> & Accepted;

const TIMEOUT_MS = 90_000;

/**
 * Reverses a payment, or a part of it. The upstream decides whether parts are allowed.
 *
 * Retry: never. After `outcome_unknown` the money may have gone back: find out before anything else.
 *
 * @throws `declined` with the returnCode; `outcome_unknown` for anything short of a clear answer, a refusal in doubt included;
 * `network`, `authentication_failed` and `upstream_status` (403) only when nothing was executed; `invalid_input`;
 * `configuration` in a page
 */
export async function reversal(
  context: Context,
  input: ReversalInput,
  options: CallOptions = {},
): Promise<ReversalResult> {
  requireObject(input);
  const amount = requireMoney(input.amount);
  const transactionID = requireText(input.transactionID, 'transactionID');
  if (!isName(transactionID))
    throw new InvalidInputError('transactionID', 'transactionID was blanked: use the portal.');
  return post(context, 'reversal', {
    class: 'money',
    body: {
      transactionID,
      ...commonFields(context, 'direct', input),
      currency: amount.currency,
      amount: toWireAmount(amount, context.amountUnit),
    },
    parse: (json) => parseAccepted('reversal', ReversalAnswerSchema, json),
    timeoutMs: TIMEOUT_MS,
    options,
  });
}
