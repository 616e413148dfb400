/** The address that limits are counted by, and by which keys can be refused: one form for each caller, however it is written. */
import { addressGroups } from '@innkeep/core/values';

/** The longest an address can be; of any other text no more is kept. */
const MAX_LENGTH = 45;

/** Where the address of a caller stands, and whether the host limits by it. */
export interface AddressBindings {
  /** Per-address limits, where the host has them. */
  readonly GUEST_LIMIT?: RateLimit;
  readonly CLIENT_ADDRESS_HEADER?: string | null;
}

/**
 * The address that a request came from, without brackets, port and zone. On Cloudflare the host says it; self-hosted, the header that the web
 * server in front sets and the operator has named. Undefined: unknown, since callers could invent any other header.
 */
export function clientAddress(
  { GUEST_LIMIT, CLIENT_ADDRESS_HEADER }: AddressBindings,
  headers: Headers,
): string | undefined {
  const header = GUEST_LIMIT === undefined ? CLIENT_ADDRESS_HEADER : 'cf-connecting-ip';
  // Of a list the last: the server in front has added it, what stands before came with the request.
  const text = (header ? headers.get(header) : null)?.split(',').at(-1)?.trim();
  return text === undefined || text === '' ? undefined : bareAddress(text);
}

/**
 * An IPv4 address as it is, also when it comes as an IPv6 one or with a port. Of an IPv6 address the first 64 bits: they
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
