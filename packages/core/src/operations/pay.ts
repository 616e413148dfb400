/**
 * `pay`: charge a stored card.
 *
 * Import path: `@innkeep/core/operations/pay`.
 *
 * @see upstream API, sections "Payment request" and "Payment response"
 * @module
 */
import * as v from 'valibot';
import type { CallOptions, Context } from '../context.ts';
import { type CommonOverrides, commonFields, post } from '../operation-request.ts';
import { type Accepted, badField, type Given, parseAccepted } from '../schemas/parse-answer.ts';
import { IdSchema, LenientTextSchema } from '../schemas/text.ts';
import { optionalText, requireObject, requireText } from '../values/check-text.ts';
import type { Money } from '../values/money.ts';
import { fromWireAmount, requireMoney, toWireAmount } from '../values/wire-amount.ts';

/** Input of {@link pay}. */
export interface PayInput extends CommonOverrides {
  /** Token from `createToken`, or from the record of a hosted tokenization. */
  tokenNo: string;
  /** Amount to charge, above zero. */
  amount: Money;
  /** Free text that the upstream keeps with the payment. @default '' */
  text?: string | undefined;
  /** The provider that made the token. @default the context's direct provider */
  serviceProvider?: string | undefined;
}

const PayAnswerSchema = v.object({
  /** Id of the payment; `reversal` takes it, unless this client blanked a part of it. */
  transactionID: IdSchema,
  /** Numeric code as text. */
  cardType: LenientTextSchema,
  /** Masked card number. */
  cardNo: LenientTextSchema,
  /** Textual brand code. */
  cardTypeCode: LenientTextSchema,
  /** Provider that took the payment. */
  serviceProvider: LenientTextSchema,
  /** Whether the upstream added a surcharge: never true, because none was asked for. */
  surchargeApplied: v.fallback(v.nullish(v.boolean()), undefined),
});

/** An executed payment. @interface */
export type PayResult = Given<v.InferOutput<typeof PayAnswerSchema>> &
  Accepted & {
    /** Amount charged, when the upstream repeats it; equal to the amount ordered. */
    amount?: Money;
  };

const TIMEOUT_MS = 90_000;

/**
 * Charges a stored card.
 *
 * Retry: never. After `outcome_unknown` the guest may have been charged: find out before anything else.
 *
 * @throws `declined` with the returnCode; `outcome_unknown` for anything short of a clear answer, an answer with another
 * amount or with a surcharge and a refusal in doubt included; `network`, `authentication_failed` and `upstream_status`
 * (403) only when nothing was executed; `invalid_input`; `configuration` in a page
 */
export async function pay(context: Context, input: PayInput, options: CallOptions = {}): Promise<PayResult> {
  requireObject(input);
  const amount = requireMoney(input.amount);
  const tokenNo = requireText(input.tokenNo, 'tokenNo');
  return post(context, 'pay', {
    class: 'money',
    body: {
      tokenNo,
      amount: toWireAmount(amount, context.amountUnit),
      currency: amount.currency,
      ...commonFields(context, 'direct', input),
      text: optionalText(input.text, 'text'),
    },
    parse: (json) => {
      const result = parseAccepted('pay', PayAnswerSchema, json);
      for (const path of ['surchargeApplied', 'surchargeAmount']) {
        const said = `${json[path] ?? ''}`.trim().replace(',', '.');
        if (Number(said) !== 0 && !/^(no|false)$/i.test(said)) throw badField('pay', path);
      }
      if (json.amount == null) return result;
      const charged = fromWireAmount(json.amount, amount.currency, context.amountUnit);
      if (charged?.equals(amount) !== true) throw badField('pay', 'amount');
      return { ...result, amount };
    },
    secrets: [tokenNo],
    timeoutMs: TIMEOUT_MS,
    options,
  });
}
