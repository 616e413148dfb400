import { CheckoutElement } from '../../base/checkout-element.ts';
import type { Messages } from '../../localization/messages.ts';

/**
 * Saves a card for later charges by the hotel: a checkout session of kind `card`. No money moves.
 *
 * @summary Saves a card.
 * @tagname save-card-widget
 */
export class SaveCardWidget extends CheckoutElement {
  protected override startLabel(texts: Messages): string {
    return this.checkout ? super.startLabel(texts) : texts.saveCard;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'save-card-widget': SaveCardWidget;
  }
}
