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
export function isTrustedUrl(address: string | URL, { baseUrl, origins = [] }: TrustedOrigins): boolean {
  if (!URL.canParse(address) || !URL.canParse(baseUrl)) return false;
  const url = new URL(address);
  const base = new URL(baseUrl);
  if (url.username !== '' || url.password !== '') return false;
  if (url.protocol !== 'https:' && !(isLoopbackHttp(url) && isLoopbackHttp(base))) return false;
  return (
    url.origin === base.origin || [...origins].some((each) => URL.canParse(each) && new URL(each).origin === url.origin)
  );
}

/**
 * Returns the parsed address.
 *
 * @param field - name of the field that held it, for the error
 * @throws `untrusted_url` naming `field`, without the address, when {@link isTrustedUrl} says no
 */
export function assertTrustedUrl(address: string | URL, field: string, trusted: TrustedOrigins): URL {
  if (isTrustedUrl(address, trusted)) return new URL(address);
  throw new UntrustedUrlError(field, `${field} points to an origin that is not trusted; it was not used.`);
}
