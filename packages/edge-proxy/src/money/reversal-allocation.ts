/**
 * A reversal's share of its payment: claimed before the reversal is written down, so that a crash in between cannot keep
 * it, and settled once the outcome is certain.
 */
import { waitAtMost } from '../http/deadline.ts';
import { type Outcome, ok } from '../http/problem.ts';
import type { ReservedReversal, ReversibleObject } from '../records/reversible-payment.ts';
import type { Settlement } from '../records/shares.ts';
import { settlementOf } from './money-machine.ts';
import type { NewReversal } from './money-record.ts';
import type { Claim, MoneyStorage } from './money-storage.ts';
import { inProgress, unavailable } from './refusals.ts';

/** The object of a payment. */
type PaymentObject = Pick<ReversibleObject, 'reserveReversal' | 'settleReversal'>;

export interface AllocationHost {
  readonly store: MoneyStorage;
  readonly payment: (id: string) => PaymentObject;
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

  /** Gets the share, of which a claim stays until the reversal is written down. */
  async reserve(
    { id, property, payment, attempt, amount }: NewReversal,
    { allowDuplicate = false }: { readonly allowDuplicate?: boolean } = {},
  ): Promise<Outcome<ReservedReversal & { readonly epoch: number }>> {
    const { store } = this.#host;
    const earlier = store.findClaim();
    // Of an attempt that was cut off. There is one claim, so a share of another payment is given back first.
    if (earlier !== undefined && earlier.payment !== payment && !(await this.#giveUp(earlier))) return inProgress(id);
    const epoch = Math.max(Date.now(), (earlier?.epoch ?? 0) + 1);
    // The share must not stay claimed when this instance dies between here and the record.
    store.transaction(() => {
      store.addClaim({ id, payment, property, epoch });
      store.due.set('release', Date.now() + CLAIM_LIMIT_MS);
    });
    let reserved: Outcome<ReservedReversal>;
    try {
      const asked = { id, attempt, amount, allowDuplicate, epoch };
      reserved = await this.#host.payment(payment).reserveReversal(property, asked);
    } catch {
      // It may have been reserved all the same: the claim stays, and is released.
      return unavailable('The payment to reverse cannot be reached: nothing was sent; try again');
    }
    if (reserved.ok) return ok({ ...reserved.value, epoch });
    // A request of an earlier attempt may be on its way yet: then the claim stays, and its release ends both.
    if (earlier === undefined) await store.erase();
    return reserved;
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

  async #settleAt({ id, payment, property, epoch }: Claim, settlement: Settlement): Promise<void> {
    // A payment that does not exist, or no longer does, has nothing to settle: any answer is enough.
    await this.#host.payment(payment).settleReversal(property, id, settlement, epoch);
  }
}
