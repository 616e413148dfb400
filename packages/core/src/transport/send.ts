import { AuthenticationError, ConfigurationError, InvalidResponseError, isInnkeepError } from '../errors.ts';
import { backoffSchedule } from '../polling/backoff.ts';
import { wait } from '../polling/wait.ts';
import type { Json } from '../schemas/parse-answer.ts';
import { comparableReturnCode } from '../schemas/return-code.ts';
import { redactUrl } from '../values/redact.ts';
import { REDACTED } from '../values/redacted.ts';
import type { Context } from './context.ts';
import { type ExchangeResult, exchange, isSuccess } from './exchange.ts';
import { type CallClass, type Evidence, evidenceOfStatus, OUTCOME_RULES } from './outcome-rules.ts';
import { safeCause } from './safe-cause.ts';
import { type Failure, toError } from './to-error.ts';
import { untilAborted } from './until-aborted.ts';

/** One call of an operation. */
export interface Call<Result> {
  operation: string;
  class: CallClass;
  url: string;
  /** Sent as JSON by POST; without one the call is a GET. */
  body?: Readonly<Record<string, unknown>> | undefined;
  /** Reads the answer. Throws `invalid_response` or `declined`. */
  parse: (json: Json) => Result;
  /** Values that must not show in errors and views, besides the credentials. */
  secrets?: readonly string[] | undefined;
  /** Time limit in milliseconds when the caller chose none. @default 30_000 */
  timeoutMs?: number | undefined;
  signal?: AbortSignal | undefined;
}

const DEFAULT_TIMEOUT_MS = 30_000;
/** Far above any documented answer, far below what could exhaust a small runtime. */
const MAX_BODY_BYTES = 1_048_576;
/** Waiting longer than this for a throttled read is the caller's decision. */
const MAX_RETRY_AFTER_MS = 10_000;
const retryDelayMs = backoffSchedule({ initialMs: 300, factor: 2, maxMs: 3000, jitter: 0.5 });

/**
 * Sends one call by the rules of its class: access token, time limit, size cap, no redirect, retries where they are
 * harmless, and an error that says what is known.
 */
export async function send<Result>(context: Context, call: Call<Result>): Promise<Result> {
  const { signal } = call;
  signal?.throwIfAborted();
  if (call.class === 'money' && !context.allowsMoneyCalls) {
    throw new ConfigurationError(
      'dangerouslyAllowBrowser',
      `${call.operation} does not run in a page: browsers may send a request twice by themselves, and here that is a ` +
        'second charge. Call it from a server.',
    );
  }
  const rules = OUTCOME_RULES[call.class];
  let token = call.class === 'login' ? undefined : await accessToken(context, {}, signal);
  let mayRenewToken = true;
  let retriesLeft = context.maxNetworkRetries;
  for (let attempt = 1; ; attempt++) {
    const secrets = [...(call.secrets ?? []), ...(token === undefined ? [] : [token])];
    const outcome = await sendOnce(context, call, { attempt, token, secrets });
    if ('result' in outcome) return outcome.result;

    const { failure } = outcome;
    const { again } = rules[failure.evidence];
    if (again === 'new_token' && mayRenewToken && token !== undefined) {
      mayRenewToken = false;
      token = await accessToken(context, { rejected: token }, signal);
      continue;
    }
    const pauseMs = failure.retryAfterMs ?? retryDelayMs(attempt);
    if (again === 'backoff' && retriesLeft-- > 0 && pauseMs <= MAX_RETRY_AFTER_MS) {
      await wait(pauseMs, { signal });
      continue;
    }
    throw toError(rules[failure.evidence].code, failure, call.operation, (text) => context.redact(text, secrets));
  }
}

interface Attempt {
  attempt: number;
  token: string | undefined;
  secrets: readonly string[];
}

async function sendOnce<Result>(
  context: Context,
  call: Call<Result>,
  { attempt, token, secrets }: Attempt,
): Promise<{ result: Result } | { failure: Failure }> {
  const { operation, url, body } = call;
  const method = body === undefined ? 'GET' : 'POST';
  const headers: Record<string, string> = { accept: 'application/json' };
  if (body !== undefined) headers['content-type'] = 'application/json';
  notify(context.onRequest, () => ({
    operation,
    attempt,
    method,
    url: redactUrl(url, secrets),
    headers: { ...headers, ...(token !== undefined && { authorization: REDACTED }) },
    ...(body !== undefined && { body: context.redact(body, secrets) }),
  }));
  if (token !== undefined) headers.authorization = `Bearer ${token}`;

  const startedAt = context.now().getTime();
  const reply = await exchange(
    { method, url, headers, body: body && JSON.stringify(body) },
    {
      fetch: context.fetch,
      timeoutMs: context.timeoutMs ?? call.timeoutMs ?? DEFAULT_TIMEOUT_MS,
      maxBytes: MAX_BODY_BYTES,
      signal: call.signal,
    },
  );
  const { json, ...outcome } = judge(reply, call, context.uncertainReturnCodes);
  notify(context.onResponse, () => ({
    operation,
    attempt,
    ...('status' in reply && { status: reply.status }),
    ...(json !== undefined && { body: context.redact(json, secrets) }),
    ...('failure' in outcome && { code: OUTCOME_RULES[call.class][outcome.failure.evidence].code }),
    durationMs: context.now().getTime() - startedAt,
  }));
  return outcome;
}

type Judgement<Result> = ({ result: Result } | { failure: Failure }) & { json?: unknown };

function judge<Result>(
  reply: ExchangeResult,
  call: Call<Result>,
  uncertainReturnCodes: readonly string[],
): Judgement<Result> {
  if (reply.kind === 'too_large') {
    const cause = new InvalidResponseError('', `${call.operation} answered with more than ${MAX_BODY_BYTES} bytes.`);
    return { failure: { evidence: 'unreadable', status: reply.status, cause } };
  }
  if (reply.kind === 'aborted') return { failure: { evidence: 'aborted', cause: call.signal?.reason } };
  if (reply.kind !== 'reply') {
    return { failure: { evidence: reply.kind, cause: 'cause' in reply ? reply.cause : undefined } };
  }
  const { status, headers, bytes } = reply;
  if (!isSuccess(status)) {
    return { failure: { evidence: evidenceOfStatus(status), status, retryAfterMs: retryAfterMs(headers) } };
  }
  let json: unknown;
  try {
    json = parseObject(bytes, call.operation);
    return { result: call.parse(json as Json), json };
  } catch (cause) {
    const { transactionID: id } = Object(json) as { transactionID?: unknown };
    const transactionID = String(id ?? '').trim() || undefined;
    const evidence = evidenceOfAnswer(cause, transactionID, uncertainReturnCodes);
    return { failure: { evidence, status, cause, transactionID }, json };
  }
}

/** A decline is one only when nothing in the answer hints at an execution. */
function evidenceOfAnswer(
  cause: unknown,
  transactionID: string | undefined,
  uncertainReturnCodes: readonly string[],
): Evidence {
  if (!isInnkeepError(cause, 'declined')) return 'unreadable';
  const isInDoubt =
    transactionID !== undefined || uncertainReturnCodes.includes(comparableReturnCode(cause.returnCode));
  return isInDoubt ? 'declined_in_doubt' : 'declined';
}

function parseObject(bytes: Uint8Array, operation: string): Json {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    // The parser's own message quotes the body, so it is dropped.
    throw new InvalidResponseError('', `The answer to ${operation} is not JSON.`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new InvalidResponseError('', `The answer to ${operation} is not a JSON object.`);
  }
  return value as Json;
}

function retryAfterMs(headers: Headers): number | undefined {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return seconds >= 0 ? seconds * 1000 : undefined;
}

async function accessToken(
  context: Context,
  hint: { rejected?: string },
  signal: AbortSignal | undefined,
): Promise<string> {
  let token: unknown;
  try {
    token = await untilAborted(context.tokens.get(hint), signal);
  } catch (error) {
    signal?.throwIfAborted();
    if (isInnkeepError(error)) throw error;
    const cause = safeCause(error, (text) => context.redact(text));
    throw new AuthenticationError('No access token could be had: accessToken() failed.', { cause });
  }
  if (typeof token === 'string' && token !== '') return token;
  throw new AuthenticationError('No access token could be had: accessToken() returned none.');
}

function notify<View>(hook: ((view: View) => void) | undefined, view: () => View): void {
  try {
    hook?.(view());
  } catch {
    // A logger that throws must not turn a charge into a failure.
  }
}
