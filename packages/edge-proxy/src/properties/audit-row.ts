/** What somebody did, as it is stored: with the change of the record until the ledger has taken it, then in the ledger for good. */

import type { AuditAction, AuditEntry } from '@innkeep/core/contract';
import { newAuditId } from '../http/ids.ts';
import { log } from '../http/log.ts';
import { toTimestamp } from '../http/timestamp.ts';
import type { Actor } from './actor.ts';

/** One thing that somebody does. */
export interface Act extends Readonly<Pick<AuditEntry, 'status' | 'byAuthor' | 'route'>> {
  readonly action: AuditAction;
  readonly actor: Actor;
}

/** An entry without what is the same for all of a hotel. `at` in milliseconds. */
export interface AuditRow extends Readonly<Omit<AuditEntry, 'object' | 'property' | 'at'>> {
  readonly at: number;
}

export function auditRow({ actor, ...act }: Act, resource: string | null, at: number): AuditRow {
  return { id: newAuditId(), at, resource, ...act, ...actor };
}

/** Writes it to the log, so that there is a copy of the audit elsewhere. */
export function logAct(property: string, { at, ...entry }: Omit<AuditRow, 'id'>): void {
  log('info', 'audit', { property, at: toTimestamp(at), ...entry });
}
