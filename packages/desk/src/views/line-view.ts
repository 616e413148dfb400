/** A line of the list, and the totals below it. */
import type { PaymentLine, PaymentTotals } from '@innkeep/core/contract';
import { formatMoney } from '@innkeep/widgets/localization/format';
import { html, nothing, type TemplateResult } from 'lit';
import { cardView } from './card-view.ts';
import { type Format, fill, mostDays } from './format.ts';
import { statusBadge } from './status-badge.ts';

const MAX_TOTALED_DAYS = 31;

/** How a line is shown. */
export interface LineOptions {
  /** Whether it says what a person should look at. */
  readonly isUrgent: boolean;
  /** Whether its time needs its day. */
  readonly hasDay: boolean;
  readonly isSelected: boolean;
  select(): void;
}

/** One payment, stored card, or reversal. */
export function lineView(line: PaymentLine, format: Format, options: LineOptions): TemplateResult {
  const { texts, money } = format;
  const { kind, reference, description, status, amount, taken, reversed, reversing, happenedAt, payment, flags } = line;
  const gone = (reversed?.value ?? 0) + (reversing?.value ?? 0);
  const shown = taken ?? amount;
  const notes: Readonly<Record<string, string>> = texts.flags;
  return html`<li><button type="button" class="line" aria-current=${options.isSelected ? 'true' : nothing}
    data-payment=${payment} @click=${options.select}>
    <time datetime=${happenedAt}>${options.hasDay ? format.dateTime(happenedAt) : format.time(happenedAt)}</time>
    <span class="what"><bdi class="reference">${reference ?? '–'}</bdi>
      <span class="hint">${description ?? ''} ${cardView(line.card)}</span>
      ${options.isUrgent ? flags.map((flag) => html`<span class="hint warn">${notes[flag] ?? flag}</span>`) : nothing}
    </span>
    <span class="state">${statusBadge(status, format, kind)}
      ${taken && !(line.counted ?? line.livemode) ? html`<span class="badge warn">${texts.test}</span>` : nothing}</span>
    <span class="sum">${shown ? html`<bdi>${kind === 'reversal' ? '−' : ''}${money(shown)}</bdi>` : nothing}
      ${shown && gone > 0 ? html`<span class="hint">${fill(texts.ofItBack, { amount: money({ ...shown, value: gone }) })}</span>` : nothing}
    </span>
  </button></li>`;
}

/**
 * What was taken and refunded, by currency; null for more days than are added up.
 * @param isOfMore whether the list shows only a part of what they are of
 */
export function totalsView(
  totals: readonly PaymentTotals[] | null,
  format: Format,
  isOfMore: boolean,
): TemplateResult | typeof nothing {
  const { texts, locale } = format;
  if (!totals) return html`<p class="hint">${texts.totals}: ${mostDays(MAX_TOTALED_DAYS, format)}</p>`;
  if (totals.length === 0) return nothing;
  const count = (n: number): TemplateResult | typeof nothing =>
    n > 0 ? html`<span class="hint">${n.toLocaleString(locale)} ×</span>` : nothing;
  return html`<table><caption>${texts.totals}${isOfMore ? ` · ${texts.status}: ${texts.all} · ${texts.kind}: ${texts.all}` : ''}</caption>
    <thead><tr><th scope="col">${texts.currency}</th><th scope="col">${texts.taken}</th><th scope="col">${texts.givenBack}</th><th scope="col">${texts.net}</th></tr></thead>
    <tbody>${totals.map(({ currency, payments, taken, reversals, reversed, net }) => {
      const money = (value: number): string => formatMoney({ value, currency }, locale);
      return html`<tr><th scope="row">${currency}</th><td data-name=${texts.taken}><bdi>${money(taken)}</bdi> ${count(payments)}</td>
        <td data-name=${texts.givenBack}><bdi>${money(reversed)}</bdi> ${count(reversals)}</td><td data-name=${texts.net}><bdi>${money(net)}</bdi></td></tr>`;
    })}</tbody>
  </table>`;
}
