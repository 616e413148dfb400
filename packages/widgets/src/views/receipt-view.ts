/** The receipt: what was charged, to which card, for which booking. */

import type { CheckoutView } from '@innkeep/core/checkout';
import { cardBrand } from '@innkeep/core/values';
import { html, nothing, type TemplateResult } from '#lit';
import { formatDate, formatMoney, formatPercent } from '../localization/format.ts';
import type { Messages } from '../localization/messages.ts';
import { brandMark } from './brand-mark.ts';

function cardText(maskedCard: string): TemplateResult {
  const brand = cardBrand(maskedCard);
  return html`${brand ? brandMark(brand) : nothing} •••• ${maskedCard.slice(-4)}`;
}

export function receiptView(
  { receipt, reference }: CheckoutView,
  texts: Messages,
  locale: string,
): TemplateResult | typeof nothing {
  if (!receipt) return nothing;
  const { base, surcharge, total, maskedCard, completedAt } = receipt;
  const row = (
    name: string,
    value: string | TemplateResult | null | undefined,
    kind = '',
  ): TemplateResult | typeof nothing =>
    value
      ? html`<div class="row ${kind}" part="row ${kind}"><dt>${name}</dt><dd><bdi>${value}</bdi></dd></div>`
      : nothing;
  return html`<dl class="receipt" part="receipt">
    ${
      surcharge && base
        ? [
            row(texts.amount, formatMoney(base, locale)),
            row(
              texts.surcharge + (surcharge.percent ? ` (${formatPercent(surcharge.percent, locale)})` : ''),
              formatMoney(surcharge.amount, locale),
            ),
          ]
        : nothing
    }
    ${row(texts.total, total && formatMoney(total, locale), 'total')}
    ${row(texts.card, maskedCard && cardText(maskedCard))}
    ${row(texts.reference, reference)}
    ${row(texts.date, formatDate(completedAt, locale))}
  </dl>`;
}
