/**
 * `initCreateTokenNoIframe`: start a hosted tokenization.
 *
 * Import path: `@innkeep/core/operations/init-create-token-no-iframe`.
 *
 * @see upstream API, sections "Hosted tokenization init request" and "Init response"
 * @module
 */

import type { CallOptions, Context } from '../context.ts';
import type { HostedRequest } from '../hosted/hosted-request.ts';
import { type InitResult, parseInitAnswer } from '../hosted/init-answer.ts';
import { type CommonOverrides, commonFields, post } from '../operation-request.ts';
import { requireObject, requireText, requireWebAddress } from '../values/check-text.ts';

export type { InitResult } from '../hosted/init-answer.ts';

/** Input of {@link initCreateTokenNoIframe}. */
export interface InitCreateTokenNoIframeInput extends CommonOverrides {
  /** Caller's reference; the record repeats it. */
  cardInfoRefID: string;
  /** Absolute address for the success outcome. A visit there proves nothing. */
  callbackSuccessUrl: string | URL;
  /** Absolute address for the abort outcome. A visit there proves nothing. */
  callbackAbortUrl: string | URL;
  /** @default 'eCommerce' */
  tokenType?: string | undefined;
  /** @default 'bright' */
  theme?: string | undefined;
}

/**
 * Starts a hosted tokenization: the guest enters a card on `viewUrl`, the record then carries a token for `pay`.
 *
 * Retry: never by itself; repeating it makes another request, which is harmless as long as nobody is sent there.
 *
 * @throws `invalid_input`, `declined`, `untrusted_url`, `invalid_response`, `upstream_status`, `network`, `timeout`,
 * `authentication_failed`
 */
export async function initCreateTokenNoIframe(
  context: Context,
  input: InitCreateTokenNoIframeInput,
  { signal }: CallOptions = {},
): Promise<InitResult> {
  requireObject(input);
  const cardInfoRefID = requireText(input.cardInfoRefID, 'cardInfoRefID');
  const body = {
    ...commonFields(context, 'hosted', input),
    cardInfoRefID,
    callbackSuccessUrl: requireWebAddress(input.callbackSuccessUrl, 'callbackSuccessUrl'),
    callbackAbortUrl: requireWebAddress(input.callbackAbortUrl, 'callbackAbortUrl'),
    tokenType: requireText(input.tokenType ?? 'eCommerce', 'tokenType'),
    theme: requireText(input.theme ?? 'bright', 'theme'),
  };
  const request: HostedRequest = { operation: 'initCreateTokenNoIframe', surcharge: false, cardInfoRefID };
  return post(context, 'initCreateTokenNoIframe', {
    class: 'prepare',
    body,
    parse: (json) => parseInitAnswer(context, json, { request, serviceProvider: body.serviceProvider }),
    // Callback addresses usually carry a nonce of the caller's.
    secrets: [body.callbackSuccessUrl, body.callbackAbortUrl],
    signal,
  });
}
