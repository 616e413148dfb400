import { GatewayStatusError, InvalidInputError, InvalidResponseError, XmlRefusedError } from '../errors.ts';
import { exchange, type RawBody } from '../transport/exchange.ts';
import { requireReply } from '../transport/require-reply.ts';
import type { CallOptions } from '../transport/send.ts';
import { GATEWAY_KEY, isWholeKey, RESERVED_NAMES } from '../values/gateway-setting.ts';
import { redactText } from '../values/redact.ts';
import { badSetting, checkClientSettings, requireBaseAddress, requireSegment } from '../values/settings.ts';
import { type ExtensibleBody, type GatewayBody, xmlDocument } from './bodies.ts';

/** Settings of one call. It is never repeated. */
export interface GatewayCallOptions extends Pick<CallOptions, 'timeoutMs'> {
  /** Aborting rejects with the signal's reason. What was sent may still be carried out: check before you send it again. */
  signal?: AbortSignal | undefined;
}

/** Settings of {@link createGatewayClient} and {@link createGatewayTransport}. */
export interface GatewayClientOptions {
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
  /**
   * Called with one `Request` of this runtime. A `fetch` of another library needs a wrapper that hands on `method`, `headers`, `body`,
   * `signal` and `redirect`: one that follows a redirect takes the secrets along.
   * @default globalThis.fetch
   */
  fetch?: typeof fetch | undefined;
  /** Limit of one request in milliseconds, body included. @default 30_000 */
  timeoutMs?: number | undefined;
}

/**
 * Posts one body to the gateway and returns the body of its answer, unread. Retry: never; whether a message can be repeated
 * depends on the interface.
 *
 * @param body - is sent unchanged; a `contentType` of `''` sends no type
 * @throws `gateway_status` for any status but 200; `xml_refused` or `invalid_response` for an answer that is too large;
 * `network`, `timeout`, `invalid_input`; `configuration` when the body has no place for the product id
 */
export type GatewayTransport = (
  protocol: string,
  method: string,
  body: GatewayBody | ExtensibleBody,
  options?: GatewayCallOptions,
) => Promise<RawBody>;

const SEGMENT = /^(?!\.{1,2}$)[A-Za-z0-9._-]+$/;
const MAX_BODY_BYTES = 4_194_304;
const DEFAULT_TIMEOUT_MS = 30_000;

/**
 * Makes the transport of {@link createGatewayClient}, for a proxy that forwards messages and answers without reading them.
 *
 * @throws `configuration` with the path of the bad setting
 * @see upstream API, section "Authentication"
 */
export function createGatewayTransport(options: GatewayClientOptions): GatewayTransport {
  if (typeof options !== 'object' || options === null) throw badSetting('options', 'must be an object');
  const base = requireBaseAddress(options.baseUrl, 'baseUrl');
  checkClientSettings(options);
  const { customerId, apiKey, apiKeyIn = 'header', productId, timeoutMs = DEFAULT_TIMEOUT_MS } = options;
  requireSegment(customerId, 'customerId');
  if (typeof apiKey !== 'string' || !GATEWAY_KEY.test(apiKey)) {
    throw badSetting('apiKey', 'must be 40 visible characters');
  }
  if (!['header', 'query', 'basic'].includes(apiKeyIn)) {
    throw badSetting('apiKeyIn', "must be 'header', 'query' or 'basic'");
  }
  if (!isWholeKey({ apiKey, apiKeyIn })) throw badSetting('apiKey', "must have no colon with apiKeyIn 'basic'");
  if (productId !== undefined) checkProductId(productId);
  const secrets = [apiKey, btoa(`${apiKey}:`), ...(productId === undefined ? [] : [productId.value])];

  return async (protocol, method, body, { signal, ...limits } = {}) => {
    checkClientSettings(limits);
    signal?.throwIfAborted();
    for (const [path, segment] of Object.entries<unknown>({ protocol, method })) {
      if (typeof segment === 'string' && SEGMENT.test(segment)) continue;
      throw new InvalidInputError(path, `${path} must be one path segment.`);
    }
    const { contentType, bytes } = withProductId(body);
    const url = new URL(`${base}/${encodeURIComponent(customerId)}/API/${protocol}/${method}`);
    const headers: Record<string, string> = { 'cache-control': 'no-cache' };
    if (contentType !== '') headers['content-type'] = contentType;
    if (apiKeyIn === 'header') headers['x-api-key'] = apiKey;
    if (apiKeyIn === 'basic') headers.authorization = `Basic ${btoa(`${apiKey}:`)}`;
    if (apiKeyIn === 'query') url.searchParams.set('api_key', apiKey);
    if (productId?.in === 'header') headers[productId.name] = productId.value;
    if (productId?.in === 'query') url.searchParams.set(productId.name, productId.value);

    const result = await exchange(
      { method: 'POST', url: url.href, headers, body: bytes },
      {
        fetch: options.fetch,
        timeoutMs: limits.timeoutMs ?? timeoutMs,
        maxBytes: MAX_BODY_BYTES,
        signal,
        wantsBody: (status) => status === 200,
      },
    );
    const what = `The gateway answered ${protocol}/${method} with`;
    if (result.kind === 'too_large') throw tooLarge(`${what} more than ${MAX_BODY_BYTES} bytes.`, result.headers);
    const { status, ...reply } = requireReply(result, 'the gateway', (text) => redactText(text, secrets), signal);
    if (status !== 200) throw new GatewayStatusError(`${what} status ${status}.`, status);
    return { contentType: reply.headers.get('content-type') ?? '', bytes: reply.bytes };
  };

  function withProductId(body: GatewayBody | ExtensibleBody): GatewayBody {
    if (productId === undefined || productId.in === 'header' || productId.in === 'query') return body;
    if ('kind' in body && body.kind === productId.in) return body.with(productId.name, productId.value);
    throw badSetting(
      'productId.in',
      `this body is not of the kind '${productId.in}', so the product id has no place in it`,
    );
  }
}

function tooLarge(message: string, headers: Headers): Error {
  const isOther = /html|json|form-urlencoded/.test(headers.get('content-type') ?? '');
  return isOther ? new InvalidResponseError('', message) : new XmlRefusedError('size', message);
}

function checkProductId(productId: NonNullable<GatewayClientOptions['productId']>): void {
  if (typeof productId !== 'object' || productId === null) throw badSetting('productId', 'must be an object');
  const { value, in: place, name } = productId;
  if (typeof value !== 'string' || value === '') throw badSetting('productId.value', 'must be a non-empty string');
  if (!['header', 'query', 'form', 'xml'].includes(place))
    throw badSetting('productId.in', 'must be header, query, form or xml');
  // An address or a form can carry any name, such as `communication/productid`; headers and elements cannot.
  if (typeof name !== 'string' || name === '' || !canCarry(place, name, '1'))
    throw badSetting('productId.name', `cannot be a name in '${place}'`);
  if ((place === 'header' || place === 'query') && RESERVED_NAMES[place].test(name)) {
    throw badSetting('productId.name', 'is a name that the request itself uses');
  }
  if (!canCarry(place, name, value))
    throw badSetting('productId.value', `has a character that '${place}' cannot carry`);
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
