/** The start of an attempt: one hosted page for all requests, and a limit on failed starts. */
import { MAX_ATTEMPTS } from '@innkeep/core/contract';
import { isInnkeepError } from '@innkeep/core/errors';
import { sha256Hex } from '../http/hash.ts';
import { newSecret } from '../http/ids.ts';
import { type Outcome, ok, type Refusal, refuse } from '../http/problem.ts';
import { propertyAnew, propertyOf } from '../properties/properties.ts';
import { OTHER_MODE } from '../records/other-mode.ts';
import { noteReturnCode } from '../upstream/access-token-source.ts';
import { acquirePermit, isRefused, toBusyRefusal, upstreamOf } from '../upstream/call-budget.ts';
import { showsOutage, toPropertyRefusal, toUpstreamRefusal } from '../upstream/upstream-failure.ts';
import { endedWithoutMoney } from './attempt-machine.ts';
import {
  type AttemptRecord,
  type HostedRequestRecord,
  hasUnclearMoney,
  mayBePaid,
  scheduleInput,
} from './attempt-record.ts';
import type { WatchedSession } from './attempt-watcher.ts';
import { openHostedPage } from './hosted-calls.ts';
import { abandonedAt } from './polling-schedule.ts';
import { isWaitedFor, noSuchPage, notCertain, notOpen, termsChanged, tooManyAttempts } from './refusals.ts';
import { type StartedSession, type StartRequest, toStartedSession } from './session-page.ts';
import { awaitedAttempt, isOfMode, pendingAttempt, type SessionRecord } from './session-record.ts';
import { withAttempt } from './session-transition.ts';

/** Failed starts one session may cause in a minute. */
const MAX_FAILED_STARTS = 10;
const MINUTE_MS = 60_000;
/** Refusals of a start for which nothing was sent. */
const NOT_TRIED: ReadonlySet<string> = new Set(['rate_limited', 'upstream_unavailable']);

/** Whether it is certain within two seconds that none of these attempts was paid. */
type AreUnpaid = (attempts: readonly AttemptRecord[], traceparent?: string) => Promise<boolean>;

export class HostedStart {
  readonly #session: WatchedSession;
  readonly #areUnpaid: AreUnpaid;
  #starting: { readonly terms: number; readonly outcome: Promise<Outcome<StartedSession>> } | undefined;
  #failedStarts: number[] = [];

  constructor(session: WatchedSession, areUnpaid: AreUnpaid) {
    this.#session = session;
    this.#areUnpaid = areUnpaid;
  }

  /** The start under way; undefined while there is none. */
  get underWay(): Promise<unknown> | undefined {
    return this.#starting?.outcome;
  }

  /** Opens the hosted page of a new attempt; while one is under way, the same page again. */
  async start(asked: StartRequest): Promise<Outcome<StartedSession>> {
    const record = this.#session.store.load();
    if (record === undefined) return noSuchPage();
    const pending = pendingAttempt(record);
    if (record.state === 'pending' && pending !== undefined) {
      // Its own page may be opened again by whoever came back from it, but not that of a second payment.
      const awaited = awaitedAttempt(record);
      if (awaited !== undefined && awaited !== pending) return isWaitedFor(record);
      return this.#startAgain(record, pending, asked);
    }
    if (record.state !== 'open') return notOpen(record);
    if (this.#starting !== undefined) {
      return this.#starting.terms === asked.terms ? this.#starting.outcome : termsChanged(record);
    }
    if (record.expiresAt <= Date.now()) {
      const left = record.attempts.some(mayBePaid);
      const closed = this.#session.apply({ is: 'closed', by: 'deadline', mayBePaid: left });
      return notOpen(closed ?? record);
    }
    // Nothing is awaited until the start is noted, so of two at the same time one sees the other.
    const refusal = this.#refuse(record, asked);
    if (refusal !== undefined) return refusal;
    const outcome = this.#begin(record, asked)
      .then(async (outcome) => {
        if (!outcome.ok && !NOT_TRIED.has(outcome.code)) this.#failedStarts.push(Date.now());
        // What was wanted meanwhile waits for an attempt that has not come about.
        if (!outcome.ok) this.#session.apply({ is: 'next_offer' });
        return outcome;
      })
      .finally(() => {
        this.#starting = undefined;
        this.#session.telemetry?.flush();
      });
    this.#starting = { terms: asked.terms, outcome };
    // The guest may leave; an accepted init is still stored.
    this.#session.waitUntil(outcome);
    return outcome;
  }

  #refuse(record: SessionRecord, { terms }: StartRequest): Refusal | undefined {
    if (terms !== record.terms.version) return termsChanged(record);
    return record.attempts.length >= MAX_ATTEMPTS ? tooManyAttempts(record) : this.#limitStarts(Date.now());
  }

  #startAgain(
    record: SessionRecord,
    pending: AttemptRecord,
    { presentation, terms }: StartRequest,
  ): Outcome<StartedSession> {
    if (pending.terms.version !== terms) return termsChanged(record);
    const { store } = this.#session;
    // Whoever pays from a link may be on another device, which knows nothing that the hotel’s page could show.
    const shown = pending.presentation === 'link' ? 'link' : presentation;
    const attempt = { ...pending, presentation: shown, askedAgainAt: Date.now() };
    const next = withAttempt(record, attempt);
    store.transaction(() => {
      store.save(record.seq, next);
      store.due.set('abandon', abandonedAt(scheduleInput(attempt, next)));
    });
    return ok(toStartedSession(next, attempt));
  }

  async #begin(record: SessionRecord, asked: StartRequest): Promise<Outcome<StartedSession>> {
    const earlier = record.attempts.filter((attempt, index, { length }) => {
      const { status } = attempt;
      if (hasUnclearMoney(attempt)) return true;
      return status === 'abandoned' || (index === length - 1 && endedWithoutMoney(status));
    });
    if (earlier.length > 0) {
      const areUnpaid = await this.#areUnpaid(earlier, asked.traceparent);
      const current = this.#session.store.load() ?? record;
      if (current.state !== 'open') return notOpen(current);
      if (awaitedAttempt(current) !== undefined) return isWaitedFor(current);
      if (!areUnpaid || current.attempts.some(hasUnclearMoney)) return notCertain(record);
      if (current.terms.version !== asked.terms) return termsChanged(record);
    }
    return this.#init(record, asked);
  }

  async #init(
    record: SessionRecord,
    { presentation, publicUrl, traceparent }: StartRequest,
  ): Promise<Outcome<StartedSession>> {
    const { bindings, apply } = this.#session;
    let property = await propertyOf(bindings, record.property);
    // It may be a copy that is older than the session.
    if (!property.invalid && property.livemode !== record.livemode)
      property = await propertyAnew(bindings, record.property);
    if (property.invalid) return toPropertyRefusal(property);
    if (property.isRemoved) return refuse('property_unavailable', { detail: 'This property was removed' });
    if (!isOfMode(record, property.livemode)) {
      return refuse('session_not_open', { detail: `${OTHER_MODE}: create a new session`, resource: record.id });
    }
    const permit = acquirePermit('start', { ...upstreamOf(property), source: record.id });
    if (isRefused(permit)) return toBusyRefusal(permit);
    const nonce = newSecret();
    const address = `${publicUrl}/return/${record.id}/${nonce}`;
    const { terms } = record;
    let hosted: HostedRequestRecord;
    try {
      const returns = { success: `${address}/success`, abort: `${address}/abort`, nonceHash: await sha256Hex(nonce) };
      const number = record.attempts.length + 1;
      hosted = await openHostedPage(bindings, property, { session: record, number, terms, returns, traceparent });
      permit.end(true);
    } catch (error) {
      permit.end(showsOutage(error) ? false : undefined);
      if (isInnkeepError(error, 'declined')) noteReturnCode(bindings, property, error.returnCode);
      return toUpstreamRefusal(error);
    }
    // Paid by an earlier attempt meanwhile, or changed. Nobody was sent to the page just opened: no money can move on it.
    const before = this.#session.store.load();
    if (before?.state === 'open' && awaitedAttempt(before) !== undefined) return isWaitedFor(before);
    if (before?.state === 'open' && before.attempts.some(hasUnclearMoney)) return notCertain(record);
    const next = apply({ is: 'started', hosted, presentation, terms, livemode: property.livemode });
    const attempt = next?.attempts.at(-1);
    if (next !== undefined && attempt !== undefined) return ok(toStartedSession(next, attempt));
    const current = this.#session.store.load() ?? record;
    return current.state === 'open' ? termsChanged(current) : notOpen(current);
  }

  #limitStarts(now: number): Refusal | undefined {
    this.#failedStarts = this.#failedStarts.filter((at) => at <= now && now - at < MINUTE_MS);
    const [oldest = now] = this.#failedStarts;
    if (this.#failedStarts.length < MAX_FAILED_STARTS) return undefined;
    const retryAfterSeconds = Math.ceil((oldest + MINUTE_MS - now) / 1_000);
    const detail = 'Too many failed starts of this session; wait a moment';
    return refuse('rate_limited', { detail, retryAfterSeconds });
  }
}
