import type { CheckoutErrorCode, CheckoutKind, CheckoutStatus, CheckoutSurcharge } from '../checkout/view.ts';
import type { MoneyJson } from '../values/money.ts';

/** Result of a payment session. */
export interface PaymentResult {
  /** Amount charged, surcharge included. */
  total: MoneyJson;
  /** Amount asked for. */
  base: MoneyJson;
  surcharge: CheckoutSurcharge | null;
  /** Id of the payment at the payment service. */
  transactionId: string | null;
  /** Id without its prefix. */
  paymentObjectId: string | null;
  /** Masked card number. */
  maskedCard: string | null;
}

/** Result of a card session. */
export interface CardResult {
  /** Stored-card token for charges. Treat it like a password. Absent from lists and events. */
  token?: string;
  /** Date until which the token can be charged, `YYYY-MM-DD`. */
  tokenValidUntil: string | null;
  /** Id without its prefix. */
  tokenObjectId: string | null;
  /** Id of the tokenization at the payment service. */
  transactionId: string | null;
  /** Masked card number. */
  maskedCard: string | null;
}

/** What the payment service's record said that contradicts what was asked: for staff, and no proof of anything. */
export interface RecordedFigures {
  /** Total, surcharge included; null when it is no exact amount of a known currency. */
  amount: MoneyJson | null;
  /** `amount` without the surcharge. */
  base: MoneyJson | null;
  surcharge: CheckoutSurcharge | null;
  /** The amount's number as it came, in the payment service's unit. */
  wireAmount: number | null;
  /** As it came. */
  currency: string | null;
  /** Id at the payment service. */
  transactionId: string | null;
  /** Id without its prefix. */
  paymentObjectId: string | null;
  /** Masked card number. */
  maskedCard: string | null;
  /** `'0'` says success. */
  returnCode: string | null;
}

/** A checkout session as its merchant sees it. */
export interface CheckoutSession {
  /** Kind of resource. */
  object: 'checkout_session';
  /** `cs_…`. */
  id: string;
  /** Id of the hotel at the proxy. */
  property: string;
  kind: CheckoutKind;
  status: CheckoutStatus;
  /** False while another outcome is waited for. After `failed` and `canceled` a late success can still follow, in an event. */
  final: boolean;
  /** Grows by one with each transition. */
  seq: number;
  /** Amount to pay; null for kind `card`. */
  amount: MoneyJson | null;
  /** Reservation reference. */
  reference: string;
  /** What it is for, in the words of the hotel. */
  description: string | null;
  /** Whether the payment service may add a surcharge. */
  surcharge: boolean;
  /** Where the guest comes back to. */
  returnUrl: string | null;
  /** The hotel's own notes, returned as they were given. */
  metadata: Record<string, string>;
  /** Whether real money moves. */
  livemode: boolean;
  /** Session that this one replaces on a payment link. */
  previous: string | null;
  /** When it was made, RFC 3339 UTC. */
  createdAt: string;
  /** When the guest first went to the hosted page. */
  startedAt: string | null;
  /** When its outcome was known. */
  completedAt: string | null;
  /** Until when it can be started. */
  expiresAt: string;
  /** Succeeded after it had been told as failed, canceled or expired. Absent from versions that an older proxy listed. */
  late?: boolean;
  /** What came of it; null until it succeeded. */
  result: PaymentResult | CardResult | null;
  /** Why it failed, was canceled or is unknown; null otherwise. */
  error: {
    code: CheckoutErrorCode;
    /** What happened, for staff and logs. */
    message: string;
  } | null;
  /**
   * What a record said that contradicts what was asked; null or absent when none did, and once a later record agreed in every
   * field.
   */
  recorded?: RecordedFigures | null;
  /** Money given back, definitely. */
  reversed: MoneyJson | null;
  /** Money being given back. */
  reversing: MoneyJson | null;
  /** Who ended an uncertain outcome by hand, and why. Absent otherwise. */
  resolution?: RecordedSessionResolution;
}

/** A session that was just made: the only time its client secret is shown. */
export interface CreatedCheckoutSession extends CheckoutSession {
  /** For the guest's page. Absent when the answer is a replay of an earlier call. */
  clientSecret?: string;
}

/** Body of `checkoutSessions.create`. */
export interface CreateCheckoutSession {
  kind: CheckoutKind;
  /** Required for `payment`, not allowed for `card`. */
  amount?: MoneyJson;
  /** Reservation reference, 1 to 64 characters. */
  reference: string;
  /** What it is for, in words for the guest. At most 200 characters. */
  description?: string;
  /** Ask for a surcharge, where the property allows it. @default false */
  surcharge?: boolean;
  /** Where the guest comes back to; on one of the property's origins. */
  returnUrl?: string;
  /** Your own notes, returned as they are. At most 20 keys of 40 characters, values of 500. */
  metadata?: Record<string, string>;
  /** How long it can be started: 60 to 2,592,000 seconds. @default the proxy's */
  expiresInSeconds?: number;
}

/** State of a charge or a reversal. `unknown` means that money may have moved. */
export type MoneyOperationStatus = 'created' | 'sent' | 'succeeded' | 'declined' | 'failed' | 'unknown';

/** Codes of a charge or a reversal beyond those that `@innkeep/core` throws. */
export type MoneyOperationErrorCode =
  /**
   * The payment service said no; `returnCode` is its own code, and the status is `declined`.
   *
   * Money: did not move.
   *
   * What to do: ask for another card or another way to pay. A new attempt needs a new idempotency key.
   */
  | 'declined'
  /**
   * The request left and its answer is lost or unreadable; the status is `unknown`.
   *
   * Money: may have moved.
   *
   * What to do: never repeat it under another key. Look it up at the payment service, then resolve it with what you find.
   */
  | 'outcome_unknown'
  /**
   * Nothing was sent: the proxy was interrupted before it could send; the status is `failed`.
   *
   * Money: did not move.
   *
   * What to do: make it again with a new idempotency key.
   */
  | 'abandoned'
  /**
   * Somebody resolved it as not executed; `message` has the evidence, and the status is `failed`.
   *
   * Money: did not move, by that evidence.
   *
   * What to do: make it again with a new idempotency key if it is still wanted.
   */
  | 'not_executed';

/** Why a charge or a reversal did not succeed. */
export interface MoneyOperationError {
  /** Stable code: one of {@link MoneyOperationErrorCode}, or what kept the request from being sent. */
  code: MoneyOperationErrorCode | (string & {});
  /** What happened, for staff and logs. */
  message: string;
  /** The upstream's own code, when it declined. */
  returnCode?: string;
}

/** Why a stored card is charged. */
export type ChargeReason = 'deposit' | 'no_show' | 'late_charge' | 'balance' | 'other';

/** A charge of a stored card. */
export interface Charge {
  /** Kind of resource. */
  object: 'charge';
  /** `ch_…`. */
  id: string;
  /** Id of the hotel at the proxy. */
  property: string;
  /** Whether real money moved. */
  livemode: boolean;
  status: MoneyOperationStatus;
  /** False while another outcome can still arrive. */
  final: boolean;
  /** Grows by one with each transition. */
  seq: number;
  /** Amount charged. */
  amount: MoneyJson;
  /** Reservation reference. */
  reference: string;
  /** Why the card was charged. */
  reason: ChargeReason;
  /** Id at the payment service; null while there is none. */
  transactionId: string | null;
  /** Masked card number; null while it is not known. */
  maskedCard: string | null;
  /** Why it did not succeed; null otherwise. */
  error: MoneyOperationError | null;
  /** Money given back, definitely. */
  reversed: MoneyJson;
  /** Money being given back. */
  reversing: MoneyJson;
  /** When it was made, RFC 3339 UTC. */
  createdAt: string;
  /** When it succeeded, was declined or failed, or was resolved as one of these; null until then. RFC 3339 UTC. */
  completedAt: string | null;
  /** Who ended an unknown outcome by hand, and why. Absent otherwise. */
  resolution?: RecordedResolution;
}

/** Body of `charges.create`. */
export interface CreateCharge {
  /** Stored-card token. */
  token: string;
  /** Which flow made the token. @default 'hosted' */
  tokenFrom?: 'hosted' | 'moto';
  /** Amount to charge, above zero. */
  amount: MoneyJson;
  /** Reservation reference, 1 to 64 characters. */
  reference: string;
  /** Why the card is charged; part of the duplicate guard. */
  reason: ChargeReason;
  /** What the payment service records besides id, reason and reference. */
  text?: string;
  /** Charge although the same charge is under way or unknown, or has succeeded within ten minutes. @default false */
  allowDuplicate?: boolean;
}

/** A reversal of a payment. */
export interface Reversal {
  /** Kind of resource. */
  object: 'reversal';
  /** `rv_…`. */
  id: string;
  /** Id of the hotel at the proxy. */
  property: string;
  /** Whether real money moved. */
  livemode: boolean;
  status: MoneyOperationStatus;
  /** False while another outcome can still arrive. */
  final: boolean;
  /** Grows by one with each transition. */
  seq: number;
  /** `cs_…` or `ch_…`. */
  payment: string;
  /** Amount given back. */
  amount: MoneyJson;
  /** Id at the payment service; null while there is none. */
  transactionId: string | null;
  /** Why it did not succeed; null otherwise. */
  error: MoneyOperationError | null;
  /** When it was made, RFC 3339 UTC. */
  createdAt: string;
  /** When it succeeded, was declined or failed, or was resolved as one of these; null until then. RFC 3339 UTC. */
  completedAt: string | null;
  /** Who ended an unknown outcome by hand, and why. Absent otherwise. */
  resolution?: RecordedResolution;
}

/** Body of `reversals.create`. */
export interface CreateReversal {
  /** `cs_…` or `ch_…`. */
  payment: string;
  /** @default what is left of the payment */
  amount?: MoneyJson;
}

/** Body of `resolve`: what somebody found out about an unknown outcome. */
export interface Resolution {
  /** What happened. */
  status: 'succeeded' | 'failed';
  /** How it was found out; kept with the resource. */
  evidence: string;
  /** The payment service's own id, when it is known. */
  transactionId?: string;
}

/** Body of `checkoutSessions.resolve`. */
export interface SessionResolution extends Resolution {
  /** What really moved, when it is not what was asked: all of it can be given back. Only with `succeeded`. */
  amount?: MoneyJson;
}

/** What somebody found out about an unknown outcome, as it is kept. */
export interface RecordedResolution {
  /** What happened. */
  status: 'succeeded' | 'failed';
  /** How it was found out. */
  evidence: string;
  /** The payment service's own id; null when it was not given. */
  transactionId: string | null;
  /** Name of the merchant key that was used. */
  by: string;
  /** When it was resolved, RFC 3339 UTC. */
  at: string;
}

/** What somebody found out about a session, as it is kept. */
export interface RecordedSessionResolution extends RecordedResolution {
  /** What really moved; absent when it was not given. */
  amount?: MoneyJson;
}

/** Body of `cards.create`; card data, only for a proxy of the MOTO build. */
export interface CreateCard {
  /** Card number, 12 to 19 digits without spaces. */
  cardNo: string;
  /** Date `YYYY-MM-DD`. */
  valid: string;
  /** Card verification code, 3 or 4 digits. */
  cvc?: string;
  /** Cardholder text, at most 100 characters. */
  cardText?: string;
}

/** A stored card. */
export interface Card {
  /** Stored-card token for charges. Treat it like a password. */
  token: string;
  /** Date until which the token can be charged, `YYYY-MM-DD`. */
  tokenExpiry: string;
  /** Masked card number. */
  maskedCard: string;
  /** Numeric code as text. */
  cardType: string;
  /** Textual brand code. */
  cardTypeCode: string;
}

/** One page of a list, newest first. Eventually consistent. */
export interface Page<Resource> {
  /** Kind of answer. */
  object: 'list';
  /** The resources of this page. */
  data: Resource[];
  /** For the next page; null at the end. */
  nextCursor: string | null;
}

/** A stretch of time: days such as `2026-03-01` or instants such as `2026-03-01T00:00:00Z`, both UTC. */
export type ExportRange =
  | {
      /** First instant of creation. */
      from: string;
      /** First instant of creation that is not part of it; at most a year after `from`. */
      to: string;
    }
  | {
      /** First instant of completion: what is not completed is left out. */
      completedFrom: string;
      /** First instant of completion that is not part of it; at most a year after `completedFrom`. */
      completedTo: string;
    };

/** How a webhook endpoint of the property is doing. */
export interface WebhookEndpoint {
  /** Kind of resource. */
  object: 'webhook_endpoint';
  /** A hash of its address. */
  id: string;
  /** Host of its address; the rest may hold secrets. */
  host: string;
  /**
   * `paused` after repeated failure: one event at a time asks whether it is back. `disabled` after 410, until an event is
   * redelivered. `removed` in events alone.
   */
  status: 'active' | 'paused' | 'disabled' | 'removed';
  /** How many events wait for it. */
  waiting: number;
  /** Position of the first of them; null when there is none. */
  firstWaitingSeq: number | null;
  /** Position of the last of them; null when there is none. */
  lastWaitingSeq: number | null;
  /** How many events were given up after their last attempt. They are in the feed for 90 days. */
  givenUp: number;
  /** When it last accepted an event. */
  lastSuccessAt: string | null;
  /** When it last did not accept one. */
  lastFailureAt: string | null;
  /** What it answered then; null when it did not answer. */
  lastFailureStatus: number | null;
  /** Since when it is paused. */
  pausedSince: string | null;
  /** When it answered 410. */
  disabledSince: string | null;
  /** When it is sent something next; null while nothing is to be sent. */
  nextAttemptAt: string | null;
}

/** Filter and place of a list. */
export interface ListQuery<Status extends string> {
  /** Only those in this state. */
  status?: Status;
  /** Only those of this reservation. */
  reference?: string;
  /** Only those completed at this day or instant, UTC, or later. Orders the list by completion. */
  completedFrom?: string;
  /** Only those completed before this day or instant, UTC. Orders the list by completion. */
  completedTo?: string;
  /** 1 to 100. */
  limit?: number;
  /** `nextCursor` of the page before. */
  cursor?: string;
}

/** A stretch of the feed, oldest first. */
export interface EventPage<Event> {
  /** Kind of answer. */
  object: 'list';
  /** The events of this stretch. */
  data: Event[];
  /** `after` for the next call; the same `after` when nothing is new. */
  nextAfter: number;
}
