import { LONGEST_TIMER_MS } from '../polling/wait.ts';
import { type ExchangeRequest, type OneShotRequest, toOneShotRequest } from './one-shot-request.ts';

/** Bytes and what they are: a request body that goes through untouched. */
export interface RawBody {
  /** Value of its `Content-Type`. */
  contentType: string;
  /** The bytes, unchanged. */
  bytes: Uint8Array<ArrayBuffer>;
}

/** How one exchange is made. */
export interface ExchangeOptions {
  fetch: (request: Request) => Promise<Response>;
  /** Limit for headers and body together, in milliseconds. */
  timeoutMs: number;
  /** Largest body that is read, in bytes. */
  maxBytes: number;
  signal?: AbortSignal | undefined;
  /** Statuses whose body is worth reading. @default 2xx */
  wantsBody?: (status: number) => boolean;
}

/**
 * What is known after an exchange. Nothing is thrown, so that every caller has to look at what happened:
 * `not_sent` is proven by the runtime; after `connection_lost`, `timed_out` and `aborted` the request may have arrived.
 */
export type ExchangeResult =
  | { kind: 'reply'; status: number; headers: Headers; bytes: Uint8Array<ArrayBuffer> }
  | { kind: 'too_large'; status: number; headers: Headers }
  | { kind: 'not_sent' | 'connection_lost'; cause: unknown }
  | { kind: 'timed_out' }
  | { kind: 'aborted' };

/**
 * Makes one request, which no runtime can send twice by itself, and reads the whole answer under one deadline and a size
 * cap. Follows no redirect: some runtimes send body and secret headers on to another origin.
 */
export async function exchange(request: ExchangeRequest, options: ExchangeOptions): Promise<ExchangeResult> {
  const { signal, timeoutMs, maxBytes, wantsBody = isSuccess } = options;
  const stop = new AbortController();
  let prepared: OneShotRequest;
  try {
    prepared = toOneShotRequest(request, stop.signal);
  } catch (cause) {
    // For example an access token with a line break: it cannot be sent, so it was not.
    return { kind: 'not_sent', cause };
  }
  // Raced with every step, because an injected fetch may not listen to its signal.
  const stopped = new Promise<never>((_, reject) => {
    stop.signal.addEventListener('abort', () => reject(stop.signal.reason));
  });
  stopped.catch(() => undefined);
  const onAbort = (): void => stop.abort(signal?.reason);
  let timedOut = false;
  const timer = setTimeout(
    () => {
      timedOut = true;
      stop.abort(new DOMException('The time limit has passed.', 'TimeoutError'));
    },
    Math.min(timeoutMs, LONGEST_TIMER_MS),
  );
  signal?.addEventListener('abort', onAbort);
  try {
    const sending = options.fetch(prepared.request);
    sending.then((late) => stop.signal.aborted && discard(late)).catch(() => undefined);
    const response = await Promise.race([sending, stopped]);
    const { status, headers } = response;
    if (!wantsBody(status)) {
      discard(response);
      return { kind: 'reply', status, headers, bytes: new Uint8Array() };
    }
    const bytes = await readBody(response, maxBytes, stopped);
    return bytes === undefined ? { kind: 'too_large', status, headers } : { kind: 'reply', status, headers, bytes };
  } catch (cause) {
    if (timedOut) return { kind: 'timed_out' };
    if (signal?.aborted) return { kind: 'aborted' };
    return { kind: isConnectFailure(cause) ? 'not_sent' : 'connection_lost', cause };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
    prepared.close?.();
  }
}

/** HTTP success. */
export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

async function readBody(
  response: Response,
  maxBytes: number,
  stopped: Promise<never>,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const reader = response.body?.getReader();
  if (reader === undefined) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for (;;) {
      const { done, value } = await Promise.race([reader.read(), stopped]);
      if (done) break;
      size += value.byteLength;
      if (size > maxBytes) {
        reader.cancel().catch(() => undefined);
        return undefined;
      }
      chunks.push(value);
    }
  } catch (error) {
    reader.cancel().catch(() => undefined);
    throw error;
  }
  const bytes = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return bytes;
}

function discard(response: Response): void {
  response.body?.cancel().catch(() => undefined);
}

const CONNECT_CODES = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT)$/;

/**
 * Whether Node names an error that can only happen before a byte of the request was sent. Other runtimes do not tell a
 * refused connection from a reset one, so for them nothing is proven.
 */
function isConnectFailure(error: unknown): boolean {
  const { cause } = Object(error) as { cause?: unknown };
  const { code, syscall, errors } = Object(cause) as { code?: unknown; syscall?: unknown; errors?: unknown };
  // Several addresses were tried: each one must have failed to connect.
  if (Array.isArray(errors) && errors.length > 0) return errors.every((each) => isConnectFailure({ cause: each }));
  return typeof code === 'string' && (CONNECT_CODES.test(code) || syscall === 'connect');
}
