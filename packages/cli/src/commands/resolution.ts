import type { Resolution } from '@innkeep/core/merchant';
import { given } from '../input/given.ts';

/** Flags of every `resolve`. */
export interface ResolveFlags {
  readonly status: Resolution['status'];
  readonly evidence: string;
  readonly transactionId?: string;
}

/** The body of a resolve call. */
export function toResolution({ status, evidence, transactionId }: ResolveFlags): Resolution {
  return { status, evidence, ...given({ transactionId }) };
}
