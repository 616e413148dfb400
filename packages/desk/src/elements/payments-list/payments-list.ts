import type { PaymentLine } from '@innkeep/core/contract';
import { html, nothing, type PropertyDeclarations, type PropertyValues, type TemplateResult } from 'lit';
import { DeskElement } from '../../base/desk-element.ts';
import { type DeskFault, faultOf } from '../../client/desk-fault.ts';
import { saveCsv } from '../../client/save-csv.ts';
import { type ListedPayments, PaymentsReader } from '../../controllers/payments-reader.ts';
import { addDays } from '../../values/days.ts';
import { isLongNumber, isSearchable, type PaymentFilter, toQuery } from '../../values/payment-filter.ts';
import { callFaultText, faultText } from '../../views/fault-text.ts';
import { type Filtering, filterView } from '../../views/filter-view.ts';
import { type Format, fill, mostDays } from '../../views/format.ts';
import { lineView, totalsView } from '../../views/line-view.ts';
import { statusText } from '../../views/status-badge.ts';

/** Detail of `desk-select`. */
export interface DeskSelectDetail {
  /** `cs_…` or `ch_…`. */
  payment: string;
}

/** Detail of `desk-filter`. */
export interface DeskFilterDetail {
  /** What the list shows now. */
  filter: PaymentFilter;
}

/** How many a search brings at most. */
const MAX_HITS = 50;
/** How long the proxy lets a table be. */
const MAX_DAYS = 366;
const TYPING_MS = 250;

/**
 * Payments of a day or more, with totals, what needs a person first, search and export.
 *
 * @summary Lists a hotel's payments.
 * @tagname payments-list
 *
 * @fires {CustomEvent<DeskSelectDetail>} desk-select - A payment was chosen.
 * @fires {CustomEvent<DeskFilterDetail>} desk-filter - The list shows something else.
 */
export class PaymentsList extends DeskElement {
  static override readonly properties: PropertyDeclarations = {
    filter: { attribute: false },
    selected: {},
    noShortcut: { type: Boolean, attribute: 'no-shortcut' },
  };

  /** What is shown; today without anything. */
  declare filter: PaymentFilter;
  /** Id of the payment that is marked. */
  declare selected: string | undefined;
  /** Leaves the key `/` alone, which otherwise goes to the search. */
  declare noShortcut: boolean | undefined;

  readonly #reader = new PaymentsReader(this);
  #typing: ReturnType<typeof setTimeout> | undefined;
  #fault = '';
  /** Which line gets the focus with the next answer. */
  #goesTo: number | undefined;
  #isMore = false;
  #isExporting = false;

  constructor() {
    super();
    this.filter = {};
    this.addController({
      hostConnected: () => document.addEventListener('keydown', this.#onKey),
      hostDisconnected: () => {
        document.removeEventListener('keydown', this.#onKey);
        clearTimeout(this.#typing);
      },
    });
  }

  /** Puts the cursor into the search. */
  override focus(): void {
    this.renderRoot.querySelector<HTMLElement>('[type=search]')?.focus();
  }

  // What is said twice is heard once, unless it was gone between.
  protected connected(): void {
    this.announcement = '';
    this.#reader.clear();
    void this.#load();
  }

  protected changed(): void {
    void this.#load();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    super.willUpdate(changed);
    const before = changed.get('filter');
    if (before && JSON.stringify(toQuery(before)) !== JSON.stringify(toQuery(this.filter))) this.connected();
  }

  // Whoever has searched, or asked for more, goes on among what has come.
  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    // What somebody has chosen or typed no attribute changes.
    if (changed.has('filter'))
      for (const field of this.renderRoot.querySelectorAll<HTMLInputElement>('[name]'))
        field.value = this.filter[field.name as 'status' | 'kind' | 'q'] ?? '';
    if (this.#goesTo === undefined || this.#reader.isLoading || !this.#reader.value) return;
    this.#allLines()[this.#goesTo]?.focus();
    this.#goesTo = undefined;
  }

  async #load(): Promise<void> {
    const before = this.#reader.value;
    const value = await this.#reader.load();
    if (!value) return;
    this.link?.followFrom(value.position);
    const { from, until } = this.#range();
    // The hotel's day is over: today is another one, also for whoever has come back to it.
    if (from === before?.days.today && until === from && from !== value.days.today) this.#backToToday();
    const { format } = this;
    const { texts } = format;
    const isMore = this.#isMore;
    this.#isMore = false;
    if (!before || isMore) {
      const found = fill(texts.found, { n: value.data.length.toLocaleString(format.locale) });
      this.announcement = isMore ? found : `${this.#heading(format)}. ${found}`;
    } else {
      const known = new Set(before.data.map((line) => JSON.stringify(line)));
      const news = value.data.filter((line) => !known.has(JSON.stringify(line)));
      const told = news
        .slice(0, 3)
        .map(({ reference, id, status, kind }) => `${reference ?? id}: ${statusText(status, format, kind)}`);
      if (told.length > 0) this.announcement = `${texts.changed} ${told.join('. ')}`;
    }
    // The button may be gone by now, and the focus with it.
    const isThere = document.activeElement === document.body || this.shadowRoot?.activeElement?.matches('.more');
    if (before && isMore && isThere) this.#goesTo = this.#reader.urgent.length + before.data.length;
    this.requestUpdate();
  }

  protected content(format: Format): TemplateResult {
    const { texts } = format;
    const { value, isSlow, isLoading, fault } = this.#reader;
    const { filter } = this;
    return html`${filterView(filter, this.#range(), format, this.#filtering)} ${this.#days(format)} ${this.connection ? nothing : this.connectionView(format)}
      ${
        value
          ? [
              this.#urgent(this.#reader.urgent, format),
              this.#lines(value, format),
              value.nextCursor
                ? html`<button type="button" class="plain more" @click=${this.#more}>${texts.showMore}</button>`
                : nothing,
              filter.q && value.data.length >= MAX_HITS ? html`<p class="hint">${texts.firstHits}</p>` : nothing,
              totalsView(filter.q ? [] : value.totals, format, !!(filter.status || filter.kind)),
            ]
          : fault
            ? this.#unread(fault, format)
            : html`<ul class="lines waiting" aria-hidden="true"><li><i></i></li><li><i></i></li><li><i></i></li><li><i></i></li></ul>`
      }
      ${isLoading && isSlow ? html`<p class="hint" role="status">${texts.slow}</p>` : nothing}`;
  }

  /** Why there is no list, unless the line about the connection says it. */
  #unread(fault: DeskFault, format: Format): TemplateResult | typeof nothing {
    return this.link?.fault ? nothing : html`<p class="empty">${faultText(fault, format).title}</p>`;
  }

  #range(): { from: string; until: string } {
    const { from = this.#reader.value?.days.today ?? '', until = from } = this.filter;
    return { from, until };
  }

  /** What the list is of. */
  #heading({ texts, day }: Format): string {
    const { q } = this.filter;
    if (q) return fill(texts.resultsFor, { q });
    const { from, until } = this.#range();
    if (from !== until) return `${day(from)} – ${day(until)}`;
    return !from || from === this.#reader.value?.days.today ? texts.today : day(from);
  }

  /** Which days are shown, and the way to others. */
  #days(format: Format): TemplateResult {
    const { texts } = format;
    const { filter } = this;
    const { from, until } = this.#range();
    const move = (days: number) => () => {
      if (from) this.#show({ ...filter, q: undefined, from: addDays(from, days), until: addDays(until, days) });
    };
    return html`<div class="days">
        <button type="button" class="plain" aria-label=${texts.earlier} @click=${move(-1)}>‹</button>
        <button type="button" class="plain" aria-label=${texts.later} @click=${move(1)}>›</button>
        <h2 tabindex="-1" data-home>${this.#heading(format)}</h2>
        ${filter.q || filter.from ? html`<button type="button" class="plain" @click=${this.#backToToday}>${texts.backToToday}</button>` : nothing}
        ${this.link?.can('export') && !filter.q ? html`<button type="button" class="plain" aria-disabled=${this.#isExporting} @click=${this.#export}>${texts.exportCsv}</button>` : nothing}
      </div>
      ${this.#fault ? html`<p class="notice bad" role="alert">${this.#fault}</p>` : nothing}`;
  }

  #urgent(lines: readonly PaymentLine[], format: Format): TemplateResult | typeof nothing {
    if (!lines[0]) return nothing;
    return html`<section class="urgent" aria-labelledby="urgent">
      <h3 id="urgent">${format.texts.needsYou}</h3>
      <ul class="lines" @keydown=${this.#onLineKey}>${lines.map((line) => this.#lineView(line, format, true))}</ul>
    </section>`;
  }

  #lines({ data: lines, nextCursor }: ListedPayments, format: Format): TemplateResult {
    const { filter } = this;
    if (lines.length === 0 && !nextCursor)
      return html`<p class="empty">${filter.q ? format.texts.nothingFound : format.texts.noPayments}</p>`;
    return html`<ul class="lines" @keydown=${this.#onLineKey}>${lines.map((line) => this.#lineView(line, format, false))}</ul>`;
  }

  #lineView(line: PaymentLine, format: Format, isUrgent: boolean): TemplateResult {
    const { q, from, until } = this.filter;
    const { payment } = line;
    return lineView(line, format, {
      isUrgent,
      hasDay: isUrgent || !!q || from !== until,
      isSelected: this.selected === payment,
      select: () => this.dispatch('desk-select', { payment }),
    });
  }

  /** @returns whether it may be searched for */
  #show({ q = '', ...filter }: PaymentFilter, isHeld = false): boolean {
    clearTimeout(this.#typing);
    const isAllowed = isSearchable(q);
    this.#fault = isAllowed ? '' : this.format.texts.refused;
    this.requestUpdate();
    if (!isAllowed || isHeld) return isAllowed;
    this.filter = { ...filter, q: q.trim() ? q : undefined };
    this.dispatch('desk-filter', { filter: this.filter });
    return true;
  }

  readonly #backToToday = (): void => {
    const { status, kind } = this.filter;
    this.#show({ status, kind });
  };

  readonly #more = (): void => {
    this.#reader.pages += 1;
    this.#isMore = true;
    void this.#load();
  };

  readonly #filtering: Filtering = {
    show: (filter) => this.#show(filter),
    type: (q) => {
      clearTimeout(this.#typing);
      this.#typing = setTimeout(() => this.#show({ ...this.filter, q }, isLongNumber(q)), TYPING_MS);
    },
    search: (q) => {
      const isKnown = q === (this.filter.q ?? '');
      if (!isKnown && !this.#show({ ...this.filter, q })) return;
      this.#goesTo = 0;
      this.requestUpdate();
    },
    goDown: () => this.#allLines()[0]?.focus(),
  };

  /** `/` anywhere on the page, unless somebody writes. */
  readonly #onKey = (event: KeyboardEvent): void => {
    // The document itself has no `matches`.
    const target = event.composedPath()[0] as Partial<Element>;
    const isWriting = target.matches?.(':read-write, select');
    if (this.noShortcut || event.key !== '/' || event.metaKey || isWriting || event.defaultPrevented) return;
    event.preventDefault();
    this.focus();
    if (this.clientWidth > 0) return;
    // There was no room for it beside a payment.
    this.dispatchEvent(new Event('show'));
    setTimeout(() => this.focus());
  };

  readonly #onLineKey = (event: KeyboardEvent): void => {
    const lines = this.#allLines();
    const at = lines.indexOf(event.target as HTMLElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: lines.length - 1 }[event.key];
    if (to === undefined || at < 0) return;
    event.preventDefault();
    if (to < 0) this.focus();
    else lines[Math.min(to, lines.length - 1)]?.focus();
  };

  #allLines(): HTMLElement[] {
    return [...this.renderRoot.querySelectorAll<HTMLElement>('.line')];
  }

  readonly #export = async (): Promise<void> => {
    const { link, filter, format } = this;
    if (!link || this.#isExporting) return;
    this.#isExporting = true;
    this.requestUpdate();
    try {
      await saveCsv(link.client, {
        name: ['payments', ...new Set(Object.values(this.#range()))].join('-'),
        query: toQuery(filter),
        locale: format.locale,
      });
      this.#fault = '';
    } catch (error) {
      const fault = faultOf(error);
      this.#fault = fault.param === 'to' ? mostDays(MAX_DAYS, format) : callFaultText(fault, format);
    }
    this.#isExporting = false;
    this.requestUpdate();
  };
}

declare global {
  interface HTMLElementTagNameMap {
    'payments-list': PaymentsList;
  }
}
