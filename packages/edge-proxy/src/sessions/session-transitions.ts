/** The transitions of a session: each in one commit with its ledger update and what is due next. */
import type { KeptSecret } from '../crypto/client-secret.ts';
import { payingDeadline } from '../policy/polling-schedule.ts';
import { nextSessionState, type SessionEvent, toSessionStatus } from '../policy/session-machine.ts';
import { type Refusal, refuse } from '../problem.ts';
import type { LedgerUpdate } from '../records/ledger-update.ts';
import { type Resolution, type SessionRecord, scheduleFacts } from '../records/session-record.ts';
import { type SessionChange, transition } from '../records/session-transition.ts';
import type { SessionStorage } from '../storage/session-storage.ts';

const DAY_MS = 24 * 60 * 60_000;
const SESSION_RETENTION_MS = 400 * DAY_MS;
const CARD_TOKEN_RETENTION_MS = 30 * DAY_MS;

export class SessionTransitions {
  readonly #store: SessionStorage;
  readonly #planLook: (record: SessionRecord, now: number) => void;
  readonly #onUnknown: ((record: SessionRecord) => void) | undefined;

  /** @param hooks.onUnknown called when an outcome has become unknown */
  constructor(
    store: SessionStorage,
    planLook: (record: SessionRecord, now: number) => void,
    { onUnknown }: { readonly onUnknown?: (record: SessionRecord) => void } = {},
  ) {
    this.#store = store;
    this.#planLook = planLook;
    this.#onUnknown = onUnknown;
  }

  /** Stores a new session with its first ledger update and what is kept of its client secret. */
  begin(
    record: SessionRecord,
    update: LedgerUpdate,
    { fingerprint, secret }: { readonly fingerprint: string; readonly secret: KeptSecret },
  ): void {
    const { due, outbox } = this.#store;
    this.#store.transaction(() => {
      this.#store.create(record, fingerprint);
      this.#store.keepClientSecret(secret);
      outbox.add(update);
      due.set('deadline', record.expiresAt);
      due.set('erase', record.createdAt + SESSION_RETENTION_MS);
      due.arm();
    });
  }

  /** Applies one event; undefined when it means nothing in this state, and then nothing changed. */
  async apply(event: SessionEvent, change: SessionChange = {}): Promise<SessionRecord | undefined> {
    let before: SessionRecord | undefined;
    const next = await this.#store.commit(
      (record, now) => {
        before = record;
        return transition(record, event, { now, ...change });
      },
      (next, now) => {
        const { due } = this.#store;
        this.#planLook(next, now);
        // That of a pending session is part of the plan.
        if (next.state !== 'pending') due.clear('deadline');
        if (next.result?.kind === 'card') {
          due.set('erase_token', now + CARD_TOKEN_RETENTION_MS);
        }
      },
    );
    if (next?.state === 'unknown' && before?.state !== 'unknown') this.#onUnknown?.(next);
    return next;
  }

  /** Ends an uncertain outcome with a person's evidence. Returns why not, when it cannot. */
  async resolve(record: SessionRecord, resolution: Omit<Resolution, 'at'>): Promise<Refusal | undefined> {
    const event = resolution.status === 'succeeded' ? 'resolved_succeeded' : 'resolved_failed';
    if (record.hosted === null || nextSessionState(record.state, event) === undefined) {
      const detail = `A session that is ${toSessionStatus(record.state)} cannot be resolved as ${resolution.status}`;
      return refuse('not_resolvable', { detail, resource: record.id });
    }
    if (resolution.amount !== undefined && record.kind === 'card') {
      return refuse('invalid_request', { detail: 'A card session moves no money', param: 'amount' });
    }
    await this.apply(event, { resolution: { ...resolution, at: Date.now() } });
    return undefined;
  }

  /** The deadline of a pending session, once it has passed; undefined until then, and of any other. */
  overdue(): number | undefined {
    const record = this.#store.load();
    if (record?.state !== 'pending') return undefined;
    const deadline = deadlineOf(record);
    return deadline > Date.now() ? undefined : deadline;
  }

  /** Ends a session whose deadline has passed; otherwise plans the deadline again. */
  async passDeadline(): Promise<void> {
    const record = this.#store.load();
    if (record === undefined) return;
    const deadline = deadlineOf(record);
    if (nextSessionState(record.state, 'deadline_passed') === undefined) this.#store.due.clear('deadline');
    else if (deadline > Date.now()) this.#store.due.set('deadline', deadline);
    else await this.apply('deadline_passed');
  }

  /** Erases the card token; its last four digits stay. */
  eraseToken(): void {
    const record = this.#store.load();
    this.#store.transaction(() => {
      if (record?.result?.kind === 'card') {
        this.#store.save(record.seq, { ...record, result: { ...record.result, sealedToken: null } });
      }
      this.#store.due.clear('erase_token');
    });
  }
}

function deadlineOf(record: SessionRecord): number {
  return record.startedAt === null ? record.expiresAt : payingDeadline(scheduleFacts(record));
}
