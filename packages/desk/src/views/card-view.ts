/** A card: its brand and what is known of its number. */
import type { PaymentCard } from '@innkeep/core/contract';
import { brandMark } from '@innkeep/widgets/views/brand-mark';
import { html, nothing, type TemplateResult } from 'lit';

/** The mark of the brand and the last four digits. */
export function cardView(card: PaymentCard | null): TemplateResult | typeof nothing {
  if (!card?.last4) return nothing;
  return html`<span class="card">${card.brand ? brandMark(card.brand) : nothing}<bdi dir="ltr">•••• ${card.last4}</bdi></span>`;
}

/** The same in words, for a sentence. */
export function cardText(card: PaymentCard | null): string {
  // Isolated: in a sentence from right to left the dots would change places with the digits.
  return card?.last4 ? `\u2066••••\u00a0${card.last4}\u2069` : '';
}
