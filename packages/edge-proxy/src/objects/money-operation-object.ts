/**
 * One charge or one reversal. It is written down before it is sent, sent once from the alarm, and what is found `sent`
 * with nobody waiting for the answer is unknown. As the owner of a charge it also owns how much of it is given back.
 */
import { DurableObject } from 'cloudflare:workers';
import { currencyExponent } from '@innkeep/core/values';
import type { Property } from '../config/properties.ts';
import { propertyOf, type Settings } from '../config/settings.ts';
import { isEqualConstantTime } from '../crypto/hash.ts';
import { seal, unseal } from '../crypto/seal.ts';
import { waitAtMost } from '../deadline.ts';
import { derivedId } from '../ids.ts';
import {
  isFinalMoneyState,
  isMoneyNews,
  isUnderWay,
  type MoneyEvent,
  nextMoneyState,
  settlementOf,
} from '../policy/money-machine.ts';
import { ABANDONED, NO_CLEAR_ANSWER, noAccessToken } from '../policy/money-outcome.ts';
import {
  ANSWER_LIMIT_MS,
  CREATED_LIMIT_MS,
  REPEAT_GUARD_MS,
  TOKEN_LIMIT_MS,
  WATCHDOG_MS,
} from '../policy/money-timing.ts';
import type { MoneyValue } from '../policy/payment-limits.ts';
import { requestFingerprint } from '../policy/request-fingerprint.ts';
import { type Outcome, type Refusal, refuse } from '../problem.ts';
import {
  type ChargeRecord,
  type MerchantOperation,
  type MoneyRecord,
  type NewCharge,
  type NewReversal,
  type ReservedReversal,
  type ReversalRecord,
  toMerchantOperation,
} from '../records/money-record.ts';
import type { Resolution } from '../records/session-record.ts';
import { objectByName } from '../rpc/object-by-name.ts';
import type { DueRow } from '../storage/due-table.ts';
import { type Claim, MoneyStorage } from '../storage/money-storage.ts';
import type { Settlement, ShareRequest } from '../storage/reservation-table.ts';
import { type AccessTokenBindings, accessTokenObject, accessTokenSource } from '../upstream/access-token-source.ts';
import { type MoneyOutcome, sendCharge, sendReversal } from '../upstream/money-calls.ts';
import { failureCode, toPropertyRefusal } from '../upstream/upstream-failure.ts';
import type { CheckoutSessionObject } from './checkout-session-object.ts';
import type { LedgerObject, LedgerUpdate } from './ledger-object.ts';

/** What the object needs of the environment. */
export interface MoneyOperationBindings extends Settings, AccessTokenBindings {
  readonly MONEY_OPERATIONS: DurableObjectNamespace<MoneyOperationObject>;
  readonly CHECKOUT_SESSIONS: DurableObjectNamespace<CheckoutSessionObject>;
  readonly LEDGERS: DurableObjectNamespace<LedgerObject>;
}

/** What the object answers to whoever asked for the operation. */
export interface CreatedOperation {
  readonly operation: MerchantOperation;
  /** True when an earlier request with the same key made it. */
  readonly isReplay: boolean;
}

/** Why another charge like this one may be a duplicate: it may still be executed or have been, or it has just been. */
export type DuplicateRisk = 'undecided' | 'succeeded';

const DUPLICATE_DETAILS: Readonly<Record<DuplicateRisk, string>> = {
  undecided: 'The outcome of the same charge is not certain',
  succeeded: 'The same charge has succeeded less than ten minutes ago',
};

/** What is needed to charge, beyond what is stored. */
export interface ChargeOptions {
  readonly fingerprint: string;
  /** The stored card's token. */
  readonly token: string;
  readonly allowDuplicate: boolean;
}

const DAY_MS = 24 * 60 * 60_000;
/** How long a charge or a reversal is kept. */
const OPERATION_RETENTION_MS = 400 * DAY_MS;
/** How long a share of a payment may be claimed without the reversal being written down. */
const CLAIM_LIMIT_MS = 60_000;
/** How long a reversal's outcome waits for its payment to hear of it. */
const SETTLE_WAIT_MS = 1_000;

/** Owns one charge or one reversal. Its name is the operation's id. */
export class MoneyOperationObject extends DurableObject<MoneyOperationBindings> {
  readonly #store: MoneyStorage;
  /** Resolved once the operation that this instance has written down is no longer under way. */
  #decided: Promise<void> = Promise.resolve();
  #tellDecided: () => void = () => undefined;
  /** Fingerprint of the request that is being checked right now, before anything is written down. */
  #creating: string | undefined;
  #releasing: Promise<void> | undefined;
  /** This instance's own call. Without it, `sent` means that nobody will ever read the answer. */
  #sending: Promise<void> | undefined;

  constructor(ctx: DurableObjectState, env: MoneyOperationBindings) {
    super(ctx, env);
    this.#store = new MoneyStorage(ctx.storage);
  }

  // ---- merchant ------------------------------------------------------------------------------------------------

  /** Charges, or answers with the charge that the same request has made before. */
  charge(charge: NewCharge, options: ChargeOptions): Promise<Outcome<CreatedOperation>> {
    return this.#create(charge, options.fingerprint, (property) => this.#prepareCharge(charge, property, options));
  }

  /** Reverses, or answers with the reversal that the same request has made before. */
  reverse(reversal: NewReversal, fingerprint: string): Promise<Outcome<CreatedOperation>> {
    return this.#create(reversal, fingerprint, () => this.#prepareReversal(reversal, fingerprint));
  }

  /** What the same request has made before; null when it has made nothing. */
  async replay(id: string, fingerprint: string): Promise<Outcome<CreatedOperation | null>> {
    await this.#releasing;
    return this.#earlier(await this.#current(), { id, fingerprint }) ?? { ok: true, value: null };
  }

  /** The operation as its merchant sees it. */
  async retrieve(property: string): Promise<Outcome<MerchantOperation>> {
    const found = await this.#ofProperty(property);
    return found.ok ? { ok: true, value: toMerchantOperation(found.value) } : found;
  }

  /** Ends an unknown outcome with a person's evidence. */
  async resolve(property: string, resolution: Omit<Resolution, 'at'>): Promise<Outcome<MerchantOperation>> {
    const found = await this.#ofProperty(property);
    if (!found.ok) return found;
    const { id, transactionId } = found.value;
    const isSuccess = resolution.status === 'succeeded';
    const next = await this.#apply(isSuccess ? 'resolved_succeeded' : 'resolved_failed', {
      resolution: { ...resolution, at: Date.now() },
      transactionId: isSuccess ? (resolution.transactionId ?? transactionId) : transactionId,
      error: isSuccess ? null : { code: 'not_executed', message: `Resolved by hand: ${resolution.evidence}` },
    });
    if (next !== undefined) return { ok: true, value: toMerchantOperation(next) };
    return refuse('not_resolvable', { detail: 'Only an unknown outcome can be resolved', resource: id });
  }

  // ---- other objects -------------------------------------------------------------------------------------------

  /** What makes another charge like this one a duplicate; null when nothing does. */
  async duplicateRisk(): Promise<DuplicateRisk | null> {
    const record = await this.#current();
    if (this.#creating !== undefined) return 'undecided';
    return record === undefined ? null : duplicateRiskOf(record, Date.now());
  }

  /**
   * Gives a reversal its share of this charge. A later attempt of the same reversal replaces the earlier one's share: a
   * reversal asks only before it is written down, so nothing was sent for that one.
   */
  async reserveReversal(property: string, asked: ShareRequest): Promise<Outcome<ReservedReversal>> {
    const found = await this.#ofProperty(property);
    if (!found.ok) return found;
    const record = found.value;
    if (record.kind !== 'charge' || record.state !== 'succeeded' || record.transactionId === null) {
      return refuse('not_reversible', {
        detail: 'Only a charge that has succeeded can be reversed',
        resource: record.id,
      });
    }
    const { amount, hotel, reference, serviceProvider, transactionId } = record;
    let outcome: Outcome<MoneyValue> | undefined;
    this.#store.transaction(() => {
      outcome = this.#store.reservations.take(asked, {
        total: amount,
        amountUnit: hotel.amountUnit,
        exponentOf: currencyExponent,
      });
      this.#saveSums(record);
    });
    if (outcome === undefined || !outcome.ok) return outcome ?? notFound();
    const reserved = { amount: outcome.value, reference, paymentTransactionId: transactionId, serviceProvider, hotel };
    return { ok: true, value: reserved };
  }

  /** Hears how a reversal of this charge ended. Hearing it again changes nothing. */
  async settleReversal(property: string, id: string, settlement: Settlement, epoch?: number): Promise<Outcome<null>> {
    const found = await this.#ofProperty(property);
    if (!found.ok) return found;
    const record = found.value;
    this.#store.transaction(() => {
      if (record.kind !== 'charge') return;
      if (this.#store.reservations.settle({ id, settlement, epoch })) this.#saveSums(record);
    });
    return { ok: true, value: null };
  }

  // ---- the alarm -----------------------------------------------------------------------------------------------

  /** Runs what is due. At least once each; only `#send` must not run twice, and its record sees to that. */
  override async alarm(): Promise<void> {
    if (!this.#store.exists()) return;
    const now = Date.now();
    const { due } = this.#store;
    // Erasing takes the table of due things along, so it is not one among others.
    if ((due.get('erase')?.at ?? now + 1) <= now) return this.#store.erase();
    if ((due.get('release')?.at ?? now + 1) <= now && (await this.#release())) return;
    await this.#current();
    await due.run(now, (row) => this.#runDue(row));
  }

  async #runDue(row: DueRow): Promise<void> {
    switch (row.kind) {
      case 'send':
        return this.#send();
      case 'outbox':
        return this.#sendOutbox();
      case 'settle':
        return this.#settle();
      default:
        // The watchdog has done its work by waking the object up. Else: a kind of a version that was rolled back.
        this.#store.due.clear(row.kind);
    }
  }

  // ---- creating ------------------------------------------------------------------------------------------------

  async #create(
    asked: NewCharge | NewReversal,
    fingerprint: string,
    prepare: (property: Property) => Promise<Refusal | undefined>,
  ): Promise<Outcome<CreatedOperation>> {
    await this.#releasing;
    const existing = await this.#current();
    // Nothing is awaited between this and the mark: of two calls at the same time one sees the other.
    const earlier = this.#earlier(existing, { id: asked.id, fingerprint });
    if (earlier !== undefined) return earlier;
    const property = propertyOf(this.env, asked.property);
    if (property.broken) return toPropertyRefusal(property);
    this.#creating = fingerprint;
    try {
      const refusal = (await this.#refuseIfDown(property)) ?? (await prepare(property));
      if (refusal !== undefined) return refusal;
    } finally {
      this.#creating = undefined;
    }
    await this.#untilDecided(asked.createdAt + ANSWER_LIMIT_MS);
    const record = await this.#current();
    return record === undefined
      ? notFound()
      : { ok: true, value: { operation: toMerchantOperation(record), isReplay: false } };
  }

  /** The answer to a key that is taken; undefined when it is free. */
  #earlier(
    existing: MoneyRecord | undefined,
    { id, fingerprint }: { readonly id: string; readonly fingerprint: string },
  ): Outcome<CreatedOperation> | undefined {
    if (existing !== undefined) return this.#replay(existing, fingerprint);
    if (this.#creating === undefined) return undefined;
    return isEqualConstantTime(this.#creating, fingerprint) ? inProgress(id) : mismatch(id);
  }

  #replay(record: MoneyRecord, fingerprint: string): Outcome<CreatedOperation> {
    if (!isEqualConstantTime(this.#store.fingerprint, fingerprint)) return mismatch(record.id);
    const isFirstCallWaiting = isUnderWay(record.state) && Date.now() < record.createdAt + ANSWER_LIMIT_MS;
    if (isFirstCallWaiting) return inProgress(record.id);
    return { ok: true, value: { operation: toMerchantOperation(record), isReplay: true } };
  }

  async #refuseIfDown(property: Property): Promise<Refusal | undefined> {
    let downMs: number;
    try {
      downMs = await (await accessTokenObject(this.env, property)).knownDownMs();
    } catch {
      return unavailable('The keeper of the access token does not answer: nothing was stored');
    }
    if (downMs === 0) return undefined;
    return unavailable('The payment service has just failed: nothing was stored', Math.ceil(downMs / 1_000));
  }

  async #prepareCharge(charge: NewCharge, property: Property, options: ChargeOptions): Promise<Refusal | undefined> {
    const duplicate = await this.#findDuplicate(charge, options.allowDuplicate);
    if (duplicate !== undefined) return duplicate;
    const sealedToken = await seal(options.token, chargeTokenPlace(charge), property.password);
    this.#writeDown(
      {
        ...charge,
        ...NEW_PROGRESS,
        sealedToken,
        maskedCard: null,
        sums: { reversed: 0, reversing: 0 },
      },
      options.fingerprint,
    );
    return undefined;
  }

  /** Announces the charge in the ledger and asks the same ones announced before how they stand. */
  async #findDuplicate(charge: NewCharge, isAllowed: boolean): Promise<Refusal | undefined> {
    const { id, property, reference, reason, amount } = charge;
    const ledger = objectByName(this.env.LEDGERS, property, this.env);
    // What is left announced by mistake is found to be nothing by the next one that asks.
    const drop = (which: string): Promise<void> => ledger.dropIntent(which).catch(() => undefined);
    try {
      const earlier = await ledger.claimIntent(property, id, await requestFingerprint({ reference, reason, amount }));
      if (isAllowed) return undefined;
      const risks = await Promise.all(
        earlier.map((other) => objectByName(this.env.MONEY_OPERATIONS, other, this.env).duplicateRisk()),
      );
      const first = risks.findIndex((risk) => risk !== null);
      await Promise.all(earlier.filter((_, index) => risks[index] === null).map(drop));
      if (first < 0) return undefined;
      await drop(id);
      return refuse('possible_duplicate', {
        detail: `${DUPLICATE_DETAILS[risks[first] ?? 'undecided']}; say allowDuplicate if this is another one`,
        resource: earlier[first] ?? id,
      });
    } catch {
      this.ctx.waitUntil(drop(id));
      return unavailable('It cannot be said whether the same charge was made before: nothing was stored; try again');
    }
  }

  async #prepareReversal(asked: NewReversal, fingerprint: string): Promise<Refusal | undefined> {
    const { id, property, payment, amount } = asked;
    const earlier = this.#store.findClaim();
    // Of an attempt that was cut off. There is one claim, so a share of another payment is given back first.
    if (earlier !== undefined && earlier.payment !== payment && !(await this.#giveUp(earlier))) return inProgress(id);
    const epoch = Math.max(Date.now(), (earlier?.epoch ?? 0) + 1);
    // The share must not stay claimed when this instance dies between here and the record.
    this.#store.transaction(() => {
      this.#store.prepare();
      this.#store.addClaim({ id, payment, property, epoch });
      this.#store.due.set('release', Date.now() + CLAIM_LIMIT_MS);
      this.#store.due.arm();
    });
    let reserved: Outcome<ReservedReversal>;
    try {
      reserved = await this.#payment(payment).reserveReversal(property, { id, amount, epoch });
    } catch {
      // It may have been reserved all the same: the claim stays, and is released.
      return unavailable('The payment to reverse does not answer: nothing was sent; try again');
    }
    if (!reserved.ok) {
      // A request of an earlier attempt may be on its way yet: then the claim stays, and its release ends both.
      if (earlier === undefined) await this.#store.erase();
      return reserved;
    }
    this.#writeDown({ ...asked, ...reserved.value, ...NEW_PROGRESS, epoch }, fingerprint);
    return undefined;
  }

  #writeDown(record: MoneyRecord, fingerprint: string): void {
    this.#decided = new Promise((resolve) => {
      this.#tellDecided = resolve;
    });
    const { due } = this.#store;
    this.#store.transaction(() => {
      this.#store.prepare();
      this.#store.create(record, fingerprint);
      due.clear('release');
      due.set('send', Date.now());
      due.set('erase', record.createdAt + OPERATION_RETENTION_MS);
      due.arm();
    });
  }

  /** Gives a claimed share back when the reversal was never written down. False: there is something else to do. */
  async #release(): Promise<boolean> {
    const claim = this.#store.findClaim();
    if (claim === undefined || this.#store.load() !== undefined) {
      this.#store.due.clear('release');
      return false;
    }
    if (this.#creating !== undefined) {
      this.#store.due.set('release', Date.now() + CLAIM_LIMIT_MS);
      return false;
    }
    this.#releasing = this.#giveUp(claim).then(async (isGivenUp) => {
      if (isGivenUp) return this.#store.erase();
      this.#store.due.set('release', Date.now() + 5_000);
      this.#store.due.arm();
    });
    try {
      await this.#releasing;
    } finally {
      this.#releasing = undefined;
    }
    return true;
  }

  /** Gives a claimed share back; false when the payment does not answer. */
  async #giveUp(claim: Claim): Promise<boolean> {
    try {
      await this.#settleAt(claim, 'released');
      return true;
    } catch {
      return false;
    }
  }

  // ---- sending -------------------------------------------------------------------------------------------------

  #send(): Promise<void> {
    this.#sending ??= this.#sendOnce().finally(() => {
      this.#sending = undefined;
    });
    return this.#sending;
  }

  async #sendOnce(): Promise<void> {
    const record = this.#store.load();
    if (record?.state !== 'created') return this.#store.due.clear('send');
    const property = propertyOf(this.env, record.property);
    const token = property.broken ? 'configuration' : await this.#untilToken(property);
    if (property.broken || token !== undefined) {
      await this.#apply('not_executed', { error: noAccessToken(token ?? 'configuration').error });
      return;
    }
    const cardToken = record.kind === 'charge' ? await this.#openToken(record, property) : '';
    if (cardToken === undefined || Date.now() > record.createdAt + CREATED_LIMIT_MS) {
      await this.#apply('not_executed', { error: ABANDONED.error });
      return;
    }
    const sent = await this.#apply('handed_over', { sealedToken: null });
    if (sent === undefined) return;
    await this.#store.sync();
    this.ctx.waitUntil(this.#tellLedgerEarly());
    const { event, error, transactionId, maskedCard } = await this.#call(sent, property, cardToken);
    await this.#apply(event, { error, transactionId, maskedCard });
  }

  #call(record: MoneyRecord, property: Property, cardToken: string): Promise<MoneyOutcome> {
    return record.kind === 'charge'
      ? sendCharge(this.env, property, { record, cardToken })
      : sendReversal(this.env, property, record);
  }

  /** Gets the access token before anything is called sent; answers with the reason when there is none. */
  async #untilToken(property: Property): Promise<string | undefined> {
    let reason: string | undefined = 'timeout';
    const asking = accessTokenSource(
      this.env,
      property,
    )({}).then(
      () => {
        reason = undefined;
      },
      (error: unknown) => {
        reason = failureCode(error);
      },
    );
    await waitAtMost(TOKEN_LIMIT_MS, asking);
    return reason;
  }

  async #openToken(record: ChargeRecord, property: Property): Promise<string | undefined> {
    if (record.sealedToken === null) return undefined;
    const { password, previousPassword } = property;
    const passwords = previousPassword === undefined ? [password] : [password, previousPassword];
    return unseal(record.sealedToken, chargeTokenPlace(record), passwords);
  }

  /** Waits for the outcome, but not beyond an instant. */
  async #untilDecided(limit: number): Promise<void> {
    const record = this.#store.load();
    if (record !== undefined && !isUnderWay(record.state)) return;
    await waitAtMost(Math.max(0, limit - Date.now()), this.#decided);
  }

  // ---- transitions ---------------------------------------------------------------------------------------------

  /** The record as it is now. Found `sent` with no call of this instance: its answer is lost. */
  async #current(): Promise<MoneyRecord | undefined> {
    const record = this.#store.load();
    if (record?.state !== 'sent' || this.#sending !== undefined) return record;
    await this.#apply(NO_CLEAR_ANSWER.event, { error: NO_CLEAR_ANSWER.error });
    return this.#store.load();
  }

  /** Applies one event; undefined when the machine has no such arrow, and then nothing changed. */
  async #apply(event: MoneyEvent, change: Partial<ChargeRecord>): Promise<MoneyRecord | undefined> {
    const record = this.#store.load();
    const state = record === undefined ? undefined : nextMoneyState(record.state, event);
    if (record === undefined || state === undefined) return undefined;
    const now = Date.now();
    const completion = isFinalMoneyState(state) ? { completedAt: now } : {};
    const next = { ...record, ...ofKind(record, change), ...completion, seq: record.seq + 1, state } as MoneyRecord;
    const update = await ledgerUpdate(next, now);
    // Hashing let others run. Their transition came first, so this one is judged anew.
    if (this.#store.load()?.seq !== record.seq) return this.#apply(event, change);
    const { due } = this.#store;
    this.#store.transaction(() => {
      this.#store.save(record.seq, next);
      this.#store.outbox.add(update);
      due.clear('send');
      if (state === 'sent') due.set('watchdog', now + WATCHDOG_MS);
      else due.clear('watchdog');
      if (next.kind === 'reversal' && settlementOf(state) !== undefined) due.set('settle', now);
      due.arm();
    });
    if (!isUnderWay(state)) {
      if (next.kind === 'reversal' && settlementOf(state) !== undefined) await this.#settleSoon();
      this.#tellDecided();
    }
    return next;
  }

  /** A new version of a charge of which something is given back. Part of the caller's transaction. */
  #saveSums(record: ChargeRecord): void {
    const next = { ...record, seq: record.seq + 1, sums: this.#store.reservations.sums() };
    if (next.sums.reversed === record.sums.reversed && next.sums.reversing === record.sums.reversing) return;
    this.#store.save(record.seq, next);
    this.#store.outbox.add(toUpdate(next, { eventId: '', type: null, at: Date.now() }));
    this.#store.due.arm();
  }

  // ---- telling others ------------------------------------------------------------------------------------------

  async #sendOutbox(): Promise<void> {
    const record = this.#store.load();
    if (record === undefined) return;
    await this.#store.outbox.send(objectByName(this.env.LEDGERS, record.property, this.env), record.property);
  }

  /** Lists show what is under way. When this fails, the news goes with the outcome's. */
  async #tellLedgerEarly(): Promise<void> {
    await this.#sendOutbox().catch(() => undefined);
    this.#store.due.arm();
  }

  /** Lets the payment know before the caller does, if it can be had quickly. What is due stays due until it knows. */
  async #settleSoon(): Promise<void> {
    const settling = this.#settle().catch(() => undefined);
    this.ctx.waitUntil(settling);
    await waitAtMost(SETTLE_WAIT_MS, settling);
  }

  async #settle(): Promise<void> {
    const record = this.#store.load();
    const settlement = record?.kind === 'reversal' ? settlementOf(record.state) : undefined;
    if (record?.kind === 'reversal' && settlement !== undefined) {
      await this.#settleAt(record, settlement);
    }
    this.#store.due.clear('settle');
  }

  async #settleAt({ id, payment, property, epoch }: Claim, settlement: Settlement): Promise<void> {
    // A payment that is not there (any more) has nothing to settle: any answer ends it, only no answer does not.
    await this.#payment(payment).settleReversal(property, id, settlement, epoch);
  }

  // ---- helpers -------------------------------------------------------------------------------------------------

  #payment(id: string): DurableObjectStub<CheckoutSessionObject> | DurableObjectStub<MoneyOperationObject> {
    return id.startsWith('cs_')
      ? objectByName(this.env.CHECKOUT_SESSIONS, id, this.env)
      : objectByName(this.env.MONEY_OPERATIONS, id, this.env);
  }

  async #ofProperty(property: string): Promise<Outcome<MoneyRecord>> {
    const record = await this.#current();
    return record === undefined || record.property !== property ? notFound() : { ok: true, value: record };
  }
}

const NEW_PROGRESS = { seq: 1, state: 'created', transactionId: null, error: null, resolution: null } as const;

/** A reversal has no card: what only charges have is left out of its record. */
function ofKind(record: MoneyRecord, change: Partial<ChargeRecord>): Partial<ChargeRecord> | Partial<ReversalRecord> {
  if (record.kind === 'charge') return change;
  const { sealedToken: _, maskedCard: _card, sums: _sums, kind: _kind, ...rest } = change;
  return rest;
}

async function ledgerUpdate(record: MoneyRecord, now: number): Promise<LedgerUpdate> {
  const eventId = await derivedId('ev', [record.id, String(record.seq)]);
  return toUpdate(record, {
    eventId,
    type: isMoneyNews(record.state) ? `${record.kind}.${record.state}` : null,
    at: now,
  });
}

function toUpdate(record: MoneyRecord, news: Pick<LedgerUpdate, 'eventId' | 'type' | 'at'>): LedgerUpdate {
  return {
    ...news,
    resource: {
      id: record.id,
      kind: record.kind,
      seq: record.seq,
      status: record.state,
      reference: record.reference,
      createdAt: record.createdAt,
      body: JSON.stringify(toMerchantOperation(record)),
    },
    ...intentOf(record),
  };
}

/** How long the ledger keeps a charge announced. */
function intentOf(record: MoneyRecord): Pick<LedgerUpdate, 'endsIntent' | 'keepsIntentUntil'> {
  if (record.kind !== 'charge' || !isFinalMoneyState(record.state)) return {};
  if (record.state !== 'succeeded') return { endsIntent: true };
  return { keepsIntentUntil: succeededAt(record) + REPEAT_GUARD_MS };
}

function duplicateRiskOf(record: MoneyRecord, now: number): DuplicateRisk | null {
  if (!isFinalMoneyState(record.state)) return 'undecided';
  return record.state === 'succeeded' && now < succeededAt(record) + REPEAT_GUARD_MS ? 'succeeded' : null;
}

/** Records of a version that did not keep it have succeeded at their creation, as far as anybody knows. */
function succeededAt(record: MoneyRecord): number {
  return record.completedAt ?? record.createdAt;
}

/** Where a charge's card token is sealed for. */
function chargeTokenPlace(charge: { readonly property: string; readonly id: string }): string {
  return `charge-token:${charge.property}:${charge.id}`;
}

function notFound(): Refusal {
  return refuse('not_found', { detail: 'There is no charge or reversal with this id' });
}

function unavailable(detail: string, retryAfterSeconds = 5): Refusal {
  return refuse('upstream_unavailable', { detail, retryAfterSeconds });
}

function inProgress(id: string): Refusal {
  const detail = 'The first call with this key is still running; ask again, or read the resource';
  return refuse('idempotency_in_progress', { detail, resource: id, retryAfterSeconds: 1 });
}

function mismatch(id: string): Refusal {
  const detail = 'This key was used with another body: use a new key, or send the same body';
  return refuse('idempotency_mismatch', { detail, param: 'Idempotency-Key', resource: id });
}
