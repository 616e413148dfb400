/**
 * One checkout session: its attempts, its secrets' hashes, and the alarm that keeps watching whether or not any page is
 * open. Every transition is one commit: record, ledger update and what is due next.
 */
import type { CheckoutSession, CheckoutView, CreatedCheckoutSession } from '@innkeep/core/contract';
import { type Outcome, ok, type Refusal, refuse } from '../http/problem.ts';
import type { LedgerObject } from '../ledger/ledger-object.ts';
import type { IdKeyBindings } from '../ledger/tagged-ids.ts';
import { alarmSetFor } from '../objects/moved-alarms.ts';
import { objectByName } from '../objects/object-by-name.ts';
import { PlacedObject } from '../objects/placed-object.ts';
import type { Task } from '../objects/schedule.ts';
import type { Actor } from '../properties/actor.ts';
import type { Act } from '../properties/audit-row.ts';
import { sealingKeysOf } from '../properties/configured-properties.ts';
import { type PropertyBindings, propertyOf } from '../properties/properties.ts';
import { KEY_OF_OTHER_MODE } from '../records/other-mode.ts';
import { keyMismatch } from '../records/record-storage.ts';
import { REDACT_REVERSALS, type RedactableObject, Redaction } from '../records/redaction.ts';
import { ReservedAmounts } from '../records/reserved-amounts.ts';
import type { Finding } from '../records/resolution.ts';
import { RECORD_RETENTION_MS } from '../records/retention.ts';
import type { ReservedReversal } from '../records/reversible-payment.ts';
import type { AllocationRequest, Settlement } from '../records/shares.ts';
import type { CardToken, ChargedService } from '../records/stored-card.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import { telemetryOf } from '../telemetry/telemetry-of.ts';
import type { AccessTokenBindings } from '../upstream/access-token-source.ts';
import { toPropertyRefusal } from '../upstream/upstream-failure.ts';
import type { WatchedSession } from './attempt-watcher.ts';
import { resealTokens } from './card-sealing.ts';
import { ClientSecrets } from './client-secrets.ts';
import { type AddedLink, addLink, sessionOfLink } from './payment-links.ts';
import { polledAttempt } from './poll-tasks.ts';
import { noSuchPage, notOpen } from './refusals.ts';
import { SessionAttempts } from './session-attempts.ts';
import { bringUpToDate, type EnsureOptions } from './session-of-key.ts';
import {
  type GuestCaller,
  type SecretRequest,
  type SessionPage,
  type StartedSession,
  type StartRequest,
  toSessionPage,
} from './session-page.ts';
import { paymentOfSession } from './session-payment.ts';
import {
  attemptOf,
  isOfMode,
  type NewSession,
  newRecord,
  type SessionRecord,
  sameTerms,
  shownTerms,
  toMerchantSession,
} from './session-record.ts';
import { type GeneratedSecret, SessionStorage } from './session-storage.ts';
import { withAttempt } from './session-transition.ts';
import { keptTokenUntil, SessionTransitions } from './session-transitions.ts';
import { guestView, merchantView, recordForGuest, storedCard } from './session-views.ts';

export interface CheckoutSessionBindings extends PropertyBindings, AccessTokenBindings, IdKeyBindings {
  readonly CHECKOUT_SESSIONS: DurableObjectNamespace<CheckoutSessionObject>;
  readonly LEDGERS: DurableObjectNamespace<LedgerObject>;
  readonly MONEY_OPERATIONS: DurableObjectNamespace<RedactableObject>;
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
  readonly #attempts: SessionAttempts;
  readonly #secrets: ClientSecrets;
  readonly #reservedAmounts: ReservedAmounts<SessionRecord>;
  readonly #redaction: Redaction<SessionRecord>;

  constructor(ctx: DurableObjectState, bindings: CheckoutSessionBindings) {
    super(ctx, bindings);
    const { env } = this;
    const store = new SessionStorage(ctx.storage, {
      ledgerOf: (property) => objectByName(env.LEDGERS, property, env),
      waitUntil: (work) => ctx.waitUntil(work),
    });
    const telemetry = telemetryOf(env);
    const transitions = new SessionTransitions(
      store,
      (record, number, now) => this.#attempts.watcher(number).plan(record, now),
      { onUnknown: ({ property }) => telemetry?.unknownOutcome('checkout_session', property) },
    );
    this.#telemetry = telemetry;
    this.#store = store;
    this.#transitions = transitions;
    const session: WatchedSession = {
      bindings: env,
      store,
      apply: (event) => transitions.apply(event),
      waitUntil: (work) => ctx.waitUntil(work),
      telemetry,
    };
    this.#attempts = new SessionAttempts(session);
    this.#secrets = new ClientSecrets(env, store);
    this.#redaction = new Redaction(store, (id) => objectByName(env.MONEY_OPERATIONS, id, env));
    this.#reservedAmounts = new ReservedAmounts(store, (record, reversals, number) => {
      const attempt = attemptOf(record, number ?? 0);
      return attempt === undefined ? record : withAttempt(record, { ...attempt, reversals });
    });
  }

  // ---- merchant ------------------------------------------------------------------------------------------------

  /** Creates the session, or returns the one that the same request made before. */
  async create(session: NewSession, fingerprint: string): Promise<Outcome<CreatedSession>> {
    const record = newRecord(session);
    const property = await propertyOf(this.env, session.property);
    if (property.invalid) return toPropertyRefusal(property);
    const { text: clientSecret, kept: secret } = await this.#secrets.first(record, property);
    // Nothing is awaited from here on, so of two calls at the same time one makes it.
    this.#store.prepare();
    const existing = this.#store.load();
    if (existing !== undefined) return this.#replay(existing, fingerprint, session.livemode);
    this.#transitions.begin(record, { fingerprint, secret });
    const made = { ...toMerchantSession(record, () => null), clientSecret };
    return ok({ session: made, isReplay: false });
  }

  /** What the same request made before; null when it made nothing. `livemode`: of the property now. */
  async replay(fingerprint: string, livemode?: boolean): Promise<Outcome<CreatedSession | null>> {
    const existing = this.#store.load();
    return existing === undefined ? ok(null) : this.#replay(existing, fingerprint, livemode);
  }

  /** The one session of a key: made, brought up to date, reopened, or left as it is while somebody pays it or may have. */
  async ensure(wanted: NewSession, options: EnsureOptions): Promise<Outcome<EnsuredSession>> {
    if (this.#store.load() === undefined) {
      if (options.refusal !== undefined) return refuse('invalid_request', options.refusal);
      const created = await this.create(wanted, '');
      if (!created.ok) return created;
      if (!created.value.isReplay) return ok({ session: created.value.session, isNew: true });
    }
    const refusal = await bringUpToDate(
      {
        store: this.#store,
        transitions: this.#transitions,
        attempts: this.#attempts,
        endSecrets: (record) => this.#endSecrets(record),
      },
      wanted,
      options,
    );
    return refusal ?? this.#ensured(wanted);
  }

  /** The session as it is now: while a guest may be paying, the payment service is asked, two seconds at most. */
  async retrieve(property: string): Promise<Outcome<CheckoutSession>> {
    const found = this.#store.ofProperty(property);
    if (!found.ok) return found;
    await this.#attempts.pollForReader(found.value);
    return this.#view();
  }

  /** Ends a session that nobody is paying. */
  async expire(property: string, actor: Actor): Promise<Outcome<CheckoutSession>> {
    if (this.#store.ofProperty(property).ok) await this.#attempts.passOverdue();
    const found = this.#store.ofProperty(property);
    if (!found.ok) return found;
    const mayBePaid = await this.#attempts.mayBePaid(found.value);
    const record = this.#store.load() ?? found.value;
    if (record.state === 'pending' || this.#attempts.hostedStart.underWay !== undefined) {
      const detail = 'The guest may be paying: wait until this attempt has ended';
      return refuse('payment_in_progress', { detail, resource: record.id });
    }
    const closed = this.#transitions.apply(
      { is: 'closed', by: 'merchant', author: actor.by, mayBePaid },
      { action: 'checkout_session.expired', actor },
    );
    return closed === undefined ? notOpen(record) : this.#view();
  }

  /** Asks about every attempt that can still move, even long after the end, and answers after two seconds at most. */
  async refresh(property: string, traceparent?: string): Promise<Outcome<CheckoutSession>> {
    const found = this.#store.ofProperty(property);
    if (!found.ok) return found;
    await this.#attempts.pollNow(found.value, traceparent);
    return this.#view();
  }

  async resolve(
    property: string,
    finding: Finding & { readonly attempt: number | null },
    actor: Actor,
  ): Promise<Outcome<CheckoutSession>> {
    const found = this.#store.ofProperty(property);
    if (!found.ok) return found;
    const resolved = this.#transitions.resolve(found.value, finding, actor);
    return resolved.ok ? this.#view() : resolved;
  }

  /** The client secret, the same for every page and device; or a new one, which ends it. */
  async clientSecret(property: string, request: SecretRequest): Promise<Outcome<IssuedSecret>> {
    const found = this.#store.ofProperty(property);
    return found.ok ? this.#issue(found.value, request) : found;
  }

  async addLink(property: string, made: GeneratedSecret, actor: Actor): Promise<Outcome<AddedLink>> {
    if (this.#store.ofProperty(property).ok) await this.#attempts.passOverdue();
    const found = this.#store.ofProperty(property);
    return found.ok ? addLink(this.#store, found.value, made, actor) : found;
  }

  /** Takes all payment links back. */
  async revokeLinks(property: string, actor: Actor): Promise<Outcome<CheckoutSession>> {
    const found = this.#store.ofProperty(property);
    if (!found.ok) return found;
    if (this.#store.beside.links.length > 0) {
      this.#store.transaction(() => {
        this.#store.clearLinks();
        this.#store.tellAudit({ action: 'payment_link.revoked', actor });
      });
    }
    return this.#view();
  }

  /** Erases its words and the tokens of its cards, for good. `actor` null: the hotel keeps none from before an instant. */
  async redact(
    property: string,
    actor: Actor | null,
    _payment?: string,
    before = Number.POSITIVE_INFINITY,
  ): Promise<Outcome<CheckoutSession>> {
    const found = this.#store.ofProperty(property);
    if (!found.ok) return found;
    const act: Act | undefined = actor === null ? undefined : { action: 'checkout_session.redacted', actor };
    const { final, attempts } = found.value;
    const happenedAt = (this.#store.due.get('erase') ?? 0) - RECORD_RETENTION_MS;
    // A card that the hotel wants to charge is not erased for its age.
    const isKept =
      actor === null && (happenedAt >= before || attempts.some((attempt) => keptTokenUntil(attempt) !== undefined));
    const isCertain = final && attempts.every(({ status }) => status !== 'unknown');
    const refusal = await this.#redaction.redact(found.value, isCertain && !isKept, act);
    return refusal ?? this.#view();
  }

  /** Seals the tokens of its cards with the newest key. Returns how many an older one had sealed. */
  async reseal(property: string): Promise<number> {
    return this.#store.ofProperty(property).ok ? resealTokens(this.#store, sealingKeysOf(this.env.SEALING_KEYS)) : 0;
  }

  // ---- guest ---------------------------------------------------------------------------------------------------

  /** The session as its guest sees it. However many pages wait, the payment service is asked once in 2.5 seconds. */
  async read(caller: GuestCaller): Promise<Outcome<{ readonly view: CheckoutView }>> {
    const entered = await recordForGuest(this.env, this.#store, caller);
    if (!entered.ok) return this.#named(entered);
    await this.#attempts.pollForReader(entered.value);
    return this.#named(ok({ view: await guestView(this.env, this.#store.load() ?? entered.value) }));
  }

  async start(caller: GuestCaller, asked: StartRequest): Promise<Outcome<StartedSession>> {
    const entered = await recordForGuest(this.env, this.#store, caller);
    return this.#named(entered.ok ? await this.#start(asked) : entered);
  }

  /**
   * The page after the hosted one.
   * @param through which return address the guest came back through: only a hint to poll now. Null for the page once more
   */
  async returned(
    nonceHash: string,
    through: 'success' | 'abort' | null,
    traceparent?: string,
  ): Promise<Outcome<SessionPage>> {
    const attempt = this.#attempts.ofNonce(nonceHash);
    if (attempt === undefined) return this.#named(noSuchPage());
    const watcher = this.#attempts.watcher(attempt.number);
    if (through === null) await watcher.pollForReader();
    else {
      watcher.returned(through);
      await watcher.pollNow(traceparent);
    }
    await this.#attempts.passOverdue();
    return this.#named(await this.#page(attempt.number));
  }

  /** Starts the next attempt from the page after this one, or goes on with what is under way. An older page starts nothing. */
  async startAfter(nonceHash: string, asked: Omit<StartRequest, 'presentation'>): Promise<Outcome<StartedSession>> {
    const attempt = this.#attempts.ofNonce(nonceHash);
    if (attempt !== undefined) await this.#attempts.passOverdue();
    const record = this.#store.load();
    if (attempt === undefined || record === undefined || this.#attempts.hasEndedPage(attempt))
      return this.#named(noSuchPage());
    if (attempt.number !== record.attempts.length && record.state !== 'pending') return this.#named(notOpen(record));
    return this.#named(await this.#attempts.hostedStart.start({ ...asked, presentation: attempt.presentation }));
  }

  // ---- links ---------------------------------------------------------------------------------------------------

  /** The session as a link's page shows it. */
  async page(linkHash: string): Promise<Outcome<SessionPage>> {
    const found = sessionOfLink(this.#store, linkHash);
    if (found.ok) await this.#attempts.pollForReader(found.value);
    return this.#named(found.ok ? await this.#page() : found);
  }

  /** Starts an attempt from a payment link. */
  async startFromLink(linkHash: string, asked: Omit<StartRequest, 'presentation'>): Promise<Outcome<StartedSession>> {
    const found = sessionOfLink(this.#store, linkHash);
    return this.#named(found.ok ? await this.#start({ ...asked, presentation: 'link' }) : found);
  }

  // ---- charges -------------------------------------------------------------------------------------------------

  /** The card that it has stored, for a charge: its token goes no further than to the payment service. */
  async cardToken(property: string, service?: ChargedService): Promise<CardToken> {
    const found = this.#store.ofProperty(property);
    const card = found.ok ? await storedCard(this.env, found.value, service) : found;
    return card.ok ? { ...ok(card.value.token), serviceProvider: card.value.serviceProvider } : card;
  }

  // ---- reversals -----------------------------------------------------------------------------------------------

  async reserveReversal(property: string, asked: AllocationRequest): Promise<Outcome<ReservedReversal>> {
    const found = this.#store.ofProperty(property);
    if (!found.ok) return found;
    const payment = paymentOfSession(found.value, asked.attempt);
    return payment.ok ? this.#reservedAmounts.reserve(found.value, payment.value, asked) : payment;
  }

  async settleReversal(property: string, id: string, settlement: Settlement, epoch: number): Promise<Outcome<null>> {
    const found = this.#store.ofProperty(property);
    if (!found.ok) return found;
    this.#reservedAmounts.settle(found.value, { id, settlement, epoch });
    return ok(null);
  }

  /** Whether it is gone. It stays while an attempt is in doubt or has a card, or when it happened later than `before`. */
  async eraseIfOver(before: number): Promise<boolean> {
    if (this.#store.due.isDue('erase')) await this.#attempts.passOverdue();
    const isCertain = ({ final, attempts }: SessionRecord): boolean =>
      final && attempts.every((each) => each.status !== 'unknown' && keptTokenUntil(each) === undefined);
    return this.#store.eraseIfOver(before, isCertain);
  }

  // ---- the alarm -----------------------------------------------------------------------------------------------

  /** Runs what is due, each step at least once: every step can run again. */
  protected override async runAlarm(info?: AlarmInvocationInfo): Promise<void> {
    const calledFor = alarmSetFor(info, this.env);
    if (this.#store.load(calledFor) === undefined) return;
    await this.#store.runDue((task) => this.#runDue(task), calledFor);
  }

  async #runDue({ kind, at }: Task): Promise<void> {
    switch (kind) {
      case 'abandon':
        return this.#attempts.abandon();
      case 'deadline':
        return this.#attempts.passDeadline();
      case 'settle':
        return this.#transitions.settle(await this.#attempts.askedAgainAt());
      case 'erase_token':
        return this.#transitions.eraseTokens();
      case REDACT_REVERSALS:
        return this.#redaction.redactReversals();
    }
    const number = polledAttempt(kind);
    if (number === undefined) return this.#store.due.clear(kind);
    this.#telemetry?.latePoll(Date.now() - at);
    return this.#attempts.watcher(number).pollAsPlanned();
  }

  // ---- helpers -------------------------------------------------------------------------------------------------

  async #view(): Promise<Outcome<CheckoutSession>> {
    const record = this.#store.load();
    return record === undefined ? this.#store.notFound() : ok(await merchantView(this.env, record));
  }

  /** What a guest's call comes to, and whose session it is: the log names the hotel. */
  #named<T>(outcome: Outcome<T>): Outcome<T> {
    const property = this.#store.load()?.property;
    return property === undefined ? outcome : { ...outcome, property };
  }

  async #start(asked: StartRequest): Promise<Outcome<StartedSession>> {
    await this.#attempts.passOverdue();
    return this.#attempts.hostedStart.start(asked);
  }

  /** Ends the client secret of a session that somebody has ended, once. Returns why not, if it cannot. */
  async #endSecrets(record: SessionRecord): Promise<Refusal | undefined> {
    const issued = await this.#issue(record, { rotate: true, key: `opened anew ${this.#store.renewals}` });
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
    return ok({ session: { ...view, outdated, clientSecret }, isNew: false });
  }

  async #replay(
    existing: SessionRecord,
    fingerprint: string,
    livemode: boolean | undefined,
  ): Promise<Outcome<CreatedSession>> {
    const refusal = this.#store.refuseOther(existing, fingerprint);
    if (refusal !== undefined) return refusal;
    if (!isOfMode(existing, livemode ?? existing.livemode)) {
      return keyMismatch(existing.id, KEY_OF_OTHER_MODE);
    }
    const issued = await this.#issue(existing);
    if (!issued.ok) return issued;
    const { clientSecret } = issued.value;
    return ok({ session: { ...(await merchantView(this.env, existing)), clientSecret }, isReplay: true });
  }

  async #issue(record: SessionRecord, request?: SecretRequest): Promise<Outcome<IssuedSecret>> {
    const property = await propertyOf(this.env, record.property);
    if (property.invalid) return toPropertyRefusal(property);
    return ok(await this.#secrets.issue(record, property, request));
  }

  async #page(number?: number): Promise<Outcome<SessionPage>> {
    const record = this.#store.load();
    if (record === undefined) return noSuchPage();
    const attempt = number === undefined ? undefined : attemptOf(record, number);
    const page = toSessionPage(record, attempt);
    // Whoever is sent on to the hotel sees nothing here.
    const isSentOn = page.presentation === 'redirect' && page.returnUrl !== null;
    if (attempt !== undefined && !isSentOn && this.#attempts.hasEndedPage(attempt)) return noSuchPage();
    return ok({ ...page, view: await guestView(this.env, record) });
  }
}
