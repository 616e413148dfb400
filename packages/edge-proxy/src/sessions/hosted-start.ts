/** The start of a session: one hosted page for all requests, and a limit on failed attempts. */
import { sha256Hex } from '../crypto/hash.ts';
import { newSecret } from '../ids.ts';
import { payingDeadline } from '../policy/polling-schedule.ts';
import { type Outcome, type Refusal, refuse } from '../problem.ts';
import { type StartedSession, toStartedSession } from '../records/session-page.ts';
import {
  type HostedRequestRecord,
  type Presentation,
  type SessionRecord,
  type StartedRecord,
  scheduleFacts,
} from '../records/session-record.ts';
import { propertyOf } from '../rpc/properties.ts';
import { isRefused, takeTurn, toBusyRefusal, upstreamOf } from '../upstream/call-budget.ts';
import { openHostedPage } from '../upstream/hosted-calls.ts';
import { showsOutage, toPropertyRefusal, toUpstreamRefusal } from '../upstream/upstream-failure.ts';
import { noSuchPage, notOpen } from './refusals.ts';
import type { WatchedSession } from './session-watcher.ts';

/** Failed starts one session may cause in a minute. */
const MAX_FAILED_STARTS = 10;
const MINUTE_MS = 60_000;
/** Refusals of a start for which nothing was sent. */
const NOT_TRIED: ReadonlySet<string> = new Set(['rate_limited', 'upstream_unavailable']);

/** What a start is made for. */
interface Followed {
  readonly traceparent?: string | undefined;
}

export class HostedStart {
  readonly #session: WatchedSession;
  #starting: Promise<Outcome<StartedSession>> | undefined;
  #failedStarts: number[] = [];

  constructor(session: WatchedSession) {
    this.#session = session;
  }

  /** The attempt under way; undefined while there is none. */
  get underWay(): Promise<unknown> | undefined {
    return this.#starting;
  }

  /** Opens the hosted page; while one is open, the same one again. */
  async start(
    presentation: Presentation,
    publicUrl: string,
    { traceparent }: Followed = {},
  ): Promise<Outcome<StartedSession>> {
    const record = this.#session.store.load();
    if (record === undefined) return noSuchPage();
    if (record.state === 'pending') return this.#startAgain(record, presentation);
    if (record.state !== 'open') return notOpen(record);
    if (this.#starting === undefined) {
      if (record.expiresAt <= Date.now()) {
        await this.#session.apply('deadline_passed');
        return notOpen(record);
      }
      const limited = this.#limitStarts(Date.now());
      if (limited !== undefined) return limited;
      this.#starting = this.#init(record, presentation, { publicUrl, traceparent })
        .then((outcome) => {
          if (!outcome.ok && !NOT_TRIED.has(outcome.code)) this.#failedStarts.push(Date.now());
          return outcome;
        })
        .finally(() => {
          this.#starting = undefined;
          this.#session.telemetry?.flush();
        });
      // The guest may leave; an accepted init is stored all the same.
      this.#session.waitUntil(this.#starting);
    }
    return this.#starting;
  }

  #startAgain(record: SessionRecord, presentation: Presentation): Outcome<StartedSession> {
    if (record.hosted === null) return noSuchPage();
    const { store } = this.#session;
    const next: StartedRecord = { ...record, hosted: record.hosted, presentation, askedAgainAt: Date.now() };
    store.transaction(() => {
      store.save(record.seq, next);
      store.due.set('deadline', payingDeadline(scheduleFacts(next)));
      store.due.arm();
    });
    return { ok: true, value: toStartedSession(next) };
  }

  async #init(
    record: SessionRecord,
    presentation: Presentation,
    { publicUrl, traceparent }: Followed & { readonly publicUrl: string },
  ): Promise<Outcome<StartedSession>> {
    const { bindings, apply } = this.#session;
    const property = await propertyOf(bindings, record.property);
    if (property.broken) return toPropertyRefusal(property);
    if (property.isRemoved) return refuse('property_unavailable', { detail: 'This property was removed' });
    const turn = takeTurn('start', { ...upstreamOf(property), source: record.id });
    if (isRefused(turn)) return toBusyRefusal(turn);
    const nonce = newSecret();
    const address = `${publicUrl}/return/${record.id}/${nonce}`;
    let hosted: HostedRequestRecord;
    try {
      const returns = { success: `${address}/success`, abort: `${address}/abort`, nonceHash: await sha256Hex(nonce) };
      hosted = await openHostedPage(bindings, property, { record, returns, traceparent });
      turn.end(true);
    } catch (error) {
      turn.end(showsOutage(error) ? false : undefined);
      return toUpstreamRefusal(error);
    }
    const next = await apply('init_accepted', { hosted, presentation });
    // The session ended meanwhile. Nobody was sent to the page just opened, so no money can move on it.
    return next === undefined ? notOpen(record) : { ok: true, value: toStartedSession({ ...next, hosted }) };
  }

  #limitStarts(now: number): Refusal | undefined {
    this.#failedStarts = this.#failedStarts.filter((at) => now - at < MINUTE_MS);
    const [oldest = now] = this.#failedStarts;
    if (this.#failedStarts.length < MAX_FAILED_STARTS) return undefined;
    const retryAfterSeconds = Math.ceil((oldest + MINUTE_MS - now) / 1_000);
    const detail = 'Too many failed starts of this session; wait a moment';
    return refuse('rate_limited', { detail, retryAfterSeconds });
  }
}
