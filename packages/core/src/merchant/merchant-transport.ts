import { InvalidInputError, InvalidResponseError, MerchantError, UpstreamStatusError } from '../errors.ts';
import { type ExchangeResult, exchange, isSuccess, type RawBody } from '../transport/exchange.ts';
import type { ExchangeRequest } from '../transport/one-shot-request.ts';
import { requireReply } from '../transport/require-reply.ts';
import { parseObject, problemDetails } from '../values/answers.ts';
import { redactText } from '../values/redact.ts';
import { badSetting, checkClientSettings, requireBaseAddress } from '../values/settings.ts';

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
const DEFAULT_TIMEOUT_MS = 40_000;

/** @throws `configuration` with the path of the bad setting */
export function createMerchantTransport(options: MerchantOptions): MerchantTransport {
  const base = requireBaseAddress(options?.endpoint, 'endpoint');
  if (/[?#]/.test(String(options.endpoint))) throw badSetting('endpoint', 'must have no query or fragment');
  checkClientSettings(options);
  const { secretKey, maxNetworkRetries = 2, timeoutMs = DEFAULT_TIMEOUT_MS } = options;
  if (typeof secretKey !== 'string' || !/^[!-~]+$/.test(secretKey)) {
    throw badSetting('secretKey', 'must be the sk_… key');
  }
  const redact = (text: string): string => redactText(text, [secretKey]);

  async function send(
    { path, query, ...request }: Omit<ExchangeRequest, 'url'> & { path: string; query: object | undefined },
    {
      isSafe,
      maxBytes = MAX_BODY_BYTES,
      signal,
    }: Pick<MerchantCall, 'isSafe' | 'signal'> & { maxBytes?: number | undefined },
  ): Promise<Reply> {
    signal?.throwIfAborted();
    const url = `${base}/v1/${path}${queryString(query)}`;
    const headers = { authorization: `Bearer ${secretKey}`, ...request.headers };
    const result = await exchange(
      { ...request, url, headers },
      {
        fetch: options.fetch,
        timeoutMs,
        maxBytes,
        signal,
        wantsBody: () => true,
        retries: isSafe ? maxNetworkRetries : 0,
        onResult: mayPass,
      },
    );
    const reply = requireReply(result, 'the payment proxy', redact, signal);
    if (isSuccess(reply.status)) return reply;
    throw refusal(reply, redact);
  }

  return {
    async json<Resource>({ method, path, query, body, idempotencyKey, mayBeEmpty, ...call }: MerchantCall) {
      const headers: Record<string, string> = { accept: 'application/json' };
      if (body !== undefined) headers['content-type'] = 'application/json';
      if (idempotencyKey !== undefined) headers['idempotency-key'] = idempotencyKey;
      const { bytes } = await send({ method, path, query, headers, body: body && toJson(body) }, call);
      const value = parseObject(bytes);
      if (value === undefined && !(mayBeEmpty === true && bytes.length === 0)) {
        throw new InvalidResponseError('', 'The answer from the payment proxy is not a JSON object.');
      }
      // The shape is the proxy’s word: it is not checked here.
      return value as Resource;
    },
    async bytes({ path, query, body, ...call }) {
      const method = body === undefined ? 'GET' : 'POST';
      const headers: Record<string, string> = body === undefined ? {} : { 'content-type': body.contentType };
      const reply = await send(
        { method, path, query, headers, body: body?.bytes },
        { isSafe: method === 'GET', ...call },
      );
      return { contentType: reply.headers.get('content-type') ?? '', bytes: reply.bytes };
    },
  };
}

type Reply = Extract<ExchangeResult, { kind: 'reply' }>;

/** Whether the same call may succeed a moment later. With the same key, "still in progress" is an invitation to ask again. */
function mayPass(result: ExchangeResult): boolean {
  if (result.kind !== 'reply') return result.kind !== 'too_large';
  const { status, bytes } = result;
  if (isSuccess(status)) return false;
  return status >= 500 || status === 429 || parseObject(bytes)?.code === 'idempotency_in_progress';
}

function refusal(reply: Reply, redact: (text: string) => string): Error {
  const { status } = reply;
  const problem = parseObject(reply.bytes) ?? {};
  const { code, detail } = problem;
  if (typeof code !== 'string') {
    return new UpstreamStatusError(`The payment proxy answered with status ${status}.`, status);
  }
  const message = `The payment proxy answered ${status} ${code}: ${typeof detail === 'string' ? detail : ''}`;
  return new MerchantError(code, redact(message), problemDetails(problem, reply));
}

function toJson(body: object): string {
  try {
    return JSON.stringify(body);
  } catch (cause) {
    throw new InvalidInputError('body', 'body must be JSON: no bigint, no cycle.', { cause });
  }
}

function queryString(query: object | undefined): string {
  const pairs = Object.entries(query ?? {}).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as [string, string]],
  );
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`;
}
