/**
 * One checkout session: its state, its secrets' hashes, and the alarm that keeps watching whether or not any page is
 * open. Every transition is one commit: record, ledger news and what is due next.
 */
import { DurableObject } from 'cloudflare:workers';
import type { CheckoutPresentation, CheckoutView } from '@innkeep/core/contract';
import { currencyExponent } from '@innkeep/core/values';
import { propertyOf, type Settings } from '../config/settings.ts';
import { isEqualConstantTime, sha256Hex } from '../crypto/hash.ts';
import { unseal } from '../crypto/seal.ts';
import { newSecret } from '../ids.ts';
import { isAllowedOrigin } from '../policy/origins.ts';
import type { MoneyValue } from '../policy/payment-limits.ts';
import { payingDeadline } from '../policy/polling-schedule.ts';
import { endedWithoutMoney, nextSessionState, type SessionEvent, toSessionStatus } from '../policy/session-machine.ts';
import { NEW_WATCH } from '../policy/session-watch.ts';
import { type Outcome, type Refusal, refuse } from '../problem.ts';
import type { ReservedReversal } from '../records/money-record.ts';
import {
  type HostedRequestRecord,
  type MerchantSession,
  type NewSession,
  type Presentation,
  type Resolution,
  type SessionRecord,
  type StartedRecord,
  scheduleFacts,
  toCheckoutView,
  toMerchantSession,
  toTimestamp,
} from '../records/session-record.ts';
import { ledgerUpdate, listedSession, type SessionChange, transition } from '../records/session-transition.ts';
import { objectByName } from '../rpc/object-by-name.ts';
import type { DueRow } from '../storage/due-table.ts';
import type { Settlement, ShareRequest } from '../storage/reservation-table.ts';
import { SessionStorage } from '../storage/session-storage.ts';
import type { AccessTokenBindings } from '../upstream/access-token-source.ts';
import { cardTokenPlace, openHostedPage } from '../upstream/hosted-calls.ts';
import { SessionWatcher } from '../upstream/session-watcher.ts';
import { toPropertyRefusal, toUpstreamRefusal } from '../upstream/upstream-failure.ts';
import type { LedgerObject, LedgerUpdate } from './ledger-object.ts';

/** What the object needs of the environment. */
export interface CheckoutSessionBindings extends Settings, AccessTokenBindings {
  readonly CHECKOUT_SESSIONS: DurableObjectNamespace<CheckoutSessionObject>;
  readonly LEDGERS: DurableObjectNamespace<LedgerObject>;
}

/** Who a guest's call comes from. */
export interface GuestCaller {
  /** SHA-256 of the client secret. */
  readonly secretHash: string;
  /** The `Origin` header. */
  readonly origin: string | null;
  /** The proxy's own origin. */
  readonly publicOrigin: string;
}

/** What a start led to. */
export interface StartedSession {
  readonly view: CheckoutView;
  readonly viewUrl: string;
}

/** What the return route and the pages need to know. */
export interface SessionPage {
  readonly view: CheckoutView;
  readonly property: string;
  readonly presentation: Presentation | null;
  readonly returnUrl: string | null;
  /** The session that follows this one; null while there is none. */
  readonly successor: string | null;
  /** The session that this one follows; null for the first. */
  readonly previous: string | null;
}

const DAY_MS = 24 * 60 * 60_000;
/** How long a session is kept. */
const SESSION_RETENTION_MS: number = 400 * DAY_MS;
/** How long a card token is kept. */
const CARD_TOKEN_RETENTION_MS: number = 30 * DAY_MS;
/** Failed starts one session may cause in a minute. */
const MAX_FAILED_STARTS = 10;
const MINUTE_MS = 60_000;

/** Owns one checkout session. Its name is the session's id. */
export class CheckoutSessionObject extends DurableObject<CheckoutSessionBindings> {
  readonly #store: SessionStorage;
  readonly #watcher: SessionWatcher;
  #starting: Promise<Outcome<StartedSession>> | undefined;
  #failedStarts: number[] = [];

  constructor(ctx: DurableObjectState, env: CheckoutSessionBindings) {
    super(ctx, env);
    this.#store = new SessionStorage(ctx.storage);
    this.#watcher = new SessionWatcher({
      bindings: env,
      store: this.#store,
      apply: (event, change) => this.#apply(event, change),
      waitUntil: (work) => ctx.waitUntil(work),
    });
  }

  // ---- merchant ------------------------------------------------------------------------------------------------

  /** Creates the session, or finds it made before by the same request. */
  async create(
    session: NewSession,
    options: { readonly fingerprint: string; readonly secretHash: string | null },
  ): Promise<Outcome<{ readonly session: MerchantSession; readonly isReplay: boolean }>> {
    const record: SessionRecord = {
      ...session,
      seq: 1,
      state: 'open',
      since: session.createdAt,
      startedAt: null,
      completedAt: null,
      presentation: null,
      hosted: null,
      watch: NEW_WATCH,
      result: null,
      error: null,
      resolution: null,
    };
    const update = await ledgerUpdate(record, 'open', session.createdAt);
    const existing = this.#store.load();
    if (existing !== undefined) {
      const replayed = await this.#replay(existing, options.fingerprint);
      return replayed.ok ? { ok: true, value: { session: replayed.value, isReplay: true } } : replayed;
    }
    this.#store.transaction(() => {
      this.#store.create(record, options.fingerprint);
      if (options.secretHash !== null) this.#store.addClientSecret(options.secretHash, session.createdAt);
      this.#store.outbox.add(update);
      this.#store.due.set('deadline', record.expiresAt);
      this.#store.due.set('erase', record.createdAt + SESSION_RETENTION_MS);
      this.#store.due.arm();
    });
    return { ok: true, value: { session: toMerchantSession(record, null), isReplay: false } };
  }

  /** What the same request has made before; null when it has made nothing. */
  async replay(fingerprint: string): Promise<Outcome<MerchantSession | null>> {
    const existing = this.#store.load();
    return existing === undefined ? { ok: true, value: null } : this.#replay(existing, fingerprint);
  }

  /** The session as its merchant sees it. */
  async retrieve(property: string): Promise<Outcome<MerchantSession>> {
    const found = this.#ofProperty(property);
    return found.ok ? { ok: true, value: await this.#merchantView(found.value) } : found;
  }

  /** Ends a session that nobody is paying. One that ended without money gives up its links, which could be paid after all. */
  async expire(property: string): Promise<Outcome<MerchantSession>> {
    await this.#endOverdueTry();
    const found = this.#ofProperty(property);
    if (!found.ok) return found;
    const record = found.value;
    if (record.state === 'pending' || this.#starting !== undefined) {
      const detail = 'The guest may be paying: wait until this try has ended';
      return refuse('payment_in_progress', { detail, resource: record.id });
    }
    if (nextSessionState(record.state, 'expired_by_merchant') !== undefined) {
      await this.#apply('expired_by_merchant');
    } else if (record.successor !== undefined) {
      const ended = await objectByName(this.env.CHECKOUT_SESSIONS, record.successor, this.env).expire(property);
      if (!ended.ok) return ended;
    } else if (
      isPayableByLink(record) &&
      (record.state === 'expired' || record.previous !== null || this.#store.hasLinks())
    ) {
      // No news to anybody: the outcome stands, and no try follows it.
      this.#store.save(record.seq, { ...record, expiresAt: Date.now() });
    } else {
      return notOpen(record);
    }
    return this.retrieve(property);
  }

  /** Looks now, however long ago it ended, and answers after two seconds at most. */
  async refresh(property: string): Promise<Outcome<MerchantSession>> {
    const found = this.#ofProperty(property);
    if (!found.ok) return found;
    await this.#watcher.lookNow();
    return this.retrieve(property);
  }

  /** Ends an outcome that is not certain for good with a person's evidence. */
  async resolve(property: string, resolution: Omit<Resolution, 'at'>): Promise<Outcome<MerchantSession>> {
    const found = this.#ofProperty(property);
    if (!found.ok) return found;
    const event = resolution.status === 'succeeded' ? 'resolved_succeeded' : 'resolved_failed';
    const { id, state, hosted, kind } = found.value;
    if (hosted === null || nextSessionState(state, event) === undefined) {
      const detail = `A session that is ${toSessionStatus(state)} cannot be resolved as ${resolution.status}`;
      return refuse('not_resolvable', { detail, resource: id });
    }
    if (resolution.amount !== undefined && kind === 'card') {
      return refuse('invalid_request', { detail: 'A card session moves no money', param: 'amount' });
    }
    await this.#apply(event, { resolution: { ...resolution, at: Date.now() } });
    return this.retrieve(property);
  }

  /** Adds a client secret, for a return page or another device. */
  async addClientSecret(
    property: string,
    options: { readonly secretHash: string; readonly revokeOthers: boolean },
  ): Promise<Outcome<null>> {
    const found = this.#ofProperty(property);
    if (!found.ok) return found;
    this.#store.transaction(() => {
      if (options.revokeOthers) this.#store.clearClientSecrets();
      this.#store.addClientSecret(options.secretHash, Date.now());
    });
    return { ok: true, value: null };
  }

  /** Adds a payment link to this session. */
  async addLink(property: string, linkHash: string): Promise<Outcome<{ readonly expiresAt: string }>> {
    const found = this.#ofProperty(property);
    if (!found.ok) return found;
    if (found.value.state !== 'open' && found.value.state !== 'pending') return notOpen(found.value);
    this.#store.addLink(linkHash, found.value.id);
    return { ok: true, value: { expiresAt: toTimestamp(found.value.expiresAt) } };
  }

  // ---- guest ---------------------------------------------------------------------------------------------------

  /** The session as its guest sees it. Never looks at the upstream: many pages cost no more than none. */
  async read(caller: GuestCaller): Promise<Outcome<CheckoutView>> {
    const entered = this.#enter(caller);
    return entered.ok ? { ok: true, value: toCheckoutView(entered.value, Date.now()) } : entered;
  }

  /** Opens the hosted page; while one is open, the same one again. */
  async start(
    caller: GuestCaller,
    how: { readonly presentation: CheckoutPresentation; readonly publicUrl: string },
  ): Promise<Outcome<StartedSession>> {
    const entered = this.#enter(caller);
    return entered.ok ? this.#start(how.presentation, how.publicUrl) : entered;
  }

  /** The guest came back through a return address: a hint to look now, and nothing more. */
  async returned(nonceHash: string, through: 'success' | 'abort'): Promise<Outcome<SessionPage>> {
    const record = this.#store.load();
    if (record === undefined || record.hosted === null) return noSuchPage();
    if (!isEqualConstantTime(record.hosted.nonceHash, nonceHash)) return noSuchPage();
    await this.#watcher.observe({ observation: { seen: 'returned', through } });
    await this.#watcher.lookNow();
    return this.#page();
  }

  // ---- links ---------------------------------------------------------------------------------------------------

  /** Where a payment link leads, or led when it was last used: that session may have a successor by now. */
  async linkTarget(linkHash: string): Promise<Outcome<{ readonly current: string }>> {
    const link = this.#store.load() === undefined ? undefined : this.#store.findLink(linkHash);
    return link === undefined ? noSuchPage() : { ok: true, value: { current: link.current } };
  }

  /** The session as a link's page shows it. The caller has come through {@link linkTarget}. */
  async page(): Promise<Outcome<SessionPage>> {
    await this.#endOverdueTry();
    return this.#page();
  }

  /** Starts this session from a payment link. The caller has come through {@link linkTarget}. */
  async startFromLink(publicUrl: string): Promise<Outcome<StartedSession>> {
    return this.#store.load() === undefined ? noSuchPage() : this.#start('link', publicUrl);
  }

  /** Looks once more before another try: the guest may have paid after all. The caller has come through {@link linkTarget}. */
  async lookBeforeNextTry(): Promise<void> {
    const record = this.#store.load();
    if (record !== undefined && record.successor === undefined && isPayableByLink(record))
      await this.#watcher.lookNow();
  }

  /**
   * The session that follows this one once it has ended without money. There is one for all links and all callers, so
   * that no two of them can be paid. The caller has come through {@link linkTarget}.
   * @param id of the session that follows, the same whoever asks
   */
  async succeed(id: string): Promise<Outcome<{ readonly current: string }>> {
    const record = this.#store.load();
    if (record === undefined) return noSuchPage();
    if (record.successor !== undefined) return { ok: true, value: { current: record.successor } };
    if (!endedWithoutMoney(record.state)) return { ok: true, value: { current: record.id } };
    if (!isPayableByLink(record)) return notOpen(record);
    const successor: NewSession = {
      id,
      property: record.property,
      hotelName: record.hotelName,
      livemode: record.livemode,
      kind: record.kind,
      amount: record.amount,
      surcharge: record.surcharge,
      reference: record.reference,
      description: record.description,
      returnUrl: record.returnUrl,
      metadata: record.metadata,
      previous: record.id,
      createdAt: Date.now(),
      expiresAt: record.expiresAt,
    };
    const stub = objectByName(this.env.CHECKOUT_SESSIONS, id, this.env);
    const created = await stub.create(successor, { fingerprint: id, secretHash: null });
    if (!created.ok) return created;
    const newest = this.#store.load() ?? record;
    if (!isPayableByLink(newest)) {
      // Its links were taken back, or it was paid, while the successor was made. Nobody has heard of that one yet.
      await stub.expire(record.property);
      return notOpen(newest);
    }
    // No news to anybody: the successor tells of itself.
    this.#store.save(newest.seq, { ...newest, successor: id });
    return { ok: true, value: { current: id } };
  }

  /** Shortens a link's way to where it leads by now. */
  async moveLink(linkHash: string, current: string): Promise<void> {
    if (this.#store.load() !== undefined) this.#store.moveLink(linkHash, current);
  }

  // ---- reversals -----------------------------------------------------------------------------------------------

  /** Gives a reversal its share of this payment. A later attempt of it replaces the earlier one's share. */
  async reserveReversal(property: string, asked: ShareRequest): Promise<Outcome<ReservedReversal>> {
    const found = this.#ofProperty(property);
    if (!found.ok) return found;
    const record = found.value;
    const { hosted, result } = record;
    if (
      record.state !== 'succeeded' ||
      hosted === null ||
      result?.kind !== 'payment' ||
      result.transactionId === null
    ) {
      const detail = 'Only a payment that has succeeded and has a transaction id can be reversed';
      return refuse('not_reversible', { detail, resource: record.id });
    }
    const facts = { total: result.total, amountUnit: hosted.amountUnit, exponentOf: currencyExponent };
    let outcome: Outcome<MoneyValue> | undefined;
    this.#store.transaction(() => {
      outcome = this.#store.reservations.take(asked, facts);
      this.#saveReversals(record);
    });
    if (outcome === undefined || !outcome.ok) return outcome ?? noSuchPage();
    const { serviceProvider, customerId, hotelID, hotelIDType, user, timeZone, amountUnit } = hosted;
    const value: ReservedReversal = {
      amount: outcome.value,
      reference: record.reference,
      paymentTransactionId: result.transactionId,
      serviceProvider,
      hotel: { customerId, hotelID, hotelIDType, user, timeZone, amountUnit },
    };
    return { ok: true, value };
  }

  /** Hears how a reversal of this payment ended. Hearing it again changes nothing. */
  async settleReversal(property: string, id: string, settlement: Settlement, epoch?: number): Promise<Outcome<null>> {
    const found = this.#ofProperty(property);
    if (!found.ok) return found;
    this.#store.transaction(() => {
      if (this.#store.reservations.settle({ id, settlement, epoch })) this.#saveReversals(found.value);
    });
    return { ok: true, value: null };
  }

  /** A new version of a payment of which something is given back: no news for the feed, but for lists. */
  #saveReversals(record: SessionRecord): void {
    const { reversed = 0, reversing = 0 } = record.reversals ?? {};
    const next = { ...record, seq: record.seq + 1, reversals: this.#store.reservations.sums() };
    if (next.reversals.reversed === reversed && next.reversals.reversing === reversing) return;
    this.#store.save(record.seq, next);
    const update: LedgerUpdate = { eventId: '', type: null, at: Date.now(), resource: listedSession(next) };
    this.#store.outbox.add(update);
    this.#store.due.arm();
  }

  // ---- the alarm -----------------------------------------------------------------------------------------------

  /** Runs what is due. At least once each, so every step can run again. */
  override async alarm(): Promise<void> {
    if (this.#store.load() === undefined) return;
    const now = Date.now();
    // Erasing takes the table of due things along, so it is not one among others.
    if ((this.#store.due.get('erase')?.at ?? now + 1) <= now) return this.#store.erase();
    await this.#store.due.run(now, (row) => this.#runDue(row));
  }

  async #runDue(row: DueRow): Promise<void> {
    switch (row.kind) {
      case 'outbox':
        return this.#sendOutbox();
      case 'look':
        return this.#watcher.look();
      case 'deadline':
        return this.#passDeadline();
      case 'erase_token':
        return this.#eraseToken();
      default:
        // A kind of a version that was rolled back.
        this.#store.due.clear(row.kind);
    }
  }

  async #sendOutbox(): Promise<void> {
    const record = this.#store.load();
    if (record === undefined) return;
    await this.#store.outbox.send(objectByName(this.env.LEDGERS, record.property, this.env), record.property);
  }

  async #passDeadline(): Promise<void> {
    // The deadline limits the start, not the answer to a start that came in time.
    await this.#starting;
    const record = this.#store.load();
    if (record === undefined) return;
    const deadline = record.startedAt === null ? record.expiresAt : payingDeadline(scheduleFacts(record));
    if (nextSessionState(record.state, 'deadline_passed') === undefined) this.#store.due.clear('deadline');
    else if (deadline > Date.now()) this.#store.due.set('deadline', deadline);
    else await this.#apply('deadline_passed');
  }

  async #eraseToken(): Promise<void> {
    const record = this.#store.load();
    this.#store.transaction(() => {
      if (record?.result?.kind === 'card') {
        this.#store.save(record.seq, { ...record, result: { ...record.result, sealedToken: null } });
      }
      this.#store.due.clear('erase_token');
    });
  }

  // ---- start ---------------------------------------------------------------------------------------------------

  async #start(presentation: Presentation, publicUrl: string): Promise<Outcome<StartedSession>> {
    const record = this.#store.load();
    if (record === undefined) return noSuchPage();
    if (record.state === 'pending') return this.#startAgain(presentation);
    if (record.state !== 'open') return notOpen(record);
    if (this.#starting === undefined) {
      if (record.expiresAt <= Date.now()) {
        await this.#apply('deadline_passed');
        return notOpen(record);
      }
      const limited = this.#limitStarts(Date.now());
      if (limited !== undefined) return limited;
      this.#starting = this.#init(record, presentation, publicUrl)
        .then((outcome) => {
          if (!outcome.ok) this.#failedStarts.push(Date.now());
          return outcome;
        })
        .finally(() => {
          this.#starting = undefined;
        });
      // The guest may go away; an accepted init is still worth storing.
      this.ctx.waitUntil(this.#starting);
    }
    return this.#starting;
  }

  #startAgain(presentation: Presentation): Outcome<StartedSession> {
    const record = this.#store.load();
    if (record === undefined || record.hosted === null) return noSuchPage();
    const next: StartedRecord = { ...record, hosted: record.hosted, presentation, askedAgainAt: Date.now() };
    this.#store.transaction(() => {
      this.#store.save(record.seq, next);
      this.#store.due.set('deadline', payingDeadline(scheduleFacts(next)));
      this.#store.due.arm();
    });
    return started(next);
  }

  async #init(record: SessionRecord, presentation: Presentation, publicUrl: string): Promise<Outcome<StartedSession>> {
    const property = propertyOf(this.env, record.property);
    if (property.broken) return toPropertyRefusal(property);
    const nonce = newSecret();
    const address = `${publicUrl}/return/${record.id}/${nonce}`;
    let hosted: HostedRequestRecord;
    try {
      const returns = { success: `${address}/success`, abort: `${address}/abort`, nonceHash: await sha256Hex(nonce) };
      hosted = await openHostedPage(this.env, property, { record, returns });
    } catch (error) {
      return toUpstreamRefusal(error);
    }
    const next = await this.#apply('init_accepted', { hosted, presentation });
    // Something ended the session meanwhile: nobody was sent to the page just opened, so no money can move on it.
    if (next === undefined) return notOpen(record);
    return started({ ...next, hosted });
  }

  #limitStarts(now: number): Refusal | undefined {
    this.#failedStarts = this.#failedStarts.filter((at) => now - at < MINUTE_MS);
    const [oldest = now] = this.#failedStarts;
    if (this.#failedStarts.length < MAX_FAILED_STARTS) return undefined;
    const retryAfterSeconds = Math.max(1, Math.ceil((oldest + MINUTE_MS - now) / 1_000));
    return refuse('rate_limited', {
      detail: 'Too many failed starts of this session; wait a moment',
      retryAfterSeconds,
    });
  }

  // ---- transitions ---------------------------------------------------------------------------------------------

  /** Applies one event; undefined when the machine has no such arrow, and then nothing changed. */
  async #apply(event: SessionEvent, change: SessionChange = {}): Promise<SessionRecord | undefined> {
    const record = this.#store.load();
    const state = record === undefined ? undefined : nextSessionState(record.state, event);
    if (record === undefined || state === undefined) return undefined;
    const now = Date.now();
    const next = transition(record, { state, now, ...change });
    const update = await ledgerUpdate(next, state, now);
    // Hashing let others run. Their transition came first, so this one is judged anew.
    if (this.#store.load()?.seq !== record.seq) return this.#apply(event, change);
    this.#store.transaction(() => {
      this.#store.save(record.seq, next);
      this.#store.outbox.add(update);
      this.#planAfter(next, now);
      this.#store.due.arm();
    });
    return next;
  }

  #planAfter(record: SessionRecord, now: number): void {
    const { due } = this.#store;
    this.#watcher.planLook(record, now);
    if (record.state === 'pending') due.set('deadline', payingDeadline(scheduleFacts(record)));
    else due.clear('deadline');
    if (record.state === 'succeeded' && record.result?.kind === 'card') {
      due.set('erase_token', now + CARD_TOKEN_RETENTION_MS);
    }
  }

  /** Ends a try whose time is over, should its alarm be late. */
  async #endOverdueTry(): Promise<void> {
    if (this.#store.load()?.state === 'pending') await this.#passDeadline();
  }

  // ---- helpers -------------------------------------------------------------------------------------------------

  async #replay(existing: SessionRecord, fingerprint: string): Promise<Outcome<MerchantSession>> {
    if (isEqualConstantTime(this.#store.fingerprint, fingerprint)) {
      return { ok: true, value: await this.#merchantView(existing) };
    }
    const detail = 'This key was used with another body: use a new key, or send the same body';
    return refuse('idempotency_mismatch', { detail, param: 'Idempotency-Key', resource: existing.id });
  }

  #ofProperty(property: string): Outcome<SessionRecord> {
    const record = this.#store.load();
    if (record === undefined || record.property !== property) {
      return refuse('not_found', { detail: 'There is no checkout session with this id' });
    }
    return { ok: true, value: record };
  }

  #enter(caller: GuestCaller): Outcome<SessionRecord> {
    const record = this.#store.load();
    if (record === undefined || !this.#store.hasClientSecret(caller.secretHash)) {
      return refuse('unauthorized', { detail: 'The client secret is wrong or was revoked' });
    }
    const property = propertyOf(this.env, record.property);
    if (!isAllowedOrigin(caller.origin, [...property.origins, caller.publicOrigin])) {
      return refuse('forbidden', { detail: 'This origin is not one of the property’s', param: 'Origin' });
    }
    return property.broken ? toPropertyRefusal(property) : { ok: true, value: record };
  }

  #page(): Outcome<SessionPage> {
    const record = this.#store.load();
    if (record === undefined) return noSuchPage();
    const { property, presentation, returnUrl, successor = null, previous } = record;
    const view = toCheckoutView(record, Date.now());
    return { ok: true, value: { view, property, presentation, returnUrl, successor, previous } };
  }

  async #merchantView(record: SessionRecord): Promise<MerchantSession> {
    const { result } = record;
    if (result?.kind !== 'card' || result.sealedToken === null) return toMerchantSession(record, null);
    const property = propertyOf(this.env, record.property);
    if (property.broken) return toMerchantSession(record, null);
    const { password, previousPassword } = property;
    const passwords = previousPassword === undefined ? [password] : [password, previousPassword];
    const token = await unseal(result.sealedToken, cardTokenPlace(record), passwords);
    return toMerchantSession(record, token ?? null);
  }
}

function started(record: StartedRecord): Outcome<StartedSession> {
  return { ok: true, value: { view: toCheckoutView(record, Date.now()), viewUrl: record.hosted.viewUrl } };
}

/** Whether a link may still make a successor of this session. */
function isPayableByLink({ state, expiresAt }: SessionRecord): boolean {
  return endedWithoutMoney(state) && expiresAt > Date.now();
}

function notOpen(record: SessionRecord): Refusal {
  return refuse('session_not_open', { detail: 'This session can no longer be started', resource: record.id });
}

function noSuchPage(): Refusal {
  return refuse('not_found', { detail: 'There is nothing at this address' });
}
