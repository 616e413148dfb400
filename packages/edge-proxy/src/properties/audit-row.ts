/** What somebody did, as it is kept: with the change of the record, until the ledger has taken it, and there for good. Pure. */
import type { AuditAction, AuditEntry } from '@innkeep/core/contract';
import { newAuditId } from '../http/ids.ts';
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
