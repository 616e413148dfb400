/** What is stored of one checkout session, in its one row: STORAGE.md describes it. */

import { isEqualConstantTime } from '../http/hash.ts';
import { type Outcome, ok, type Refusal } from '../http/problem.ts';
import { type LedgerLink, RecordStorage } from '../records/record-storage.ts';
import type { KeptSecret } from './client-secret.ts';
import { polledAttempt, pollFrom } from './poll-tasks.ts';
import { type SessionRecord, sessionTimes } from './session-record.ts';
import { sessionEntry } from './session-transition.ts';

/** A link that a call makes, kept as a hash. */
export interface GeneratedSecret {
  readonly hash: string;
  /** What the call was, with its idempotency key; null without one, and then every call makes another link. */
  readonly key: string | null;
  /** The {@link SessionStorage.renewals} that it was derived for; absent without a key. */
  readonly renewals?: number | undefined;
}

interface Secrets {
  /** Null before the session begins. */
  readonly clientSecret: KeptSecret | null;
  /** Hashes of the payment links. */
  readonly links: readonly string[];
  /** The hash of what each call with an idempotency key has made. */
  readonly made: Readonly<Record<string, string>>;
  /** Absent from what an older version has stored, and until there was one. */
  readonly renewals?: number;
  /** As {@link Secrets.renewals}. */
  readonly endedAttempts?: number;
}

export class SessionStorage extends RecordStorage<SessionRecord, Secrets> {
  constructor(storage: DurableObjectStorage, link?: LedgerLink) {
    const kind = {
      noun: 'checkout session',
      toEntry: sessionEntry,
      beside: { clientSecret: null, links: [], made: {} },
      timesOf: sessionTimes,
      isRepeatable: (task: string) => polledAttempt(task) !== undefined,
      moved: (record: SessionRecord, { kind }: { readonly kind: string }, calledFor: number) =>
        pollFrom(record, kind, calledFor),
    };
    super(storage, kind, link);
  }

  /** What is kept of the live client secret; undefined before the session begins. */
  clientSecret(): KeptSecret | undefined {
    return this.beside.clientSecret ?? undefined;
  }

  /** Replaces the live client secret: the one before it ends. Call it in a transaction, as all that follow. */
  keepClientSecret(clientSecret: KeptSecret): void {
    this.setBeside({ clientSecret });
  }

  addLink(hash: string): void {
    this.setBeside({ links: [...this.beside.links, hash] });
  }

  hasLink(hash: string): boolean {
    return this.beside.links.includes(hash);
  }

  clearLinks(): void {
    this.setBeside({ links: [] });
  }

  /** How often the session was reopened after somebody had ended it. Each time the call with a key makes another link. */
  get renewals(): number {
    return this.beside.renewals ?? 0;
  }

  /** Number of the last attempt whose page ended together with the links. */
  get endedAttempts(): number {
    return this.beside.endedAttempts ?? 0;
  }

  /** Ends all links of a session that is reopened, and the pages after its attempts. */
  renew(endedAttempts: number): void {
    this.setBeside({ links: [], renewals: this.renewals + 1, endedAttempts });
  }

  /** The hash of what a call with this key has made; undefined when there was none, or without a key. */
  findMade(key: string | null): string | undefined {
    return key === null ? undefined : this.beside.made[key];
  }

  /** Remembers what a call has made. */
  addMade(key: string | null, hash: string): void {
    if (key !== null) this.setBeside({ made: { ...this.beside.made, [key]: hash } });
  }

  /**
   * Keeps a link in one commit with the call that made it. A repeated call keeps nothing, and is not refused. Links of other
   * callers under the same key are others: nobody can tell a caller the link of another one.
   */
  keepOnce({ hash, key }: GeneratedSecret, keep: () => Refusal | undefined): Outcome<{ readonly isReplay: boolean }> {
    return this.transaction(() => {
      const first = this.findMade(key);
      const name = first === undefined || isEqualConstantTime(first, hash) ? key : `${key} ${hash}`;
      if (this.findMade(name) !== undefined) return ok({ isReplay: true });
      const refusal = keep();
      if (refusal !== undefined) return refusal;
      this.addMade(name, hash);
      return ok({ isReplay: false });
    });
  }
}
