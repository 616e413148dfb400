/** The SQLite tables of one charge or reversal. Every row is described in STORAGE.md. */

import { DueTable } from '../objects/due-table.ts';
import { Outbox } from '../records/outbox.ts';
import { RecordStorage } from '../records/record-storage.ts';
import type { MoneyRecord } from './money-record.ts';
import { moneyEntry } from './money-transition.ts';

/** A share that was asked of a payment before the reversal was written down. */
export interface Claim {
  readonly id: string;
  readonly payment: string;
  readonly property: string;
  /** Which attempt to get a share this is. */
  readonly epoch: number;
}

/** Typed access to the tables. They are created when something is stored: an unknown id leaves nothing behind. */
export class MoneyStorage extends RecordStorage<MoneyRecord> {
  constructor(storage: DurableObjectStorage) {
    super(storage, { table: 'operation', noun: 'charge or reversal', toEntry: moneyEntry });
  }

  prepare(): void {
    if (this.exists()) return;
    this.storage.sql.exec(
      `CREATE TABLE operation (id TEXT PRIMARY KEY, seq INTEGER NOT NULL, state TEXT NOT NULL, fingerprint TEXT NOT NULL, record TEXT NOT NULL) WITHOUT ROWID;
       CREATE TABLE claim (id TEXT PRIMARY KEY, payment TEXT NOT NULL, property TEXT NOT NULL, epoch INTEGER NOT NULL) WITHOUT ROWID;
       ${Outbox.SCHEMA}
       ${DueTable.SCHEMA}`,
    );
  }

  /** Stores a new operation. The share it claimed is now its own. */
  create(record: MoneyRecord, fingerprint: string): void {
    this.insert(record, fingerprint);
    this.storage.sql.exec('DELETE FROM claim');
  }

  addClaim({ id, payment, property, epoch }: Claim): void {
    this.storage.sql.exec(
      'INSERT OR REPLACE INTO claim (id, payment, property, epoch) VALUES (?, ?, ?, ?)',
      id,
      payment,
      property,
      epoch,
    );
  }

  findClaim(): Claim | undefined {
    if (!this.exists()) return undefined;
    return this.storage.sql
      .exec<{ id: string; payment: string; property: string; epoch: number }>(
        'SELECT id, payment, property, epoch FROM claim',
      )
      .toArray()[0];
  }

  /** Returns once everything written so far is on disk. */
  sync(): Promise<void> {
    return this.storage.sync();
  }
}
