/**
 * `initCreateTokenNoIframe`: start a hosted tokenization.
 *
 * Import path: `@innkeep/core/operations/init-create-token-no-iframe`.
 *
 * @see upstream API, sections "Hosted tokenization init request" and "Init response"
 * @module
 */

import type { CallOptions, Context } from '../context.ts';
import type { InitResult } from '../hosted/init-answer.ts';
import { type InitInput, postInit } from '../operation-request.ts';
import { requireObject, requireText } from '../values/check-text.ts';

export type { InitResult } from '../hosted/init-answer.ts';

/** Input of {@link initCreateTokenNoIframe}. */
export interface InitCreateTokenNoIframeInput extends InitInput {
  /** Kind of token; the specification names no other. @default 'eCommerce' */
  tokenType?: string | undefined;
  /** Look of the hosted page; the specification names no other. @default 'bright' */
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
  options: CallOptions = {},
): Promise<InitResult> {
  requireObject(input);
  return postInit(context, input, {
    asked: { operation: 'initCreateTokenNoIframe', surcharge: false },
    fields: {
      tokenType: requireText(input.tokenType ?? 'eCommerce', 'tokenType'),
      theme: requireText(input.theme ?? 'bright', 'theme'),
    },
    options,
  });
}
