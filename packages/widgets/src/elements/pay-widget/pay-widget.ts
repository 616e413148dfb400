import { CheckoutElement } from '../../base/checkout-element.ts';

/**
 * Pays one checkout session: the guest enters the card on the hosted page, and this element waits and shows the receipt.
 *
 * @summary Pays a checkout session.
 * @tagname pay-widget
 */
export class PayWidget extends CheckoutElement {}

declare global {
  interface HTMLElementTagNameMap {
    'pay-widget': PayWidget;
  }
}
