/**
 * Watches one attempt at the payment service: one poll at a time, what follows from it, and when to poll again.
 * `sessions/attempt-watch.ts` decides what a poll means, and the session whether it moves.
 */
import { waitAtMost } from '../http/deadline.ts';
import type { Property } from '../properties/configured-properties.ts';
import { type PropertyBindings, propertyOf } from '../properties/properties.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import type { AccessTokenBindings } from '../upstream/access-token-source.ts';
import { acquirePermit, isRefused, upstreamOf } from '../upstream/call-budget.ts';
import { type AttemptEvent, canStillMove } from './attempt-machine.ts';
import {
  type AttemptRecord,
  hasUnclearMoney,
  isAwaited,
  isLongOver,
  mayBePaidUntil,
  scheduleInput,
} from './attempt-record.ts';
import { type Conclusion, observe } from './attempt-watch.ts';
import { type PollResult, pollRecord, pollState, type Watched } from './hosted-calls.ts';
import { pollKind } from './poll-tasks.ts';
import {
  abandonedAt,
  isMadeUp,
  MIN_POLL_INTERVAL_MS,
  nextPollAt,
  READER_POLL_INTERVAL_MS,
} from './polling-schedule.ts';
import { attemptOf, type SessionRecord } from './session-record.ts';
import type { SessionStorage } from './session-storage.ts';
import { type SessionEvent, withAttempt } from './session-transition.ts';

/** A session, as its watchers and its start need it. */
export interface WatchedSession {
  readonly bindings: PropertyBindings & AccessTokenBindings;
  readonly store: SessionStorage;
  readonly apply: (event: SessionEvent) => SessionRecord | undefined;
  /** Keeps the object alive for work that its caller may not wait for. */
  readonly waitUntil: (work: Promise<unknown>) => void;
  readonly telemetry?: Telemetry | undefined;
}

const POLL_WAIT_MS = 2_000;
/** How late a poll is before which nobody can have asked: the proxy was down. */
const LATE_MS = 60 * 60_000;

/** An attempt with all that a poll saw, and what follows from that. */
interface Seen extends Omit<Conclusion, 'watch'> {
  readonly attempt: AttemptRecord;
}

export class AttemptWatcher {
  readonly #session: WatchedSession;
  readonly #number: number;
  /** Name of its next poll among the tasks. */
  readonly #kind: string;
  #polling: Promise<boolean> | undefined;
  #lastPollAt = 0;
  /** When a poll last began, or was given up because it could not have been answered. */
  #lastTriedAt = 0;
  #hasWaitingCaller = false;
  /** When the poll under way was planned for, if it was. */
  #plannedFor: number | undefined;

  constructor(session: WatchedSession, number: number) {
    this.#session = session;
    this.#number = number;
    this.#kind = pollKind(number);
  }

  /**
   * Polls, and waits for it two seconds at most; the poll itself goes on.
   * @param traceparent of whoever asked
   */
  async pollNow(traceparent?: string): Promise<void> {
    this.#hasWaitingCaller = true;
    const polling = this.poll(traceparent);
    this.#session.waitUntil(polling);
    await waitAtMost(POLL_WAIT_MS, polling);
  }

  /** Somebody reads the session: polls, unless that was done a moment ago or only a late poll is left. */
  async pollForReader(): Promise<void> {
    const attempt = this.#watched()?.attempt;
    const status = attempt?.status;
    if (!attempt || (status !== 'pending' && status !== 'abandoned' && status !== 'unknown' && !isAwaited(attempt)))
      return;
    const elapsed = Date.now() - this.#lastPollAt;
    const isRecent = elapsed >= 0 && elapsed < READER_POLL_INTERVAL_MS;
    if (!isRecent || this.#polling !== undefined) await this.pollNow();
  }

  /**
   * Asks again, at once, before another attempt begins.
   * @returns whether it is certain for now that this one was not paid: false also when nobody answered or has decided
   */
  async isUnpaid(traceparent?: string): Promise<boolean> {
    await this.#polling;
    this.#hasWaitingCaller = true;
    this.#lastPollAt = 0;
    const wasAnswered = await this.poll(traceparent);
    const attempt = this.#watched()?.attempt;
    if (attempt === undefined || attempt.status === 'unknown' || isAwaited(attempt)) return false;
    // A person has decided, perhaps just because nobody answers.
    if (attempt.resolution !== null) return true;
    return (wasAnswered || isLongOver(attempt)) && !hasUnclearMoney(attempt);
  }

  /** Waits for what a poll under way sees; nothing is asked. */
  async pollUnderWay(): Promise<void> {
    await this.#polling;
  }

  /** The poll that was planned for an instant. */
  async pollAsPlanned(at: number = Date.now()): Promise<void> {
    this.#plannedFor = at;
    await this.poll();
  }

  /**
   * One poll at a time, whoever asks, and at most one a second.
   * @returns whether the payment service answered everything that it was asked
   */
  poll(traceparent?: string): Promise<boolean> {
    this.#polling ??= this.#pollOnce(traceparent).finally(() => {
      this.#polling = undefined;
      this.#session.telemetry?.flush();
    });
    return this.#polling;
  }

  /**
   * The last poll of an attempt that is about to count as abandoned: it begins after the deadline, or fails to. False when
   * others had to go first, and it comes later.
   */
  async pollAfter(deadline: number): Promise<boolean> {
    await this.#polling;
    if (this.#lastTriedAt < deadline) await this.poll();
    return this.#lastTriedAt >= deadline;
  }

  /** The guest came back: kept for what follows, and a sign of life. */
  returned(through: 'success' | 'abort'): void {
    const { askedAgainAt = null, status, watch } = this.#watched()?.attempt ?? {};
    const isReopened = (askedAgainAt ?? 0) > (watch?.returnedAt ?? 0);
    // While it is open, its guest may have gone back to the page and paid.
    const isNew = isReopened || (through === 'success' && status === 'pending');
    this.#conclude([{ observation: { seen: 'returned', through, isNew } }]);
  }

  /** Plans the next poll by the schedule, and when the attempt counts as abandoned. Part of the caller's commit. */
  plan(record: SessionRecord, now: number): void {
    const attempt = attemptOf(record, this.#number);
    if (attempt === undefined) return;
    const input = scheduleInput(attempt, record);
    if (attempt.status === 'pending') this.#session.store.due.set('abandon', abandonedAt(input));
    this.#planAt(nextPollAt(input, true, now));
  }

  async #pollOnce(traceparent: string | undefined): Promise<boolean> {
    const tooEarly = this.#lastPollAt + MIN_POLL_INTERVAL_MS - Date.now();
    if (tooEarly > 0 && tooEarly <= MIN_POLL_INTERVAL_MS) await scheduler.wait(tooEarly);
    const found = this.#watched();
    const { bindings, store } = this.#session;
    if (found === undefined) {
      store.transaction(() => this.#planAt(undefined));
      return false;
    }
    this.#lastPollAt = Date.now();
    const property = await propertyOf(bindings, found.session.property);
    const results = property.invalid ? this.#failed() : await this.#ask(property, found, traceparent);
    this.#hasWaitingCaller = false;
    this.#conclude(results);
    this.#plannedFor = undefined;
    return areAnswered(results, found.attempt, { countsMoved: true });
  }

  /** Nobody could have answered. */
  #failed(): PollResult[] {
    this.#lastTriedAt = this.#lastPollAt;
    return [];
  }

  /** What the payment service says now; nothing when others have to go first. */
  async #ask(property: Property, found: Watched, traceparent: string | undefined): Promise<PollResult[]> {
    const kind = this.#hasWaitingCaller ? 'awaited_poll' : 'poll';
    const permit = acquirePermit(kind, { ...upstreamOf(property), source: found.session.id });
    if (isRefused(permit)) return permit.because === 'failing' ? this.#failed() : [];
    this.#lastTriedAt = this.#lastPollAt;
    const { bindings } = this.#session;
    const results: PollResult[] = [];
    try {
      if (found.attempt.status !== 'unknown' && found.attempt.watch.doneSeenAt === null) {
        results.push(await pollState(bindings, property, found, { traceparent }));
      }
      const current = this.#watched();
      const attempt = current && withObservations(current.attempt, results).attempt;
      if (current !== undefined && attempt !== undefined && [current.attempt, attempt].some(readsRecord)) {
        results.push(await pollRecord(bindings, property, { ...current, attempt }, { traceparent }));
      }
    } finally {
      permit.end(results.length === 0 ? undefined : results.some(isAnswered));
    }
    return results;
  }

  /** Applies what was seen to the newest record, and plans the next poll. A poll that saw nothing new writes nothing. */
  #conclude(results: readonly PollResult[]): void {
    const found = this.#watched();
    if (found === undefined) return;
    const { apply, store } = this.#session;
    const { session } = found;
    const { attempt: seen, event, errorCode } = withObservations(found.attempt, results);
    const now = Date.now();
    const isPassed = this.#plannedFor !== undefined || store.due.isDue(this.#kind);
    const lateMs = now - (this.#plannedFor ?? store.due.get(this.#kind) ?? now);
    const isResumed = lateMs > LATE_MS && !isMadeUp(scheduleInput(seen, session), now);
    // A visit of the guest answers nothing.
    const isVisit = results.some(({ observation }) => observation.seen === 'returned');
    const isAnswered = isVisit ? !seen.watch.isUnanswered : areAnswered(results, seen);
    const attempt = withAnswer(seen, { isAnswered, isPassed, ...(isResumed && { resumedAt: now }) });
    if (event !== undefined && isNewlyKnown(attempt, event)) {
      const { result, recorded } = results.at(-1) ?? {};
      const { watch } = attempt;
      const number = this.#number;
      const moved = apply({ is: 'attempt', number, event, watch, result, error: errorCode, recorded });
      if (moved !== undefined) return;
    }
    const next = withAttempt(session, attempt);
    const input = scheduleInput(attempt, next);
    const isChanged = JSON.stringify(attempt.watch) !== JSON.stringify(found.attempt.watch);
    // A reader's poll plans nothing that is planned already.
    if (!isChanged && !isPassed) return;
    const isOffSchedule = !isAnswered && attempt.status !== 'pending';
    store.transaction(() => {
      // Also when only the time of the next poll cannot be told from the record.
      if (isChanged || isOffSchedule) store.save(session.seq, next);
      if (attempt.status === 'pending') store.due.set('abandon', abandonedAt(input));
      const at = nextPollAt(input, isAnswered, now);
      if (isPassed) this.#planAt(at);
      else if (at !== undefined) store.due.setEarlier(this.#kind, at);
    });
  }

  #planAt(at: number | undefined): void {
    const { due } = this.#session.store;
    if (at === undefined) due.clear(this.#kind);
    else due.set(this.#kind, at);
  }

  /** The attempt, if anything can still be seen of it. */
  #watched(): Watched | undefined {
    const session = this.#session.store.load();
    if (session === undefined) return undefined;
    const attempt = attemptOf(session, this.#number);
    return attempt && canStillMove(attempt.status) ? { session, attempt } : undefined;
  }
}

/** The attempt with all that was seen, and what follows from it. */
function withObservations(before: AttemptRecord, results: readonly PollResult[]): Seen {
  const now = Date.now();
  let concluded: Seen = { attempt: before };
  for (const { observation } of results) {
    const { watch, ...conclusion } = observe(concluded.attempt.watch, observation, now);
    concluded = { ...conclusion, attempt: { ...before, watch } };
  }
  return concluded;
}

/** The attempt with whether its last planned poll was answered, which matters once it has ended. */
function withAnswer(
  attempt: AttemptRecord,
  {
    isAnswered,
    isPassed,
    ...late
  }: { readonly isAnswered: boolean; readonly isPassed: boolean; readonly resumedAt?: number },
): AttemptRecord {
  const { isUnanswered, ...watch } = attempt.watch;
  const isLeft = attempt.status !== 'pending' && !isAnswered && (isPassed || isUnanswered);
  return { ...attempt, watch: { ...watch, ...(isLeft && { isUnanswered: true, ...late }) } };
}

function areAnswered(
  results: readonly PollResult[],
  attempt: AttemptRecord,
  { countsMoved = false }: { readonly countsMoved?: boolean } = {},
): boolean {
  // Neither state nor record: a request that was forgotten brings no money. While it may be paid, something else may answer with 404.
  const isMissing = results.length > 1 && results.every((each) => each.isMissing || (countsMoved && each.isMoved));
  return (isMissing && Date.now() >= mayBePaidUntil(attempt)) || (results.length > 0 && results.every(isAnswered));
}

function isAnswered({ observation }: PollResult): boolean {
  return observation.seen === 'record_not_readable' ? observation.isUnanswered !== true : observation.seen !== 'time';
}

/** Once something may have ended, the record is read whatever the state is called, also when it is taken back. */
function readsRecord({ status, watch }: AttemptRecord): boolean {
  if (status !== 'pending' || watch.contradictionAt !== null) return true;
  return watch.doneSeenAt !== null || watch.errorSeenAt !== null;
}

/** Whether a doubtful record adds anything: not after a person has decided, or when its figures are kept already. */
function isNewlyKnown({ status, recorded, resolution }: AttemptRecord, event: AttemptEvent): boolean {
  if (event !== 'record_contradicts' && event !== 'record_unreadable') return true;
  return status === 'unknown' ? recorded === null : resolution === null;
}
