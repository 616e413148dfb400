/** Finds the exchanges that belong to one payment. */
import type { Exchange } from './exchange.ts';

/**
 * The exchanges that mention `root`, or anything that those mention, and so on; what was asked on behalf of those and
 * carries no id; and, from then on, what serves every payment: logins, the files of pages, and a browser's question
 * whether it may call the proxy. In the order given. Without a root, all of them.
 */
export function relatedExchanges(exchanges: readonly Exchange[], root: string | null): readonly Exchange[] {
  if (root === null) return exchanges;
  const known = new Set([root]);
  const members = new Set<Exchange>();
  for (let grew = true; grew; ) {
    grew = false;
    for (const exchange of exchanges) {
      if (members.has(exchange) || !exchange.about.some((id) => known.has(id))) continue;
      members.add(exchange);
      for (const id of exchange.about) known.add(id);
      grew = true;
    }
  }
  const first = exchanges.findIndex((exchange) => members.has(exchange));
  if (first === -1) return [];
  const asked = [...members].filter(({ to }) => to === 'hotel');
  return exchanges
    .slice(first)
    .filter(
      (exchange) => members.has(exchange) || isShared(exchange) || asked.some((parent) => isOnBehalf(exchange, parent)),
    );
}

// A stored bearer token serves many payments, and one login is a request of each of them. A browser's question carries
// neither the id nor the secret of the session that it is about to ask for.
function isShared({ about, kind, method, path }: Exchange): boolean {
  if (about.length > 0) return false;
  return kind === 'file' || method === 'OPTIONS' || path.endsWith('/login');
}

/**
 * Whether servers asked it while they worked on `parent`. A card that is keyed in has no id yet: time alone tells whose
 * it is, and two at once cannot be told apart.
 */
function isOnBehalf({ about, from, ...asked }: Exchange, parent: Exchange): boolean {
  if (about.length > 0 || from === 'browser' || asked.durationMs === null || parent.durationMs === null) return false;
  const hasBegun = asked.startedAt >= parent.startedAt;
  return hasBegun && asked.startedAt + asked.durationMs <= parent.startedAt + parent.durationMs;
}
