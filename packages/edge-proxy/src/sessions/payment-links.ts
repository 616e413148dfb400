/** The payment links of a session, and the session that they lead to once this one has ended without money. */
import { endedWithoutMoney } from '../policy/session-machine.ts';
import { type Outcome, type Refusal, refuse } from '../problem.ts';
import { type NewSession, type SessionRecord, toTimestamp } from '../records/session-record.ts';
import type { MadeSecret, SessionStorage } from '../storage/session-storage.ts';
import { noSuchPage, notOpen } from './refusals.ts';

/** Another session's object, as far as links need it. */
interface OtherSession {
  create(session: NewSession, fingerprint: string): Promise<Outcome<unknown>>;
  expire(property: string): Promise<Outcome<unknown>>;
}

/** How many tries may follow each other within an hour: more than a guest with several cards needs. */
const MAX_TRIES = 10;
const HOUR_MS = 60 * 60_000;

export class PaymentLinks {
  readonly #store: SessionStorage;
  readonly #other: (id: string) => OtherSession;

  constructor(store: SessionStorage, other: (id: string) => OtherSession) {
    this.#store = store;
    this.#other = other;
  }

  /** Adds a link to a session that can still be paid. */
  add(record: SessionRecord, made: MadeSecret): Outcome<{ readonly expiresAt: string; readonly isReplay: boolean }> {
    const kept = this.#store.keepOnce(record.id, made, () => {
      if (record.state !== 'open' && record.state !== 'pending') return notOpen(record);
      this.#store.addLink(made.hash, record.id);
      return undefined;
    });
    return kept.ok ? { ok: true, value: { ...kept.value, expiresAt: toTimestamp(record.expiresAt) } } : kept;
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
    const limited = limitTries(record, Date.now());
    if (limited !== undefined) return limited;
    const other = this.#other(id);
    const created = await other.create(successorOf(record, id), id);
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
  close(record: SessionRecord): Refusal | undefined {
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

/** When this try and those before it were made, as far as they still count. */
function recentTries(record: SessionRecord, now: number): readonly number[] {
  const { createdAt, startedAt, earlierTries = [] } = record;
  return [...earlierTries, startedAt ?? createdAt].filter((at) => at > now - HOUR_MS);
}

function limitTries(record: SessionRecord, now: number): Refusal | undefined {
  const tries = recentTries(record, now);
  const [oldest = now] = tries;
  if (tries.length < MAX_TRIES) return undefined;
  const retryAfterSeconds = Math.ceil((oldest + HOUR_MS - now) / 1_000);
  return refuse('rate_limited', { detail: 'Too many tries of this link; wait a while', retryAfterSeconds });
}

function successorOf(record: SessionRecord, id: string): NewSession {
  const { property, hotelName, acceptedBrands, livemode, kind, amount, surcharge, reference, description, returnUrl } =
    record;
  const { metadata, expiresAt } = record;
  const fixed = {
    property,
    hotelName,
    acceptedBrands,
    livemode,
    kind,
    amount,
    surcharge,
    reference,
    description,
    returnUrl,
    metadata,
  };
  const createdAt = Date.now();
  return { id, ...fixed, previous: record.id, earlierTries: recentTries(record, createdAt), createdAt, expiresAt };
}
