/** What a session is, computed from its attempts. Pure; instants in milliseconds. */
import type { AttemptStatus, Author, CheckoutStatus } from '@innkeep/core/contract';
import { type AttemptRecord, mayBePaidUntil } from './attempt-record.ts';

/** How a session was ended without money. */
export interface Closing {
  readonly at: number;
  readonly by: 'deadline' | 'merchant';
  /** Which of the merchant's. */
  readonly author?: Author;
  /** Whether no attempt may still turn out to be paid, and the merchant was told so. */
  readonly isSettled: boolean;
}

export interface StatusInput {
  readonly attempts: readonly { readonly status: AttemptStatus; readonly endedAt: number | null }[];
  /** Null while the session can be started. */
  readonly closed: Closing | null;
}

/** The status: that of the attempt which matters most; without one, whether the session can be started. */
export function sessionStatus({ attempts, closed }: StatusInput): CheckoutStatus {
  const has = (wanted: AttemptStatus): boolean => attempts.some(({ status }) => status === wanted);
  if (has('succeeded')) return 'succeeded';
  if (has('unknown')) return 'unknown';
  if (has('pending')) return 'pending';
  return closed === null ? 'open' : 'expired';
}

/** True once nothing can follow but money that shows late. */
export function isFinalSession(input: StatusInput): boolean {
  const status = sessionStatus(input);
  return status === 'succeeded' || (status === 'expired' && input.closed?.isSettled === true);
}

/** From when on no attempt that may be paid keeps the session from being final: each was polled a last time by then. */
export function settlesAt({ attempts }: { readonly attempts: readonly AttemptRecord[] }): number {
  return Math.max(0, ...attempts.map(mayBePaidUntil));
}
