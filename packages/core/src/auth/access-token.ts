import * as v from 'valibot';
import { AuthenticationError, isInnkeepError } from '../errors.ts';
import { badField, parseAnswer } from '../schemas/parse-answer.ts';
import { NameSchema } from '../schemas/text.ts';
import { type SendingContext, send } from '../transport/send.ts';
import { Redacted } from '../values/redacted.ts';

/** User of the payment API. */
export interface Credentials {
  /** User name, from the vendor. */
  username: string;
  /** Password, from the vendor. */
  password: string;
}

/** A fresh access token. */
export interface LoginResult {
  /** The token itself, which no log shows. */
  accessToken: Redacted;
  /** When the upstream stops accepting it, by the local clock. */
  expiresAt: Date;
  /** Roles of the user, as the upstream names them; empty when it sent none. */
  roles: string[];
}

/** Where access tokens come from. */
export interface AccessTokenSource {
  /** A token to use now; `rejected` is one that the upstream just refused. */
  get(hint: { rejected?: string }): Promise<string>;
  /** Logs in now, if credentials are at hand. */
  login?: () => Promise<LoginResult>;
}

const LONGEST_EARLY_RENEWAL_MS = 60_000;
const SHORTEST_PAUSE_MS = 1000;
const FIRST_PAUSE_MS = 30_000;
const LONGEST_PAUSE_MS = 900_000;

/**
 * Keeps one access token: one login for all who wait, renewal 60 s or 10 % of the lifetime before expiry (whichever is
 * less) while calls go on with the old token, a new login when the token is refused, and after refused logins a pause that doubles from 30 s to 15 min, so
 * that wrong credentials cannot lock the account.
 */
export function createAccessTokenCache({
  login,
  now,
}: Required<Pick<AccessTokenSource, 'login'>> & { now: () => Date }): Required<AccessTokenSource> {
  let current: { result: LoginResult; renewAt: number } | undefined;
  let flight: Promise<LoginResult> | undefined;
  let refusals = 0;
  let pausedUntil = 0;

  async function renew(): Promise<LoginResult> {
    const startedAt = now().getTime();
    if (startedAt < pausedUntil) {
      const seconds = Math.ceil((pausedUntil - startedAt) / 1000);
      throw new AuthenticationError(`The last login was refused. The next one may be in ${seconds} s.`);
    }
    try {
      const result = await login();
      const lifetimeMs = result.expiresAt.getTime() - startedAt;
      const earlyMs = Math.min(LONGEST_EARLY_RENEWAL_MS, lifetimeMs / 10);
      current = { result, renewAt: result.expiresAt.getTime() - earlyMs };
      refusals = 0;
      return result;
    } catch (error) {
      if (isRefusal(error)) {
        pausedUntil = now().getTime() + Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** refusals);
        refusals += 1;
      }
      throw error;
    }
  }

  function renewOnce(): Promise<LoginResult> {
    flight ??= renew().finally(() => {
      flight = undefined;
    });
    return flight;
  }

  /** Nobody waits for it, and a failure costs nothing while the token still works: a later call tries again. */
  function renewEarly(known: NonNullable<typeof current>): void {
    renewOnce().catch(() => {
      const time = now().getTime();
      known.renewAt = time + Math.max(SHORTEST_PAUSE_MS, (known.result.expiresAt.getTime() - time) / 2);
    });
  }

  return {
    login: renewOnce,
    async get({ rejected }) {
      if (rejected !== undefined && current?.result.accessToken.reveal() === rejected) current = undefined;
      const time = now().getTime();
      if (current !== undefined && time < current.renewAt) return current.result.accessToken.reveal();
      if (current !== undefined && time < current.result.expiresAt.getTime()) {
        renewEarly(current);
        return current.result.accessToken.reveal();
      }
      return (await renewOnce()).accessToken.reveal();
    },
  };
}

/** Any refusal counts against the account, whatever status the upstream chose for it; 408 and 429 refuse nothing. */
function isRefusal(error: unknown): boolean {
  if (isInnkeepError(error, 'authentication_failed')) return true;
  return isInnkeepError(error, 'upstream_status') && /^4(?!08|29)/.test(`${error.status}`);
}

const LoginResponseSchema = v.object({
  access_token: NameSchema,
  token_type: v.nullish(v.string(), 'Bearer'),
  expires_in: v.pipe(v.union([v.number(), v.pipe(v.string(), v.digits())]), v.transform(Number)),
  roles: v.fallback(v.array(v.string()), []),
});

/**
 * Logs in. Retry: safe.
 *
 * @throws `authentication_failed` on 401, 403 and an answer without a token, `network`, `timeout`,
 * `upstream_status`, `invalid_response`
 * @see upstream API, section "Authentication"
 */
export async function requestLogin(
  context: SendingContext,
  credentials: Credentials,
  secondsPerUnit: number,
): Promise<LoginResult> {
  // Counted from before the request, so that the token never seems newer than it is.
  const requestedAt = context.now().getTime();
  return send(context, {
    operation: 'login',
    class: 'login',
    url: `${context.baseUrl}/login`,
    body: { username: credentials.username, password: credentials.password },
    parse: (json) => {
      // A refusal inside a 200.
      if (!json.access_token && (!json.expires_in || Number(json.returnCode ?? 0) !== 0))
        throw new AuthenticationError('The login was answered without a token.');
      const answer = parseAnswer('login', LoginResponseSchema, json);
      if ((answer.token_type.trim() || 'Bearer').toLowerCase() !== 'bearer') throw badField('login', 'token_type');
      const expiresAt = new Date(requestedAt + answer.expires_in * secondsPerUnit * 1000);
      if (!(expiresAt.getTime() > requestedAt)) throw badField('login', 'expires_in');
      return { accessToken: new Redacted(answer.access_token), expiresAt, roles: answer.roles };
    },
  });
}
