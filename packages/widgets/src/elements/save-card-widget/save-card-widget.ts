/** `<save-card-widget>`: stores a card for later charges by the hotel; the card is entered on the hosted page. */

import { CheckoutElement } from '../../base/checkout-element.ts';
import type { Messages } from '../../localization/messages.ts';

export class SaveCardWidget extends CheckoutElement {
  protected override startLabel(texts: Messages): string {
    return texts.saveCard;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'save-card-widget': SaveCardWidget;
  }
}
