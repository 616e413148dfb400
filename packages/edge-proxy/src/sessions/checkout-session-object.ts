/**
 * One checkout session: its attempts, its secrets' hashes, and the alarm that keeps watching whether or not any page is
 * open. Every transition is one commit: record, ledger update and what is due next.
 */
import type { CheckoutSession, CheckoutView } from '@innkeep/core/contract';
import { type Outcome, ok, refuse } from '../http/problem.ts';
import type { LedgerObject } from '../ledger/ledger-object.ts';
import type { IdKeyBindings } from '../ledger/tagged-ids.ts';
import { alarmSetFor } from '../objects/moved-alarms.ts';
import { objectByName } from '../objects/object-by-name.ts';
import { PlacedObject } from '../objects/placed-object.ts';
import type { Task } from '../objects/schedule.ts';
import type { Actor } from '../properties/actor.ts';
import type { Act } from '../properties/audit-row.ts';
import { sealingKeysOf } from '../properties/configured-properties.ts';
import type { PropertyBindings } from '../properties/properties.ts';
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
import type { WatchedSession } from './attempt-watcher.ts';
import { resealTokens } from './card-sealing.ts';
import { type AddedLink, addLink, revokeLinks, sessionOfLink } from './payment-links.ts';
import { polledAttempt } from './poll-tasks.ts';
import { noSuchPage, notOpen } from './refusals.ts';
import { SessionAttempts } from './session-attempts.ts';
import { type CreatedSession, type EnsuredSession, type IssuedSecret, SessionCreation } from './session-creation.ts';
import type { EnsureOptions } from './session-of-key.ts';
import {
  type GuestCaller,
  type SecretRequest,
  type SessionPage,
  type StartedSession,
  type StartRequest,
  toSessionPage,
} from './session-page.ts';
import { paymentOfSession } from './session-payment.ts';
import { attemptOf, isCertain, type NewSession, type SessionRecord } from './session-record.ts';
import { type GeneratedSecret, SessionStorage } from './session-storage.ts';
import { withAttempt } from './session-transition.ts';
import { keepsToken, SessionTransitions } from './session-transitions.ts';
import { guestView, merchantView, recordForGuest, storedCard } from './session-views.ts';

export interface CheckoutSessionBindings extends PropertyBindings, AccessTokenBindings, IdKeyBindings {
  readonly CHECKOUT_SESSIONS: DurableObjectNamespace<CheckoutSessionObject>;
  readonly LEDGERS: DurableObjectNamespace<LedgerObject>;
  readonly MONEY_OPERATIONS: DurableObjectNamespace<RedactableObject>;
}

/** Owns one checkout session. Its name is the session's id. */
export class CheckoutSessionObject extends PlacedObject<CheckoutSessionBindings> {
  readonly #telemetry: Telemetry | undefined;
  readonly #store: SessionStorage;
  readonly #transitions: SessionTransitions;
  readonly #attempts: SessionAttempts;
  readonly #creation: SessionCreation;
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
    this.#creation = new SessionCreation({ env, store, transitions, attempts: this.#attempts });
    this.#redaction = new Redaction(store, (id) => objectByName(env.MONEY_OPERATIONS, id, env));
    this.#reservedAmounts = new ReservedAmounts(store, (record, reversals, number) => {
      const attempt = attemptOf(record, number ?? 0);
      return attempt === undefined ? record : withAttempt(record, { ...attempt, reversals });
    });
  }

  // ---- merchant ------------------------------------------------------------------------------------------------

  create(session: NewSession, fingerprint: string): Promise<Outcome<CreatedSession>> {
    return this.#creation.create(session, fingerprint);
  }

  replay(fingerprint: string, livemode?: boolean): Promise<Outcome<CreatedSession | null>> {
    return this.#creation.replay(fingerprint, livemode);
  }

  ensure(wanted: NewSession, options: EnsureOptions): Promise<Outcome<EnsuredSession>> {
    return this.#creation.ensure(wanted, options);
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
    return found.ok ? this.#creation.issue(found.value, request) : found;
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
    revokeLinks(this.#store, actor);
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
    const happenedAt = (this.#store.due.get('erase') ?? 0) - RECORD_RETENTION_MS;
    // A card that the hotel wants to charge is not erased for its age.
    const isKept = actor === null && (happenedAt >= before || keepsToken(found.value));
    const refusal = await this.#redaction.redact(found.value, isCertain(found.value) && !isKept, act);
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
    return this.#store.eraseIfOver(before, (record) => isCertain(record) && !keepsToken(record));
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
    return this.#attempts.watcher(number).pollAsPlanned(at);
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
