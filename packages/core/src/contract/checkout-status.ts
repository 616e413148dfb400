/** States, kinds and failures of a checkout session. */
import * as v from 'valibot';
import { component } from './component.ts';

/** States of a checkout session. */
export const CHECKOUT_STATUSES = ['open', 'pending', 'succeeded', 'failed', 'canceled', 'expired', 'unknown'] as const;

/** State of a checkout session. `unknown` means that money may have moved; it is never a failure. */
export type CheckoutStatus = (typeof CHECKOUT_STATUSES)[number];

/** State of a checkout session. */
export const CheckoutStatusSchema = component('CheckoutStatus', v.picklist(CHECKOUT_STATUSES), {
  description: 'State of a checkout session. `unknown` means that money may have moved; it is never a failure.',
});

/** What a session can be for. */
export const CHECKOUT_KINDS = ['payment', 'card'] as const;

/** What a session is for: a payment, or keeping a card for later. */
export type CheckoutKind = (typeof CHECKOUT_KINDS)[number];

/** What a session is for. */
export const CheckoutKindSchema = component('CheckoutKind', v.picklist(CHECKOUT_KINDS), {
  description: 'What a session is for: a payment, or keeping a card for later.',
});

/** Why a session can have failed, been canceled or be unknown. */
export const CHECKOUT_ERROR_CODES = [
  /**
   * The card was refused: the payment service's record of the attempt has an error code; the session is `failed`.
   *
   * Money: did not move.
   *
   * What to do: make a new session if the guest wants to try another card.
   */
  'declined',
  /**
   * The payment service says that the attempt ended without a payment; the session is `failed`.
   *
   * Money: did not move.
   *
   * What to do: make a new session if the guest wants to try again.
   */
  'upstream_failed',
  /**
   * The guest turned back on the hosted page; the session is `canceled`.
   *
   * Money: did not move.
   *
   * What to do: make a new session if the guest wants to try again.
   */
  'canceled_by_guest',
  /**
   * The payment service's record shows another amount than was asked for; the session is `unknown`.
   *
   * Money: moved, according to the record, in another amount.
   *
   * What to do: look the payment up at the payment service, then resolve the session with what you find.
   */
  'amount_mismatch',
  /**
   * The record shows the amount asked for multiplied or divided by exactly the currency's power of ten; the session is
   * `unknown`.
   *
   * Money: moved, in an amount that is a power of ten too large or too small.
   *
   * What to do: stop taking payments until the property's `amountUnit` is right, then look the payment up and resolve the session.
   */
  'amount_unit_mismatch',
  /**
   * The record contradicts what was asked for in a field that is not an amount: currency, request, operation, state; the
   * session is `unknown`.
   *
   * Money: may have moved.
   *
   * What to do: look the payment up at the payment service, then resolve the session with what you find.
   */
  'record_mismatch',
  /**
   * The payment service says that it is done, but no record could be read for fifteen minutes; the session is `unknown`.
   *
   * Money: may have moved.
   *
   * What to do: refresh the session later: a readable record still ends it. Otherwise look it up and resolve it.
   */
  'record_unreadable',
] as const;

/** Why a session failed, was canceled or is unknown. */
export type CheckoutErrorCode = (typeof CHECKOUT_ERROR_CODES)[number];

/** Why a session failed, was canceled or is unknown. */
export const CheckoutErrorCodeSchema = component('CheckoutErrorCode', v.picklist(CHECKOUT_ERROR_CODES), {
  description: 'Why a session failed, was canceled or is unknown.',
});
