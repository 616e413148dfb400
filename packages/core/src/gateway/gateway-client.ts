import {
  ConfigurationError,
  GatewayStatusError,
  InvalidInputError,
  InvalidResponseError,
  NetworkError,
  TimeoutError,
  XmlRefusedError,
} from '../errors.ts';
import { isLoopbackHttp } from '../hosted/trusted-url.ts';
import type { CallOptions } from '../transport/context.ts';
import { exchange } from '../transport/exchange.ts';
import { safeCause } from '../transport/safe-cause.ts';
import { isSegment } from '../values/check-text.ts';
import { redactText } from '../values/redact.ts';
import { type ExtensibleBody, type GatewayBody, xmlDocument } from './bodies.ts';
import { type GatewayReply, requireSuccess, toReply } from './gateway-reply.ts';
import { KEEP_ALIVE_ADDRESS, type KeepAlive, keepAliveBody } from './messages/keep-alive.ts';
import { ROOM_REQUEST_ADDRESS, type RoomRequest, roomRequestBody } from './messages/room-request.ts';

/** Settings of {@link createGatewayClient}. */
export interface GatewayOptions {
  /** Address of the gateway; a path prefix is kept. https, or http on loopback. */
  baseUrl: string | URL;
  /** Path segment that identifies the customer. */
  customerId: string;
  /** The 40-character key. */
  apiKey: string;
  /** Where the key goes. In the query it ends up in access logs. @default 'header' */
  apiKeyIn?: 'header' | 'query' | 'basic' | undefined;
  /** The required product id. The specification does not say where it goes; the vendor does. */
  productId?: { value: string; in: 'header' | 'query' | 'form' | 'xml'; name: string } | undefined;
  /** @default globalThis.fetch */
  fetch?: typeof fetch | undefined;
  /** Limit of one request in milliseconds, body included. @default 30_000 */
  timeoutMs?: number | undefined;
}

/** Client of the gateway. */
export interface GatewayClient {
  /**
   * Posts one body. Retry: never; whether a message can be repeated depends on the interface.
   *
   * @param body - from {@link xmlDocument} or {@link formBody}, or raw: `{ contentType, bytes }`, or bytes alone, which go as
   * `application/octet-stream`
   * @throws `gateway_status` for any status but 200; `gateway_error` for a 200 whose document says failure;
   * `xml_refused`, `invalid_response` for a reply that cannot be read; `network`, `timeout`, `invalid_input`;
   * `configuration` when the body has no place for the product id
   * @see upstream API, section "Endpoints"
   */
  send(
    protocol: string,
    method: string,
    body: GatewayBody | Uint8Array<ArrayBuffer>,
    options?: CallOptions,
  ): Promise<GatewayReply>;
  /** Posts `RMS/keepalivereq` as XML. */
  keepAlive(message: KeepAlive, options?: CallOptions): Promise<GatewayReply>;
  /** Posts `RMS/roomreq` as form parameters. */
  roomRequest(message: RoomRequest, options?: CallOptions): Promise<GatewayReply>;
}

const SEGMENT = /^(?!\.{1,2}$)[A-Za-z0-9._-]+$/;
const MAX_BODY_BYTES = 4_194_304;
const DEFAULT_TIMEOUT_MS = 30_000;

/**
 * Makes a client of the gateway that carries classic interfaces over HTTPS.
 *
 * @throws `configuration` with the path of the bad setting
 * @example
 * ```ts
 * import { createGatewayClient } from '@innkeep/core/gateway';
 *
 * export async function isAlive(apiKey: string): Promise<boolean> {
 *   const gateway = createGatewayClient({ baseUrl: 'https://pay.example', customerId: '1234', apiKey });
 *   const reply = await gateway.keepAlive({ OC: 'KA', TN: '1', CDT: '2026-06-01T12:00:00', status: '0' });
 *   return reply.status === 200;
 * }
 * ```
 * @see upstream API, section "Authentication"
 */
export function createGatewayClient(options: GatewayOptions): GatewayClient {
  if (typeof options !== 'object' || options === null) throw bad('options', 'must be an object');
  const base = checkBaseUrl(options.baseUrl);
  const { customerId, apiKey, apiKeyIn = 'header', productId, timeoutMs = DEFAULT_TIMEOUT_MS } = options;
  if (!isSegment(customerId)) throw bad('customerId', 'must be a non-empty string that can stand in an address');
  if (options.fetch !== undefined && typeof options.fetch !== 'function') throw bad('fetch', 'must be a function');
  if (typeof apiKey !== 'string' || !/^[!-~]{40}$/.test(apiKey)) throw bad('apiKey', 'must be 40 visible characters');
  if (!['header', 'query', 'basic'].includes(apiKeyIn)) throw bad('apiKeyIn', "must be 'header', 'query' or 'basic'");
  if (productId !== undefined) checkProductId(productId);
  if (!(timeoutMs > 0)) throw bad('timeoutMs', 'must be a positive number of milliseconds');
  const secrets = [apiKey, btoa(`${apiKey}:`), ...(productId === undefined ? [] : [productId.value])];
  const redact = (text: string): string => redactText(text, secrets);

  async function send(
    protocol: string,
    method: string,
    body: GatewayBody | Uint8Array<ArrayBuffer>,
    { signal }: CallOptions = {},
  ): Promise<GatewayReply> {
    signal?.throwIfAborted();
    if (!SEGMENT.test(protocol)) throw new InvalidInputError('protocol', 'protocol must be one path segment.');
    if (!SEGMENT.test(method)) throw new InvalidInputError('method', 'method must be one path segment.');
    const { contentType, bytes } = withProductId(checkBody(body));
    const url = new URL(`${base}/${encodeURIComponent(customerId)}/API/${protocol}/${method}`);
    const headers: Record<string, string> = { 'cache-control': 'no-cache', 'content-type': contentType };
    if (apiKeyIn === 'header') headers['x-api-key'] = apiKey;
    if (apiKeyIn === 'basic') headers.authorization = `Basic ${btoa(`${apiKey}:`)}`;
    if (apiKeyIn === 'query') url.searchParams.set('api_key', apiKey);
    if (productId?.in === 'header') headers[productId.name] = productId.value;
    if (productId?.in === 'query') url.searchParams.set(productId.name, productId.value);

    const what = `The gateway request ${protocol}/${method}`;
    const { fetch: injected } = options;
    const result = await exchange(
      { method: 'POST', url: url.href, headers, body: bytes },
      {
        fetch: (request) => (injected === undefined ? fetch(request) : injected(request)),
        timeoutMs,
        maxBytes: MAX_BODY_BYTES,
        signal,
        wantsBody: (status) => status === 200,
      },
    );
    if (result.kind === 'aborted') throw signal?.reason;
    if (result.kind === 'timed_out') throw new TimeoutError(`${what} was not answered in time.`);
    if (result.kind === 'too_large') throw tooLarge(what, result.headers);
    if (result.kind !== 'reply')
      throw new NetworkError(`${what} got no answer.`, { cause: safeCause(result.cause, redact) });
    if (result.status !== 200) {
      throw new GatewayStatusError(`${what} was answered with status ${result.status}.`, result.status);
    }
    if (result.bytes.length === 0) throw new InvalidResponseError('', `${what} was answered with an empty body.`);
    return requireSuccess(toReply(result.status, result.headers.get('content-type') ?? '', result.bytes), what);
  }

  function withProductId(body: GatewayBody | ExtensibleBody): GatewayBody {
    if (productId === undefined || productId.in === 'header' || productId.in === 'query') return body;
    if ('kind' in body && body.kind === productId.in) return body.with(productId.name, productId.value);
    throw bad('productId.in', `this body is not of the kind '${productId.in}', so the product id has no place in it`);
  }

  return {
    send,
    keepAlive: async (message, call) =>
      send(KEEP_ALIVE_ADDRESS.protocol, KEEP_ALIVE_ADDRESS.method, keepAliveBody(message), call),
    roomRequest: async (message, call) =>
      send(ROOM_REQUEST_ADDRESS.protocol, ROOM_REQUEST_ADDRESS.method, roomRequestBody(message), call),
  };
}

function checkBody(body: GatewayBody | Uint8Array<ArrayBuffer>): GatewayBody {
  if (body instanceof Uint8Array) return { contentType: 'application/octet-stream', bytes: body };
  const { contentType, bytes } = Object(body) as Partial<GatewayBody>;
  if (typeof contentType !== 'string' || contentType === '') {
    throw new InvalidInputError('body.contentType', 'body.contentType must be a non-empty string.');
  }
  if (!(bytes instanceof Uint8Array)) throw new InvalidInputError('body.bytes', 'body.bytes must be a Uint8Array.');
  return body;
}

function tooLarge(what: string, headers: Headers): Error {
  const message = `${what} was answered with more than ${MAX_BODY_BYTES} bytes.`;
  const isOther = /html|json|form-urlencoded/.test(headers.get('content-type') ?? '');
  return isOther ? new InvalidResponseError('', message) : new XmlRefusedError('size', message);
}

function checkBaseUrl(value: string | URL): string {
  const url = URL.canParse(String(value)) ? new URL(value) : undefined;
  if (url === undefined || (url.protocol !== 'https:' && !isLoopbackHttp(url))) {
    throw bad('baseUrl', 'must be an https address (http only on loopback)');
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw bad('baseUrl', 'must have no user, query or fragment');
  }
  // Not the href, which keeps an empty query or fragment.
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

/** Names that the request itself uses, so that a product id under one of them would break it. */
const RESERVED_NAMES = {
  header: /^(x-api-key|api_key|authorization|cache-control|connection|content-(length|type)|cookie|host)$/i,
  query: /^(x-api-key|api_key)$/i,
};

function checkProductId(productId: NonNullable<GatewayOptions['productId']>): void {
  if (typeof productId !== 'object' || productId === null) throw bad('productId', 'must be an object');
  const { value, in: place, name } = productId;
  if (typeof value !== 'string' || value === '') throw bad('productId.value', 'must be a non-empty string');
  if (!['header', 'query', 'form', 'xml'].includes(place))
    throw bad('productId.in', 'must be header, query, form or xml');
  // An address or a form can carry any name, `communication/productid` for one; headers and elements cannot.
  const form = { header: /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, query: /./, form: /./, xml: /^[A-Za-z_][A-Za-z0-9._-]*$/ }[
    place
  ];
  if (typeof name !== 'string' || !form.test(name)) throw bad('productId.name', `cannot be a name in '${place}'`);
  if ((place === 'header' || place === 'query') && RESERVED_NAMES[place].test(name)) {
    throw bad('productId.name', 'is a name that the request itself uses');
  }
  if (!canCarry(place, name, value)) throw bad('productId.value', `has a character that '${place}' cannot carry`);
}

function canCarry(place: 'header' | 'query' | 'form' | 'xml', name: string, value: string): boolean {
  try {
    if (place === 'header') return new Headers([[name, value]]).get(name) === value;
    if (place === 'xml') xmlDocument({ [name]: value });
    return true;
  } catch {
    return false;
  }
}

function bad(path: string, what: string): ConfigurationError {
  return new ConfigurationError(path, `Setting ${path}: ${what}.`);
}
