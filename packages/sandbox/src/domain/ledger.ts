import type { MaskedCard } from '../wire/card-number.ts';
import { BoundedMap, type Kept } from './bounded-map.ts';
import type { HostedPhase } from './hosted-machine.ts';
import type { Plan } from './plan.ts';

/** What charges, reversals and stored cards have in common. */
interface Entry {
  /** `<customer_id>` in the address of the call. */
  readonly customer: string;
  /** Provider that the call named. */
  readonly serviceProvider: string;
  readonly at: number;
}

/** What charges and reversals have in common. */
interface MoneyEntry extends Entry {
  /** ISO 4217 code. */
  readonly currency: string;
  /** Hotel that the call named. */
  readonly hotelID: string;
  /** Operator that the call named. */
  readonly user: string;
  /** Name of the scenario that decided. */
  readonly scenario: string;
}

/** A charge that happened. Declined ones are not here. */
export interface Charge extends MoneyEntry {
  /** Id of the payment. */
  readonly transactionID: string;
  /** The operation that charged: `pay`, or a hosted page. */
  readonly via: 'pay' | 'hosted';
  /** Id of the hosted request; null for `pay`. */
  readonly requestID: string | null;
  /** Token that was charged; null for a hosted page. */
  readonly tokenNo: string | null;
  readonly card: MaskedCard;
  /** Without the surcharge, in minor units. */
  readonly baseMinor: bigint;
  readonly surchargeMinor: bigint;
  /** The caller's own text. */
  readonly text: string;
  /** The scenario that the inputs would have chosen, where control chose another: control's choice is not for what follows. */
  readonly magicScenario?: string;
  reversedMinor: bigint;
}

/** A reversal that happened. */
export interface Reversal extends MoneyEntry {
  /** Id of the reversal. */
  readonly transactionID: string;
  /** Id of the payment that was reversed. */
  readonly paymentTransactionID: string;
  readonly amountMinor: bigint;
}

/** A stored card. */
export interface StoredToken extends Entry {
  /** The token. */
  readonly tokenNo: string;
  /** Date `YYYY-MM-DD`, the last day on which the card can be charged. */
  readonly tokenExpiry: string;
  /** What made it: `createToken`, or a hosted page. */
  readonly via: 'createToken' | 'hosted';
  /** Id of the hosted request; null for `createToken`. */
  readonly requestID: string | null;
  readonly card: MaskedCard;
  /** Cardholder as given; chooses a scenario like the card does. */
  readonly cardholder: string;
  /** Scenario of the card number, remembered because the number is not. */
  readonly cardScenario: string;
}

/** What was asked for with a hosted init. */
export interface HostedTerms {
  readonly operation: 'initpayNoIframe' | 'initCreateTokenNoIframe';
  readonly hotelID: string;
  readonly user: string;
  readonly serviceProvider: string;
  readonly cardInfoRefID: string;
  readonly callbackSuccessUrl: string;
  readonly callbackAbortUrl: string;
  /** Absent for a tokenization. */
  readonly payment:
    | {
        readonly amount: string;
        readonly currency: string;
        readonly resNo: string;
        readonly description: string;
        readonly hasSurchargeFeature: boolean;
      }
    | undefined;
}

/** A card that a guest submits. The number is already gone: only its mask and its scenario are left. */
export interface SubmittedCard {
  readonly card: MaskedCard;
  readonly cardScenario: string;
  readonly cardholder: string;
  readonly valid: string;
}

/** A hosted request and how far it is. */
export interface HostedRequest {
  readonly requestID: string;
  /** Secret part of `viewUrl`. */
  readonly viewKey: string;
  readonly viewUrl: string;
  readonly customer: string;
  readonly terms: HostedTerms;
  /** Scenario that control chose for it, if any. */
  readonly controlled: string | undefined;
  readonly createdAt: number;
  phase: HostedPhase;
  polls: number;
  recordReads: number;
  finalAnswers: number;
  /** Name of the scenario that decided, once the guest acted. */
  scenario: string | undefined;
  plan: Plan;
  actedAt: number | undefined;
  pollsSinceActed: number;
  /** The card that waits for the guest to accept the surcharge. */
  offer: SubmittedCard | undefined;
  transactionID: string;
  objectID: string;
  card: MaskedCard | undefined;
  charge: Charge | undefined;
  surchargePercent: number | undefined;
  token: StoredToken | undefined;
  errorText: string | undefined;
  hasVisitedCallbacks: boolean;
}

/** A bearer token that was handed out. */
export interface Bearer {
  readonly expiresAt: number;
}

/** How much a sandbox remembers; the oldest goes first. */
export interface Limits {
  /** Hosted requests. */
  readonly hosted: number;
  /** Charges. */
  readonly charges: number;
  /** Reversals. */
  readonly reversals: number;
  /** Stored cards. */
  readonly tokens: number;
  /** Access tokens. */
  readonly bearers: number;
  /** Calls in the wire log. */
  readonly requests: number;
}

/** Defaults of {@link Limits}. */
export const DEFAULT_LIMITS: Limits = {
  hosted: 20_000,
  charges: 50_000,
  reversals: 50_000,
  tokens: 20_000,
  bearers: 1_000,
  requests: 20_000,
};

/** Everything a ledger holds, as one value: rows that refer to each other do so in here, too. */
export interface LedgerState {
  readonly bearers: Kept<Bearer>;
  readonly charges: Kept<Charge>;
  readonly reversals: Kept<Reversal>;
  readonly tokens: Kept<StoredToken>;
  readonly hosted: Kept<HostedRequest>;
}

/** Everything the sandbox remembers about money and cards. */
export interface Ledger {
  readonly bearers: BoundedMap<Bearer>;
  readonly charges: BoundedMap<Charge>;
  readonly reversals: BoundedMap<Reversal>;
  readonly tokens: BoundedMap<StoredToken>;
  readonly hosted: BoundedMap<HostedRequest>;
  state(): LedgerState;
  restore(state: LedgerState): void;
  reset(): void;
}

export function createLedger(limits: Limits): Ledger {
  const maps = {
    bearers: new BoundedMap<Bearer>(limits.bearers),
    charges: new BoundedMap<Charge>(limits.charges),
    reversals: new BoundedMap<Reversal>(limits.reversals),
    tokens: new BoundedMap<StoredToken>(limits.tokens),
    hosted: new BoundedMap<HostedRequest>(limits.hosted),
  };
  return {
    ...maps,
    state: () => ({
      bearers: maps.bearers.state(),
      charges: maps.charges.state(),
      reversals: maps.reversals.state(),
      tokens: maps.tokens.state(),
      hosted: maps.hosted.state(),
    }),
    restore: (state) => {
      maps.bearers.restore(state.bearers);
      maps.charges.restore(state.charges);
      maps.reversals.restore(state.reversals);
      maps.tokens.restore(state.tokens);
      maps.hosted.restore(state.hosted);
    },
    reset: () => {
      for (const map of Object.values(maps)) map.clear();
    },
  };
}
