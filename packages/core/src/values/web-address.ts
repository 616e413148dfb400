// `URL` writes an IPv4 address inside an IPv6 one in hexadecimal: 127.0.0.1 is 7f00:1.
const LOOPBACK =
  /^(?:(?:[a-z0-9_-]+\.)*localhost\.?|127(?:\.\d{1,3}){3}|0\.0\.0\.0|\[::(?:1|ffff:(?:7f[\da-f]{2}:[\da-f]{1,4}|0:0))?\])$/;

/**
 * Whether a host, as `URL` normalizes it, is this machine: `localhost` and names below it, 127.0.0.0/8, `::1`, the
 * unspecified addresses, and either as an IPv4-mapped address.
 */
export function isLoopbackHost(hostname: string): boolean {
  return LOOPBACK.test(hostname);
}

// Addresses that no internet router forwards, and the names by which devices of one network find each other.
const LOCAL_NETWORK =
  /^(?:10(?:\.\d{1,3}){3}|192\.168(?:\.\d{1,3}){2}|172\.(?:1[6-9]|2\d|3[01])(?:\.\d{1,3}){2}|169\.254(?:\.\d{1,3}){2}|(?:[a-z0-9_-]+\.)+local\.?|\[(?:f[cd][\da-f]{2}|fe[89ab][\da-f]):[\da-f:]+\])$/;

/**
 * Whether a host, as `URL` normalizes it, is this machine or in its local network: a private or link-local address, or a name
 * that ends in `.local`.
 */
export function isLocalNetworkHost(hostname: string): boolean {
  return isLoopbackHost(hostname) || LOCAL_NETWORK.test(hostname);
}

/** Whether this is http on the machine itself. */
export function isLoopbackHttp(url: URL): boolean {
  return url.protocol === 'http:' && isLoopbackHost(url.hostname);
}

/** Whether a host, as `URL` normalizes it, is an address and not a name; odd spellings of IPv4 are addresses too. */
export function isAddressLiteral(hostname: string): boolean {
  return /^(\[|\d{1,3}(\.\d{1,3}){3}$)/.test(hostname);
}

/** Reads an http(s) address without user and password; `undefined` for anything else. */
export function parseHttpUrl(text: string): URL | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  return /^https?:$/.test(url.protocol) && url.username === '' && url.password === '' ? url : undefined;
}

/** Whether text is exactly an origin, as browsers send it. */
export function isOrigin(text: string): boolean {
  return parseHttpUrl(text)?.origin === text;
}

/** Whether a text can be one segment of an address: `.` and `..` would lead elsewhere. */
export function isSegment(text: string): boolean {
  return !/^(\s*|\.{1,2})$|\p{Surrogate}/u.test(text);
}
