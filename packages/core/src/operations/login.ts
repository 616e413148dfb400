/**
 * `login`: obtain an access token.
 *
 * Import path: `@innkeep/core/operations/login`.
 *
 * @see upstream API, sections "Login request", "Login response" and "Authentication"
 * @module
 */

import type { CallOptions, Context, LoginResult } from '../context.ts';
import { ConfigurationError } from '../errors.ts';
import { untilAborted } from '../transport/until-aborted.ts';

export type { LoginResult } from '../context.ts';

/**
 * Logs in now, joins a login that is under way, and keeps the token for the calls that follow. Operations log in by
 * themselves; call this to check credentials, or to hand tokens to another process.
 *
 * Retry: safe.
 *
 * @throws `configuration` when the context was made with `accessToken`; `authentication_failed` when the credentials are
 * refused, or were refused moments ago; `network`, `timeout`, `upstream_status`, `invalid_response`
 */
export async function login(context: Context, { signal }: Pick<CallOptions, 'signal'> = {}): Promise<LoginResult> {
  signal?.throwIfAborted();
  if (context.tokens.login === undefined) {
    throw new ConfigurationError(
      'credentials',
      'login needs credentials; this client takes tokens from accessToken().',
    );
  }
  return untilAborted(context.tokens.login(), signal);
}
