import type { MoneyJson } from '../values/money.ts';

/** State of a checkout session. `unknown` means that money may have moved; it is never a failure. */
export type CheckoutStatus = 'open' | 'pending' | 'succeeded' | 'failed' | 'canceled' | 'expired' | 'unknown';

/** What a session is for: a payment, or keeping a card for later. */
export type CheckoutKind = 'payment' | 'card';

/** How the hosted page is shown: in place of this page, or in a tab of its own. */
export type CheckoutPresentation = 'redirect' | 'tab';

/** Why a session failed, was canceled or is unknown. */
export type CheckoutErrorCode =
  /**
   * The payment service says that the attempt ended without a payment; the session is `failed`.
   *
   * Money: did not move.
   *
   * What to do: make a new session if the guest wants to try again.
   */
  | 'upstream_failed'
  /**
   * The guest turned back on the hosted page; the session is `canceled`.
   *
   * Money: did not move.
   *
   * What to do: make a new session if the guest wants to try again.
   */
  | 'canceled_by_guest'
  /**
   * The payment service's record shows another amount than was asked for; the session is `unknown`.
   *
   * Money: moved, by the record's account, in another amount.
   *
   * What to do: look the payment up at the payment service, then resolve the session with what you find.
   */
  | 'amount_mismatch'
  /**
   * The record shows the amount asked for times or divided by exactly the currency's power of ten; the session is `unknown`.
   *
   * Money: moved, in an amount that is a power of ten too large or too small.
   *
   * What to do: stop taking payments until the property's `amountUnit` is right, then look the payment up and resolve the session.
   */
  | 'amount_unit_mismatch'
  /**
   * The record contradicts what was asked in a field that is no amount: currency, request, operation, state; the session is
   * `unknown`.
   *
   * Money: may have moved.
   *
   * What to do: look the payment up at the payment service, then resolve the session with what you find.
   */
  | 'record_mismatch'
  /**
   * The payment service says that it is done, and no record could be read for fifteen minutes; the session is `unknown`.
   *
   * Money: may have moved.
   *
   * What to do: refresh the session later: a readable record still ends it. Otherwise look it up and resolve it.
   */
  | 'record_unreadable';

/** Surcharge that the upstream added to a payment. */
export interface CheckoutSurcharge {
  /** Amount added. */
  amount: MoneyJson;
  /** Percentage used, for display only. */
  percent: number;
}

/** What the proxy verified with the upstream. Money is null for kind `card`. */
export interface CheckoutReceipt {
  /** Amount asked for. */
  base: MoneyJson | null;
  /** Surcharge, or null when there is none. */
  surcharge: CheckoutSurcharge | null;
  /** Amount charged, surcharge included. */
  total: MoneyJson | null;
  /** Masked card number. */
  maskedCard: string | null;
  /** When the proxy knew, RFC 3339 UTC. */
  completedAt: string;
}

/** A checkout session as its guest sees it. */
export interface CheckoutView {
  /** `cs_…`. */
  id: string;
  kind: CheckoutKind;
  status: CheckoutStatus;
  /** False while another outcome can still arrive. */
  final: boolean;
  /** Grows by one with each transition. */
  seq: number;
  /** False for a property on a test upstream. */
  livemode: boolean;
  /** Amount to pay; null for kind `card`. */
  amount: MoneyJson | null;
  /** Whether the upstream may add a surcharge. */
  surcharge: boolean;
  /** Name of the hotel, for the guest. */
  hotelName: string;
  /** Reservation reference. */
  reference: string;
  /** What it is for, in the words of the hotel. */
  description: string | null;
  /** Present once the session succeeded. */
  receipt: CheckoutReceipt | null;
  /** Present once the session failed, was canceled or is unknown. */
  error: { code: CheckoutErrorCode } | null;
  /** RFC 3339 UTC. */
  expiresAt: string;
  /** When to look again, in milliseconds; null when there is nothing to wait for. */
  nextPollMs: number | null;
}

/** Answer to a start: the view and where to send the guest. */
export interface StartedCheckout extends CheckoutView {
  /** Address of the hosted page. Open it as a top-level page, never in a frame. */
  viewUrl: string;
}

/** Request of a start. */
export interface StartCheckout {
  presentation: CheckoutPresentation;
}

/** Failure document of the proxy (`application/problem+json`). */
export interface Problem {
  /** `urn:innkeep:problem:` and the code. */
  type: string;
  /** The code in words. */
  title: string;
  /** HTTP status. */
  status: number;
  /** Stable code. */
  code: string;
  /** What failed in this case, and what to do. */
  detail: string;
  /** Dotted path or header name that the proxy objected to. */
  param?: string | undefined;
  /** Id of the resource that the failure is about. */
  resource?: string | undefined;
  /** Equal to the `x-request-id` header. */
  traceId: string;
}
