/** The address that limits are counted by: one form for each caller, however it is written. */

/** The longest an address can be; of any other text no more is kept. */
const MAX_LENGTH = 45;

/**
 * An IPv4 address as it is, also when it comes as an IPv6 one or with a port. Of an IPv6 address the first 64 bits: they
 * belong to one customer, who can use every address that begins with them. Any other text as it is.
 */
export function clientNetwork(text: string): string {
  const [, inBrackets] = /^\[([^\]]*)\](?::\d+)?$/.exec(text) ?? [];
  const [, beforePort] = /^([\d.]+):\d+$/.exec(text) ?? [];
  const [address = ''] = (inBrackets ?? beforePort ?? text).slice(0, MAX_LENGTH).split('%');
  const url = `http://[${address}]`;
  if (!address.includes(':') || !URL.canParse(url)) return address;
  const groups = toGroups(new URL(url).hostname.slice(1, -1));
  const isMapped = groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff';
  return isMapped ? toDotted(groups.slice(6)) : `${groups.slice(0, 4).join(':')}::/64`;
}

/** The eight groups of an IPv6 address in its shortest form. */
function toGroups(address: string): readonly string[] {
  const [head = [], tail] = address.split('::').map((half) => half.split(':').filter((group) => group !== ''));
  return tail === undefined ? head : [...head, ...Array<string>(8 - head.length - tail.length).fill('0'), ...tail];
}

function toDotted(groups: readonly string[]): string {
  const values = groups.map((group) => Number.parseInt(group, 16));
  return values.flatMap((value) => [value >> 8, value & 255]).join('.');
}
