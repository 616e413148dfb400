/** A caller’s address, always in the same form: limits count by it, and keys can be restricted to it. */
import { addressGroups } from '@innkeep/core/values';

/** Length of the longest address; longer text is cut. */
const MAX_LENGTH = 45;

/** Where to find a caller’s address, and whether the host limits by it. */
export interface AddressBindings {
  /** Per-address limits, where the host has them. */
  readonly GUEST_LIMIT?: RateLimit;
  readonly CLIENT_ADDRESS_HEADER?: string | null;
}

/**
 * The address that a request came from, without brackets, port and zone. On Cloudflare the host says it; self-hosted, the header
 * that the web server in front sets and the operator has named. Undefined: unknown, since callers could invent any other header.
 */
export function clientAddress(
  { GUEST_LIMIT, CLIENT_ADDRESS_HEADER }: AddressBindings,
  headers: Headers,
): string | undefined {
  const header = GUEST_LIMIT === undefined ? CLIENT_ADDRESS_HEADER : 'cf-connecting-ip';
  // The last of a list: the server in front has added it. What comes before it came with the request.
  const text = (header ? headers.get(header) : null)?.split(',').at(-1)?.trim();
  return text === undefined || text === '' ? undefined : bareAddress(text);
}

/**
 * An IPv4 address as it is, even if it comes as IPv6 or with a port. The first 64 bits of an IPv6 address: they
 * belong to one customer, who can use every address that begins with them. Any other text as it is.
 */
export function clientNetwork(text: string): string {
  const address = bareAddress(text);
  const groups = addressGroups(address);
  if (groups === undefined) return address;
  if (groups.slice(0, 6).join() === '0,0,0,0,0,65535') {
    return groups
      .slice(6)
      .flatMap((group) => [group >> 8, group & 255])
      .join('.');
  }
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`;
}

function bareAddress(text: string): string {
  const [, inBrackets] = /^\[([^\]]*)\](?::\d+)?$/.exec(text) ?? [];
  const [, beforePort] = /^([\d.]+):\d+$/.exec(text) ?? [];
  const [address = ''] = (inBrackets ?? beforePort ?? text).slice(0, MAX_LENGTH).split('%');
  return address;
}
