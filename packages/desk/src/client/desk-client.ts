/** The calls of the desk. The secret is held here and nowhere else: in no property that others read, no address, no error. */
import { DeskFault } from './desk-fault.ts';

/** Settings of {@link createDeskClient}. */
export interface DeskClientOptions {
  /** Address of the payment proxy. */
  endpoint: string;
  /** Asked for a desk secret, and for the next one when it has ended. Without it the page's own cookie speaks. */
  getClientSecret: (() => Promise<string>) | undefined;
}

/** One call: a GET, or with a body a POST. */
export interface DeskCall {
  query?: Readonly<Record<string, string | undefined>> | undefined;
  body?: object | undefined;
  /** The same key never does something twice. */
  idempotencyKey?: string | undefined;
  signal?: AbortSignal | undefined;
}

/** What the elements call. */
export interface DeskClient {
  /** An answer that is a JSON object. @throws {@link DeskFault} */
  json<Answer>(path: string, call?: DeskCall): Promise<Answer>;
  /** An answer that is a file. @throws {@link DeskFault} */
  file(path: string, call?: DeskCall): Promise<Blob>;
}

const READ_TIMEOUT_MS = 15_000;
// The proxy waits 25 seconds for a money operation before it answers that it goes on.
const WRITE_TIMEOUT_MS = 40_000;
const FILE_TIMEOUT_MS = 60_000;
const SECRET_TIMEOUT_MS = 10_000;
// The page's server may be back soon, and its function may ask the person to sign in.
const SECRET_PAUSE_SECONDS = 60;

/**
 * Makes the client of one desk.
 * @param identify says whose the next secret is before anything is sent with it; rejects when it is somebody else's
 */
export function createDeskClient(
  { endpoint, getClientSecret }: DeskClientOptions,
  identify: () => Promise<unknown>,
): DeskClient {
  const base = endpoint.replace(/\/{1,9}$/, '');
  let secret: Promise<string> | undefined;

  const renew = async (): Promise<string> => {
    const limit = new Promise<never>((_, reject) => {
      setTimeout(reject, SECRET_TIMEOUT_MS);
    });
    // What the page's function throws may quote a secret: it goes no further.
    const given = await Promise.race([Promise.resolve().then(getClientSecret), limit]).catch(() => {
      throw new DeskFault('secret_failed', { retryAfterSeconds: SECRET_PAUSE_SECONDS });
    });
    if (!/^ds_[!-~]+$/.test(given)) throw new DeskFault('configuration');
    return given;
  };
  const currentSecret = (): Promise<string> => {
    secret ??= renew().catch((error: unknown) => {
      secret = undefined;
      throw error;
    });
    return secret;
  };

  async function send(path: string, call: DeskCall, timeoutMs: number): Promise<{ response: Response; blob: Blob }> {
    const { query, body, idempotencyKey, signal } = call;
    if (!/^https?:\/\/[^?#]+$/.test(base)) throw new DeskFault('configuration');
    // Each that is left has a value.
    const search = new URLSearchParams(Object.entries(query ?? {}).filter(([, value]) => value) as [string, string][]);
    const headers: Record<string, string> = {};
    if (body) headers['content-type'] = 'application/json';
    if (idempotencyKey) headers['idempotency-key'] = idempotencyKey;
    const limit = AbortSignal.timeout(timeoutMs);
    const attempt = async (): Promise<{ response: Response; blob: Blob; used: Promise<string> | undefined }> => {
      const used = getClientSecret && currentSecret();
      if (used) headers.authorization = `Bearer ${await used}`;
      try {
        const response = await fetch(`${base}/v1/${path}${search.size > 0 ? `?${search}` : ''}`, {
          method: body ? 'POST' : 'GET',
          headers,
          ...(body && { body: JSON.stringify(body) }),
          credentials: used ? 'omit' : 'same-origin',
          redirect: 'manual',
          cache: 'no-store',
          signal: signal ? AbortSignal.any([limit, signal]) : limit,
        });
        return { response, blob: await response.blob(), used };
      } catch {
        signal?.throwIfAborted();
        throw new DeskFault(limit.aborted ? 'timeout' : 'network');
      }
    };
    const first = await attempt();
    if (first.response.status !== 401 || !first.used) return first;
    // Nothing was done: it may be sent again with the next secret. Others may have renewed it meanwhile.
    if (secret === first.used) secret = undefined;
    if (path !== 'desk') await identify();
    return attempt();
  }

  async function exchange(path: string, call: DeskCall, timeoutMs: number): Promise<Blob> {
    const { response, blob } = await send(path, call, timeoutMs);
    if (response.ok) return blob;
    const problem = parseObject(await blob.text()) ?? {};
    const text = (name: string): string | undefined => (typeof problem[name] === 'string' ? problem[name] : undefined);
    const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
    throw new DeskFault(text('code') ?? 'invalid_response', {
      status: response.status,
      resource: text('resource'),
      param: text('param'),
      traceId: text('traceId'),
      retryAfterSeconds: seconds >= 0 ? seconds : undefined,
    });
  }

  return {
    async json<Answer>(path: string, call: DeskCall = {}) {
      const blob = await exchange(path, call, call.body ? WRITE_TIMEOUT_MS : READ_TIMEOUT_MS);
      const answer = parseObject(await blob.text());
      if (!answer) throw new DeskFault('invalid_response');
      // The shape beyond this is the proxy's word; whoever reads lists looks for what it needs.
      return answer as Answer;
    },
    file: (path, call = {}) => exchange(path, call, FILE_TIMEOUT_MS),
  };
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    // Any object has such an index.
    return value && typeof value === 'object' && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
