/**
 * One checkout session: its attempts, its secrets' hashes, and the alarm that keeps watching whether or not any page is
 * open. Every transition is one commit: record, ledger update and what is due next.
 */
import {
  type CheckoutSession,
  type CheckoutView,
  type CreatedCheckoutSession,
  MAX_ATTEMPTS,
} from '@innkeep/core/contract';
import { isEqualConstantTime } from '../crypto/hash.ts';
import { waitAtMost } from '../deadline.ts';
import { abandonedAt } from '../policy/polling-schedule.ts';
import { type Outcome, type ProblemDetails, refuse } from '../problem.ts';
import { type AttemptRecord, type Resolution, scheduleFacts } from '../records/attempt-record.ts';
import type { ReservedReversal } from '../records/money-record.ts';
import { paymentOfSession } from '../records/reversible-payment.ts';
import {
  type GuestCaller,
  type SecretRequest,
  type SessionPage,
  type StartedSession,
  type StartRequest,
  toSessionPage,
} from '../records/session-page.ts';
import {
  attemptOf,
  hasOffer,
  type NewSession,
  newRecord,
  pendingAttempt,
  type SessionRecord,
  sameTerms,
  shownTerms,
  toCheckoutView,
  toMerchantSession,
} from '../records/session-record.ts';
import { withAttempt } from '../records/session-transition.ts';
import { objectByName } from '../rpc/object-by-name.ts';
import { type PropertyBindings, propertyOf } from '../rpc/properties.ts';
import type { IdKeyBindings } from '../rpc/tagged-ids.ts';
import { AttemptWatcher, lookKind, type WatchedSession } from '../sessions/attempt-watcher.ts';
import { ClientSecrets } from '../sessions/client-secrets.ts';
import { HostedStart } from '../sessions/hosted-start.ts';
import { addLink, sessionOfLink } from '../sessions/payment-links.ts';
import { noSuchPage, notOpen, tooManyAttempts } from '../sessions/refusals.ts';
import { isAbandoned, SessionTransitions } from '../sessions/session-transitions.ts';
import { merchantView, recordForGuest } from '../sessions/session-views.ts';
import type { DueRow } from '../storage/due-table.ts';
import { keyMismatch } from '../storage/record-storage.ts';
import type { Settlement, ShareRequest } from '../storage/reservation-table.ts';
import { ReversalShares } from '../storage/reversal-shares.ts';
import { type MadeSecret, SessionStorage } from '../storage/session-storage.ts';
import { type Telemetry, telemetryOf } from '../telemetry/telemetry.ts';
import type { AccessTokenBindings } from '../upstream/access-token-source.ts';
import { toPropertyRefusal } from '../upstream/upstream-failure.ts';
import type { LedgerObject } from './ledger-object.ts';
import { PlacedObject } from './placed-object.ts';

/** How long a caller waits for what the payment service says of attempts. */
const POLL_WAIT_MS = 2_000;

export interface CheckoutSessionBindings extends PropertyBindings, AccessTokenBindings, IdKeyBindings {
  readonly CHECKOUT_SESSIONS: DurableObjectNamespace<CheckoutSessionObject>;
  readonly LEDGERS: DurableObjectNamespace<LedgerObject>;
}

/** The answer to a request for a session. */
export interface CreatedSession {
  readonly session: CreatedCheckoutSession;
  /** True when an earlier request with the same key made it. */
  readonly isReplay: boolean;
}

/** The answer to a request for the session of a key. */
export interface EnsuredSession {
  readonly session: CreatedCheckoutSession;
  /** Whether this call made it. */
  readonly isNew: boolean;
}

/** The answer to a request for its client secret. */
export interface IssuedSecret {
  readonly clientSecret: string;
  /** Whether an earlier call with the same key has ended the secret before it. */
  readonly isReplay: boolean;
}

/** Owns one checkout session. Its name is the session's id. */
export class CheckoutSessionObject extends PlacedObject<CheckoutSessionBindings> {
  readonly #telemetry: Telemetry | undefined;
  readonly #store: SessionStorage;
  readonly #transitions: SessionTransitions;
  readonly #session: WatchedSession;
  readonly #watchers = new Map<number, AttemptWatcher>();
  readonly #hostedStart: HostedStart;
  readonly #secrets: ClientSecrets;
  readonly #shares: ReversalShares<SessionRecord>;

  constructor(ctx: DurableObjectState, bindings: CheckoutSessionBindings) {
    super(ctx, bindings);
    const { env } = this;
    const store = new SessionStorage(ctx.storage);
    const telemetry = telemetryOf(env);
    const transitions = new SessionTransitions(
      store,
      (record, number, now) => this.#watcher(number).plan(record, now),
      { onUnknown: ({ property }) => telemetry?.unknownOutcome('checkout_session', property) },
    );
    this.#telemetry = telemetry;
    this.#store = store;
    this.#transitions = transitions;
    this.#session = {
      bindings: env,
      store,
      apply: (event) => transitions.apply(event),
      waitUntil: (work) => ctx.waitUntil(work),
      telemetry,
    };
    this.#hostedStart = new HostedStart(this.#session, (attempts, traceparent) =>
      this.#areUnpaid(attempts, traceparent),
    );
    this.#secrets = new ClientSecrets(env, store);
    this.#shares = new ReversalShares(store, (record, reversals, number) => {
      const attempt = attemptOf(record, number ?? 0);
      return attempt === undefined ? record : withAttempt(record, { ...attempt, reversals });
    });
  }

  // ---- merchant ------------------------------------------------------------------------------------------------

  /** Creates the session, or returns the one that the same request made before. */
  async create(session: NewSession, fingerprint: string): Promise<Outcome<CreatedSession>> {
    const record = newRecord(session);
    const property = await propertyOf(this.env, session.property);
    if (property.broken) return toPropertyRefusal(property);
    const { text: clientSecret, kept: secret } = await this.#secrets.first(record.id, property);
    const update = await this.#store.update(record, session.createdAt);
    // Nothing is awaited from here on, so of two calls at the same time one makes it.
    const existing = this.#store.load();
    if (existing !== undefined) return this.#replay(existing, fingerprint);
    this.#transitions.begin(record, update, { fingerprint, secret });
    const made = { ...toMerchantSession(record, () => null), clientSecret };
    return { ok: true, value: { session: made, isReplay: false } };
  }

  /** What the same request made before; null when it made nothing. */
  async replay(fingerprint: string): Promise<Outcome<CreatedSession | null>> {
    const existing = this.#store.load();
    return existing === undefined ? { ok: true, value: null } : this.#replay(existing, fingerprint);
  }

  /**
   * The one session of a key: made, brought up to date, opened anew, or left as it is while somebody pays it or may have paid.
   * @param refusal why the property would not accept what is wanted, should it have to be stored
   */
  async ensure(
    wanted: NewSession,
    {
      refusal,
      traceparent,
    }: { readonly refusal?: ProblemDetails | undefined; readonly traceparent?: string | undefined },
  ): Promise<Outcome<EnsuredSession>> {
    const refused = refusal === undefined ? undefined : refuse('invalid_request', refusal);
    if (this.#store.load() === undefined) {
      if (refused !== undefined) return refused;
      const created = await this.create(wanted, '');
      if (!created.ok) return created;
      if (!created.value.isReplay) return { ok: true, value: { session: created.value.session, isNew: true } };
    }
    await this.#endOverdue();
    const record = this.#store.load() ?? newRecord(wanted);
    const param = mismatchOf(record, wanted);
    if (param !== undefined) return { ...keyMismatch(record.id), param };
    const isUndecided = record.state === 'expired' && !record.final;
    if (isUndecided && !(await this.#areUnpaid(record.attempts.filter(isAbandoned), traceparent))) {
      return this.#ensured(wanted);
    }
    // Nothing is awaited from here to the commit but the hash of its event, and a commit judges again.
    const current = this.#store.load() ?? record;
    if (current.state !== 'open' && current.state !== 'expired') {
      if (current.state === 'pending' && !hasOffer(current, wanted) && refused === undefined) {
        this.#transitions.keepOffer(current, wanted);
      }
      return this.#ensured(wanted);
    }
    if (current.state === 'open' && hasOffer(current, wanted)) return this.#ensured(wanted);
    if (refused !== undefined) return refused;
    if (this.#hostedStart.underWay !== undefined) {
      this.#transitions.keepOffer(current, wanted);
      return this.#ensured(wanted);
    }
    if (current.state === 'expired') {
      if (current.attempts.length >= MAX_ATTEMPTS) return tooManyAttempts(current);
      const ended = await this.#endSecrets(current);
      if (ended !== undefined) return ended;
    }
    await this.#transitions.apply({ is: 'offered', offer: wanted });
    return this.#ensured(wanted);
  }

  async retrieve(property: string): Promise<Outcome<CheckoutSession>> {
    const found = this.#store.ofProperty(property);
    return found.ok ? { ok: true, value: await merchantView(this.env, found.value) } : found;
  }

  /** Ends a session that nobody is paying. */
  async expire(property: string): Promise<Outcome<CheckoutSession>> {
    await this.#endOverdue();
    const found = this.#store.ofProperty(property);
    if (!found.ok) return found;
    if (found.value.state === 'pending' || this.#hostedStart.underWay !== undefined) {
      const detail = 'The guest may be paying: wait until this attempt has ended';
      return refuse('payment_in_progress', { detail, resource: found.value.id });
    }
    const closed = await this.#transitions.apply({ is: 'closed', by: 'merchant' });
    return closed === undefined ? notOpen(found.value) : this.retrieve(property);
  }

  /** Asks about every attempt that can still move, even long after the end, and answers after two seconds at most. */
  async refresh(property: string, traceparent?: string): Promise<Outcome<CheckoutSession>> {
    const found = this.#store.ofProperty(property);
    if (!found.ok) return found;
    await Promise.all(found.value.attempts.map(({ number }) => this.#watcher(number).lookNow(traceparent)));
    return this.retrieve(property);
  }

  async resolve(
    property: string,
    resolution: Omit<Resolution, 'at'> & { readonly attempt: number | null },
  ): Promise<Outcome<CheckoutSession>> {
    const found = this.#store.ofProperty(property);
    if (!found.ok) return found;
    const resolved = await this.#transitions.resolve(found.value, resolution);
    return resolved.ok ? this.retrieve(property) : resolved;
  }

  /** The client secret, the same for every page and device; or a new one, which ends it. */
  async clientSecret(property: string, request: SecretRequest): Promise<Outcome<IssuedSecret>> {
    const found = this.#store.ofProperty(property);
    return found.ok ? this.#issue(found.value, request) : found;
  }

  async addLink(
    property: string,
    made: MadeSecret,
  ): Promise<Outcome<{ readonly expiresAt: string; readonly isReplay: boolean }>> {
    const found = this.#store.ofProperty(property);
    return found.ok ? addLink(this.#store, found.value, made) : found;
  }

  /** Takes all payment links back. */
  async revokeLinks(property: string): Promise<Outcome<CheckoutSession>> {
    const found = this.#store.ofProperty(property);
    if (!found.ok) return found;
    this.#store.clearLinks();
    return this.retrieve(property);
  }

  // ---- guest ---------------------------------------------------------------------------------------------------

  /** The session as its guest sees it. Never asks the upstream, however many pages ask this object. */
  async read(caller: GuestCaller): Promise<Outcome<CheckoutView>> {
    const entered = await recordForGuest(this.env, this.#store, caller);
    if (!entered.ok) return this.#named(entered);
    const now = Date.now();
    this.#noteReader(entered.value, now);
    return this.#named({ ok: true, value: toCheckoutView(entered.value, now) });
  }

  async start(caller: GuestCaller, asked: StartRequest): Promise<Outcome<StartedSession>> {
    const entered = await recordForGuest(this.env, this.#store, caller);
    return this.#named(entered.ok ? await this.#start(asked) : entered);
  }

  /**
   * The page after the hosted one.
   * @param through which return address the guest came back through: only a hint to look now. Null for the page once more
   */
  async returned(
    nonceHash: string,
    through: 'success' | 'abort' | null,
    traceparent?: string,
  ): Promise<Outcome<SessionPage>> {
    const attempt = this.#attemptOfNonce(nonceHash);
    if (attempt === undefined) return this.#named(noSuchPage());
    if (through !== null) {
      const watcher = this.#watcher(attempt.number);
      await watcher.observe({ observation: { seen: 'returned', through } });
      await watcher.lookNow(traceparent);
    }
    return this.#page(attempt.number);
  }

  /** Starts the next attempt from the page after this one. An older page starts nothing. */
  async startAfter(nonceHash: string, asked: Omit<StartRequest, 'presentation'>): Promise<Outcome<StartedSession>> {
    const attempt = this.#attemptOfNonce(nonceHash);
    const record = this.#store.load();
    if (attempt === undefined || record === undefined) return this.#named(noSuchPage());
    if (attempt.number !== record.attempts.length) return this.#named(notOpen(record));
    return this.#named(await this.#start({ ...asked, presentation: attempt.presentation }));
  }

  // ---- links ---------------------------------------------------------------------------------------------------

  /** The session as a link's page shows it. */
  async page(linkHash: string): Promise<Outcome<SessionPage>> {
    await this.#endOverdue();
    const found = sessionOfLink(this.#store, linkHash);
    return found.ok ? this.#page() : this.#named(found);
  }

  /** Starts an attempt from a payment link. */
  async startFromLink(linkHash: string, asked: Omit<StartRequest, 'presentation'>): Promise<Outcome<StartedSession>> {
    const found = sessionOfLink(this.#store, linkHash);
    return this.#named(found.ok ? await this.#start({ ...asked, presentation: 'link' }) : found);
  }

  // ---- reversals -----------------------------------------------------------------------------------------------

  async reserveReversal(property: string, asked: ShareRequest): Promise<Outcome<ReservedReversal>> {
    const found = this.#store.ofProperty(property);
    if (!found.ok) return found;
    const payment = paymentOfSession(found.value, asked.attempt);
    return payment.ok ? this.#shares.reserve(found.value, payment.value, asked) : payment;
  }

  async settleReversal(property: string, id: string, settlement: Settlement, epoch?: number): Promise<Outcome<null>> {
    const found = this.#store.ofProperty(property);
    if (!found.ok) return found;
    this.#shares.settle(found.value, { id, settlement, epoch });
    return { ok: true, value: null };
  }

  // ---- the alarm -----------------------------------------------------------------------------------------------

  /** Runs what is due, each step at least once: every step can run again. */
  override async alarm(): Promise<void> {
    if (this.#store.load() === undefined) return;
    // Erasing deletes the table of due things too, so it cannot be one of them.
    if (this.#store.due.isDue('erase')) return this.#store.erase();
    await this.#store.due.run(Date.now(), (row) => this.#runDue(row));
  }

  async #runDue(row: DueRow): Promise<void> {
    switch (row.kind) {
      case 'outbox':
        return this.#store.sendUpdates((property) => objectByName(this.env.LEDGERS, property, this.env));
      case 'abandon':
        return this.#abandon();
      case 'deadline':
        return this.#passDeadline();
      case 'settle':
        await this.#transitions.apply({ is: 'settled' });
        return;
      case 'erase_token':
        return this.#transitions.eraseTokens();
    }
    const attempt = this.#store.load()?.attempts.find(({ number }) => lookKind(number) === row.kind);
    if (attempt === undefined) return this.#store.due.clear(row.kind);
    this.#telemetry?.lateLook(Date.now() - row.at);
    return this.#watcher(attempt.number).look();
  }

  /** Gives up an attempt whose guest is gone, after a last poll: the guest may have paid, and nobody has asked since. */
  async #abandon(): Promise<void> {
    const record = this.#store.load();
    const attempt = record && pendingAttempt(record);
    if (record === undefined || attempt === undefined) return this.#store.due.clear('abandon');
    const { number } = attempt;
    const deadline = abandonedAt(scheduleFacts(attempt, record));
    if (deadline > Date.now()) return this.#store.due.set('abandon', deadline);
    if (!(await this.#watcher(number).lookAfter(deadline))) {
      return this.#store.due.set('abandon', Math.max(Date.now(), this.#store.due.get(lookKind(number))?.at ?? 0));
    }
    const newest = this.#store.load();
    const current = newest && attemptOf(newest, number);
    // The guest may have come back during the poll.
    if (newest === undefined || current?.status !== 'pending') return;
    if (abandonedAt(scheduleFacts(current, newest)) > Date.now()) return;
    await this.#transitions.apply({ is: 'attempt', number, event: 'guest_gone' });
  }

  /** Ends a session that nobody has paid in time. */
  async #passDeadline(): Promise<void> {
    // The deadline limits the start, not the answer to a start that came in time.
    await this.#hostedStart.underWay;
    const record = this.#store.load();
    if (record?.state !== 'open') return this.#store.due.clear('deadline');
    if (record.expiresAt > Date.now()) return this.#store.due.set('deadline', record.expiresAt);
    await this.#transitions.apply({ is: 'closed', by: 'deadline' });
  }

  /** Ends what is over, in case the alarm is late. Nobody waits long for a last poll. */
  async #endOverdue(): Promise<void> {
    const record = this.#store.load();
    if (record === undefined || this.#hostedStart.underWay !== undefined) return;
    // Wanted during a start that a crash has ended.
    if (record.nextOffer !== null) await this.#transitions.apply({ is: 'next_offer' });
    const now = Date.now();
    const pending = pendingAttempt(record);
    const isGone = pending !== undefined && abandonedAt(scheduleFacts(pending, record)) <= now;
    const isOver = record.expiresAt <= now && (record.state === 'open' || isGone);
    if (!isGone && !isOver) return;
    const ending = (isGone ? this.#abandon() : Promise.resolve()).then(() => this.#passDeadline());
    this.ctx.waitUntil(ending);
    await waitAtMost(POLL_WAIT_MS, ending);
  }

  // ---- helpers -------------------------------------------------------------------------------------------------

  /** What a guest's call comes to, with whose session it is: the log names the hotel. */
  #named<T>(outcome: Outcome<T>): Outcome<T> {
    const property = this.#store.load()?.property;
    return property === undefined ? outcome : { ...outcome, property };
  }

  #watcher(number: number): AttemptWatcher {
    const known = this.#watchers.get(number);
    if (known !== undefined) return known;
    const watcher = new AttemptWatcher(this.#session, number);
    this.#watchers.set(number, watcher);
    return watcher;
  }

  #noteReader(record: SessionRecord, now: number): void {
    for (const { number } of record.attempts) this.#watcher(number).noteReader(record, now);
  }

  /** Whether it is certain within two seconds that none of these attempts was paid. */
  async #areUnpaid(attempts: readonly AttemptRecord[], traceparent?: string): Promise<boolean> {
    const asking = Promise.all(attempts.map(({ number }) => this.#watcher(number).isUnpaid(traceparent)));
    this.ctx.waitUntil(asking);
    const answers = await waitAtMost(POLL_WAIT_MS, asking);
    return Array.isArray(answers) && answers.every((isUnpaid) => isUnpaid === true);
  }

  async #start(asked: StartRequest): Promise<Outcome<StartedSession>> {
    await this.#endOverdue();
    return this.#hostedStart.start(asked);
  }

  #attemptOfNonce(nonceHash: string): AttemptRecord | undefined {
    return this.#store.load()?.attempts.find(({ hosted }) => isEqualConstantTime(hosted.nonceHash, nonceHash));
  }

  /** A session that somebody has ended gets a new client secret when it is opened anew. Returns why not, if it cannot. */
  async #endSecrets(record: SessionRecord) {
    if (record.closed?.by !== 'merchant') return undefined;
    const issued = await this.#issue(record, { rotate: true, key: `opened anew ${record.closed.at}` });
    return issued.ok ? undefined : issued;
  }

  /** What a call for the session of a key answers. */
  async #ensured(wanted: NewSession): Promise<Outcome<EnsuredSession>> {
    const record = this.#store.load() ?? newRecord(wanted);
    const issued = await this.#issue(record);
    if (!issued.ok) return issued;
    const view = await merchantView(this.env, record);
    const outdated = view.outdated || !sameTerms(shownTerms(record), wanted.terms);
    const { clientSecret } = issued.value;
    return { ok: true, value: { session: { ...view, outdated, clientSecret }, isNew: false } };
  }

  async #replay(existing: SessionRecord, fingerprint: string): Promise<Outcome<CreatedSession>> {
    const refusal = this.#store.refuseOther(existing, fingerprint);
    if (refusal !== undefined) return refusal;
    const issued = await this.#issue(existing);
    if (!issued.ok) return issued;
    const { clientSecret } = issued.value;
    return {
      ok: true,
      value: { session: { ...(await merchantView(this.env, existing)), clientSecret }, isReplay: true },
    };
  }

  async #issue({ id, property: hotel }: SessionRecord, request?: SecretRequest): Promise<Outcome<IssuedSecret>> {
    const property = await propertyOf(this.env, hotel);
    if (property.broken) return toPropertyRefusal(property);
    return { ok: true, value: await this.#secrets.issue(id, property, request) };
  }

  #page(number?: number): Outcome<SessionPage> {
    const record = this.#store.load();
    if (record === undefined) return noSuchPage();
    this.#noteReader(record, Date.now());
    return { ok: true, value: toSessionPage(record, number === undefined ? undefined : attemptOf(record, number)) };
  }
}

/** What keeps a body from being that of the same booking. */
function mismatchOf(record: SessionRecord, wanted: NewSession): string | undefined {
  if (record.kind !== wanted.kind) return 'kind';
  if (record.reference !== wanted.reference) return 'reference';
  return record.terms.amount?.currency === wanted.terms.amount?.currency ? undefined : 'amount.currency';
}
