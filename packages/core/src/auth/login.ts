import * as v from 'valibot';
import { badField, parseAnswer } from '../schemas/parse-answer.ts';
import type { Context, LoginResult } from '../transport/context.ts';
import { send } from '../transport/send.ts';
import { Redacted } from '../values/redacted.ts';

/** User of the payment API. */
export interface Credentials {
  /** User name, from the vendor. */
  username: string;
  /** Password, from the vendor. */
  password: string;
}

const LoginResponseSchema = v.looseObject({
  access_token: v.pipe(v.string(), v.nonEmpty()),
  token_type: v.optional(v.string(), 'Bearer'),
  expires_in: v.pipe(v.union([v.number(), v.pipe(v.string(), v.digits())]), v.transform(Number)),
  roles: v.fallback(v.array(v.string()), []),
});

/**
 * Logs in. Retry: safe.
 *
 * @throws `authentication_failed` on 401 and 403, `network`, `timeout`, `upstream_status`, `invalid_response`
 * @see upstream API, section "Authentication"
 */
export async function requestLogin(
  context: Context,
  credentials: Credentials,
  secondsPerUnit: number,
): Promise<LoginResult> {
  // Counted from before the request, so that the token never seems younger than it is.
  const requestedAt = context.now().getTime();
  return send(context, {
    operation: 'login',
    class: 'login',
    url: `${context.baseUrl}/login`,
    body: { username: credentials.username, password: credentials.password },
    parse: (json) => {
      const answer = parseAnswer('login', LoginResponseSchema, json);
      if (answer.token_type.toLowerCase() !== 'bearer') throw badField('login', 'token_type');
      const expiresAt = new Date(requestedAt + answer.expires_in * secondsPerUnit * 1000);
      if (!(expiresAt.getTime() > requestedAt)) throw badField('login', 'expires_in');
      return { accessToken: new Redacted(answer.access_token), expiresAt, roles: answer.roles };
    },
  });
}
