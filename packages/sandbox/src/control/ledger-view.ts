import { totalMinorOf } from '../bookkeeping/book-charge.ts';
import { toLocalDateTime } from '../domain/clock.ts';
import type { Charge, HostedRequest, Limits, Reversal, StoredToken } from '../domain/ledger.ts';
import { toWireNumber } from '../wire/amount.ts';
import type { World } from '../world.ts';

/** A charge that happened. Amounts are in the unit of the wire; cards are masks. */
export interface ChargeView {
  readonly transactionID: string;
  readonly customer: string;
  readonly via: 'pay' | 'hosted';
  readonly requestID: string | null;
  readonly tokenNo: string | null;
  readonly cardNo: string;
  readonly cardTypeCode: string;
  /** Everything taken, surcharge included. */
  readonly amount: number;
  readonly surchargeAmount: number;
  readonly currency: string;
  readonly text: string;
  readonly hotelID: string;
  readonly user: string;
  readonly serviceProvider: string;
  readonly reversedAmount: number;
  readonly scenario: string;
  readonly at: string;
}

/** A reversal that happened. */
export interface ReversalView {
  readonly transactionID: string;
  readonly paymentTransactionID: string;
  readonly customer: string;
  readonly amount: number;
  readonly currency: string;
  readonly hotelID: string;
  readonly user: string;
  readonly serviceProvider: string;
  readonly scenario: string;
  readonly at: string;
}

/** A stored card. */
export interface TokenView {
  readonly tokenNo: string;
  readonly tokenExpiry: string;
  readonly customer: string;
  readonly via: 'createToken' | 'hosted';
  readonly requestID: string | null;
  readonly cardNo: string;
  readonly cardTypeCode: string;
  readonly serviceProvider: string;
  readonly scenario: string;
  readonly at: string;
}

/** A hosted request. */
export interface HostedView {
  readonly requestID: string;
  readonly operation: HostedRequest['terms']['operation'];
  readonly customer: string;
  readonly phase: HostedRequest['phase'];
  readonly cardInfoRefID: string;
  readonly resNo: string | null;
  readonly amount: number | null;
  readonly currency: string | null;
  readonly description: string | null;
  readonly transactionID: string | null;
  readonly objectID: string | null;
  readonly tokenNo: string | null;
  readonly cardNo: string | null;
  readonly errorText: string | null;
  readonly scenario: string | null;
  readonly polls: number;
  readonly recordReads: number;
  readonly viewUrl: string;
  readonly at: string;
}

/** Everything that happened, oldest first. */
export interface LedgerView {
  readonly charges: readonly ChargeView[];
  readonly reversals: readonly ReversalView[];
  readonly tokens: readonly TokenView[];
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
