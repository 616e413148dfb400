/** What a gateway request is made of: everything from the property, nothing from the caller but its body. Pure. */

/** The property's part. */
export interface GatewayFacts {
  readonly baseUrl: string;
  readonly customerId: string;
  readonly gateway: {
    readonly apiKey: string;
    readonly apiKeyIn: 'header' | 'query' | 'basic';
    readonly productId?: { readonly value: string; readonly in: 'header' | 'query'; readonly name: string } | undefined;
    readonly allow: readonly string[];
  };
}

const SEGMENT = /^(?!\.{1,2}$)[A-Za-z0-9._-]+$/;

/** True for text that stays one segment of a path. */
export function isGatewaySegment(text: string): boolean {
  return SEGMENT.test(text);
}

/** Whether the property lets its callers send this. Exactly what is listed, in that spelling. */
export function isAllowedGatewayCall({ gateway }: GatewayFacts, protocol: string, method: string): boolean {
  return gateway.allow.includes(`${protocol}/${method}`);
}

/** Address and headers; `contentType` is the caller's, null when there was none. */
export function toGatewayRequest(
  { baseUrl, customerId, gateway }: GatewayFacts,
  call: { readonly protocol: string; readonly method: string; readonly contentType: string | null },
): { readonly url: string; readonly headers: Record<string, string> } {
  const { apiKey, apiKeyIn, productId } = gateway;
  const path = [encodeURIComponent(customerId), 'API', call.protocol, call.method].join('/');
  const url = new URL(`${baseUrl.replace(/\/+$/, '')}/${path}`);
  const headers: Record<string, string> = { 'cache-control': 'no-cache' };
  if (call.contentType !== null) headers['content-type'] = call.contentType;
  if (apiKeyIn === 'header') headers['x-api-key'] = apiKey;
  else if (apiKeyIn === 'basic') headers.authorization = `Basic ${btoa(`${apiKey}:`)}`;
  else url.searchParams.set('api_key', apiKey);
  if (productId?.in === 'header') headers[productId.name] = productId.value;
  else if (productId !== undefined) url.searchParams.set(productId.name, productId.value);
  return { url: url.href, headers };
}
