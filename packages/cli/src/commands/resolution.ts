import type { Resolution } from '@innkeep/core/merchant';
import { type AmountFlags, parseAmount } from '../input/amount.ts';
import { given } from '../input/given.ts';

export interface ResolveFlags extends AmountFlags {
  readonly status: Resolution['status'];
  readonly evidence: string;
  readonly transactionId?: string;
}

/** The body of a resolve call. */
export function toResolution({ status, evidence, transactionId, ...flags }: ResolveFlags): Resolution {
  return { status, evidence, ...given({ transactionId, amount: parseAmount(flags) }) };
}
