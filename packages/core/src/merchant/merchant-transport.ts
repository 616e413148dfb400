import { InvalidInputError, InvalidResponseError, MerchantError, UpstreamStatusError } from '../errors.ts';
import { type ExchangeResult, exchange, isSuccess, type RawBody } from '../transport/exchange.ts';
import { requireReply } from '../transport/require-reply.ts';
import type { CallOptions } from '../transport/send.ts';
import { parseObject, problemDetails } from '../values/answers.ts';
import { toJson } from '../values/check-text.ts';
import { redactText } from '../values/redact.ts';
import { badSetting, checkClientSettings, requireBaseAddress } from '../values/settings.ts';
import { isLocalNetworkHost, isLoopbackHost } from '../values/web-address.ts';
import { isDoubtful, isRefusedUnread, mayPass, type Reply } from './retry-rules.ts';

/** Settings of every client of the proxy. */
export interface ProxyClientOptions {
  /** Address of the proxy; a path prefix is kept. https, or http on loopback: the key travels with every call. A test key may go over http into the local network, too. */
  endpoint: string | URL;
  /**
   * Called with one `Request` of this runtime. A `fetch` of another library needs a wrapper that hands on `method`, `headers`, `body`,
   * `signal` and `redirect`: one that follows a redirect takes the secrets along.
   * @default globalThis.fetch
   */
  fetch?: typeof fetch | undefined;
  /** Retries of reads, of `ensure`, and of calls with an `idempotencyKey`. @default 2 */
  maxNetworkRetries?: number | undefined;
  /** Limit of one request in milliseconds, body included. The proxy waits 25 s for a charge. @default 40_000 */
  timeoutMs?: number | undefined;
}

/** Settings of the merchant client. */
export interface MerchantClientOptions extends ProxyClientOptions {
  /**
   * `sk_…` of the hotel, or `pk_…` of its platform. Whether real money moves is up to the hotel's `livemode`: at a live hotel, a key
   * with `sk_test_` from before moves it, too.
   */
  secretKey: string;
  /** Id of the hotel. A platform key needs it; with the hotel's own key, the proxy checks that the key belongs to it. */
  property?: string | undefined;
}

/** Settings of one call. A call that does more when it is sent twice is never repeated, whatever `maxNetworkRetries` says. */
export interface MerchantCallOptions extends CallOptions {
  /**
   * Aborting rejects with the signal's reason. What was sent may still be done: call again with the same idempotency key.
   */
  signal?: AbortSignal | undefined;
  /**
   * The W3C `traceparent` of what the call is made for: the proxy's work becomes a part of that trace. A malformed one is not
   * sent, since no payment may depend on it.
   * @example '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
   */
  traceparent?: string | undefined;
  /**
   * Who does it, for the audit: an id of your own, at most 64 visible ASCII characters. The proxy writes it down and does not check it.
   * @example 'emp-42'
   */
  person?: string | undefined;
}

/** One call: a GET, or with a body a POST. */
export interface MerchantCall {
  path: string;
  /** The method, if it is neither. */
  method?: 'PUT' | 'PATCH' | 'DELETE' | undefined;
  /** Whether a call with that method does no more when it is sent twice. @default false */
  isRepeatable?: boolean;
  /** Which version of a resource the call is meant for. */
  ifMatch?: number | '*' | undefined;
  query?: object | undefined;
  /** Sent as JSON. */
  body?: object | undefined;
  /** Sent unchanged, instead. */
  raw?: RawBody | undefined;
  /** A POST with a key does no more when it is sent twice, so it may be repeated. */
  idempotencyKey?: string | undefined;
  /** Whether a success may come without a body. @default false */
  mayBeEmpty?: boolean;
  /** Largest answer that is read, in bytes. @default 4 MiB */
  maxBytes?: number;
}

const MAX_BODY_BYTES = 4_194_304;
const DEFAULT_TIMEOUT_MS = 40_000;
const TRACEPARENT = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;

/** Fields of requests that no error may quote. */
const SECRETS = /^(cardNo|cvc|token|password|previousPassword|apiKey|secret)$/;

/** Building blocks of a client's methods. */
type Transport = ReturnType<typeof createTransport>;

/** For the routes of a hotel. @throws `configuration` with the path of the bad setting */
export function createMerchantTransport(options: MerchantClientOptions): Transport {
  const { secretKey, property } = options ?? {};
  if (property !== undefined && !isPropertyId(property)) {
    throw badSetting('property', 'must be the id of the hotel: 1 to 40 of a-z 0-9 _');
  }
  const transport = createTransport(options, {
    key: secretKey,
    setting: 'secretKey',
    form: /^[!-~]+$/,
    what: 'must be the sk_… key',
    headers: property === undefined ? {} : { 'innkeep-property': property },
  });
  if (!secretKey.startsWith('pk_') || property !== undefined) return transport;
  // Without a hotel nothing can be called.
  const refuse = async (): Promise<never> => {
    throw badSetting('property', 'must say for which hotel the platform key acts');
  };
  return { json: refuse, bytes: refuse };
}

/** Whether it is an id of a hotel, which can be part of a header and of an address. */
export function isPropertyId(id: unknown): id is string {
  return typeof id === 'string' && /^[a-z0-9_]{1,40}$/.test(id);
}

/** How a client authenticates its calls. */
interface Caller {
  readonly key: unknown;
  /** The setting that has the key. */
  readonly setting: string;
  readonly form: RegExp;
  readonly what: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** @throws `configuration` with the path of the bad setting */
export function createTransport(options: ProxyClientOptions, caller: Caller) {
  // A telephone in the same network may try a site under development, which has a test key.
  const isNear = /^[sp]k_test_/.test(String(caller.key)) ? isLocalNetworkHost : isLoopbackHost;
  const base = requireBaseAddress(options?.endpoint, 'endpoint', isNear);
  if (/[?#]/.test(String(options.endpoint))) throw badSetting('endpoint', 'must have no query or fragment');
  checkClientSettings(options);
  const { maxNetworkRetries = 2, timeoutMs = DEFAULT_TIMEOUT_MS } = options;
  const { key } = caller;
  if (typeof key !== 'string' || !caller.form.test(key)) throw badSetting(caller.setting, caller.what);
  // An injected fetch may quote its request, and so may the answer.
  const redacting = (body: unknown) => (text: string) => redactText(text, [key, ...secretsIn(body)]);

  async function send(
    call: MerchantCall,
    { signal, traceparent, person, ...limits }: MerchantCallOptions = {},
    accept: Record<string, string> = {},
  ): Promise<Reply> {
    const { path, query, body, raw, idempotencyKey, ifMatch, maxBytes = MAX_BODY_BYTES } = call;
    checkClientSettings(limits);
    signal?.throwIfAborted();
    const redact = redacting(body);
    const headers: Record<string, string> = { authorization: `Bearer ${key}`, ...caller.headers, ...accept };
    const contentType = body === undefined ? raw?.contentType : 'application/json';
    if (contentType !== undefined) headers['content-type'] = contentType;
    if (idempotencyKey !== undefined) headers['idempotency-key'] = idempotencyKey;
    if (TRACEPARENT.test(traceparent ?? '')) headers.traceparent = String(traceparent);
    if (person !== undefined) headers['innkeep-person'] = requirePerson(person);
    if (ifMatch !== undefined) headers['if-match'] = ifMatch === '*' ? '*' : `"${ifMatch}"`;
    const method = call.method ?? (contentType === undefined ? 'GET' : 'POST');
    const isRepeatable = method === 'GET' || call.isRepeatable || idempotencyKey !== undefined;
    let doubtful: ExchangeResult | undefined;
    const result = await exchange(
      { method, url: `${base}/v1/${path}${queryString(query)}`, headers, body: body ? toJson(body) : raw?.bytes },
      {
        fetch: options.fetch,
        timeoutMs: limits.timeoutMs ?? timeoutMs,
        maxBytes,
        signal,
        wantsBody: () => true,
        retries: isRepeatable ? (limits.maxNetworkRetries ?? maxNetworkRetries) : 0,
        onResult(attempt) {
          if (isDoubtful(attempt)) doubtful = attempt;
          return mayPass(attempt);
        },
      },
    );
    const read = (answer: ExchangeResult): Reply => {
      const reply = requireReply(answer, 'the payment proxy', redact, signal);
      if (isSuccess(reply.status)) return reply;
      throw refusal(reply, redact);
    };
    if (doubtful === undefined || method === 'GET' || !isRefusedUnread(result)) return read(result);
    try {
      return read(doubtful);
    } catch (error) {
      throw Object.defineProperty(Object(error), 'cause', { value: refusal(result, redact) });
    }
  }

  return {
    /** For answers that are JSON objects. */
    async json<Resource>(call: MerchantCall, settings?: MerchantCallOptions): Promise<Resource> {
      const { bytes } = await send(call, settings, { accept: 'application/json' });
      const value = parseObject(bytes);
      if (value === undefined && !(call.mayBeEmpty === true && bytes.length === 0)) {
        throw new InvalidResponseError('', 'The answer from the payment proxy is not a JSON object.');
      }
      // The proxy is trusted with the shape: it is not checked here.
      return value as Resource;
    },
    /** For any other answer. */
    async bytes(call: MerchantCall, settings?: MerchantCallOptions): Promise<RawBody> {
      const { headers, bytes } = await send(call, settings);
      return { contentType: headers.get('content-type') ?? '', bytes };
    },
  };
}

function requirePerson(person: unknown): string {
  if (typeof person === 'string' && /^[!-~]{1,64}$/.test(person)) return person;
  throw new InvalidInputError('person', 'person must be 1 to 64 visible ASCII characters.');
}

function refusal(reply: Reply, redact: (text: string) => string): Error {
  const { status } = reply;
  const problem = parseObject(reply.bytes) ?? {};
  const { code, detail, upstreamStatus } = problem;
  if (typeof code !== 'string') {
    return new UpstreamStatusError(`The payment proxy answered with status ${status}.`, status);
  }
  const details = problemDetails(problem, reply);
  const { param } = details;
  const message = `The payment proxy answered ${status} ${code}: ${typeof detail === 'string' ? detail : ''}${param ? ` (${param})` : ''}`;
  return new MerchantError(code, redact(message), {
    ...details,
    upstreamStatus: typeof upstreamStatus === 'number' ? upstreamStatus : undefined,
  });
}

/** The secrets in a request, at any depth. */
function secretsIn(value: unknown, name = ''): string[] {
  if (typeof value === 'string') return SECRETS.test(name) ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => secretsIn(member, Array.isArray(value) ? name : key));
}

function queryString(query: object | undefined): string {
  const pairs = Object.entries(query ?? {}).filter(([, value]) => value !== undefined);
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`;
}
