/** An operator's side of the proxy: the hotels of its directory. Nothing here is sent twice by itself. */
import type {
  PropertyPatch,
  PropertyResource,
  PropertySummary,
  PropertyVersion,
  ResealedProperty,
} from '@innkeep/core/contract';
import {
  InvalidResponseError,
  MerchantError,
  NetworkError,
  TimeoutError,
  UpstreamStatusError,
} from '@innkeep/core/errors';
import type { Page } from '@innkeep/core/merchant';
import type { Io } from '../io.ts';

/** Which version a change is meant for; `*`: whichever it is. */
export type Version = number | '*';

/** Filter and place of a list of hotels. */
export interface HotelQuery {
  readonly search?: string | undefined;
  readonly status?: 'active' | 'removed' | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

/** What can be done with the hotels of a directory. Every method throws what the merchant client throws. */
export interface OperatorApi {
  list(query?: HotelQuery): Promise<Page<PropertySummary>>;
  show(id: string): Promise<PropertyResource>;
  /** Without a version it only adds. */
  put(id: string, property: object, version: Version | undefined): Promise<PropertyResource>;
  patch(id: string, patch: PropertyPatch, version: Version): Promise<PropertyResource>;
  remove(id: string, version: Version): Promise<PropertyResource>;
  versions(id: string, query?: Pick<HotelQuery, 'limit' | 'cursor'>): Promise<Page<PropertyVersion>>;
  rollBack(id: string, to: number, version: Version): Promise<PropertyResource>;
  reseal(id: string): Promise<ResealedProperty>;
}

const TIMEOUT_MS = 30_000;

interface Call {
  readonly method: 'GET' | 'PUT' | 'PATCH' | 'DELETE' | 'POST';
  readonly path: string;
  readonly query?: object | undefined;
  readonly body?: object;
  readonly version?: Version | undefined;
}

/** Makes the calls with a platform key. */
export function createOperatorApi({
  endpoint,
  platformKey,
  io,
}: {
  readonly endpoint: string;
  readonly platformKey: string;
  readonly io: Pick<Io, 'fetch' | 'signal'>;
}): OperatorApi {
  async function call<Answer>({ method, path, query = {}, body, version }: Call): Promise<Answer> {
    const pairs = Object.entries(query).filter(([, value]) => value !== undefined);
    const url = `${endpoint}/v1/properties${path}${pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`}`;
    const { answer, text } = await send(io, url, {
      method,
      headers: {
        authorization: `Bearer ${platformKey}`,
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(version === undefined ? {} : { 'if-match': version === '*' ? '*' : `"${version}"` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const json = parseObject(text);
    if (!answer.ok) throw refusal(answer, json);
    if (json === undefined) {
      throw new InvalidResponseError('', 'The answer from the payment proxy is not a JSON object.');
    }
    // The shape is the proxy’s word, as for the merchant client.
    return json as Answer;
  }

  return {
    list: (query) => call({ method: 'GET', path: '', query }),
    show: (id) => call({ method: 'GET', path: `/${id}` }),
    put: (id, body, version) => call({ method: 'PUT', path: `/${id}`, body, version }),
    patch: (id, body, version) => call({ method: 'PATCH', path: `/${id}`, body, version }),
    remove: (id, version) => call({ method: 'DELETE', path: `/${id}`, version }),
    versions: (id, query) => call({ method: 'GET', path: `/${id}/versions`, query }),
    rollBack: (id, to, version) => call({ method: 'POST', path: `/${id}/roll-back`, body: { version: to }, version }),
    reseal: (id) => call({ method: 'POST', path: `/${id}/reseal`, body: {} }),
  };
}

/** Every page of a list of hotels. */
export async function* hotelPages(api: OperatorApi, query: HotelQuery = {}): AsyncGenerator<Page<PropertySummary>> {
  let cursor = query.cursor;
  do {
    const page = await api.list({ ...query, limit: 100, cursor });
    yield page;
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
}

async function send(
  { fetch, signal }: Pick<Io, 'fetch' | 'signal'>,
  url: string,
  init: RequestInit,
): Promise<{ readonly answer: Response; readonly text: string }> {
  const limit = AbortSignal.timeout(TIMEOUT_MS);
  try {
    // A redirect would take the key elsewhere.
    const answer = await fetch(url, { ...init, redirect: 'manual', signal: AbortSignal.any([signal, limit]) });
    return { answer, text: await answer.text() };
  } catch (cause) {
    signal.throwIfAborted();
    if (limit.aborted) throw new TimeoutError('No answer from the payment proxy in time.', { cause });
    throw new NetworkError('The connection to the payment proxy failed.', { cause });
  }
}

function refusal({ status, headers }: Response, problem: Readonly<Record<string, unknown>> = {}): Error {
  const text = (name: string): string | undefined => {
    const value = problem[name];
    return typeof value === 'string' ? value : undefined;
  };
  const code = text('code');
  if (code === undefined) return new UpstreamStatusError(`The payment proxy answered with status ${status}.`, status);
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return new MerchantError(code, `The payment proxy answered ${status} ${code}: ${text('detail') ?? ''}`, {
    status,
    param: text('param'),
    resource: text('resource'),
    traceId: text('traceId'),
    retryAfterSeconds: seconds >= 0 ? seconds : undefined,
  });
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
