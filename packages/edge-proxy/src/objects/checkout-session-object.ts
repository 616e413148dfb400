/**
 * One checkout session: its state, its secrets' hashes, and the alarm that keeps watching whether or not any page is
 * open. Every transition is one commit: record, ledger update and what is due next.
 */
import type {
  CheckoutPresentation,
  CheckoutSession,
  CheckoutView,
  CreatedCheckoutSession,
} from '@innkeep/core/contract';
import { isEqualConstantTime } from '../crypto/hash.ts';
import { waitAtMost } from '../deadline.ts';
import { nextSessionState } from '../policy/session-machine.ts';
import { type Outcome, refuse } from '../problem.ts';
import type { ReservedReversal } from '../records/money-record.ts';
import { paymentOfSession } from '../records/reversible-payment.ts';
import {
  type ChainLink,
  type GuestCaller,
  type SecretRequest,
  type SessionPage,
  type StartedSession,
  toSessionPage,
} from '../records/session-page.ts';
import {
  type NewSession,
  newRecord,
  type Resolution,
  type SessionRecord,
  toCheckoutView,
  toMerchantSession,
} from '../records/session-record.ts';
import { objectByName } from '../rpc/object-by-name.ts';
import { type PropertyBindings, propertyOf } from '../rpc/properties.ts';
import type { IdKeyBindings } from '../rpc/tagged-ids.ts';
import { ClientSecrets } from '../sessions/client-secrets.ts';
import { HostedStart } from '../sessions/hosted-start.ts';
import { PaymentLinks } from '../sessions/payment-links.ts';
import { noSuchPage } from '../sessions/refusals.ts';
import { SessionTransitions } from '../sessions/session-transitions.ts';
import { merchantView, recordForGuest } from '../sessions/session-views.ts';
import { SessionWatcher, type WatchedSession } from '../sessions/session-watcher.ts';
import type { DueRow } from '../storage/due-table.ts';
import type { Settlement, ShareRequest } from '../storage/reservation-table.ts';
import { ReversalShares } from '../storage/reversal-shares.ts';
import { type MadeSecret, SessionStorage } from '../storage/session-storage.ts';
import { type Telemetry, telemetryOf } from '../telemetry/telemetry.ts';
import type { AccessTokenBindings } from '../upstream/access-token-source.ts';
import { toPropertyRefusal } from '../upstream/upstream-failure.ts';
import type { LedgerObject } from './ledger-object.ts';
import { PlacedObject } from './placed-object.ts';

/** How long a caller waits for the last poll of an attempt. */
const LAST_POLL_WAIT_MS = 2_000;

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
  readonly #watcher: SessionWatcher;
  readonly #hostedStart: HostedStart;
  readonly #links: PaymentLinks;
  readonly #secrets: ClientSecrets;
  readonly #shares: ReversalShares<SessionRecord>;

  constructor(ctx: DurableObjectState, bindings: CheckoutSessionBindings) {
    super(ctx, bindings);
    const { env } = this;
    const store = new SessionStorage(ctx.storage);
    const telemetry = telemetryOf(env);
    const transitions = new SessionTransitions(store, (record, now) => this.#watcher.planLook(record, now), {
      onUnknown: ({ property }) => telemetry?.unknownOutcome('checkout_session', property),
    });
    const session: WatchedSession = {
      bindings: env,
      store,
      apply: (event, change) => transitions.apply(event, change),
      waitUntil: (work) => ctx.waitUntil(work),
      telemetry,
    };
    this.#telemetry = telemetry;
    this.#store = store;
    this.#transitions = transitions;
    this.#watcher = new SessionWatcher(session);
    this.#hostedStart = new HostedStart(session);
    this.#links = new PaymentLinks(store, (id) => objectByName(env.CHECKOUT_SESSIONS, id, env));
    this.#secrets = new ClientSecrets(env, store);
    this.#shares = new ReversalShares(store, (record, reversals) => ({ ...record, reversals }));
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
    const made = { ...toMerchantSession(record, null), clientSecret };
    return { ok: true, value: { session: made, isReplay: false } };
  }

  /** What the same request made before; null when it made nothing. */
  async replay(fingerprint: string): Promise<Outcome<CreatedSession | null>> {
    const existing = this.#store.load();
    return existing === undefined ? { ok: true, value: null } : this.#replay(existing, fingerprint);
  }

  async retrieve(property: string): Promise<Outcome<CheckoutSession>> {
    const found = this.#store.ofProperty(property);
    return found.ok ? { ok: true, value: await merchantView(this.env, found.value) } : found;
  }

  /**
   * Ends a session that nobody is paying. If it has ended without money, its links are closed: they could still be paid. If
   * another try follows, it is for the caller to end that one: nothing changes here.
   */
  async expire(property: string): Promise<Outcome<ChainLink>> {
    await this.#endOverdueAttempt();
    const found = this.#store.ofProperty(property);
    if (!found.ok) return found;
    const { id, state, successor } = found.value;
    if (state === 'pending' || this.#hostedStart.underWay !== undefined) {
      const detail = 'The guest may be paying: wait until this attempt has ended';
      return refuse('payment_in_progress', { detail, resource: id });
    }
    if (nextSessionState(state, 'expired_by_merchant') !== undefined) {
      await this.#transitions.apply('expired_by_merchant');
    } else if (successor === undefined) {
      const refusal = this.#links.close(found.value);
      if (refusal !== undefined) return refusal;
    }
    return this.#chainLink(property);
  }

  /** Looks now, even long after the end, and answers after two seconds at most. */
  async refresh(property: string, traceparent?: string): Promise<Outcome<CheckoutSession>> {
    const found = this.#store.ofProperty(property);
    if (!found.ok) return found;
    await this.#watcher.lookNow(traceparent);
    return this.retrieve(property);
  }

  async resolve(property: string, resolution: Omit<Resolution, 'at'>): Promise<Outcome<CheckoutSession>> {
    const found = this.#store.ofProperty(property);
    if (!found.ok) return found;
    const refusal = await this.#transitions.resolve(found.value, resolution);
    return refusal ?? this.retrieve(property);
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
    return found.ok ? this.#links.add(found.value, made) : found;
  }

  /** Takes all payment links of this session back. Those of other tries are for the caller to take back. */
  async revokeLinks(property: string): Promise<Outcome<ChainLink>> {
    const found = this.#store.ofProperty(property);
    if (!found.ok) return found;
    this.#store.clearLinks();
    return this.#chainLink(property);
  }

  // ---- guest ---------------------------------------------------------------------------------------------------

  /** The session as its guest sees it. Never asks the upstream, however many pages ask this object. */
  async read(caller: GuestCaller): Promise<Outcome<CheckoutView>> {
    const entered = await recordForGuest(this.env, this.#store, caller);
    if (!entered.ok) return this.#named(entered);
    const now = Date.now();
    this.#watcher.noteReader(entered.value, now);
    return this.#named({ ok: true, value: toCheckoutView(entered.value, now) });
  }

  async start(
    caller: GuestCaller,
    how: {
      readonly presentation: CheckoutPresentation;
      readonly publicUrl: string;
      readonly traceparent?: string | undefined;
    },
  ): Promise<Outcome<StartedSession>> {
    const entered = await recordForGuest(this.env, this.#store, caller);
    return this.#named(entered.ok ? await this.#hostedStart.start(how.presentation, how.publicUrl, how) : entered);
  }

  /** The guest came back through a return address: only a hint to look now. */
  async returned(nonceHash: string, through: 'success' | 'abort', traceparent?: string): Promise<Outcome<SessionPage>> {
    const record = this.#store.load();
    if (record === undefined || record.hosted === null) return noSuchPage();
    if (!isEqualConstantTime(record.hosted.nonceHash, nonceHash)) return this.#named(noSuchPage());
    await this.#watcher.observe({ observation: { seen: 'returned', through } });
    await this.#watcher.lookNow(traceparent);
    return this.#page();
  }

  // ---- links ---------------------------------------------------------------------------------------------------

  async linkTarget(linkHash: string): Promise<Outcome<{ readonly current: string }>> {
    const target = this.#links.target(linkHash);
    return target.ok ? target : this.#named(target);
  }

  /** The session as a link's page shows it. Callers have checked the link with {@link linkTarget}. */
  async page(): Promise<Outcome<SessionPage>> {
    await this.#endOverdueAttempt();
    return this.#page();
  }

  /** Starts this session from a payment link. Callers have checked the link with {@link linkTarget}. */
  async startFromLink(publicUrl: string, traceparent?: string): Promise<Outcome<StartedSession>> {
    return this.#named(await this.#hostedStart.start('link', publicUrl, { traceparent }));
  }

  /** Looks once more before another attempt: the guest may have paid after all. */
  async lookBeforeNextTry(traceparent?: string): Promise<void> {
    if (this.#links.canBeFollowed()) await this.#watcher.lookNow(traceparent);
  }

  /**
   * The session that follows this one once it has ended without money. Callers have checked the link with
   * {@link linkTarget}.
   * @param id of the session that follows, the same for every caller
   */
  async succeed(id: string): Promise<Outcome<{ readonly current: string }>> {
    return this.#links.succeed(id);
  }

  /** Makes a link lead straight to its current session. False when it was taken back. */
  async moveLink(linkHash: string, current: string): Promise<boolean> {
    return this.#store.load() !== undefined && this.#store.moveLink(linkHash, current);
  }

  // ---- reversals -----------------------------------------------------------------------------------------------

  async reserveReversal(property: string, asked: ShareRequest): Promise<Outcome<ReservedReversal>> {
    const found = this.#store.ofProperty(property);
    return found.ok ? this.#shares.reserve(found.value, paymentOfSession(found.value), asked) : found;
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
      case 'look':
        this.#telemetry?.lateLook(Date.now() - row.at);
        return this.#watcher.look();
      case 'deadline':
        return this.#passDeadline();
      case 'erase_token':
        return this.#transitions.eraseToken();
      default:
        // Written by a newer version that was rolled back.
        this.#store.due.clear(row.kind);
    }
  }

  async #passDeadline(): Promise<void> {
    // The deadline limits the start, not the answer to a start that came in time.
    await this.#hostedStart.underWay;
    const overdue = this.#transitions.overdue();
    // However late it is: the guest may have paid, and nobody has asked since.
    if (overdue !== undefined && !(await this.#watcher.lookAfter(overdue))) {
      this.#store.due.set('deadline', Math.max(Date.now(), this.#store.due.get('look')?.at ?? 0));
      return;
    }
    await this.#transitions.passDeadline();
  }

  /** Ends an attempt whose deadline has passed, in case its alarm is late. Nobody waits long for its last poll. */
  async #endOverdueAttempt(): Promise<void> {
    if (this.#transitions.overdue() === undefined) return;
    const passing = this.#passDeadline();
    this.ctx.waitUntil(passing);
    await waitAtMost(LAST_POLL_WAIT_MS, passing);
  }

  // ---- helpers -------------------------------------------------------------------------------------------------

  /** What a guest's call comes to, with whose session it is: the log names the hotel. */
  #named<T>(outcome: Outcome<T>): Outcome<T> {
    const property = this.#store.load()?.property;
    return property === undefined ? outcome : { ...outcome, property };
  }

  async #chainLink(property: string): Promise<Outcome<ChainLink>> {
    const found = this.#store.ofProperty(property);
    if (!found.ok) return found;
    const { successor = null, previous } = found.value;
    return { ok: true, value: { session: await merchantView(this.env, found.value), successor, previous } };
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

  #page(): Outcome<SessionPage> {
    const record = this.#store.load();
    if (record === undefined) return noSuchPage();
    this.#watcher.noteReader(record, Date.now());
    return { ok: true, value: toSessionPage(record) };
  }
}
