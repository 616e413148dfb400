/** The attempts of one session at work: who starts and watches each, what is asked of several at once, and when none can follow. */

import { waitAtMost } from '../http/deadline.ts';
import { isEqualConstantTime } from '../http/hash.ts';
import { type AttemptRecord, mayBePaid, scheduleInput } from './attempt-record.ts';
import { AttemptWatcher, type WatchedSession } from './attempt-watcher.ts';
import { HostedStart } from './hosted-start.ts';
import { pollKind } from './poll-tasks.ts';
import { abandonedAt, isMadeUp } from './polling-schedule.ts';
import { pendingAttempt, type SessionRecord } from './session-record.ts';
import { endsAt } from './session-transitions.ts';

/** How long a caller waits for what the payment service says of attempts. */
const POLL_WAIT_MS = 2_000;
/** How long the last poll of an attempt waits after others had to go first. */
const LAST_POLL_RETRY_MS = 10_000;

export class SessionAttempts {
  readonly #session: WatchedSession;
  readonly #watchers = new Map<number, AttemptWatcher>();
  readonly hostedStart: HostedStart;

  constructor(session: WatchedSession) {
    this.#session = session;
    this.hostedStart = new HostedStart(session, (asked, traceparent) => this.areUnpaid(asked, traceparent));
  }

  watcher(number: number): AttemptWatcher {
    const known = this.#watchers.get(number);
    if (known !== undefined) return known;
    const watcher = new AttemptWatcher(this.#session, number);
    this.#watchers.set(number, watcher);
    return watcher;
  }

  /** The attempt whose return addresses have this nonce. */
  ofNonce(nonceHash: string): AttemptRecord | undefined {
    const { store } = this.#session;
    return store.load()?.attempts.find(({ hosted }) => isEqualConstantTime(hosted.nonceHash, nonceHash));
  }

  /** Whether the page after it has ended, as all that was given out before somebody ended the session. That of a payment stays. */
  hasEndedPage({ number, status }: AttemptRecord): boolean {
    return number <= this.#session.store.endedAttempts && status !== 'succeeded';
  }

  /** Somebody reads the session: its state is asked for, unless that was done a moment ago. Waits two seconds at most. */
  async pollForReader({ attempts, final }: SessionRecord): Promise<void> {
    const polls = final ? [] : attempts.map(({ number }) => this.watcher(number).pollForReader());
    await Promise.all([this.passOverdue(), ...polls]);
  }

  /** Asks about every attempt that can still move, and answers after two seconds at most. */
  async pollNow({ attempts }: SessionRecord, traceparent?: string): Promise<void> {
    const polls = attempts.map(({ number }) => this.watcher(number).pollNow(traceparent));
    await Promise.all([this.passOverdue(), ...polls]);
  }

  /**
   * Whether it is certain within two seconds that none of these attempts was paid. What others are being asked has been heard by then,
   * too, and is in the record.
   */
  async areUnpaid(attempts: readonly AttemptRecord[], traceparent?: string): Promise<boolean> {
    const others = [...this.#watchers.values()].map((watcher) => watcher.pollUnderWay());
    const answers = Promise.all(attempts.map(({ number }) => this.watcher(number).isUnpaid(traceparent)));
    const asking = Promise.all([answers, ...others]).then(([all]) => all.every((isUnpaid) => isUnpaid));
    this.#session.waitUntil(asking);
    return (await waitAtMost(POLL_WAIT_MS, asking)) === true;
  }

  /** Gives up an attempt whose guest is gone, after a last poll: the guest may have paid, and nobody has asked since. */
  async abandon(): Promise<void> {
    const { apply, store } = this.#session;
    const pending = this.#pending();
    if (pending === undefined) return store.due.clear('abandon');
    const { number, deadline } = pending;
    if (deadline > Date.now()) return store.due.set('abandon', deadline);
    if (!(await this.watcher(number).pollAfter(deadline))) {
      return store.due.set('abandon', Date.now() + LAST_POLL_RETRY_MS);
    }
    const newest = this.#pending();
    // The guest may have come back during the poll.
    if (newest?.number !== number || newest.deadline > Date.now()) return;
    apply({ is: 'attempt', number, event: 'guest_gone' });
  }

  /** Makes the polls that are due: an end that depends on them comes after them. */
  async pollDue(): Promise<void> {
    const { store } = this.#session;
    const due = store.load()?.attempts.filter(({ number }) => store.due.isDue(pollKind(number))) ?? [];
    await Promise.all(due.map(({ number }) => this.watcher(number).pollAsPlanned(store.due.get(pollKind(number)))));
  }

  /** Whether an attempt may be paid although its guest is gone: asked now, and once more soon when nobody answers. */
  async mayBePaid({ state, attempts }: SessionRecord): Promise<boolean> {
    const left = state === 'open' ? attempts.filter(mayBePaid) : [];
    if (left.length === 0 || (await this.areUnpaid(left))) return false;
    const { store } = this.#session;
    store.transaction(() => {
      for (const { number } of left) store.due.setEarlier(pollKind(number), Date.now());
    });
    return true;
  }

  /** When the attempts that nobody answered for are asked about again; undefined when nothing is left to ask. */
  async askedAgainAt(): Promise<number | undefined> {
    const { store } = this.#session;
    await this.pollDue();
    await Promise.all([...this.#watchers.values()].map((watcher) => watcher.pollUnderWay()));
    const record = store.load();
    const now = Date.now();
    const again = record?.attempts.flatMap((attempt) => {
      if (!attempt.watch.isUnanswered || !mayBePaid(attempt) || !isMadeUp(scheduleInput(attempt, record), now))
        return [];
      return store.due.get(pollKind(attempt.number)) ?? [];
    });
    return again?.length ? Math.min(...again) : undefined;
  }

  /** Ends the session if its time has passed; otherwise plans the end again. */
  async passDeadline(): Promise<void> {
    // The deadline limits the start, not the answer to a start that came in time.
    await this.hostedStart.underWay;
    this.#takeUpOffer();
    const mayBePaid = (await this.askedAgainAt()) !== undefined;
    const { apply, store } = this.#session;
    const record = store.load();
    if (record?.state !== 'open') return store.due.clear('deadline');
    if (record.expiresAt > Date.now()) return store.due.set('deadline', endsAt(record));
    apply({ is: 'closed', by: 'deadline', mayBePaid });
  }

  /** Ends what is over, in case the alarm is late. Nobody waits long for a last poll. */
  async passOverdue(): Promise<void> {
    const { store, waitUntil } = this.#session;
    this.#takeUpOffer();
    const record = store.load();
    if (record === undefined || this.hostedStart.underWay !== undefined) return;
    const now = Date.now();
    const pending = this.#pending();
    const isGone = pending !== undefined && pending.deadline <= now;
    const isOver = record.expiresAt <= now && (record.state === 'open' || isGone);
    if (!isGone && !isOver) return;
    const ending = (isGone ? this.abandon() : Promise.resolve()).then(() => this.passDeadline());
    waitUntil(ending);
    await waitAtMost(POLL_WAIT_MS, ending);
  }

  /** What was wanted during a start that a crash has ended. */
  #takeUpOffer(): void {
    const { apply, store } = this.#session;
    if (this.hostedStart.underWay === undefined && store.load()?.nextOffer) apply({ is: 'next_offer' });
  }

  /** The attempt that is pending, and when it counts as abandoned; undefined when none is. */
  #pending(): { readonly number: number; readonly deadline: number } | undefined {
    const record = this.#session.store.load();
    const attempt = record && pendingAttempt(record);
    return record && attempt && { number: attempt.number, deadline: abandonedAt(scheduleInput(attempt, record)) };
  }
}
