/** The end of a session that nobody has paid in time. */
import { waitAtMost } from '../http/deadline.ts';
import { scheduleFacts } from './attempt-record.ts';
import type { WatchedSession } from './attempt-watcher.ts';
import type { HostedStart } from './hosted-start.ts';
import { abandonedAt } from './polling-schedule.ts';
import { POLL_WAIT_MS, type SessionAttempts } from './session-attempts.ts';
import { pendingAttempt } from './session-record.ts';

export class SessionDeadline {
  readonly #session: WatchedSession;
  readonly #attempts: SessionAttempts;
  readonly #hostedStart: HostedStart;

  constructor(session: WatchedSession, attempts: SessionAttempts, hostedStart: HostedStart) {
    this.#session = session;
    this.#attempts = attempts;
    this.#hostedStart = hostedStart;
  }

  /** Ends the session if its time has passed; otherwise plans the end again. */
  async pass(): Promise<void> {
    // The deadline limits the start, not the answer to a start that came in time.
    await this.#hostedStart.underWay;
    const { apply, store } = this.#session;
    const record = store.load();
    if (record?.state !== 'open') return store.due.clear('deadline');
    if (record.expiresAt > Date.now()) return store.due.set('deadline', record.expiresAt);
    await apply({ is: 'closed', by: 'deadline' });
  }

  /** Ends what is over, in case the alarm is late. Nobody waits long for a last poll. */
  async passOverdue(): Promise<void> {
    const { apply, store, waitUntil } = this.#session;
    const record = store.load();
    if (record === undefined || this.#hostedStart.underWay !== undefined) return;
    // Wanted during a start that a crash has ended.
    if (record.nextOffer !== null) await apply({ is: 'next_offer' });
    const now = Date.now();
    const pending = pendingAttempt(record);
    const isGone = pending !== undefined && abandonedAt(scheduleFacts(pending, record)) <= now;
    const isOver = record.expiresAt <= now && (record.state === 'open' || isGone);
    if (!isGone && !isOver) return;
    const ending = (isGone ? this.#attempts.abandon() : Promise.resolve()).then(() => this.pass());
    waitUntil(ending);
    await waitAtMost(POLL_WAIT_MS, ending);
  }
}
