/** Finds the exchanges that belong to one payment. */
import type { Exchange } from './exchange.ts';
import type { Entry } from './exchange-log.ts';

/**
 * The entries that mention `root`, or anything that those mention, and so on; what was asked on behalf of those and
 * carries no id; and, from then on, what serves every payment: logins, the files of pages, and a browser's question
 * whether it may call the proxy. Oldest first. Without a root, all of them.
 */
export function relatedExchanges(entries: readonly Entry[], root: string | null): Entry[] {
  const ordered = [...entries].sort((a, b) => a.seq - b.seq);
  if (root === null) return ordered;
  const known = new Set([root]);
  const members = new Set<Entry>();
  for (let grew = true; grew; ) {
    grew = false;
    for (const entry of ordered) {
      const { about } = entry.exchange;
      if (members.has(entry) || !about.some((id) => known.has(id))) continue;
      members.add(entry);
      for (const id of about) known.add(id);
      grew = true;
    }
  }
  const first = ordered.find((entry) => members.has(entry))?.seq ?? Number.POSITIVE_INFINITY;
  const asked = [...members].map(({ exchange }) => exchange).filter(({ to }) => to === 'hotel');
  return ordered.filter(
    (entry) =>
      members.has(entry) ||
      (entry.seq > first && (isShared(entry) || asked.some((parent) => isOnBehalf(entry, parent)))),
  );
}

// A stored bearer token serves many payments, and one login is a request of each of them. A browser's question carries
// neither the id nor the secret of the session that it is about to ask for.
function isShared({ exchange: { about, kind, method, path } }: Entry): boolean {
  if (about.length > 0) return false;
  return kind === 'file' || method === 'OPTIONS' || path.endsWith('/login');
}

/**
 * Whether servers asked it while they worked on `parent`. A card that is keyed in has no id yet: time alone tells whose
 * it is, and two at once cannot be told apart.
 */
function isOnBehalf({ exchange: { about, from, ...asked } }: Entry, parent: Exchange): boolean {
  if (about.length > 0 || from === 'browser' || asked.durationMs === null || parent.durationMs === null) return false;
  const hasBegun = asked.startedAt >= parent.startedAt;
  return hasBegun && asked.startedAt + asked.durationMs <= parent.startedAt + parent.durationMs;
}
