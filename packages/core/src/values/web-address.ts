/**
 * Whether a host is this machine: `localhost`, 127.0.0.0/8 and `::1`.
 *
 * @param hostname - the host as `URL` normalizes it
 */
export function isLoopbackHost(hostname: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}

/**
 * Whether this is http on the machine itself.
 *
 * @param url - the address to look at
 */
export function isLoopbackHttp(url: URL): boolean {
  return url.protocol === 'http:' && isLoopbackHost(url.hostname);
}

/**
 * Whether a host is an address, not a name.
 *
 * @param hostname - the host as `URL` normalizes it, odd spellings of IPv4 included
 */
export function isAddressLiteral(hostname: string): boolean {
  return /^(\[|\d{1,3}(\.\d{1,3}){3}$)/.test(hostname);
}

/**
 * Reads an http(s) address without user and password; `undefined` for anything else.
 *
 * @param text - the address
 */
export function parseHttpUrl(text: string): URL | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  return /^https?:$/.test(url.protocol) && url.username === '' && url.password === '' ? url : undefined;
}

/**
 * Whether text is exactly an origin, as browsers send it.
 *
 * @param text - what may be an origin
 */
export function isOrigin(text: string): boolean {
  return parseHttpUrl(text)?.origin === text;
}
