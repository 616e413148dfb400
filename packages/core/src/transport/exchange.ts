import ky, { NetworkError, type Options, TimeoutError } from 'ky';
import { LONGEST_TIMER_MS } from '../polling/wait.ts';
import { retryAfterSeconds } from '../values/answers.ts';
import { joinBytes } from '../values/join-bytes.ts';
import { type ExchangeRequest, type OneShotRequest, toOneShotRequest } from './one-shot-request.ts';
import { untilAborted } from './until-aborted.ts';

/** Bytes and their type: a request body that is passed on unchanged. */
export interface RawBody {
  /** Value of its `Content-Type`. */
  contentType: string;
  /** The bytes, unchanged. */
  bytes: Uint8Array<ArrayBuffer>;
}

type Bytes = Uint8Array<ArrayBuffer>;

/** How one exchange is made. */
export interface ExchangeOptions {
  /** @default globalThis.fetch */
  fetch?: ((request: Request) => Promise<Response>) | undefined;
  /** Limit of each attempt for headers and body together, in milliseconds. */
  timeoutMs: number;
  /** Largest body that is read, in bytes. */
  maxBytes: number;
  signal?: AbortSignal | undefined;
  /** Statuses whose body is worth reading; with `if_soon`, only what comes soon counts as the body. @default 2xx */
  wantsBody?: ((status: number) => boolean | 'if_soon') | undefined;
  /** How often the request may be sent again. @default 0 */
  retries?: number | undefined;
  /** Called before each attempt. */
  onSend?: (() => void) | undefined;
  /** Called once with the result of each attempt; returns whether to make another one while `retries` are left. */
  onResult?: ((result: ExchangeResult) => boolean) | undefined;
}

/**
 * What is known after an attempt. Nothing is thrown, so that every caller must look at what happened:
 * `not_sent` is proven by the runtime; after `connection_lost`, `timed_out` and `aborted` the request may have arrived.
 */
export type ExchangeResult =
  | { kind: 'reply'; status: number; headers: Headers; bytes: Uint8Array<ArrayBuffer> }
  | { kind: 'too_large'; status: number; headers: Headers }
  | { kind: 'not_sent' | 'connection_lost'; cause: unknown }
  | { kind: 'timed_out' }
  | { kind: 'aborted' };

/** Waiting longer than this before another attempt is the caller's decision. */
const MAX_RETRY_AFTER_SECONDS = 10;

/** How long to wait for a body when the status says enough without it. */
const SOON_MS = 5000;

/**
 * Makes one request, which no runtime can send twice by itself, and reads the whole answer under one time limit and a size
 * cap. Follows no redirect: some runtimes send the body and secret headers to another origin. Returns the result of
 * the last attempt.
 */
export async function exchange(request: ExchangeRequest, options: ExchangeOptions): Promise<ExchangeResult> {
  const { fetch, signal, maxBytes, wantsBody = isSuccess, retries = 0, onSend, onResult } = options;
  const timeoutMs = Math.min(options.timeoutMs, LONGEST_TIMER_MS);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let timeLimit = new AbortController();
  /** Aborted by the time limit of the attempt, and by the caller. */
  let stop = eitherOf(timeLimit.signal, signal);
  let result: ExchangeResult | undefined;
  let retry: { delay?: number } | undefined;

  function beginAttempt(): void {
    timer = setTimeout(() => timeLimit.abort(), timeoutMs);
    onSend?.();
  }
  function beginAgain(): void {
    clearTimeout(timer);
    timeLimit = new AbortController();
    stop = eitherOf(timeLimit.signal, signal);
    result = undefined;
    beginAttempt();
  }
  function endAttempt(known: ExchangeResult): void {
    if (result !== undefined) return;
    result = known;
    const seconds = 'headers' in known ? retryAfterSeconds(known.headers) : undefined;
    const mayRetry = onResult?.(known) === true && (seconds ?? 0) <= MAX_RETRY_AFTER_SECONDS;
    retry = mayRetry ? { ...(seconds !== undefined && { delay: seconds * 1000 }) } : undefined;
  }
  function resultOf(error: unknown): ExchangeResult {
    // Recognized by the class: a fetch may throw errors of the same name.
    if (error instanceof TimeoutError || timeLimit.signal.aborted) return { kind: 'timed_out' };
    if (signal?.aborted) return { kind: 'aborted' };
    const cause = error instanceof NetworkError ? error.cause : error;
    return { kind: isConnectFailure(cause) ? 'not_sent' : 'connection_lost', cause };
  }
  async function receive({ status, headers, body }: Response): Promise<void> {
    const wanted = wantsBody(status);
    const chunks: Bytes[] = [];
    try {
      const read = readBody(body, wanted === false ? -1 : maxBytes, stop, chunks);
      await (wanted === 'if_soon' ? soonOrNot(read) : read);
      const bytes = joinBytes(chunks);
      endAttempt(
        bytes.byteLength > maxBytes && wanted === true
          ? { kind: 'too_large', status, headers }
          : { kind: 'reply', status, headers, bytes: bytes.subarray(0, maxBytes) },
      );
    } catch (error) {
      const known = resultOf(error);
      endAttempt(known.kind === 'not_sent' ? { ...known, kind: 'connection_lost' } : known);
    }
  }
  async function soonOrNot(read: Promise<void>): Promise<void> {
    const soon = setTimeout(() => timeLimit.abort(), SOON_MS);
    await read.catch(() => undefined);
    clearTimeout(soon);
  }

  let oneShot: OneShotRequest | undefined;
  let isSendable = false;
  beginAttempt();
  try {
    oneShot = toOneShotRequest(request);
    const sending = ky(request.url, {
      ...oneShot.init,
      // Without a receiver, as browsers demand.
      ...(fetch !== undefined && { fetch: fetch.bind(undefined) as typeof globalThis.fetch }),
      throwHttpErrors: false,
      ...(retries === 0 ? { signal: stop, timeout: false, retry: 0 } : retrying()),
    });
    isSendable = true;
    // An injected fetch may ignore its signal.
    const response = await untilAborted(sending, retries === 0 ? stop : signal);
    if (result === undefined) await receive(response);
  } catch (error) {
    // For example an access token with a line break: it cannot be sent, so it was not.
    endAttempt(isSendable ? resultOf(error) : { kind: 'not_sent', cause: error });
    // Aborted while it waited to make another attempt.
    if (retry !== undefined && signal?.aborted) result = { kind: 'aborted' };
  } finally {
    clearTimeout(timer);
    oneShot?.close?.();
  }
  return result ?? { kind: 'connection_lost', cause: undefined };

  /** Each of several attempts has its own time limit: ky counts until the headers, and we count the whole attempt. */
  function retrying(): Options {
    return {
      ...(signal !== undefined && { signal }),
      timeout: timeoutMs,
      retry: {
        limit: retries,
        methods: ['get', 'post', 'put'],
        shouldRetry({ error }) {
          endAttempt(resultOf(error));
          return retry !== undefined;
        },
        delay: (attempt) => Math.min(3000, 300 * 2 ** (attempt - 1)),
        jitter: (delay) => delay * (1 - Math.random() / 2),
      },
      // ky clones the response for a hook: only where a broken body can be requested again.
      hooks: { beforeRetry: [beginAgain], afterResponse: [receiveOrRetry] },
    };
  }

  async function receiveOrRetry({ response }: { response: Response }): Promise<ReturnType<typeof ky.retry> | Response> {
    await receive(response);
    return retry === undefined ? new Response() : ky.retry(retry);
  }
}

function eitherOf(one: AbortSignal, other: AbortSignal | undefined): AbortSignal {
  return other === undefined ? one : AbortSignal.any([one, other]);
}

/** HTTP success. */
export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/** Puts the body into `chunks` until they are more than `maxBytes`. */
async function readBody(
  body: ReadableStream<Bytes> | null,
  maxBytes: number,
  stop: AbortSignal,
  chunks: Bytes[],
): Promise<void> {
  const reader = body?.getReader();
  if (reader === undefined) return;
  try {
    await untilAborted(readAll(reader, maxBytes, chunks), stop);
  } finally {
    reader.cancel().catch(() => undefined);
  }
}

async function readAll(reader: ReadableStreamDefaultReader<Bytes>, maxBytes: number, chunks: Bytes[]): Promise<void> {
  for (let size = 0; size <= maxBytes; ) {
    const { done, value } = await reader.read();
    if (done) return;
    // A copy: workerd gives each piece, however small, 4 KiB of its own.
    chunks.push(value.slice());
    size += value.byteLength;
  }
}

const CONNECT_CODES = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT)$/;

/**
 * Whether Node names an error that can only happen before a byte of the request was sent. Other runtimes do not distinguish a
 * refused connection from a reset one, so for them nothing is proven.
 */
function isConnectFailure(error: unknown): boolean {
  const { cause } = Object(error) as { cause?: unknown };
  const { code, syscall, errors } = Object(cause) as { code?: unknown; syscall?: unknown; errors?: unknown };
  // Several addresses were tried: each one must have failed to connect.
  if (Array.isArray(errors) && errors.length > 0) return errors.every((each) => isConnectFailure({ cause: each }));
  return typeof code === 'string' && (CONNECT_CODES.test(code) || syscall === 'connect');
}
