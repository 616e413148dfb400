/** States, kinds and failures of a checkout session. */
import * as v from 'valibot';
import { component } from './component.ts';

/** States of a checkout session. */
export const CHECKOUT_STATUSES = ['open', 'pending', 'succeeded', 'expired', 'unknown'] as const;

/** State of a checkout session. `unknown` means that money may have moved; it is never a failure. */
export type CheckoutStatus = (typeof CHECKOUT_STATUSES)[number];

/** State of a checkout session. */
export const CheckoutStatusSchema = component('CheckoutStatus', v.picklist(CHECKOUT_STATUSES), {
  description: 'State of a checkout session. `unknown` means that money may have moved; it is never a failure.',
});

/** States of an attempt to pay a session. */
export const ATTEMPT_STATUSES = [
  'pending',
  'succeeded',
  'declined',
  'canceled',
  'failed',
  'abandoned',
  'unknown',
] as const;

/** State of an attempt. `abandoned`: an hour without a sign of the guest. `unknown`: money may have moved. */
export type AttemptStatus = (typeof ATTEMPT_STATUSES)[number];

/** State of an attempt. */
export const AttemptStatusSchema = component('AttemptStatus', v.picklist(ATTEMPT_STATUSES), {
  description:
    'State of an attempt. `abandoned`: an hour without a sign of the guest. `unknown`: money may have moved; it is never a failure.',
});

/** What a session can be for. */
export const CHECKOUT_KINDS = ['payment', 'card'] as const;

/** What a session is for: a payment, or keeping a card for later. */
export type CheckoutKind = (typeof CHECKOUT_KINDS)[number];

/** What a session is for. */
export const CheckoutKindSchema = component('CheckoutKind', v.picklist(CHECKOUT_KINDS), {
  description: 'What a session is for: a payment, or keeping a card for later.',
});

/** Why an attempt can have ended without money, or be unknown. */
export const CHECKOUT_ERROR_CODES = [
  /**
   * The card was refused: the payment service's record of the attempt has an error code; the attempt is `declined`.
   *
   * Money: did not move.
   *
   * What to do: nothing: the guest can try another card in the same session.
   */
  'declined',
  /**
   * The payment service says that the attempt ended without a payment; it is `failed`.
   *
   * Money: did not move.
   *
   * What to do: nothing: the guest can try again in the same session.
   */
  'upstream_failed',
  /**
   * The guest turned back on the hosted page; the attempt is `canceled`.
   *
   * Money: did not move.
   *
   * What to do: nothing: the guest can try again in the same session.
   */
  'canceled_by_guest',
  /**
   * The payment service's record shows another amount than was asked for; the attempt is `unknown`.
   *
   * Money: moved, according to the record, in another amount.
   *
   * What to do: look the payment up at the payment service, then resolve the attempt with what you find.
   */
  'amount_mismatch',
  /**
   * The record shows the amount asked for multiplied or divided by exactly the currency's power of ten; the attempt is
   * `unknown`.
   *
   * Money: moved, in an amount that is a power of ten too large or too small.
   *
   * What to do: stop taking payments until the property's `amountUnit` is right, then look the payment up and resolve the attempt.
   */
  'amount_unit_mismatch',
  /**
   * The record contradicts what was asked for in a field that is not an amount (currency, request, operation, state), or has a
   * surcharge that is not believed; the attempt is `unknown`.
   *
   * Money: may have moved.
   *
   * What to do: look the payment up at the payment service, then resolve the attempt with what you find.
   */
  'record_mismatch',
  /**
   * The payment service says that it is done, but no record could be read for fifteen minutes; the attempt is `unknown`.
   *
   * Money: may have moved.
   *
   * What to do: refresh the session later: a readable record still ends it. Otherwise look it up and resolve it.
   */
  'record_unreadable',
] as const;

/** Why an attempt ended without money, or is unknown. */
export type CheckoutErrorCode = (typeof CHECKOUT_ERROR_CODES)[number];

/** Why an attempt ended without money, or is unknown. */
export const CheckoutErrorCodeSchema = component('CheckoutErrorCode', v.picklist(CHECKOUT_ERROR_CODES), {
  description: 'Why an attempt ended without money, or is unknown.',
});
