/** `<payment-status>`: the return page's element. It resumes, waits, and shows the result and the receipt. */

import { CheckoutElement } from '../../base/checkout-element.ts';
import type { Messages } from '../../localization/messages.ts';
import type { StatusText } from '../../views/status-text.ts';

export class PaymentStatus extends CheckoutElement {
  override get isStatusOnly(): boolean {
    return true;
  }

  protected override idleStatus(texts: Messages): StatusText {
    return { title: texts.notStarted, icon: 'clock' };
  }

  protected override startLabel(texts: Messages): string {
    return texts.payNow;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'payment-status': PaymentStatus;
  }
}
