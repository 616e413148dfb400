/**
 * `initpayNoIframe`: start a hosted payment.
 *
 * Import path: `@innkeep/core/operations/initpay-no-iframe`.
 *
 * @see upstream API, sections "Hosted payment init request" and "Init response"
 * @module
 */

import type { CallOptions, Context } from '../context.ts';
import type { HostedRequest } from '../hosted/hosted-request.ts';
import { type InitResult, parseInitAnswer } from '../hosted/init-answer.ts';
import { type CommonOverrides, commonFields, post } from '../operation-request.ts';
import { optionalText, requireObject, requireText, requireWebAddress } from '../values/check-text.ts';
import type { Money } from '../values/money.ts';
import { requireMoney, toWireAmount } from '../values/wire-amount.ts';

export type { InitResult } from '../hosted/init-answer.ts';

/** Input of {@link initpayNoIframe}. */
export interface InitpayNoIframeInput extends CommonOverrides {
  /** Amount to pay, above zero. */
  amount: Money;
  /** Caller's reference; the record repeats it. */
  cardInfoRefID: string;
  /** Reservation reference. */
  resNo: string;
  /** Absolute address for the success outcome. A visit there proves nothing. */
  callbackSuccessUrl: string | URL;
  /** Absolute address for the abort outcome. A visit there proves nothing. */
  callbackAbortUrl: string | URL;
  /** @default '' */
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
  { signal }: CallOptions = {},
): Promise<InitResult> {
  requireObject(input);
  const amount = requireMoney(input.amount);
  const cardInfoRefID = requireText(input.cardInfoRefID, 'cardInfoRefID');
  const surcharge = input.surcharge === true;
  const body = {
    ...commonFields(context, 'hosted', input),
    amount: toWireAmount(amount, context.amountUnit),
    currency: amount.currency,
    cardInfoRefID,
    resNo: requireText(input.resNo, 'resNo'),
    callbackSuccessUrl: requireWebAddress(input.callbackSuccessUrl, 'callbackSuccessUrl'),
    callbackAbortUrl: requireWebAddress(input.callbackAbortUrl, 'callbackAbortUrl'),
    description: optionalText(input.description, 'description'),
    supportedFeatures: surcharge ? 'surcharge' : '',
  };
  const request: HostedRequest = { operation: 'initpayNoIframe', amount, surcharge, cardInfoRefID };
  return post(context, 'initpayNoIframe', {
    class: 'prepare',
    body,
    parse: (json) => parseInitAnswer(context, json, { request, serviceProvider: body.serviceProvider }),
    // Callback addresses usually carry a nonce of the caller's.
    secrets: [body.callbackSuccessUrl, body.callbackAbortUrl],
    signal,
  });
}
