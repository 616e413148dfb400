/** What is stored of one charge or reversal, in its one row: STORAGE.md describes it. */

import { type LedgerLink, RecordStorage } from '../records/record-storage.ts';
import type { MoneyRecord } from './money-record.ts';
import { moneyEntry } from './money-transition.ts';

/** A share that was asked of a payment before the reversal was written down. */
export interface Claim {
  readonly id: string;
  readonly payment: string;
  readonly property: string;
  /** Which attempt to get a share this is. */
  readonly epoch: number;
  /** Whether it counts against a limit of its key or of its person; undefined: perhaps. */
  readonly isLimited?: boolean;
}

export class MoneyStorage extends RecordStorage<MoneyRecord, { readonly claim: Claim | null }> {
  constructor(storage: DurableObjectStorage, link?: LedgerLink) {
    super(storage, { noun: 'charge or reversal', toEntry: moneyEntry, beside: { claim: null } }, link);
  }

  /** Stores a new operation. The share it claimed is now its own. */
  override create(record: MoneyRecord, fingerprint: string): void {
    this.setBeside({ claim: null });
    super.create(record, fingerprint);
  }

  /** Call it in a transaction. */
  addClaim(claim: Claim): void {
    this.setBeside({ claim });
  }

  findClaim(): Claim | undefined {
    return this.beside.claim ?? undefined;
  }

  /** Returns once everything written so far is on disk. */
  sync(): Promise<void> {
    return this.storage.sync();
  }
}
