import { totalMinorOf } from '../bookkeeping/book-charge.ts';
import { settleIfDue } from '../bookkeeping/hosted-outcome.ts';
import { toLocalDateTime } from '../domain/clock.ts';
import type { Charge, HostedRequest, Limits, Reversal, StoredToken } from '../domain/ledger.ts';
import { toWireNumber } from '../wire/amount.ts';
import type { World } from '../world/world.ts';

/** What control shows of every card, and when something happened. */
interface CardAndTime {
  /** Masked card number. */
  readonly cardNo: string;
  /** Textual brand code. */
  readonly cardTypeCode: string;
  /** Time on the sandbox's clock: a local date-time. */
  readonly at: string;
}

/** A charge that happened. Amounts are in the unit of the wire; cards are masks. */
export interface ChargeView
  extends Omit<Charge, 'card' | 'baseMinor' | 'surchargeMinor' | 'reversedMinor' | 'magicScenario' | 'at'>,
    CardAndTime {
  /** Everything taken, surcharge included. */
  readonly amount: number;
  /** Part of `amount` that is surcharge; 0 without one. */
  readonly surchargeAmount: number;
  /** How much was refunded. */
  readonly reversedAmount: number;
}

/** A reversal that happened. */
export interface ReversalView extends Omit<Reversal, 'amountMinor' | 'at'> {
  /** Amount refunded. */
  readonly amount: number;
  /** Time on the sandbox's clock: a local date-time. */
  readonly at: string;
}

/** A stored card. */
export interface TokenView extends Omit<StoredToken, 'card' | 'cardholder' | 'cardScenario' | 'at'>, CardAndTime {
  /** Name of the scenario that decided. */
  readonly scenario: string;
}

/** A hosted request. */
export interface HostedView {
  /** Id of the hosted request. */
  readonly requestID: string;
  /** The init that made it. */
  readonly operation: HostedRequest['terms']['operation'];
  /** `<customer_id>` in the address of the call. */
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
  /** Id of its payment or token; null until it succeeded. */
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
  /** Time on the sandbox's clock: a local date-time. */
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

export function toLedgerView(world: World): LedgerView {
  const { charges, reversals, tokens, hosted } = world.ledger;
  for (const request of hosted.values()) settleIfDue(world, request);
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
  const { card, baseMinor: _, surchargeMinor, reversedMinor, magicScenario: _magic, at, ...kept } = charge;
  const form = { unit: world.settings.amountUnit, currency: charge.currency };
  return {
    ...kept,
    cardNo: card.cardNo,
    cardTypeCode: card.cardTypeCode,
    amount: toWireNumber(totalMinorOf(charge), form),
    surchargeAmount: toWireNumber(surchargeMinor, form),
    reversedAmount: toWireNumber(reversedMinor, form),
    at: toLocalDateTime(at),
  };
}

function toReversalView(world: World, reversal: Reversal): ReversalView {
  const { amountMinor, at, ...kept } = reversal;
  const form = { unit: world.settings.amountUnit, currency: reversal.currency };
  return { ...kept, amount: toWireNumber(amountMinor, form), at: toLocalDateTime(at) };
}

function toTokenView({ card, cardholder: _, cardScenario, at, ...kept }: StoredToken): TokenView {
  return {
    ...kept,
    cardNo: card.cardNo,
    cardTypeCode: card.cardTypeCode,
    scenario: cardScenario,
    at: toLocalDateTime(at),
  };
}
