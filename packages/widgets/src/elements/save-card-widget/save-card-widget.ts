/** `<save-card-widget>`: stores a card for later charges by the hotel; the card is entered on the hosted page. */
import type { Messages } from '../../localization/messages.ts';
import { CheckoutElement } from '../checkout-element.ts';

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
