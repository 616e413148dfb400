/**
 * `initpayNoIframe`: start a hosted payment.
 *
 * Import path: `@innkeep/core/operations/initpay-no-iframe`.
 *
 * @see upstream API, sections "Hosted payment init request" and "Init response"
 * @module
 */

import type { CallOptions, Context } from '../context.ts';
import type { InitResult } from '../hosted/init-answer.ts';
import { type InitInput, postInit } from '../operation-request.ts';
import { optionalText, requireObject, requireText } from '../values/check-text.ts';
import type { Money } from '../values/money.ts';
import { requireMoney, toWireAmount } from '../values/wire-amount.ts';

export type { InitResult } from '../hosted/init-answer.ts';

/** Input of {@link initpayNoIframe}. */
export interface InitpayNoIframeInput extends InitInput {
  /** Amount to pay, above zero. */
  amount: Money;
  /** Reservation reference. */
  resNo: string;
  /** What it is for, in words. @default '' */
  description?: string | undefined;
  /** Let the upstream add a surcharge. @default false */
  surcharge?: boolean | undefined;
}

/**
 * Starts a hosted payment. No money moves until the guest pays on `viewUrl`.
 *
 * Retry: never by itself; repeating it makes another request, which is harmless as long as nobody is sent there.
 *
 * @throws `invalid_input`, `declined`, `untrusted_url`, `invalid_response`, `upstream_status`, `network`, `timeout`,
 * `authentication_failed`
 */
export async function initpayNoIframe(
  context: Context,
  input: InitpayNoIframeInput,
  options: CallOptions = {},
): Promise<InitResult> {
  requireObject(input);
  const amount = requireMoney(input.amount);
  const surcharge = input.surcharge === true;
  return postInit(context, input, {
    asked: { operation: 'initpayNoIframe', amount, surcharge },
    fields: {
      amount: toWireAmount(amount, context.amountUnit),
      currency: amount.currency,
      resNo: requireText(input.resNo, 'resNo'),
      description: optionalText(input.description, 'description'),
      supportedFeatures: surcharge ? 'surcharge' : '',
    },
    options,
  });
}
