/** Whether a host, as `URL` normalizes it, is this machine: `localhost`, 127.0.0.0/8 and `::1`. */
export function isLoopbackHost(hostname: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);
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
