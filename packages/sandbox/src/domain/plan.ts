import type { DeclineReason } from './decline-reason.ts';

/** Operations for which a scenario can be chosen. */
export const OPERATIONS = [
  'login',
  'createToken',
  'pay',
  'reversal',
  'initpayNoIframe',
  'initCreateTokenNoIframe',
  'paystatus',
  'transaction',
  'gateway',
] as const;

/** An operation of the upstream service; `gateway` is any gateway method. */
export type Operation = (typeof OPERATIONS)[number];

/** Where a scenario is asked what to do: an operation, or the guest's own step on a hosted page. */
export type Step = Operation | 'hostedPayment' | 'hostedTokenization';

/** How a finished answer reaches the caller, if not unchanged. */
export type Delivery =
  | { readonly kind: 'lost' | 'slow' | 'garbage' | 'html' | 'pending' }
  | { readonly kind: 'status' | 'redirect'; readonly status: number };

/** How a transaction record differs from the truth. */
export type RecordFault = 'late' | 'wrong-amount' | 'power-of-ten' | 'wrong-currency' | 'wrong-request';

/**
 * What a scenario wants for one step. An empty plan is the ordinary way: approved, answered, consistent. Every
 * property is one deviation.
 */
export interface Plan {
  /** The card or the operation is declined: `returnCode` is not 0, or the hosted request ends in state 2. */
  readonly decline?: DeclineReason;
  /** What happens to the answer of this step. Money has moved (or not) before it. */
  readonly delivery?: Delivery;
  /** The operation is not carried out at all; `delivery` says what the caller sees. */
  readonly isSkipped?: true;
  /** The bearer of this call stops being valid now. */
  readonly expiresBearer?: true;
  /** Percentage added to a hosted payment; needs the feature `surcharge` unless `isUnasked`. */
  readonly surcharge?: { readonly percent: number; readonly isUnasked?: true };
  /** When a hosted request delivers its result after the guest acted: whichever comes first. Neither: never. */
  readonly settles?: { readonly afterPolls?: number; readonly afterSeconds?: number };
  /** What the first status polls after the guest acted are answered with. */
  readonly pollFault?: { readonly delivery: Delivery; readonly times: number };
  /** The bearer stops being valid at the first status poll after the guest acted. */
  readonly expiresBearerOnPoll?: true;
  /** After its first final answer the status says the opposite. */
  readonly flipsAfterFinal?: true;
  readonly record?: RecordFault;
  /** The success address is visited twice. */
  readonly returnsTwice?: true;
  /** `returnCode` is a JSON number. */
  readonly hasNumericReturnCode?: true;
  /** A reversal is carried out although nothing is left to reverse. */
  readonly allowsOverReversal?: true;
  /** `viewUrl` and `stateRetrivalUrl` are on another origin. */
  readonly hasForeignUrls?: true;
}
