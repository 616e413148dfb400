import { CheckoutElement } from '../../base/checkout-element.ts';
import type { Messages } from '../../localization/messages.ts';
import type { StatusText } from '../../views/status-text.ts';

/**
 * The element of a return page: picks up the session that left from this tab, or the one in `client-secret`, waits for
 * its outcome and shows the receipt. After an attempt without money it offers the next one; it never begins the first.
 *
 * @summary Shows what a payment came to.
 * @tagname payment-status
 */
export class PaymentStatus extends CheckoutElement {
  /** @internal */
  override readonly isStatusOnly = true;

  protected override idleStatus(texts: Messages): StatusText {
    return { title: texts.notStarted, icon: 'clock' };
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'payment-status': PaymentStatus;
  }
}
