import { UntrustedUrlError } from '../errors.ts';
import { isLoopbackHttp } from '../values/web-address.ts';

/** Which origins are trusted. */
export interface TrustedOrigins {
  /** Address of the payment API; its origin is always trusted, and http only if it is loopback http itself. */
  baseUrl: string | URL;
  /** Further origins. */
  origins?: Iterable<string> | undefined;
}

/**
 * Whether an address may be used: https on a trusted origin, or loopback http if the payment API itself is there.
 * Never with a user or password in it.
 */
export function isTrustedUrl(address: string | URL, trusted: TrustedOrigins): boolean {
  return trustedUrl(address, trusted) !== undefined;
}

function trustedUrl(address: string | URL, { baseUrl, origins = [] }: TrustedOrigins): URL | undefined {
  if (!URL.canParse(address) || !URL.canParse(baseUrl)) return undefined;
  const url = new URL(address);
  const base = new URL(baseUrl);
  if (url.username !== '' || url.password !== '') return undefined;
  if (url.protocol !== 'https:' && !(isLoopbackHttp(url) && isLoopbackHttp(base))) return undefined;
  const isTrusted = (each: string): boolean => URL.canParse(each) && new URL(each).origin === url.origin;
  return url.origin === base.origin || [...origins].some(isTrusted) ? url : undefined;
}

/**
 * Returns the parsed address.
 *
 * @param field - name of the field that held it, for the error
 * @throws `untrusted_url` naming `field`, without the address, when {@link isTrustedUrl} says no
 */
export function assertTrustedUrl(address: string | URL, field: string, trusted: TrustedOrigins): URL {
  const url = trustedUrl(address, trusted);
  if (url !== undefined) return url;
  throw new UntrustedUrlError(field, `${field} points to an origin that is not trusted.`);
}
