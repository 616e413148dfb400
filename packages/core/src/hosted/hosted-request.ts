import type { Money } from '../values/money.ts';

/** What a hosted request asked for: part of every init result, and what its record is compared with. */
export interface HostedRequest {
  /** The init that was sent. */
  operation: 'initpayNoIframe' | 'initCreateTokenNoIframe';
  /** Amount asked for; absent for a tokenization. */
  amount?: Money;
  /** Whether a surcharge was allowed. */
  surcharge: boolean;
  /** Caller's reference. */
  cardInfoRefID: string;
}
