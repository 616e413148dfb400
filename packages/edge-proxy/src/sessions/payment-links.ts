/** The payment links of a session: they live as long as it does, and one that was taken back stays dead. */
import { type Outcome, ok } from '../http/problem.ts';
import { toTimestamp } from '../http/timestamp.ts';
import type { Actor } from '../properties/actor.ts';
import { noSuchPage, notOpen } from './refusals.ts';
import type { SessionRecord } from './session-record.ts';
import type { GeneratedSecret, SessionStorage } from './session-storage.ts';

/** The answer to a request for a link. */
export interface AddedLink {
  readonly expiresAt: string;
  /** Whether an earlier call with the same key has made it. */
  readonly isReplay: boolean;
  /** Set when nothing was made: how often the session was reopened, for which the link of a key has to be derived. */
  readonly renewals?: number;
}

/** Adds a link to a session that can still be paid, or says what it has to be derived for. */
export function addLink(
  store: SessionStorage,
  record: SessionRecord,
  made: GeneratedSecret,
  actor: Actor,
): Outcome<AddedLink> {
  const expiresAt = toTimestamp(record.expiresAt);
  const { renewals } = store;
  if ((made.renewals ?? renewals) !== renewals) return ok({ expiresAt, isReplay: false, renewals });
  const kept = store.keepOnce(made, () => {
    if (record.state !== 'open' && record.state !== 'pending') return notOpen(record);
    store.addLink(made.hash);
    store.tellAudit({ action: 'payment_link.created', actor });
    return undefined;
  });
  return kept.ok ? ok({ ...kept.value, expiresAt }) : kept;
}

/** Takes all links back. */
export function revokeLinks(store: SessionStorage, actor: Actor): void {
  if (store.beside.links.length === 0) return;
  store.transaction(() => {
    store.clearLinks();
    store.tellAudit({ action: 'payment_link.revoked', actor });
  });
}

export function sessionOfLink(store: SessionStorage, linkHash: string): Outcome<SessionRecord> {
  const record = store.load();
  return record === undefined || !store.hasLink(linkHash) ? noSuchPage() : ok(record);
}
