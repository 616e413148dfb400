/** The payment links of a session, and the session that they lead to once this one has ended without money. */
import { endedWithoutMoney } from '../policy/session-machine.ts';
import type { Outcome, Refusal } from '../problem.ts';
import { type NewSession, type SessionRecord, toTimestamp } from '../records/session-record.ts';
import type { SessionStorage } from '../storage/session-storage.ts';
import { noSuchPage, notOpen } from './refusals.ts';

/** Another session's object, as far as links need it. */
interface OtherSession {
  create(
    session: NewSession,
    options: { readonly fingerprint: string; readonly secretHash: string | null },
  ): Promise<Outcome<unknown>>;
  expire(property: string): Promise<Outcome<unknown>>;
}

export class PaymentLinks {
  readonly #store: SessionStorage;
  readonly #other: (id: string) => OtherSession;

  constructor(store: SessionStorage, other: (id: string) => OtherSession) {
    this.#store = store;
    this.#other = other;
  }

  /** Adds a link to a session that can still be paid. */
  add(record: SessionRecord, linkHash: string): Outcome<{ readonly expiresAt: string }> {
    if (record.state !== 'open' && record.state !== 'pending') return notOpen(record);
    this.#store.addLink(linkHash, record.id);
    return { ok: true, value: { expiresAt: toTimestamp(record.expiresAt) } };
  }

  /** The session that a link led to when it was last used. */
  target(linkHash: string): Outcome<{ readonly current: string }> {
    const link = this.#store.load() === undefined ? undefined : this.#store.findLink(linkHash);
    return link === undefined ? noSuchPage() : { ok: true, value: { current: link.current } };
  }

  /** Whether the session may still get a successor. */
  canBeFollowed(): boolean {
    const record = this.#store.load();
    return record !== undefined && record.successor === undefined && isPayableByLink(record);
  }

  /** The session that follows this one: the same for all links and all callers, so that only one can be paid. */
  async succeed(id: string): Promise<Outcome<{ readonly current: string }>> {
    const record = this.#store.load();
    if (record === undefined) return noSuchPage();
    if (record.successor !== undefined) return { ok: true, value: { current: record.successor } };
    if (!endedWithoutMoney(record.state)) return { ok: true, value: { current: record.id } };
    if (!isPayableByLink(record)) return notOpen(record);
    const other = this.#other(id);
    const created = await other.create(successorOf(record, id), { fingerprint: id, secretHash: null });
    if (!created.ok) return created;
    const newest = this.#store.load() ?? record;
    if (!isPayableByLink(newest)) {
      // Its links were closed, or it was paid, while the successor was made. Nobody knows the successor yet.
      await other.expire(record.property);
      return notOpen(newest);
    }
    // No new version: the successor reports itself to the ledger.
    this.#store.save(newest.seq, { ...newest, successor: id });
    return { ok: true, value: { current: id } };
  }

  /** Closes the links of a session that has ended without money: they could still lead to a payment. */
  async close(record: SessionRecord): Promise<Refusal | undefined> {
    if (record.successor !== undefined) {
      const ended = await this.#other(record.successor).expire(record.property);
      return ended.ok ? undefined : ended;
    }
    const hasLinks = record.state === 'expired' || record.previous !== null || this.#store.hasLinks();
    if (!isPayableByLink(record) || !hasLinks) return notOpen(record);
    // No new version: the outcome stays, there is only no further attempt.
    this.#store.save(record.seq, { ...record, expiresAt: Date.now() });
    return undefined;
  }
}

/** Whether a link may still lead to another attempt. */
function isPayableByLink({ state, expiresAt }: SessionRecord): boolean {
  return endedWithoutMoney(state) && expiresAt > Date.now();
}

function successorOf(record: SessionRecord, id: string): NewSession {
  const { property, hotelName, livemode, kind, amount, surcharge, reference, description, returnUrl } = record;
  const { metadata, expiresAt } = record;
  const fixed = { property, hotelName, livemode, kind, amount, surcharge, reference, description, returnUrl, metadata };
  return { id, ...fixed, previous: record.id, createdAt: Date.now(), expiresAt };
}
