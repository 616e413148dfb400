/** The gateway's key. */
export const GATEWAY_KEY: RegExp = /^[!-~]{40}$/;

/** Whether a key arrives whole: in HTTP basic authentication a colon ends it. */
export function isWholeKey({ apiKey, apiKeyIn }: { apiKey: string; apiKeyIn: string }): boolean {
  return apiKeyIn !== 'basic' || !apiKey.includes(':');
}

/** Names that a request to the gateway itself uses, so that a product id under one of them would break it. */
export const RESERVED_NAMES: Readonly<Record<'header' | 'query', RegExp>> = {
  header: /^(x-api-key|api_key|authorization|cache-control|connection|content-(length|type)|cookie|host)$/i,
  query: /^(x-api-key|api_key)$/i,
};
