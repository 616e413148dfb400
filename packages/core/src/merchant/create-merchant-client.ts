/** Makes the client of a hotel: each method as a call of the proxy's API. */
import { InvalidInputError, InvalidResponseError } from '../errors.ts';
import { requireObject, requireRawBody, requireText } from '../values/check-text.ts';
import { eventFeed } from './events.ts';
import { listPages, wholeList } from './list.ts';
import type {
  IdempotentCallOptions,
  ListCheckoutSessions,
  MerchantClient,
  MoneyOperations,
} from './merchant-client.ts';
import { createMerchantTransport, type MerchantCallOptions, type MerchantClientOptions } from './merchant-transport.ts';

/** A year of a large hotel is some ten megabytes. */
const MAX_EXPORT_BYTES = 67_108_864;

/**
 * Makes a client of the proxy's merchant API. Reads are retried; calls that make something only with the caller's own
 * `idempotencyKey`. The client never invents one: a key that is not stored first protects nothing.
 *
 * @throws `configuration` with the path of the bad setting
 */
export function createMerchantClient(options: MerchantClientOptions): MerchantClient {
  const { json, bytes } = createMerchantTransport(options);

  function get<Resource>(path: string, call: MerchantCallOptions | undefined, query?: object): Promise<Resource> {
    return json<Resource>({ path, query }, call);
  }
  function post<Resource>(path: string, call: MerchantCallOptions | undefined, body: object = {}): Promise<Resource> {
    return json<Resource>({ path, body }, call);
  }
  function create<Resource>(path: string, body: object, call: Partial<IdempotentCallOptions> = {}): Promise<Resource> {
    const { idempotencyKey } = call;
    requireObject(body, 'body');
    if (idempotencyKey !== undefined) requireKey(idempotencyKey);
    return json<Resource>({ path, body, idempotencyKey }, call);
  }
  function moneyOperations<Body extends object, Resource>(path: string): MoneyOperations<Body, Resource> {
    return {
      create: async (body, call) => {
        requireKey(call?.idempotencyKey);
        return create(path, body, call);
      },
      retrieve: async (id, call) => get(`${path}/${segment(id)}`, call),
      list: (query, call) => listPages(query, (page) => get(path, call, page)),
      resolve: async (id, body, call) => post(`${path}/${segment(id)}/resolve`, call, requireObject(body, 'body')),
      redact: async (id, call) => post(`${path}/${segment(id)}/redact`, call),
    };
  }

  const checkoutSessions: MerchantClient['checkoutSessions'] = {
    create: async (body, call) => create('checkout-sessions', body, call),
    ensure: async (key, body, call) =>
      json({ path: sessionOfKey(key), method: 'PUT', isRepeatable: true, body: requireObject(body, 'body') }, call),
    retrieveByKey: async (key, call) => get(sessionOfKey(key), call),
    retrieve: async (id, call) => get(`checkout-sessions/${segment(id)}`, call),
    list: (query, call) => listPages(query, async (page) => get('checkout-sessions', call, requireOneFilter(page))),
    expire: async (id, call) => post(`checkout-sessions/${segment(id)}/expire`, call),
    refresh: async (id, call) => post(`checkout-sessions/${segment(id)}/refresh`, call),
    resolve: async (id, body, call) =>
      post(`checkout-sessions/${segment(id)}/resolve`, call, requireObject(body, 'body')),
    createClientSecret: async (id, body, call) =>
      create(`checkout-sessions/${segment(id)}/client-secret`, body ?? {}, call),
    createLink: async (id, call) => create(`checkout-sessions/${segment(id)}/link`, {}, call),
    revokeLinks: async (id, call) => post(`checkout-sessions/${segment(id)}/revoke-links`, call),
    redact: async (id, call) => post(`checkout-sessions/${segment(id)}/redact`, call),
  };

  const csv = async (path: string, query: object, call: MerchantCallOptions | undefined): Promise<string> => {
    const answer = await bytes({ path, query, maxBytes: MAX_EXPORT_BYTES }, call);
    if (/^text\/csv\b/i.test(answer.contentType))
      return new TextDecoder('utf-8', { ignoreBOM: true }).decode(answer.bytes);
    throw new InvalidResponseError('', 'The answer of the payment proxy is not CSV.');
  };

  return {
    checkoutSessions,
    charges: moneyOperations('charges'),
    reversals: moneyOperations('reversals'),
    payments: {
      list: (query, call) => listPages(query, (page) => get('payments', call, page)),
      retrieve: async (id, call) => get(`payments/${segment(id)}`, call),
      csv: async (query, call) => csv('payments.csv', requireObject(query, 'query'), call),
    },
    cards: { create: async (body, call) => post('cards', call, requireObject(body, 'body')) },
    gateway: {
      send: async (protocol, method, body, call) =>
        bytes({ path: `gateway/${segment(protocol)}/${segment(method)}`, raw: requireRawBody(body) }, call),
    },
    events: {
      ...eventFeed((query, call) => get('events', call, query)),
      redeliver: async (id, call) => {
        await json({ path: `events/${segment(id)}/redeliver`, body: {}, mayBeEmpty: true }, call);
      },
    },
    deskSessions: {
      create: async <Made>(body: object, call?: MerchantCallOptions) =>
        post<Made>('desk-sessions', call, requireObject(body, 'body')),
      list: (query, call) => listPages(query, (page) => get('desk-sessions', call, page)),
      revoke: async (id, call) => post(`desk-sessions/${segment(id)}/revoke`, call),
    },
    webhookEndpoints: { list: (call) => wholeList(() => get('webhook-endpoints', call)) },
    status: async (call) => get('status', call),
    audit: {
      list: (query, call) => listPages(query, (page) => get('audit', call, page)),
      csv: async (range, call) => csv('audit.csv', rangeOf(requireObject(range, 'range'), ['from', 'to']), call),
    },
    exports: {
      csv: async (range, call) => {
        // A caller without types may give half of a pair, or both pairs.
        const given: Readonly<Record<string, unknown>> = requireObject(range, 'range');
        const isByCompletion = given.completedFrom !== undefined || given.completedTo !== undefined;
        const pair = isByCompletion ? ['completedFrom', 'completedTo'] : ['from', 'to'];
        const other = isByCompletion && ['from', 'to'].find((name) => given[name] !== undefined);
        if (other)
          throw new InvalidInputError(`range.${other}`, `range.${other} cannot be combined with completedFrom.`);
        return csv('export.csv', rangeOf(given, pair), call);
      },
    },
  };
}

function rangeOf(given: Readonly<Record<string, unknown>>, pair: readonly string[]): Record<string, string> {
  return Object.fromEntries(pair.map((name) => [name, requireText(given[name], `range.${name}`)]));
}

function requireKey(key: unknown): void {
  if (typeof key === 'string' && /^[!-~]{1,255}$/.test(key)) return;
  throw new InvalidInputError('idempotencyKey', 'idempotencyKey must be 1 to 255 visible ASCII characters.');
}

/** @throws `invalid_input` naming a filter that cannot be combined with a key */
function requireOneFilter<Query extends ListCheckoutSessions | undefined>(query: Query): Query {
  const { idempotencyKey, ...others } = query ?? {};
  const other = Object.entries(others).find(([, value]) => value !== undefined)?.[0];
  if (idempotencyKey === undefined || other === undefined) return query;
  throw new InvalidInputError(other, `${other} cannot be combined with idempotencyKey.`);
}

function sessionOfKey(key: string): string {
  if (typeof key === 'string' && /^[A-Za-z0-9_:-]{1,200}$/.test(key)) return `checkout-sessions/by-key/${key}`;
  throw new InvalidInputError('key', 'key must be 1 to 200 letters, digits, dashes, underscores and colons.');
}

function segment(id: string): string {
  if (typeof id === 'string' && /^(?!\.{1,2}$)[A-Za-z0-9._-]+$/.test(id)) return id;
  throw new InvalidInputError('id', 'Expected an id or a name of letters, digits, dots, dashes and underscores.');
}
