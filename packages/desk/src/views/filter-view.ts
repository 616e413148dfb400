/** What a list is asked for: a search, or a state, a kind and days. */
import { html, type TemplateResult } from 'lit';
import { KINDS, type PaymentFilter, STATUSES } from '../values/payment-filter.ts';
import type { Format } from './format.ts';
import { type DayRange, rangeView } from './range-view.ts';

/** What a person does with it. */
export interface Filtering {
  show(filter: PaymentFilter): void;
  /** The search has changed, and may change on. */
  type(q: string): void;
  /** The search is meant. */
  search(q: string): void;
  /** On to what was found. */
  goDown(): void;
}

/** The search and the fields beside it. */
export function filterView(
  filter: PaymentFilter,
  range: DayRange,
  format: Format,
  { show, type, search, goDown }: Filtering,
): TemplateResult {
  const { texts } = format;
  const choice = (
    name: 'status' | 'kind',
    values: readonly string[],
    words: Readonly<Record<string, string>>,
  ): TemplateResult => {
    const pick = ({ target }: Event): void =>
      show({ ...filter, [name]: (target as HTMLSelectElement).value || undefined });
    return html`<label><span class="name">${texts[name]}</span>
      <select name=${name} ?disabled=${!!filter.q} @change=${pick}>
        <option value="">${texts.all}</option>
        ${values.map((each) => html`<option value=${each}>${words[each]}</option>`)}
      </select>
    </label>`;
  };
  const onSubmit = (event: Event): void => {
    event.preventDefault();
    search((event.target as HTMLFormElement).q.value);
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === 'ArrowDown') goDown();
    else if (event.key === 'Escape') show({ ...filter, q: undefined });
    else return;
    event.preventDefault();
  };
  return html`<form class="bar" role="search" aria-label=${texts.payments} @submit=${onSubmit}>
    <label class="search"><span class="name">${texts.search}</span>
      <input type="search" name="q" maxlength="64" autocomplete="off" spellcheck="false" enterkeyhint="search" placeholder=${texts.searchHint}
        @input=${({ target }: Event) => type((target as HTMLInputElement).value)} @keydown=${onKey} />
    </label>
    ${choice('status', STATUSES, texts.statuses)} ${choice('kind', KINDS, texts.kinds)}
    ${rangeView(range, format, (days) => show({ ...filter, q: undefined, ...days }))}
  </form>`;
}
