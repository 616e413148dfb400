import { AuthenticationError, ConfigurationError, InvalidResponseError, isInnkeepError } from '../errors.ts';
import { cleanAnswer } from '../schemas/clean-answer.ts';
import { hintsAtExecution } from '../schemas/execution-hint.ts';
import type { Json } from '../schemas/parse-answer.ts';
import { comparableReturnCode, saysZero } from '../schemas/return-code.ts';
import { parseObject } from '../values/answers.ts';
import { redactUrl } from '../values/redact.ts';
import { REDACTED } from '../values/redacted.ts';
import { checkClientSettings } from '../values/settings.ts';
import { type ExchangeResult, exchange, isSuccess } from './exchange.ts';
import { type CallClass, type Evidence, evidenceOfStatus, OUTCOME_RULES } from './outcome-rules.ts';
import { safeCause } from './safe-cause.ts';
import { type Failure, toError } from './to-error.ts';
import { untilAborted } from './until-aborted.ts';

/** Settings of one call. */
export interface CallOptions {
  /** Aborting rejects with the signal's reason, except after a call that moves money was sent: then `outcome_unknown`. */
  signal?: AbortSignal | undefined;
  /** Limit of one request in milliseconds, body included. @default the client's */
  timeoutMs?: number | undefined;
  /** How often the call may be sent again, if it is safe to repeat. @default the client's */
  maxNetworkRetries?: number | undefined;
}

/** A request as logs may see it: secrets, card data and query values are blanked. */
export interface RequestView {
  /** Name of the operation: `login`, `pay`, `paystatus`. */
  operation: string;
  /** Counts from 1 within one call. */
  attempt: number;
  /** HTTP method. */
  method: string;
  /** Address, its query values blanked. */
  url: string;
  /** Headers, credentials blanked. */
  headers: Record<string, string>;
  /** Parsed and redacted body, if there is one. */
  body?: unknown;
}

/** An answer as logs may see it. */
export interface ResponseView {
  /** Name of the operation, as in the view of its request. */
  operation: string;
  /** Which attempt it answers. */
  attempt: number;
  /** Absent when there was no answer. */
  status?: number;
  /** Parsed and redacted body, if it is JSON. It is redacted each time it is read. */
  readonly body?: unknown;
  /** Code of the failure, if it is one. */
  code?: string;
  /** Field of the answer that was missing or wrong, if it is that. */
  path?: string;
  /** Milliseconds from sending to the end of the body. */
  durationMs: number;
}

/** The part of the context that sending a call uses. */
export interface SendingContext {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** Codes that do not say whether money has moved, in the spelling of `comparableReturnCode`. */
  readonly uncertainReturnCodes: readonly string[];
  /** Statuses with which the upstream refuses calls that move money. */
  readonly refusalStatuses: readonly number[];
  /** The injected `fetch`; without one `globalThis.fetch` is used. */
  readonly fetch: typeof fetch | undefined;
  /** The time. */
  readonly now: () => Date;
  /** Set when the caller chose one limit for everything. */
  readonly timeoutMs: number | undefined;
  /** How often reads and login are tried again. */
  readonly maxNetworkRetries: number;
  /** False in a page, unless `dangerouslyAllowBrowser` was set. */
  readonly allowsMoneyCalls: boolean;
  /** Where access tokens come from; `rejected` is one that the upstream just refused. */
  readonly tokens: { get(hint: { rejected?: string }): Promise<string> };
  /** Blanks the credentials, and `secrets`, in a text or a JSON value. */
  readonly redact: <Value>(value: Value, secrets?: readonly string[]) => Value;
  /** Called with the redacted view of every request. */
  readonly onRequest: ((view: RequestView) => void) | undefined;
  /** Called with the redacted view of every answer. */
  readonly onResponse: ((view: ResponseView) => void) | undefined;
}

/** One call of an operation. */
export interface Call<Result> {
  operation: string;
  class: CallClass;
  url: string;
  /** Sent as JSON by POST; without one the call is a GET. */
  body?: Readonly<Record<string, unknown>> | undefined;
  /** Reads the answer. Throws `invalid_response` or `declined`. */
  parse: (json: Json) => Result;
  /** Values that must not appear in errors and views, besides the credentials. */
  secrets?: readonly string[] | undefined;
  /** Time limit in milliseconds when the caller chose none. @default 30_000 */
  timeoutMs?: number | undefined;
  options?: CallOptions | undefined;
}

const DEFAULT_TIMEOUT_MS = 30_000;
/** Far above any documented answer, and quick to read: everything else in the process waits meanwhile. */
const MAX_BODY_BYTES = 65_536;
const ABORTED = { failure: { evidence: 'aborted' } } as const;

/**
 * Sends one call by the rules of its class: access token, time limit, size cap, no redirect, retries where they are
 * harmless, and an error that says what is known.
 */
export async function send<Result>(context: SendingContext, call: Call<Result>): Promise<Result> {
  const { operation, options = {} } = call;
  const { signal } = options;
  checkClientSettings(options);
  signal?.throwIfAborted();
  if (call.class === 'money' && !context.allowsMoneyCalls) {
    throw new ConfigurationError(
      'dangerouslyAllowBrowser',
      `${operation} does not run in a page: a browser may repeat a request, and charge twice. Call it from a server.`,
    );
  }
  const { body, url } = call;
  const method = body === undefined ? 'GET' : 'POST';
  const rules = OUTCOME_RULES[call.class];
  let retries = rules.not_sent.again ? (options.maxNetworkRetries ?? context.maxNetworkRetries) : 0;
  let token = call.class === 'login' ? undefined : await accessToken(context, {}, signal);
  let attempt = 0;
  for (let mayRenewToken = true; ; mayRenewToken = false) {
    const secrets = [...(call.secrets ?? []), ...(token === undefined ? [] : [token])];
    const headers: Record<string, string> = { accept: 'application/json' };
    if (body !== undefined) headers['content-type'] = 'application/json';
    if (token !== undefined) headers.authorization = `Bearer ${token}`;
    let startedAt = 0;
    let outcome = ABORTED as Outcome<Result>;
    const last = await exchange(
      { method, url, headers, body: body && JSON.stringify(body) },
      {
        fetch: context.fetch,
        timeoutMs: options.timeoutMs ?? context.timeoutMs ?? call.timeoutMs ?? DEFAULT_TIMEOUT_MS,
        maxBytes: MAX_BODY_BYTES,
        wantsBody(status) {
          const refusal = refusalOf(status, call, context);
          return isSuccess(status) || refusal === 'refused' || (refusal !== undefined && 'if_soon');
        },
        signal,
        retries,
        onSend() {
          attempt += 1;
          startedAt = context.now().getTime();
          notify(context.onRequest, () => ({
            operation,
            attempt,
            method,
            url: redactUrl(url, secrets),
            headers: token === undefined ? headers : { ...headers, authorization: REDACTED },
            ...(body !== undefined && { body: context.redact(body, secrets) }),
          }));
        },
        onResult(reply) {
          const classified = classify(reply, call, context);
          const { failure, json } = classified;
          const rule = failure && rules[failure.evidence];
          notify(context.onResponse, () => {
            const view: ResponseView = {
              operation,
              attempt,
              ...('status' in reply && { status: reply.status }),
              ...(rule && failureView(rule.code, failure.cause)),
              durationMs: context.now().getTime() - startedAt,
            };
            // Redacting takes long, so it happens only when somebody reads the body.
            const get = (): unknown => context.redact(json, secrets);
            return json === undefined ? view : Object.defineProperty(view, 'body', { get, enumerable: true });
          });
          outcome = classified;
          return rule?.again === 'backoff';
        },
      },
    );
    // The call may have been aborted between two attempts.
    if (last.kind === 'aborted') outcome = ABORTED;
    if (outcome.failure === undefined) return outcome.result;
    const { code, again } = rules[outcome.failure.evidence];
    if (again !== 'new_token' && outcome.failure.status === 401 && token !== undefined) {
      // An answer that leaves the outcome open still refuses the token: the next call gets a new one.
      await accessToken(context, { rejected: token }, signal).catch(() => undefined);
    }
    if (again !== 'new_token' || !mayRenewToken || token === undefined) {
      const cause = last.kind === 'aborted' ? signal?.reason : outcome.failure.cause;
      throw toError(code, { ...outcome.failure, cause }, operation, (text) => context.redact(text, secrets));
    }
    token = await accessToken(context, { rejected: token }, signal);
    retries -= Math.min(retries, attempt - 1);
  }
}

/** What the view says of a failure: what its error says, which is a parser's own where the answer could not be used. */
function failureView(code: string, cause: unknown): Pick<ResponseView, 'code' | 'path'> {
  if (!isInnkeepError(cause)) return { code };
  // Those about a field have one.
  const { path } = cause as { path?: string };
  return { code: code === 'invalid_response' ? cause.code : code, ...(path && { path }) };
}

type Outcome<Result> = { result: Result; failure?: undefined } | { failure: Failure };

type Classified<Result> = Outcome<Result> & { json?: unknown };

function classify<Result>(reply: ExchangeResult, call: Call<Result>, context: SendingContext): Classified<Result> {
  if (reply.kind === 'too_large') {
    const cause = new InvalidResponseError('', `The answer to ${call.operation} exceeds ${MAX_BODY_BYTES} bytes.`);
    return { failure: { evidence: 'unreadable', status: reply.status, cause } };
  }
  if (reply.kind !== 'reply') {
    return { failure: { evidence: reply.kind, cause: 'cause' in reply ? reply.cause : undefined } };
  }
  const { status, bytes } = reply;
  const refusal = refusalOf(status, call, context);
  if (!isSuccess(status) && refusal === undefined) return { failure: { evidence: evidenceOfStatus(status), status } };
  const text = new TextDecoder().decode(bytes);
  const json = cleanAnswer(parseObject(text)) as Json | undefined;
  let cause: unknown;
  try {
    if (json === undefined) {
      throw new InvalidResponseError('', `The answer to ${call.operation} is not a JSON object.`);
    }
    const result = call.parse(json);
    if (refusal === undefined) return { result, json };
  } catch (error) {
    cause = error;
  }
  const id = json?.transactionID ?? '';
  // A rounded id names another payment, but it shows that there is one.
  const transactionId = typeof id === 'string' ? id.trim() : Number.isSafeInteger(id) ? `${id}` : REDACTED;
  const evidence = evidenceOfAnswer(cause, transactionId, context.uncertainReturnCodes);
  const failure: Failure = { evidence, status, cause, transactionId };
  if (refusal === undefined || (refusal === 'refused' && evidence !== 'unreadable')) return { failure, json };
  // A refusal needs no documented body; a body that says 0 or names a transaction is not a refusal.
  const code = json?.returnCode;
  const isOpen = refusal === 'refused' ? code != null : saysZero(code);
  const isProven = transactionId === '' && !isOpen && !hintsAtExecution(text);
  return { failure: isProven ? { evidence: refusal, status } : { ...failure, evidence: 'unreadable' }, json };
}

/** The evidence of a status that proves, for money, that nothing was executed unless the body says otherwise. */
function refusalOf(
  status: number,
  { class: callClass }: Pick<Call<unknown>, 'class'>,
  { refusalStatuses }: SendingContext,
): Evidence | undefined {
  if (callClass !== 'money') return undefined;
  if (refusalStatuses.includes(status)) return 'refused';
  return status === 401 || status === 403 ? evidenceOfStatus(status) : undefined;
}

/** A decline counts only when nothing in the answer hints at an execution. */
function evidenceOfAnswer(cause: unknown, transactionId: string, uncertainReturnCodes: readonly string[]): Evidence {
  if (!isInnkeepError(cause, 'declined')) return 'unreadable';
  const isUnresolved = transactionId !== '' || uncertainReturnCodes.includes(comparableReturnCode(cause.returnCode));
  return isUnresolved ? 'declined_in_doubt' : 'declined';
}

async function accessToken(
  context: SendingContext,
  hint: { rejected?: string },
  signal: AbortSignal | undefined,
): Promise<string> {
  const options: ErrorOptions = {};
  try {
    const token: unknown = await untilAborted(context.tokens.get(hint), signal);
    if (typeof token === 'string' && token !== '') return token;
  } catch (error) {
    signal?.throwIfAborted();
    if (isInnkeepError(error)) throw error;
    options.cause = safeCause(error, (text) => context.redact(text, Object.values(hint)));
  }
  throw new AuthenticationError('No access token: accessToken() gave none.', options);
}

function notify<View>(hook: ((view: View) => void) | undefined, view: () => View): void {
  try {
    hook?.(view());
  } catch {
    // A logger that throws must not turn a charge into a failure.
  }
}
