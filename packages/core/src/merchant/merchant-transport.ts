import {
  ConfigurationError,
  InvalidInputError,
  InvalidResponseError,
  MerchantError,
  NetworkError,
  TimeoutError,
  UpstreamStatusError,
} from '../errors.ts';
import { isLoopbackHttp } from '../hosted/trusted-url.ts';
import { backoffSchedule } from '../polling/backoff.ts';
import { wait } from '../polling/wait.ts';
import { exchange, isSuccess, type RawBody } from '../transport/exchange.ts';
import type { ExchangeRequest } from '../transport/one-shot-request.ts';
import { safeCause } from '../transport/safe-cause.ts';
import { redactText } from '../values/redact.ts';

/** Settings of the merchant client. */
export interface MerchantOptions {
  /** Address of the proxy; a path prefix is kept. https, or http on loopback: the key travels with every call. */
  endpoint: string | URL;
  /** `sk_…`. */
  secretKey: string;
  /** @default globalThis.fetch */
  fetch?: typeof fetch | undefined;
  /** Retries of reads, and of calls with an `idempotencyKey`. @default 2 */
  maxNetworkRetries?: number | undefined;
  /** Limit of one request in milliseconds, body included. The proxy waits 25 s for a charge. @default 40_000 */
  timeoutMs?: number | undefined;
}

/** One JSON call. */
export interface MerchantCall {
  method: 'GET' | 'POST';
  path: string;
  query?: object | undefined;
  body?: object | undefined;
  idempotencyKey?: string | undefined;
  /** Whether sending it twice does no more than sending it once. */
  isSafe: boolean;
  /** Whether a success may come without a body. @default false */
  mayBeEmpty?: boolean;
  signal?: AbortSignal | undefined;
}

/** One call whose answer is no JSON: a read, or with a body a message that is sent once. */
export interface MerchantBytesCall {
  path: string;
  query?: object | undefined;
  body?: RawBody | undefined;
  /** Largest answer that is read, in bytes. @default 4 MiB */
  maxBytes?: number;
  signal?: AbortSignal | undefined;
}

/** What the client's methods are made of. */
export interface MerchantTransport {
  json<Resource>(call: MerchantCall): Promise<Resource>;
  bytes(call: MerchantBytesCall): Promise<RawBody>;
}

const MAX_BODY_BYTES = 4_194_304;
const MAX_RETRY_AFTER_MS = 10_000;
const retryDelayMs = backoffSchedule({ initialMs: 300, factor: 2, maxMs: 3000, jitter: 0.5 });

interface Limits {
  signal?: AbortSignal | undefined;
  maxBytes?: number | undefined;
}

type Outcome =
  | { reply: { status: number; headers: Headers; bytes: Uint8Array<ArrayBuffer> } }
  | { error: Error; mayRetry: boolean; retryAfterMs?: number | undefined };

/** @throws `configuration` with the path of the bad setting */
export function createMerchantTransport(options: MerchantOptions): MerchantTransport {
  const base = String(options?.endpoint).replace(/\/+$/, '');
  if (!isSecure(base)) throw bad('endpoint', 'must be an https address (http only on loopback) without a query');
  const { secretKey, maxNetworkRetries = 2, timeoutMs = 40_000 } = options;
  if (options.fetch !== undefined && typeof options.fetch !== 'function') throw bad('fetch', 'must be a function');
  if (typeof secretKey !== 'string' || !/^[!-~]+$/.test(secretKey)) throw bad('secretKey', 'must be the sk_… key');
  if (!Number.isInteger(maxNetworkRetries) || maxNetworkRetries < 0 || maxNetworkRetries > 10) {
    throw bad('maxNetworkRetries', 'must be an integer from 0 to 10');
  }
  if (!(timeoutMs > 0)) throw bad('timeoutMs', 'must be a positive number of milliseconds');
  const redact = (text: string): string => redactText(text, [secretKey]);

  async function attempt(request: ExchangeRequest, { signal, maxBytes = MAX_BODY_BYTES }: Limits): Promise<Outcome> {
    const { fetch: injected } = options;
    const result = await exchange(request, {
      fetch: (prepared) => (injected === undefined ? fetch(prepared) : injected(prepared)),
      timeoutMs,
      maxBytes,
      signal,
      wantsBody: () => true,
    });
    switch (result.kind) {
      case 'aborted':
        throw signal?.reason;
      case 'timed_out':
        return { error: new TimeoutError(`The payment proxy did not answer in ${timeoutMs} ms.`), mayRetry: true };
      case 'too_large':
        return {
          error: new InvalidResponseError('', 'The answer of the payment proxy is too large.'),
          mayRetry: false,
        };
      case 'reply':
        return isSuccess(result.status) ? { reply: result } : refusal(result, redact);
      default: {
        const cause = safeCause(result.cause, redact);
        return { error: new NetworkError('The payment proxy cannot be reached.', { cause }), mayRetry: true };
      }
    }
  }

  async function send(request: ExchangeRequest, isSafe: boolean, limits: Limits) {
    const { signal } = limits;
    signal?.throwIfAborted();
    for (let tries = 1; ; tries++) {
      const outcome = await attempt(request, limits);
      if ('reply' in outcome) return outcome.reply;
      const delayMs = outcome.retryAfterMs ?? retryDelayMs(tries);
      if (!isSafe || !outcome.mayRetry || tries > maxNetworkRetries || delayMs > MAX_RETRY_AFTER_MS)
        throw outcome.error;
      await wait(delayMs, { signal });
    }
  }

  return {
    async json<Resource>({ method, path, query, body, idempotencyKey, isSafe, mayBeEmpty, signal }: MerchantCall) {
      const headers: Record<string, string> = { authorization: `Bearer ${secretKey}`, accept: 'application/json' };
      if (body !== undefined) headers['content-type'] = 'application/json';
      if (idempotencyKey !== undefined) headers['idempotency-key'] = idempotencyKey;
      const url = `${base}/v1/${path}${queryString(query)}`;
      const { bytes } = await send({ method, url, headers, body: body && toJson(body) }, isSafe, { signal });
      const value = parseObject(bytes);
      if (value === undefined && !(mayBeEmpty === true && bytes.length === 0)) {
        throw new InvalidResponseError('', 'The answer of the payment proxy is not a JSON object.');
      }
      // The proxy checks its own answers; the client trusts its types.
      return value as Resource;
    },
    async bytes({ path, query, body, maxBytes, signal }) {
      const headers: Record<string, string> = { authorization: `Bearer ${secretKey}` };
      if (body !== undefined) headers['content-type'] = body.contentType;
      const method = body === undefined ? 'GET' : 'POST';
      const url = `${base}/v1/${path}${queryString(query)}`;
      const request: ExchangeRequest = { method, url, headers, body: body?.bytes };
      const reply = await send(request, method === 'GET', { signal, maxBytes });
      return { contentType: reply.headers.get('content-type') ?? '', bytes: reply.bytes };
    },
  };
}

function refusal(
  { status, headers, bytes }: { status: number; headers: Headers; bytes: Uint8Array },
  redact: (text: string) => string,
): Outcome {
  const { code, detail, param, resource, traceId } = parseObject(bytes) ?? {};
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  const retryAfterSeconds = seconds >= 0 ? seconds : undefined;
  // With the same key, "still in progress" is an invitation to ask again.
  const mayRetry = status >= 500 || status === 429 || code === 'idempotency_in_progress';
  const retryAfterMs = retryAfterSeconds === undefined ? undefined : retryAfterSeconds * 1000;
  if (typeof code !== 'string') {
    return {
      error: new UpstreamStatusError(`The payment proxy answered with status ${status}.`, status),
      mayRetry,
      retryAfterMs,
    };
  }
  const error = new MerchantError(
    code,
    redact(`The payment proxy answered ${status} ${code}: ${textOf(detail) ?? ''}`),
    {
      status,
      param: textOf(param),
      resource: textOf(resource),
      traceId: textOf(traceId),
      retryAfterSeconds,
    },
  );
  return { error, mayRetry, retryAfterMs };
}

function isSecure(endpoint: string): boolean {
  if (!/^https?:\/\/[^?#]+$/.test(endpoint) || !URL.canParse(endpoint)) return false;
  const url = new URL(endpoint);
  return url.protocol === 'https:' || isLoopbackHttp(url);
}

function toJson(body: object): string {
  try {
    return JSON.stringify(body);
  } catch (cause) {
    throw new InvalidInputError('body', 'body must be JSON: no bigint, no cycle.', { cause });
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function queryString(query: object | undefined): string {
  const pairs = Object.entries(query ?? {}).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as [string, string]],
  );
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`;
}

function parseObject(bytes: Uint8Array): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function bad(path: string, what: string): ConfigurationError {
  return new ConfigurationError(path, `Setting ${path}: ${what}.`);
}
