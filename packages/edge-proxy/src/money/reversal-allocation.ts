/**
 * A reversal's share of its payment: claimed before the reversal is written down, so that a crash in between cannot keep
 * it, and settled once the outcome is certain.
 */

import type { AmountUnit } from '@innkeep/core/contract';
import { waitAtMost } from '../http/deadline.ts';
import { type Outcome, ok, type Refusal } from '../http/problem.ts';
import type { LedgerObject } from '../ledger/ledger-object.ts';
import type { ReservedReversal, ReversibleObject } from '../records/reversible-payment.ts';
import type { Settlement } from '../records/shares.ts';
import { settlementOf } from './money-machine.ts';
import type { NewReversal } from './money-record.ts';
import type { Claim, MoneyStorage } from './money-storage.ts';
import { inProgress, unavailable } from './refusals.ts';

type PaymentObject = Pick<ReversibleObject, 'reserveReversal' | 'settleReversal'>;
/** The ledger of a hotel. */
type LimitingLedger = Pick<LedgerObject, 'claimReversal' | 'releaseReversal'>;

export interface AllocationHost {
  readonly store: MoneyStorage;
  readonly payment: (id: string) => PaymentObject;
  readonly ledger: (property: string) => LimitingLedger;
  /** Whether a request is being checked right now that may write the reversal down. */
  readonly isCreating: () => boolean;
  readonly waitUntil: (work: Promise<unknown>) => void;
}

/** How long a share of a payment may be claimed without the reversal being written down. */
const CLAIM_LIMIT_MS = 60_000;
/** How long to wait after a payment did not answer to a release. */
const RELEASE_RETRY_MS = 5_000;
/** How long a reversal's outcome waits for its payment to learn of it. */
const SETTLE_WAIT_MS = 1_000;

/** Largest amounts by currency, in minor units. */
type AmountLimits = Readonly<Record<string, number>>;

/** The largest amounts of a day that may be refunded; absent where there is no limit. */
export interface ReversalLimits {
  /** Of the key. */
  readonly limit?: AmountLimits | undefined;
  /** Of the person at a desk. */
  readonly personLimit?: AmountLimits | undefined;
}

/** How a share is asked for. */
interface ReserveOptions extends ReversalLimits {
  readonly allowDuplicate?: boolean;
  /** What the hotel's configuration says now. */
  readonly amountUnit?: AmountUnit | undefined;
  /** The day of the hotel, such as `2026-11-26`, and the mode: the limits are counted in both. */
  readonly day?: string | undefined;
}

export class ReversalAllocation {
  readonly #host: AllocationHost;
  #releasing: Promise<void> | undefined;

  constructor(host: AllocationHost) {
    this.#host = host;
  }

  /** The release under way; undefined while there is none. */
  get releasing(): Promise<void> | undefined {
    return this.#releasing;
  }

  /**
   * Gets the share. Its claim stays until the reversal is written down.
   */
  async reserve(
    reversal: NewReversal,
    { allowDuplicate = false, amountUnit, ...limits }: ReserveOptions = {},
  ): Promise<Outcome<ReservedReversal & { readonly epoch: number }>> {
    const { id, property, livemode, payment, attempt, amount } = reversal;
    const { store } = this.#host;
    const earlier = store.findClaim();
    // Left by an attempt that was cut off. There is one claim, so a share of another payment is released first.
    if (earlier !== undefined && earlier.payment !== payment && !(await this.#giveUp(earlier))) return inProgress(id);
    const epoch = Math.max(Date.now(), (earlier?.epoch ?? 0) + 1);
    // The share must not stay claimed when this instance dies between here and the record.
    store.transaction(() => {
      store.addClaim({ id, payment, property, epoch });
      store.due.set('release', Date.now() + CLAIM_LIMIT_MS);
    });
    let reserved: Outcome<ReservedReversal>;
    try {
      const asked = { id, attempt, amount, allowDuplicate, amountUnit, livemode, epoch };
      reserved = await this.#host.payment(payment).reserveReversal(property, asked);
    } catch {
      // The share may have been reserved even so: the claim stays, and is released.
      return unavailable('The payment to reverse cannot be reached: nothing was sent; try again');
    }
    if (reserved.ok) {
      const isLimited = limits.limit !== undefined || limits.personLimit !== undefined;
      const limited = { ...reserved.value, epoch, ...limits };
      const refusal = isLimited ? await this.#claimLimit(reversal, limited) : undefined;
      return refusal ?? ok({ ...reserved.value, epoch });
    }
    // A request of an earlier attempt may be on its way yet: then the claim stays, and its release ends both.
    if (earlier === undefined) await store.erase();
    return reserved;
  }

  /** Has the reversal counted against the limits of its key and its person. Refused, it gives its share of the payment back. */
  async #claimLimit(
    { id, property, madeBy }: NewReversal,
    { amount, epoch, limit, personLimit, day = '' }: ReservedReversal & ReserveOptions & { readonly epoch: number },
  ): Promise<Refusal | undefined> {
    let claimed: Outcome<null>;
    try {
      const { key } = madeBy.by;
      // What a desk session without a limit refunds does not count against any limit of its person.
      const person = personLimit === undefined ? null : madeBy.by.person;
      const claim = { id, key, person, day, amount, epoch, limit, personLimit };
      claimed = await this.#host.ledger(property).claimReversal(property, claim);
    } catch {
      return unavailable('The ledger cannot be reached: nothing was sent; try again');
    }
    if (claimed.ok) return undefined;
    const claim = this.#host.store.findClaim();
    if (claim !== undefined && (await this.#giveUp(claim))) await this.#host.store.erase();
    return claimed;
  }

  /** Gives a claimed share back when the reversal was never written down. False: there is something else to do. */
  async release(): Promise<boolean> {
    const { store, isCreating } = this.#host;
    const claim = store.findClaim();
    if (claim === undefined || store.load() !== undefined) {
      store.due.clear('release');
      return false;
    }
    if (isCreating()) {
      store.due.set('release', Date.now() + CLAIM_LIMIT_MS);
      return false;
    }
    this.#releasing = this.#giveUp(claim).then(async (isGivenUp) => {
      if (isGivenUp) return store.erase();
      store.due.set('release', Date.now() + RELEASE_RETRY_MS);
      store.due.arm();
    });
    try {
      await this.#releasing;
    } finally {
      this.#releasing = undefined;
    }
    return true;
  }

  /** Tells the payment the outcome before the caller learns it, unless that takes long. It stays due until it is told. */
  async settleSoon(): Promise<void> {
    const settling = this.settle().catch(() => undefined);
    this.#host.waitUntil(settling);
    await waitAtMost(SETTLE_WAIT_MS, settling);
  }

  /** Tells the payment the outcome. Throws when the payment does not answer. */
  async settle(): Promise<void> {
    const record = this.#host.store.load();
    if (record?.kind === 'reversal') {
      const settlement = settlementOf(record.state);
      if (settlement !== undefined) await this.#settleAt(record, settlement);
    }
    this.#host.store.due.clear('settle');
  }

  /** False when the payment does not answer. */
  async #giveUp(claim: Claim): Promise<boolean> {
    try {
      await this.#settleAt(claim, 'released');
      return true;
    } catch {
      return false;
    }
  }

  async #settleAt({ id, payment, property, epoch, isLimited }: Claim, settlement: Settlement): Promise<void> {
    // A payment that does not exist, or no longer does, has nothing to settle: any answer is enough.
    await this.#host.payment(payment).settleReversal(property, id, settlement, epoch);
    if (settlement === 'released' && isLimited !== false) await this.#host.ledger(property).releaseReversal(id, epoch);
  }
}
