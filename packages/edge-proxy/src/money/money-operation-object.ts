/**
 * One charge or one reversal. It is written down before it is sent, sent once from the alarm, and a record
 * found `sent` without a call of this instance is unknown. The object of a charge also owns how much of it is refunded.
 */

import { isEqualConstantTime } from '../http/hash.ts';
import { keyMismatch } from '../http/idempotency.ts';
import { type Outcome, ok, type Refusal, refuse } from '../http/problem.ts';
import { seal } from '../http/seal.ts';
import { dayOf } from '../ledger/hotel-days.ts';
import type { LedgerObject } from '../ledger/ledger-object.ts';
import { alarmSetFor } from '../objects/moved-alarms.ts';
import { objectByName } from '../objects/object-by-name.ts';
import { PlacedObject } from '../objects/placed-object.ts';
import type { Task } from '../objects/schedule.ts';
import { type Actor, isSameAuthor } from '../properties/actor.ts';
import type { Act } from '../properties/audit-row.ts';
import { type Property, sealingSecretsOf } from '../properties/configured-properties.ts';
import { type PropertyBindings, propertyOf } from '../properties/properties.ts';
import { KEY_OF_OTHER_MODE } from '../records/other-mode.ts';
import { REDACT_REVERSALS, Redaction } from '../records/redaction.ts';
import { ReservedAmounts } from '../records/reserved-amounts.ts';
import type { Finding } from '../records/resolution.ts';
import type { ReservedReversal, ReversibleObject } from '../records/reversible-payment.ts';
import type { AllocationRequest, Settlement } from '../records/shares.ts';
import { telemetryOf } from '../telemetry/telemetry-of.ts';
import type { AccessTokenBindings } from '../upstream/access-token-source.ts';
import { toPropertyRefusal } from '../upstream/upstream-failure.ts';
import { refuseDuplicate, refuseIfDown } from './charge-guard.ts';
import { paymentOfCharge } from './charge-payment.ts';
import { isFinalMoneyState, isUnderWay } from './money-machine.ts';
import { NO_CLEAR_ANSWER } from './money-outcome.ts';
import {
  type MerchantOperation,
  type MoneyRecord,
  type NewCharge,
  type NewReversal,
  toMerchantOperation,
} from './money-record.ts';
import { chargeTokenAad, MoneySender } from './money-sender.ts';
import { MoneyStorage } from './money-storage.ts';
import { ANSWER_LIMIT_MS } from './money-timing.ts';
import { type DuplicateRisk, duplicateRiskOf, NEW_PROGRESS } from './money-transition.ts';
import { MoneyTransitions } from './money-transitions.ts';
import { inProgress } from './refusals.ts';
import { ReversalAllocation, type ReversalLimits } from './reversal-allocation.ts';

export interface MoneyOperationBindings extends PropertyBindings, AccessTokenBindings {
  readonly MONEY_OPERATIONS: DurableObjectNamespace<MoneyOperationObject>;
  readonly CHECKOUT_SESSIONS: DurableObjectNamespace<ReversibleObject>;
  readonly LEDGERS: DurableObjectNamespace<LedgerObject>;
}

/** The answer to a request for an operation. */
export interface CreatedOperation {
  readonly operation: MerchantOperation;
  /** True when an earlier request with the same key made it. */
  readonly isReplay: boolean;
}

/** What a reversal needs besides what is stored. */
export interface ReversalOptions extends OperationOptions, ReversalLimits {}

/** What a charge needs besides what is stored. */
export interface ChargeOptions extends OperationOptions {
  readonly token: string;
}

interface OperationOptions {
  readonly fingerprint: string;
  readonly allowDuplicate: boolean;
  readonly traceparent?: string | undefined;
}

/** Owns one charge or one reversal. Its name is the operation's id. */
export class MoneyOperationObject extends PlacedObject<MoneyOperationBindings> {
  readonly #store: MoneyStorage;
  readonly #transitions: MoneyTransitions;
  readonly #reservedAmounts: ReservedAmounts<MoneyRecord>;
  readonly #allocation: ReversalAllocation;
  readonly #redaction: Redaction<MoneyRecord>;
  readonly #sender: MoneySender;
  /** Fingerprint of the request that is being checked right now, before anything is written down. */
  #creating: string | undefined;
  /** Of the request that asked for the operation. Only in memory: after a crash its call belongs to no request. */
  #traceparent: string | undefined;

  constructor(ctx: DurableObjectState, bindings: MoneyOperationBindings) {
    super(ctx, bindings);
    const { env } = this;
    const store = new MoneyStorage(ctx.storage, {
      ledgerOf: (property) => objectByName(env.LEDGERS, property, env),
      waitUntil: (work) => ctx.waitUntil(work),
    });
    const telemetry = telemetryOf(env);
    const transitions = new MoneyTransitions(store, () => this.#allocation.settleSoon(), {
      onUnknown: ({ kind, property }) => telemetry?.unknownOutcome(kind, property),
    });
    this.#store = store;
    this.#transitions = transitions;
    this.#reservedAmounts = new ReservedAmounts(store, (record, sums) =>
      record.kind === 'charge' ? { ...record, sums } : record,
    );
    this.#allocation = new ReversalAllocation({
      store,
      payment: (id) =>
        id.startsWith('cs_')
          ? objectByName(env.CHECKOUT_SESSIONS, id, env)
          : objectByName(env.MONEY_OPERATIONS, id, env),
      ledger: (property) => objectByName(env.LEDGERS, property, env),
      isCreating: () => this.#creating !== undefined,
      waitUntil: (work) => ctx.waitUntil(work),
    });
    this.#redaction = new Redaction(store, (id) => objectByName(env.MONEY_OPERATIONS, id, env));
    this.#sender = new MoneySender({
      bindings: env,
      store,
      apply: (event, change) => transitions.apply(event, change),
      telemetry,
    });
  }

  // ---- merchant ------------------------------------------------------------------------------------------------

  /** Charges, or returns the charge that the same request made before. */
  charge(charge: NewCharge, options: ChargeOptions): Promise<Outcome<CreatedOperation>> {
    return this.#create(charge, options, async (property) => {
      const duplicate = await refuseDuplicate(charge, {
        isAllowed: options.allowDuplicate,
        ledger: objectByName(this.env.LEDGERS, charge.property, this.env),
        riskOf: (id) => objectByName(this.env.MONEY_OPERATIONS, id, this.env).duplicateRisk(charge.livemode),
        waitUntil: (work) => this.ctx.waitUntil(work),
      });
      if (duplicate !== undefined) return duplicate;
      const sealedToken = await seal(options.token, chargeTokenAad(charge), sealingSecretsOf(property));
      const sums = { reversed: 0, reversing: 0 };
      this.#transitions.begin({ ...charge, ...NEW_PROGRESS, sealedToken, maskedCard: null, sums }, options.fingerprint);
      return undefined;
    });
  }

  /** Reverses, or returns the reversal that the same request made before. */
  reverse(reversal: NewReversal, options: ReversalOptions): Promise<Outcome<CreatedOperation>> {
    return this.#create(reversal, options, async (property) => {
      const { amountUnit } = property;
      // Live money is counted under the plain day. Test money counts separately.
      const day = `${reversal.livemode ? '' : 'test '}${dayOf(reversal.createdAt, property)}`;
      const reserved = await this.#allocation.reserve(reversal, { ...options, amountUnit, day });
      if (!reserved.ok) return reserved;
      this.#transitions.begin({ ...reversal, ...reserved.value, ...NEW_PROGRESS }, options.fingerprint);
      return undefined;
    });
  }

  /** What the same request made before; null when it made nothing. `livemode`: of the property now. */
  async replay(id: string, fingerprint: string, livemode?: boolean): Promise<Outcome<CreatedOperation | null>> {
    await this.#allocation.releasing;
    return this.#earlier(await this.#current(), { id, fingerprint, livemode }) ?? ok(null);
  }

  async retrieve(property: string): Promise<Outcome<MerchantOperation>> {
    const found = await this.#ofProperty(property);
    return found.ok ? ok(toMerchantOperation(found.value)) : found;
  }

  async resolve(
    property: string,
    finding: Finding,
    { actor, fourEyes }: { readonly actor: Actor; readonly fourEyes: boolean },
  ): Promise<Outcome<MerchantOperation>> {
    const found = await this.#ofProperty(property);
    if (!found.ok) return found;
    const { kind, state, madeBy } = found.value;
    const isOwn = kind === 'reversal' && finding.status === 'failed' && isSameAuthor(madeBy.by, actor.by);
    if (fourEyes && isOwn && state === 'unknown') {
      const detail = 'Somebody other than the author of this reversal must resolve it as failed';
      return refuse('forbidden', { detail, resource: found.value.id });
    }
    const next = await this.#transitions.resolve(found.value, finding, actor);
    if (next !== undefined) return ok(toMerchantOperation(next));
    const detail = 'Only an unknown outcome can be resolved';
    return refuse('not_resolvable', { detail, resource: found.value.id });
  }

  /** Erases its words, for good. `actor` null: they are older than the hotel keeps any, or its payment was redacted. */
  async redact(property: string, actor: Actor | null, payment?: string): Promise<Outcome<MerchantOperation>> {
    const found = await this.#ofProperty(property);
    if (!found.ok) return found;
    const { kind, state } = found.value;
    const isOfAnother = found.value.kind === 'reversal' && found.value.payment !== payment;
    if (payment !== undefined && isOfAnother) return this.#store.notFound();
    const act: Act | undefined = actor === null ? undefined : { action: `${kind}.redacted`, actor };
    const refusal = await this.#redaction.redact(found.value, isFinalMoneyState(state), act);
    return refusal ?? this.retrieve(property);
  }

  // ---- other objects -------------------------------------------------------------------------------------------

  /** Why another charge like this one may be a duplicate; null when it would not be any more. `livemode`: of the other one. */
  async duplicateRisk(livemode?: boolean): Promise<DuplicateRisk | 'other_mode' | null> {
    const record = await this.#current();
    if (this.#creating !== undefined) return 'undecided';
    if (record === undefined) return null;
    return (livemode ?? record.livemode) === record.livemode ? duplicateRiskOf(record, Date.now()) : 'other_mode';
  }

  async reserveReversal(property: string, asked: AllocationRequest): Promise<Outcome<ReservedReversal>> {
    const found = await this.#ofProperty(property);
    if (!found.ok) return found;
    if (asked.attempt !== null)
      return refuse('invalid_request', { detail: 'A charge has no attempts', param: 'attempt' });
    return this.#reservedAmounts.reserve(found.value, paymentOfCharge(found.value), asked);
  }

  async settleReversal(property: string, id: string, settlement: Settlement, epoch: number): Promise<Outcome<null>> {
    const found = await this.#ofProperty(property);
    if (!found.ok) return found;
    if (found.value.kind === 'charge') this.#reservedAmounts.settle(found.value, { id, settlement, epoch });
    return ok(null);
  }

  /** Whether it is gone. It stays while its outcome is in doubt, or when it happened later than `before`. */
  async eraseIfOver(before: number): Promise<boolean> {
    return this.#store.eraseIfOver(before, ({ state }) => isFinalMoneyState(state));
  }

  // ---- the alarm -----------------------------------------------------------------------------------------------

  /** Runs what is due, each step at least once. The call must not be made twice; the record makes sure of that. */
  protected override async runAlarm(info?: AlarmInvocationInfo): Promise<void> {
    const store = this.#store;
    if (!store.exists()) return;
    if (store.due.isDue('release') && (await this.#allocation.release())) return;
    await this.#current();
    await store.runDue((task) => this.#runDue(task), alarmSetFor(info, this.env));
  }

  async #runDue({ kind }: Task): Promise<void> {
    switch (kind) {
      case 'send':
        return this.#sender.send(this.#traceparent);
      case 'settle':
        return this.#allocation.settle();
      case REDACT_REVERSALS:
        return this.#redaction.redactReversals();
      default:
        // The watchdog only has to wake the object up. Anything else was written by a newer version that was rolled back.
        this.#store.due.clear(kind);
    }
  }

  // ---- creating ------------------------------------------------------------------------------------------------

  async #create(
    asked: NewCharge | NewReversal,
    { fingerprint, traceparent }: { readonly fingerprint: string; readonly traceparent?: string | undefined },
    prepare: (property: Property) => Promise<Refusal | undefined>,
  ): Promise<Outcome<CreatedOperation>> {
    const property = await propertyOf(this.env, asked.property);
    await this.#allocation.releasing;
    const existing = await this.#current();
    // Nothing is awaited from here to `#creating`, so of two calls at the same time one sees the other.
    const earlier = this.#earlier(existing, { id: asked.id, fingerprint, livemode: asked.livemode });
    if (earlier !== undefined) return earlier;
    if (property.invalid) return toPropertyRefusal(property);
    this.#creating = fingerprint;
    this.#traceparent = traceparent;
    try {
      const refusal = (await refuseIfDown(this.env, property)) ?? (await prepare(property));
      if (refusal !== undefined) return refusal;
    } finally {
      this.#creating = undefined;
    }
    await this.#transitions.untilDecided(asked.createdAt + ANSWER_LIMIT_MS);
    const record = await this.#current();
    if (record === undefined) return this.#store.notFound();
    return ok({ operation: toMerchantOperation(record), isReplay: false });
  }

  /** The answer to a key that is taken; undefined when it is free. */
  #earlier(
    existing: MoneyRecord | undefined,
    {
      id,
      fingerprint,
      livemode,
    }: { readonly id: string; readonly fingerprint: string; readonly livemode?: boolean | undefined },
  ): Outcome<CreatedOperation> | undefined {
    if (existing === undefined) {
      if (this.#creating === undefined) return undefined;
      return isEqualConstantTime(this.#creating, fingerprint) ? inProgress(id) : keyMismatch(id);
    }
    const refusal = this.#store.refuseOther(existing, fingerprint);
    if (refusal !== undefined) return refusal;
    if ((livemode ?? existing.livemode) !== existing.livemode) return keyMismatch(existing.id, KEY_OF_OTHER_MODE);
    const isFirstCallWaiting = isUnderWay(existing.state) && Date.now() < existing.createdAt + ANSWER_LIMIT_MS;
    if (isFirstCallWaiting) return inProgress(existing.id);
    return ok({ operation: toMerchantOperation(existing), isReplay: true });
  }

  async #ofProperty(property: string): Promise<Outcome<MoneyRecord>> {
    await this.#current();
    return this.#store.ofProperty(property);
  }

  /** The record as it is now. If it is `sent` without a call of this instance, the answer is lost. */
  async #current(): Promise<MoneyRecord | undefined> {
    const store = this.#store;
    const record = store.load();
    // Left by an earlier version with what was never sent.
    if (record?.kind === 'charge' && isFinalMoneyState(record.state) && record.sealedToken !== null) {
      store.transaction(() => store.save(record.seq, { ...record, sealedToken: null }));
    }
    if (record?.state !== 'sent' || this.#sender.isSending) return store.load();
    await this.#transitions.apply(NO_CLEAR_ANSWER.event, { error: NO_CLEAR_ANSWER.error });
    return this.#store.load();
  }
}
