/** Addresses of the internet and ranges of them, IPv4 and IPv6. */

/** The Workers of every Cloudflare account call other zones from these addresses: anybody can rent one. */
const SHARED_BY_WORKERS = '2a06:98c0:3600::/48';

/** The sentence for a text that is not {@link isAddressRange}. */
export const ADDRESS_RANGE_RULE: string = `must be an address or a range, such as 198.51.100.0/24 or 2001:db8::/48, and hold no address of ${SHARED_BY_WORKERS}, which every Worker of Cloudflare shares`;

/** Whether a text is an address, or a range in CIDR notation, that does not let in everybody's Workers. */
export function isAddressRange(text: string): boolean {
  const bits = rangeBits(text);
  const shared = rangeBits(SHARED_BY_WORKERS) ?? '';
  return bits !== undefined && !bits.startsWith(shared) && !shared.startsWith(bits);
}

/** Whether an address is in one of these ranges. Any other text is in none. */
export function isInRanges(address: string, ranges: readonly string[]): boolean {
  const bits = rangeBits(address);
  return bits?.length === 128 && ranges.some((range) => bits.startsWith(rangeBits(range) ?? 'none'));
}

/**
 * The eight groups of an address, each 0 to 65,535; undefined for other texts, such as a host name or an address with a port.
 * IPv4 is a part of IPv6: `::ffff:0:0/96`.
 */
export function addressGroups(text: string): readonly number[] | undefined {
  const url = `http://[${/^\d+(\.\d+){3}$/.test(text) ? '::ffff:' : ''}${text}]`;
  if (!/^[\da-f:.]+$/i.test(text) || !URL.canParse(url)) return undefined;
  const shortest = new URL(url).hostname.slice(1, -1);
  const [head = [], tail] = shortest.split('::').map((half) => half.split(':').filter((group) => group !== ''));
  const groups = tail === undefined ? head : [...head, ...Array(8 - head.length - tail.length).fill('0'), ...tail];
  return groups.map((group) => Number.parseInt(group, 16));
}

/** The number of leading bits that all addresses of a range share: 128 for a single address. */
function rangeBits(text: string): string | undefined {
  const [, address = '', length] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const bits = addressGroups(address)
    ?.map((group) => group.toString(2).padStart(16, '0'))
    .join('');
  const longest = address.includes(':') ? 128 : 32;
  const own = Number(length ?? longest);
  return own > longest ? undefined : bits?.slice(0, own + 128 - longest);
}
