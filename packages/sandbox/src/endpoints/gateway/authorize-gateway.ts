/** @see upstream API, section "Authentication", gateway */
import { Refusal } from '../../wire/refusal.ts';
import type { World } from '../../world/world.ts';
import type { ApiCall } from '../api-call.ts';

/** Checks the API key, sent in exactly one of three ways. @throws Refusal `unauthorized` or `invalid_request`. */
export function requireApiKey(world: World, call: ApiCall): void {
  const keys = [
    call.headers.get('x-api-key') ?? undefined,
    ...call.url.searchParams.getAll('api_key'),
    keyOfBasic(call.headers.get('authorization')),
  ].filter((key) => key !== undefined);
  const [key, second] = keys;
  if (key === undefined) throw new Refusal('unauthorized', 'is missing', 'API key');
  if (second !== undefined) throw new Refusal('invalid_request', 'was sent more than once', 'API key');
  if (key !== world.settings.apiKey) throw new Refusal('unauthorized', 'is not the key of this interface', 'API key');
}

/**
 * Checks the product id when one is configured; `sent` gives the value of a body field.
 * @throws Refusal `unauthorized`.
 */
export function requireProductId(world: World, call: ApiCall, sent: (name: string) => string | undefined): void {
  const { productId } = world.settings;
  if (productId === undefined) return;
  const { name, value } = productId;
  const found = {
    header: () => call.headers.get(name),
    query: () => call.url.searchParams.get(name),
    form: () => sent(name),
    xml: () => sent(name),
  }[productId.in]();
  if (found !== value) throw new Refusal('unauthorized', 'is missing or not the right product id', name);
}

function keyOfBasic(authorization: string | null): string | undefined {
  const encoded = /^Basic ([A-Za-z0-9+/=]+)$/i.exec(authorization ?? '')?.[1];
  if (encoded === undefined) return undefined;
  const pair = decode(encoded);
  const colon = pair.indexOf(':');
  // The password, which may contain colons, must be empty: the key is not sent any other way.
  return colon !== -1 && colon === pair.length - 1 ? pair.slice(0, colon) : '';
}

function decode(encoded: string): string {
  try {
    return atob(encoded);
  } catch {
    return '';
  }
}
