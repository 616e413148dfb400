import { totalMinorOf } from '../bookkeeping/book-charge.ts';
import { toLocalDateTime } from '../domain/clock.ts';
import type { Charge, HostedRequest, Limits, Reversal, StoredToken } from '../domain/ledger.ts';
import { toWireNumber } from '../wire/amount.ts';
import type { World } from '../world/world.ts';

/** A charge that happened. Amounts are in the unit of the wire; cards are masks. */
export interface ChargeView {
  /** Id of the payment. */
  readonly transactionID: string;
  /** `<customer_id>` of the address it came to. */
  readonly customer: string;
  /** The operation that charged: `pay`, or a hosted page. */
  readonly via: 'pay' | 'hosted';
  /** Id of the hosted request; null for `pay`. */
  readonly requestID: string | null;
  /** Token that was charged; null for a hosted page. */
  readonly tokenNo: string | null;
  /** Masked card number. */
  readonly cardNo: string;
  /** Textual brand code. */
  readonly cardTypeCode: string;
  /** Everything taken, surcharge included. */
  readonly amount: number;
  /** Part of `amount` that is surcharge; 0 without one. */
  readonly surchargeAmount: number;
  /** ISO 4217 code. */
  readonly currency: string;
  /** The caller's own text. */
  readonly text: string;
  /** Hotel that the call named. */
  readonly hotelID: string;
  /** Operator that the call named. */
  readonly user: string;
  /** Provider that the call named. */
  readonly serviceProvider: string;
  /** How much was given back. */
  readonly reversedAmount: number;
  /** Name of the scenario that decided. */
  readonly scenario: string;
  /** When, by the sandbox's clock: a local date-time. */
  readonly at: string;
}

/** A reversal that happened. */
export interface ReversalView {
  /** Id of the reversal. */
  readonly transactionID: string;
  /** Id of the payment that was reversed. */
  readonly paymentTransactionID: string;
  /** `<customer_id>` of the address it came to. */
  readonly customer: string;
  /** Amount given back. */
  readonly amount: number;
  /** ISO 4217 code. */
  readonly currency: string;
  /** Hotel that the call named. */
  readonly hotelID: string;
  /** Operator that the call named. */
  readonly user: string;
  /** Provider that the call named. */
  readonly serviceProvider: string;
  /** Name of the scenario that decided. */
  readonly scenario: string;
  /** When, by the sandbox's clock: a local date-time. */
  readonly at: string;
}

/** A stored card. */
export interface TokenView {
  /** The token. */
  readonly tokenNo: string;
  /** Date until which it can be charged. */
  readonly tokenExpiry: string;
  /** `<customer_id>` of the address it came to. */
  readonly customer: string;
  /** What made it: `createToken`, or a hosted page. */
  readonly via: 'createToken' | 'hosted';
  /** Id of the hosted request; null for `createToken`. */
  readonly requestID: string | null;
  /** Masked card number. */
  readonly cardNo: string;
  /** Textual brand code. */
  readonly cardTypeCode: string;
  /** Provider that the call named. */
  readonly serviceProvider: string;
  /** Name of the scenario that decided. */
  readonly scenario: string;
  /** When, by the sandbox's clock: a local date-time. */
  readonly at: string;
}

/** A hosted request. */
export interface HostedView {
  /** Id of the hosted request. */
  readonly requestID: string;
  /** The init that made it. */
  readonly operation: HostedRequest['terms']['operation'];
  /** `<customer_id>` of the address it came to. */
  readonly customer: string;
  /** How far it is. */
  readonly phase: HostedRequest['phase'];
  /** Caller's reference. */
  readonly cardInfoRefID: string;
  /** Reservation; null for a tokenization. */
  readonly resNo: string | null;
  /** Amount asked for; null for a tokenization. */
  readonly amount: number | null;
  /** ISO 4217 code; null for a tokenization. */
  readonly currency: string | null;
  /** Text for the guest; null for a tokenization. */
  readonly description: string | null;
  /** Id of what came of it; null until it succeeded. */
  readonly transactionID: string | null;
  /** Id that `paystatus` gives as its result; null until it succeeded. */
  readonly objectID: string | null;
  /** Token of a tokenization that succeeded. */
  readonly tokenNo: string | null;
  /** Masked number of the card the guest used. */
  readonly cardNo: string | null;
  /** Why it failed; null otherwise. */
  readonly errorText: string | null;
  /** Name of the scenario that decided; null before the guest acted. */
  readonly scenario: string | null;
  /** How often its status was read. */
  readonly polls: number;
  /** How often its record was read. */
  readonly recordReads: number;
  /** Address of the hosted page. */
  readonly viewUrl: string;
  /** When, by the sandbox's clock: a local date-time. */
  readonly at: string;
}

/** Everything that happened, oldest first. */
export interface LedgerView {
  /** Charges. */
  readonly charges: readonly ChargeView[];
  /** Reversals. */
  readonly reversals: readonly ReversalView[];
  /** Stored cards. */
  readonly tokens: readonly TokenView[];
  /** Hosted requests. */
  readonly hosted: readonly HostedView[];
  /** How many of each were forgotten because the sandbox remembers only so much. */
  readonly forgotten: Readonly<Pick<Limits, 'charges' | 'reversals' | 'tokens' | 'hosted'>>;
}

/** The ledger as control shows it. */
export function toLedgerView(world: World): LedgerView {
  const { charges, reversals, tokens, hosted } = world.ledger;
  return {
    charges: charges.values().map((charge) => toChargeView(world, charge)),
    reversals: reversals.values().map((reversal) => toReversalView(world, reversal)),
    tokens: tokens.values().map(toTokenView),
    hosted: hosted.values().map((request) => toHostedView(request)),
    forgotten: {
      charges: charges.forgotten,
      reversals: reversals.forgotten,
      tokens: tokens.forgotten,
      hosted: hosted.forgotten,
    },
  };
}

/** One hosted request as control shows it. */
export function toHostedView(hosted: HostedRequest): HostedView {
  const { terms } = hosted;
  const { payment } = terms;
  return {
    requestID: hosted.requestID,
    operation: terms.operation,
    customer: hosted.customer,
    phase: hosted.phase,
    cardInfoRefID: terms.cardInfoRefID,
    resNo: payment?.resNo ?? null,
    amount: payment === undefined ? null : Number(payment.amount),
    currency: payment?.currency ?? null,
    description: payment?.description ?? null,
    transactionID: hosted.transactionID || null,
    objectID: hosted.objectID || null,
    tokenNo: hosted.token?.tokenNo ?? null,
    cardNo: hosted.card?.cardNo ?? null,
    errorText: hosted.errorText ?? null,
    scenario: hosted.scenario ?? hosted.controlled ?? null,
    polls: hosted.polls,
    recordReads: hosted.recordReads,
    viewUrl: hosted.viewUrl,
    at: toLocalDateTime(hosted.createdAt),
  };
}

function toChargeView(world: World, charge: Charge): ChargeView {
  const form = { unit: world.settings.amountUnit, currency: charge.currency };
  return {
    transactionID: charge.transactionID,
    customer: charge.customer,
    via: charge.via,
    requestID: charge.requestID ?? null,
    tokenNo: charge.tokenNo ?? null,
    cardNo: charge.card.cardNo,
    cardTypeCode: charge.card.cardTypeCode,
    amount: toWireNumber(totalMinorOf(charge), form),
    surchargeAmount: toWireNumber(charge.surchargeMinor, form),
    currency: charge.currency,
    text: charge.text,
    hotelID: charge.hotelID,
    user: charge.user,
    serviceProvider: charge.serviceProvider,
    reversedAmount: toWireNumber(charge.reversedMinor, form),
    scenario: charge.scenario,
    at: toLocalDateTime(charge.at),
  };
}

function toReversalView(world: World, reversal: Reversal): ReversalView {
  const { amountMinor, at, ...kept } = reversal;
  const form = { unit: world.settings.amountUnit, currency: reversal.currency };
  return { ...kept, amount: toWireNumber(amountMinor, form), at: toLocalDateTime(at) };
}

function toTokenView({ card, cardholder: _, cardScenario, requestID, at, ...kept }: StoredToken): TokenView {
  return {
    ...kept,
    requestID: requestID ?? null,
    cardNo: card.cardNo,
    cardTypeCode: card.cardTypeCode,
    scenario: cardScenario,
    at: toLocalDateTime(at),
  };
}
