/** The transitions of a session: each in one commit with its ledger update and what is due next. */

import { type Outcome, ok, refuse } from '../http/problem.ts';
import type { Actor } from '../properties/actor.ts';
import type { Act } from '../properties/audit-row.ts';
import type { Finding } from '../records/resolution.ts';
import { RECORD_RETENTION_MS } from '../records/retention.ts';
import { type AttemptEvent, nextAttemptStatus } from './attempt-machine.ts';
import type { AttemptRecord } from './attempt-record.ts';
import type { KeptSecret } from './client-secret.ts';
import { pollKind } from './poll-tasks.ts';
import { attemptOf, givenOf, type Offer, pendingAttempt, type SessionRecord } from './session-record.ts';
import { settlesAt } from './session-status.ts';
import type { SessionStorage } from './session-storage.ts';
import { type SessionEvent, transition } from './session-transition.ts';

export class SessionTransitions {
  readonly #store: SessionStorage;
  readonly #planPoll: (record: SessionRecord, number: number, now: number) => void;
  readonly #onUnknown: ((record: SessionRecord) => void) | undefined;

  /**
   * @param planPoll plans the next poll of an attempt that has just moved
   * @param hooks.onUnknown called when an outcome has become unknown
   */
  constructor(
    store: SessionStorage,
    planPoll: (record: SessionRecord, number: number, now: number) => void,
    { onUnknown }: { readonly onUnknown?: (record: SessionRecord) => void } = {},
  ) {
    this.#store = store;
    this.#planPoll = planPoll;
    this.#onUnknown = onUnknown;
  }

  /** Stores a new session and what is kept of its client secret. */
  begin(
    record: SessionRecord,
    { fingerprint, secret }: { readonly fingerprint: string; readonly secret: KeptSecret },
  ): void {
    this.#store.transaction(() => {
      this.#store.create(record, fingerprint);
      this.#store.keepClientSecret(secret);
      this.#plan(record, record.createdAt);
      this.#store.due.set('erase', record.createdAt + RECORD_RETENTION_MS);
    });
  }

  /** Applies one event; undefined when it means nothing as the session is, and then nothing changed. */
  apply(event: SessionEvent, act?: Act): SessionRecord | undefined {
    let before: SessionRecord | undefined;
    const next = this.#store.commit(
      (record, now) => {
        before = record;
        return transition(record, event, now);
      },
      (next, now) => {
        const { due } = this.#store;
        this.#plan(next, now);
        if (event.is === 'started') this.#planPoll(next, next.attempts.length, now);
        if (event.is === 'attempt') this.#planPoll(next, event.number, now);
        const kept = event.is === 'attempt' && keptTokenUntil(attemptOf(next, event.number));
        if (kept) due.setEarlier('erase_token', kept);
        // What a payment needs to be looked up by, and its key to make nothing new, is kept as long as that of a new session.
        // An attempt may end long after its start.
        if (event.is === 'started' || event.is === 'offered' || event.is === 'attempt')
          due.set('erase', now + RECORD_RETENTION_MS);
        // Reopened or open for longer, it is watched for as long as any other: somebody may still have an old page open.
        for (const { number } of next.attempts.filter(isAbandoned)) {
          if (due.get(pollKind(number)) === undefined) this.#planPoll(next, number, now);
        }
        // Reopened after somebody had ended it: the links and secrets from before stay dead.
        if (event.is === 'offered' && before?.closed?.by === 'merchant') this.#store.renew(next.attempts.length);
      },
      act,
    );
    if (event.is === 'attempt' && next !== undefined && next.news?.type === 'checkout.unknown') {
      if (before !== undefined && attemptOf(before, event.number)?.status !== 'unknown') this.#onUnknown?.(next);
    }
    return next;
  }

  /**
   * Keeps what is wanted while an attempt is under way, for the next one. The session stays as it is, in its version, too: lists, which
   * have whole versions, call it outdated no earlier than with its next one.
   */
  keepOffer(record: SessionRecord, offer: Offer, act: Act): void {
    const { terms, expiresAt } = offer;
    const nextOffer = { ...givenOf(offer), terms, expiresAt };
    this.#store.transaction(() => {
      this.#store.save(record.seq, { ...record, nextOffer });
      this.#store.tellAudit(act);
    });
  }

  /** Ends the uncertain outcome of an attempt with a person's evidence. */
  resolve(
    record: SessionRecord,
    { attempt: wanted, ...finding }: Finding & { readonly attempt: number | null },
    actor: Actor,
  ): Outcome<SessionRecord> {
    const resolution = { ...finding, by: actor.by, at: Date.now() };
    const event = resolution.status === 'succeeded' ? 'resolved_succeeded' : 'resolved_failed';
    const fitting = resolvable(record, event, wanted);
    const [attempt, another] = fitting;
    if (attempt === undefined) {
      const which = wanted === null ? `A session that is ${record.state}` : `Attempt ${wanted}`;
      const detail = `${which} cannot be resolved as ${resolution.status}`;
      return refuse('not_resolvable', { detail, resource: record.id });
    }
    if (wanted === null && record.attempts.length > 1 && record.attempts.some(isDecided)) {
      const detail = 'An attempt of this session is already paid or resolved: name the one you mean';
      return refuse('invalid_request', { detail, param: 'attempt', resource: record.id });
    }
    if (another !== undefined) {
      const numbers = fitting.map(({ number }) => number).join(' and ');
      const detail = `Attempts ${numbers} of this session could be meant: name the one you mean`;
      return refuse('invalid_request', { detail, param: 'attempt', resource: record.id });
    }
    if (resolution.amount !== undefined && record.kind === 'card') {
      return refuse('invalid_request', { detail: 'A card session moves no money', param: 'amount' });
    }
    const { number } = attempt;
    const owner = ownerOf(record, resolution);
    if (owner !== undefined && owner.number !== number) {
      const detail = `This transaction belongs to attempt ${owner.number}`;
      return refuse('invalid_request', { detail, param: 'transactionId', resource: record.id });
    }
    const act: Act = { action: 'checkout_session.resolved', status: resolution.status, actor };
    const next = this.apply({ is: 'attempt', number, event, resolution }, act);
    return ok(next ?? record);
  }

  /**
   * Makes a session that has expired final; later, if the guest of an abandoned attempt has come back since that was planned, or while
   * nobody has answered.
   * @param askedAgainAt when it is asked again whether an attempt was paid
   */
  settle(askedAgainAt = 0): void {
    const record = this.#store.load();
    const { due } = this.#store;
    const at = record === undefined ? 0 : Math.max(settlesAt(record), askedAgainAt);
    if (at > Date.now()) {
      due.set('settle', at);
      return;
    }
    this.apply({ is: 'settled' });
    due.clear('settle');
  }

  /** Erases the card tokens that have been kept long enough; their last four digits stay. */
  eraseTokens(): void {
    const record = this.#store.load();
    const { due } = this.#store;
    this.#store.transaction(() => {
      due.clear('erase_token');
      if (record === undefined) return;
      const now = Date.now();
      const attempts = record.attempts.map((attempt) => {
        if (attempt.result?.kind !== 'card' || (keptTokenUntil(attempt) ?? now + 1) > now) return attempt;
        return { ...attempt, result: { ...attempt.result, sealedToken: null } };
      });
      this.#store.save(record.seq, { ...record, attempts });
      const next = attempts.map(keptTokenUntil).filter((at) => at !== undefined);
      if (next.length > 0) due.set('erase_token', Math.min(...next));
    });
  }

  /** What is due because of the session's state. */
  #plan(record: SessionRecord, now: number): void {
    const { due } = this.#store;
    if (record.state === 'open') due.set('deadline', endsAt(record));
    else due.clear('deadline');
    if (pendingAttempt(record) === undefined) due.clear('abandon');
    if (record.state === 'expired' && !record.final) due.set('settle', Math.max(now, settlesAt(record)));
    else due.clear('settle');
  }
}

/**
 * When the alarm ends a session that nobody has read since its time was up: within a thousandth of its life, and a minute. Thousands of
 * links may end at midnight, and self-hosted their objects wake on the one thread of all hotels.
 */
export function endsAt({ id, createdAt, expiresAt }: Pick<SessionRecord, 'id' | 'createdAt' | 'expiresAt'>): number {
  const withinMs = Math.min((expiresAt - createdAt) / 1_000, 60_000);
  // An id ends with its tag, which is as good as random.
  return expiresAt + Math.floor((Number.parseInt(id.slice(-4), 36) / 36 ** 4) * withinMs);
}

/** Until when the token of its card is kept; undefined when there is none. */
export function keptTokenUntil(attempt: AttemptRecord | undefined): number | undefined {
  const result = attempt?.result;
  return result?.kind === 'card' && result.sealedToken !== null ? Date.parse(result.tokenKeptUntil ?? '') : undefined;
}

/** Whether the hotel keeps a card of it to charge. */
export function keepsToken({ attempts }: Pick<SessionRecord, 'attempts'>): boolean {
  return attempts.some((attempt) => keptTokenUntil(attempt) !== undefined);
}

/** Whether its guest went away without a word. */
function isAbandoned({ status }: AttemptRecord): boolean {
  return status === 'abandoned';
}

/** Whether an answer that went missing may have been about it: a repeated call must not settle another one. */
function isDecided({ status, resolution }: AttemptRecord): boolean {
  return status === 'succeeded' || resolution !== null;
}

/** The attempt that a transaction has paid already; undefined when there is none. */
function ownerOf({ attempts }: SessionRecord, { status, transactionId }: Finding): AttemptRecord | undefined {
  if (status !== 'succeeded' || transactionId === null) return undefined;
  return attempts.find(({ result }) => result?.transactionId === transactionId);
}

/** Which attempts a person's evidence can be about: those in doubt, and only without one the others that it could move. */
function resolvable({ attempts }: SessionRecord, event: AttemptEvent, wanted: number | null): AttemptRecord[] {
  const movable = attempts.filter(({ status }) => nextAttemptStatus(status, event) !== undefined);
  if (wanted !== null) return movable.filter(({ number }) => number === wanted);
  const inDoubt = movable.filter(({ status }) => status === 'unknown');
  return inDoubt.length > 0 ? inDoubt : movable;
}
