import { html, nothing, type PropertyDeclarations, type PropertyValues, type TemplateResult } from 'lit';
import { DeskElement } from '../../base/desk-element.ts';
import { ActionController } from '../../controllers/action-controller.ts';
import type { Equal } from '../../controllers/draft.ts';
import { LinkController } from '../../controllers/link-controller.ts';
import { fromFragment, type PaymentFilter, toFragment } from '../../values/payment-filter.ts';
import { askForm } from '../../views/action-forms.ts';
import { actionView } from '../../views/action-view.ts';
import { callFaultText } from '../../views/fault-text.ts';
import type { Format } from '../../views/format.ts';
import { linkView, type Requested } from '../../views/link-view.ts';

/**
 * All of the desk: today, search, one payment, refund, charge, request payment, resolve, export.
 *
 * @summary A hotel's payments for its reception.
 * @tagname payments-desk
 *
 * @slot header - Beside the hotel's name.
 *
 * @fires {CustomEvent<DeskSelectDetail>} desk-select - A payment was chosen.
 * @fires {CustomEvent<DeskFilterDetail>} desk-filter - The list shows something else.
 * @fires {CustomEvent<DeskChangeDetail>} desk-change - Something was done with a payment.
 */
export class PaymentsDesk extends DeskElement {
  static override readonly properties: PropertyDeclarations = {
    noFragment: { type: Boolean, attribute: 'no-fragment' },
    noShortcut: { type: Boolean, attribute: 'no-shortcut' },
    filter: { state: true },
    selected: { state: true },
  };

  /** Leaves the fragment of the page's address alone: for pages that have a use for it. */
  declare noFragment: boolean;
  /** Leaves the key `/` alone, which otherwise goes to the search. */
  declare noShortcut: boolean | undefined;
  /** @internal */
  declare filter: PaymentFilter;
  /** @internal */
  declare selected: string | undefined;

  readonly #actions = new ActionController(this);
  readonly #link = new LinkController(this);
  /** Address of the step before this one, as far as it is known. */
  #before: string | undefined;

  constructor() {
    super();
    this.noFragment = false;
    this.filter = {};
    this.addController({
      hostConnected: () => {
        addEventListener('popstate', this.#readFragment);
        this.#readFragment();
      },
      hostDisconnected: () => removeEventListener('popstate', this.#readFragment),
    });
  }

  protected connected(): void {
    this.#actions.close();
  }

  protected changed(): void {}

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    if (!changed.has('selected')) return;
    const list = this.renderRoot.querySelector('payments-list');
    if (this.selected) this.renderRoot.querySelector('payment-details')?.focus();
    else if (document.activeElement === document.body)
      (list?.shadowRoot?.querySelector<HTMLElement>(`[data-payment="${changed.get('selected')}"]`) ?? list)?.focus();
  }

  protected content(format: Format): TemplateResult {
    const { texts } = format;
    const { link, selected } = this;
    const { desk } = link ?? {};
    const isAsking = this.#actions.openId;
    const side = isAsking || selected;
    return html`<header class="top">
        <h1><bdi>${desk?.property.name ?? texts.payments}</bdi></h1>
        ${desk && !desk.property.livemode ? html`<span class="badge warn">${texts.test}</span>` : nothing}
        <slot name="header"></slot>
        ${desk ? html`<span class="hint"><bdi>${desk.person.id}</bdi></span>` : nothing}
        ${link?.can('link') ? html`<button type="button" class="primary" data-home @click=${this.#ask}>${texts.askForMoney}</button>` : nothing}
      </header>
      ${this.connectionView(format)}
      <div class="panes ${side ? 'with-side' : ''}" @desk-select=${({ detail }: CustomEvent<{ payment: string }>) => this.#select(detail.payment)} @desk-filter=${this.#onFilter} @keydown=${side && this.#onKey}>
        <payments-list class="part" .connection=${link} .locale=${this.locale} .messages=${this.messages} theme=${this.theme}
          .filter=${this.filter} .selected=${selected} .noShortcut=${this.noShortcut} @show=${this.#close}></payments-list>
        ${
          side
            ? html`<aside class="side" aria-label=${isAsking ? texts.askForMoney : texts.onePayment}>
                <button type="button" class="plain" @click=${this.#close}><span aria-hidden="true">‹</span> ${texts.backToList}</button>
                ${isAsking ? this.#askView(format) : html`<payment-details class="part" .connection=${link} .locale=${this.locale} .messages=${this.messages} theme=${this.theme} .payment=${selected}></payment-details>`}
              </aside>`
            : nothing
        }
      </div>`;
  }

  #askView(format: Format): TemplateResult {
    const form = askForm(this.link?.desk?.property.maxAmount ?? {}, format);
    const { shown, fault } = this.#link;
    const { answer, body } = this.#actions.draftOf(form);
    // What was sent has both.
    const after =
      shown && body
        ? linkView(shown, body as Requested, this.#link, format)
        : fault && answer
          ? html`<p class="notice bad" role="alert">${callFaultText(fault, format)}</p>
            <button type="button" class="plain" @click=${() => this.#link.show(answer.id)}>${format.texts.showLink}</button>`
          : nothing;
    const onDone = ({ id }: { id: string }): void => void this.#link.show(id);
    const onEqual = ({ payment }: Equal): void => this.#select(payment);
    return actionView({ ...form, onDone, onEqual }, this.#actions, format, after);
  }

  readonly #ask = (): void => {
    // Left while it was being sent, it may have its link by now.
    this.#actions.open('ask', !this.#actions.openId);
    if (!this.link?.drafts.has('ask')) this.#link.clear();
  };

  /** Shows a payment, or without one the list alone. */
  #select(payment?: string): void {
    this.#actions.close(true);
    this.selected = payment;
    this.#writeFragment(!!payment);
  }

  readonly #onFilter = ({ detail }: CustomEvent<{ filter: PaymentFilter }>): void => {
    this.filter = detail.filter;
    this.#writeFragment();
  };

  readonly #close = (): void => this.#select();

  readonly #onKey = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' && !event.defaultPrevented) this.#close();
  };

  readonly #readFragment = (): void => {
    this.#before = undefined;
    const { filter, payment } = fromFragment(location.hash.slice(1));
    // The page has steps of its own, which ask for nothing here.
    if (this.noFragment || toFragment(filter, payment) === toFragment(this.filter, this.selected)) return;
    this.filter = filter;
    // A form would lie over what was asked for.
    this.#actions.close(true);
    this.selected = payment;
  };

  #writeFragment(isStep?: boolean): void {
    if (this.noFragment) return;
    const { href, hash } = location;
    const url = new URL(href);
    url.hash = toFragment(this.filter, this.selected, hash.slice(1));
    if (url.href === href) return;
    // From a list to the same list would be a step that leads nowhere.
    const isNew = isStep && href !== this.#before;
    if (isNew) this.#before = href;
    history[isNew ? 'pushState' : 'replaceState'](history.state, '', url);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'payments-desk': PaymentsDesk;
  }
}
