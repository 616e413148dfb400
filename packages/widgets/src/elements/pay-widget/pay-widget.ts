import { CheckoutElement } from '../../base/checkout-element.ts';
import { formatMoney } from '../../localization/format.ts';
import type { Messages } from '../../localization/messages.ts';

/**
 * Pays one checkout session: the guest enters the card on the hosted page, and this element waits and shows the receipt.
 *
 * @summary Pays a checkout session.
 * @tagname pay-widget
 */
export class PayWidget extends CheckoutElement {
  protected override startLabel(texts: Messages): string {
    const amount = this.checkout?.amount;
    return amount ? texts.pay.replace('{amount}', formatMoney(amount, this.language.tag)) : texts.payNow;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'pay-widget': PayWidget;
  }
}
