/** Decisions about origins: which a property may name, and which a guest's request may come from. */

/** True for `localhost`, 127.0.0.0/8 and `::1`. */
export function isLoopbackHost(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(hostname);
}

/** True for a host that is an address, not a name. `URL` has already normalised odd spellings of IPv4. */
export function isAddressLiteral(hostname: string): boolean {
  return hostname.startsWith('[') || /^\d{1,3}(\.\d{1,3}){3}$/.test(hostname);
}

/** An http(s) address without credentials; undefined for anything else. */
export function parseHttpUrl(text: string): URL | undefined {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return undefined;
  return url.username === '' && url.password === '' ? url : undefined;
}

/** True for https, or for plain http to this machine when the caller allows it. */
export function isSecureUrl(url: URL, options: { readonly allowLoopbackHttp: boolean }): boolean {
  return url.protocol === 'https:' || (options.allowLoopbackHttp && isLoopbackHost(url.hostname));
}

/** True for text that is exactly an origin as browsers send it. */
export function isOrigin(text: string): boolean {
  return parseHttpUrl(text)?.origin === text;
}

/**
 * Whether a request with this `Origin` may use a session of a property.
 * @param origin the header; null when there is none (not a browser, or a same-origin GET), which is fine
 * @param allowed the property's origins and the proxy's own
 */
export function isAllowedOrigin(origin: string | null, allowed: Iterable<string>): boolean {
  if (origin === null) return true;
  for (const candidate of allowed) if (candidate === origin) return true;
  return false;
}
