import type { Payment } from '@innkeep/core/contract';
import type { MoneyJson } from '@innkeep/core/values';
import { html, nothing, type PropertyDeclarations, type PropertyValues, type TemplateResult } from 'lit';
import { DeskElement } from '../../base/desk-element.ts';
import { DeskFault } from '../../client/desk-fault.ts';
import { ActionController } from '../../controllers/action-controller.ts';
import { LinkController } from '../../controllers/link-controller.ts';
import { Reader } from '../../controllers/reader.ts';
import { type ActionForm, chargeForm, giveBackForm, refundables, revokeForm } from '../../views/action-forms.ts';
import { actionView } from '../../views/action-view.ts';
import { cardView } from '../../views/card-view.ts';
import { chargesOf, chargesView, type PaymentWithCharges } from '../../views/charges-view.ts';
import { callFaultText, faultText } from '../../views/fault-text.ts';
import { type Format, fill } from '../../views/format.ts';
import { linkView } from '../../views/link-view.ts';
import { settleForm, unresolvedOf } from '../../views/settle-form.ts';
import { statusBadge, statusText } from '../../views/status-badge.ts';
import { authorText, timelineView } from '../../views/timeline-view.ts';

/**
 * One payment: what was asked, taken and refunded, what happened, and what can be done now.
 *
 * @summary Shows one payment and what can be done with it.
 * @tagname payment-details
 *
 * @fires {CustomEvent<DeskSelectDetail>} desk-select - Another payment was chosen.
 * @fires {CustomEvent<DeskChangeDetail>} desk-change - Something was done with the payment.
 */
export class PaymentDetails extends DeskElement {
  static override readonly properties: PropertyDeclarations = { payment: {} };

  /** Id of the payment, `cs_…` or `ch_…`. */
  declare payment: string | undefined;

  readonly #reader = new Reader<PaymentWithCharges>(this, async (link, signal) => {
    await link.open();
    const payment = await link.client.json<Payment>(`payments/${this.payment}`, { signal });
    if (!Array.isArray(payment.attempts) || !Array.isArray(payment.reversals)) throw new DeskFault('invalid_response');
    return { ...payment, charges: await chargesOf(payment, link, signal) };
  });
  readonly #actions = new ActionController(this);
  readonly #link = new LinkController(this);
  /** The payment as it was when a form was opened. */
  #openedOn: Payment | undefined;

  /** Moves the focus to the title. */
  override focus(): void {
    void this.updateComplete.then(() => this.renderRoot.querySelector<HTMLElement>('[data-home]')?.focus());
  }

  /** Begins anew: what is here is of another payment, or of another proxy. */
  protected connected(): void {
    this.#actions.close();
    this.#link.clear();
    this.#reader.clear();
    this.announcement = '';
    void this.#load();
  }

  protected changed(ids: ReadonlySet<string>): void {
    const { value } = this.#reader;
    const isMine = [...ids].some((id) => id === '*' || /^(rv|ch)_/.test(id) || id === this.payment);
    if (isMine || !value) void this.#load();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    super.willUpdate(changed);
    if (changed.has('payment') && this.hasUpdated) this.connected();
  }

  async #load(): Promise<void> {
    if (!this.payment) return;
    const before = this.#reader.value;
    const value = await this.#reader.load();
    if (!value) return;
    this.link?.followFrom(value.position);
    if (before?.status !== value.status) {
      const texts = { texts: this.language.messages };
      this.announcement = `${value.reference ?? value.id}: ${statusText(value.status, texts, value.kind)}`;
      this.requestUpdate();
    }
  }

  protected content(format: Format): TemplateResult {
    const { texts } = format;
    const { value, fault, isSlow } = this.#reader;
    const banner = this.connection ? nothing : this.connectionView(format);
    if (!this.payment) return html`${banner}<p class="empty">${texts.choosePayment}</p>`;
    const title = value ? (value.reference ?? value.id) : fault ? texts.notShown : texts.loading;
    return html`${banner}
      <header class="head"><h2 tabindex="-1" data-home class="reference"><bdi>${title}</bdi></h2>
        ${value ? statusBadge(value.status, format, value.kind) : nothing}</header>
      ${value ? this.#whole(value, format) : fault ? this.#retry(fault, format) : nothing}
      ${isSlow && !value ? html`<p class="hint" role="status">${texts.slow}</p>` : nothing}`;
  }

  #retry(fault: DeskFault, format: Format): TemplateResult {
    // What is wrong with the connection is said where that is shown.
    return html`<p role=${this.link?.fault ? nothing : 'alert'}>${faultText(fault, format).title}</p>
      <button type="button" class="plain" @click=${() => this.#load()}>${format.texts.tryNow}</button>`;
  }

  #whole(payment: PaymentWithCharges, format: Format): TemplateResult {
    return html`${payment.description ? html`<p><bdi>${payment.description}</bdi></p>` : nothing}
      ${this.#sums(payment, format)} ${this.#notes(payment, format)} ${chargesView(payment, format, this.#select)} ${this.#doings(payment, format)}
      ${isPayable(payment) ? this.#linkPart(payment, format) : nothing} ${timelineView(payment, format)}`;
  }

  #sums(
    { amount, attempts, taken, reversed, reversing, reversible, card, by, createdAt, id }: Payment,
    format: Format,
  ): TemplateResult {
    const { texts, money } = format;
    const row = (name: string, value: unknown): TemplateResult | typeof nothing =>
      value ? html`<div><dt>${name}</dt><dd><bdi>${value}</bdi></dd></div>` : nothing;
    const sum = (name: string, value: MoneyJson | null): TemplateResult | typeof nothing =>
      row(name, value && money(value));
    const some = (value: MoneyJson | null): MoneyJson | null => (value?.value ? value : null);
    return html`<dl class="sums">
      ${sum(texts.asked, amount)} ${attempts.map(({ surcharge }) => sum(texts.surcharge, some(surcharge?.amount ?? null)))} ${sum(texts.taken, taken)} ${sum(texts.givenBack, some(reversed))} ${sum(texts.onItsWay, some(reversing))}
      ${some(reversed) || some(reversing) ? sum(texts.left, reversible) : nothing}
      ${card?.last4 ? row(texts.card, cardView(card)) : nothing}
      ${card?.chargeableUntil ? row(texts.storedCard, fill(texts.until, { time: format.dateTime(card.chargeableUntil) })) : nothing}
      ${row(texts.made, `${format.dateTime(createdAt)} · ${authorText(by, format)}`)} ${row(texts.id, html`<code>${id}</code>`)}
    </dl>`;
  }

  /** What a person should look at, and what to do. */
  #notes({ flags, duplicates, id }: Payment, { texts }: Format): TemplateResult | typeof nothing {
    const notes = flags.flatMap((flag) => {
      if (flag === 'unknown') return html`<p><strong>${texts.unknownMeans}</strong></p>`;
      if (flag === 'late') return html`<p>${texts.lateMeans}</p>`;
      if (flag !== 'duplicate') return [];
      return html`<p>${texts.duplicateMeans}</p>
        ${duplicates.filter((each) => each !== id).map((each) => html`<button type="button" class="plain" @click=${() => this.#select(each)}>${texts.otherOne} <code>${each}</code></button>`)}`;
    });
    return notes.length > 0 ? html`<div class="notice warn">${notes}</div>` : nothing;
  }

  readonly #select = (payment: string): void => {
    this.dispatch('desk-select', { payment });
  };

  /** Buttons for what can be done, or the form that was opened by one of them. */
  #doings(payment: Payment, format: Format): TemplateResult | typeof nothing {
    const { openId } = this.#actions;
    const forms = this.#forms(payment, format);
    // Once it has done its work there may be nothing left to do: it still says what came of it.
    const [open] =
      forms.find(([{ id }]) => id === openId) ??
      this.#forms(this.#openedOn ?? payment, format).find(([{ id }]) => id === openId) ??
      [];
    if (open) {
      const onDone = (): void => {
        if (payment.id === this.payment) this.#link.clear();
        this.dispatch('desk-change', { payment: payment.id });
        void this.#load();
      };
      return actionView({ ...open, onDone }, this.#actions, format);
    }
    if (forms.length === 0) return nothing;
    const begin = (id: string) => () => {
      this.#openedOn = payment;
      this.#actions.open(id);
    };
    return html`<div class="buttons">${forms.map(
      ([{ id, title }, more]) =>
        html`<button type="button" class="plain" @click=${begin(id)}>${title} ${more}</button>`,
    )}</div>`;
  }

  /** What can be done with a payment, and what tells one from another of its kind. */
  #forms(payment: Payment, format: Format): [form: ActionForm, difference: string][] {
    const { link } = this;
    const parts = refundables(payment);
    const sum = (money: MoneyJson | null): string => (money ? format.money(money) : '');
    const forms: [ActionForm, string][] = unresolvedOf(payment).map((each) => [
      settleForm(each, format),
      sum(each.amount),
    ]);
    for (const each of parts) forms.push([giveBackForm(each, format), parts.length > 1 ? sum(each.left) : '']);
    if (payment.card?.chargeableUntil)
      forms.push([chargeForm(payment, link?.desk?.property.maxAmount ?? {}, format), '']);
    if (isPayable(payment)) forms.push([revokeForm(payment, format), '']);
    // A form stays although its feature is withdrawn: it may have been sent, and says what came of it.
    return forms.filter(([{ id, feature }]) => link?.can(feature) || id === this.#actions.openId);
  }

  #linkPart(payment: Payment, format: Format): TemplateResult | typeof nothing {
    const { texts } = format;
    const { startedAt, id } = payment;
    if (!this.link?.can('link')) return nothing;
    const { shown, fault, awaited } = this.#link;
    return html`<section aria-labelledby="pay-link"><h3 id="pay-link">${texts.link}</h3>
      <p class="hint">${startedAt ? fill(texts.opened, { time: format.dateTime(startedAt) }) : texts.notOpened}</p>
      ${fault ? html`<p class="notice bad" role="alert">${callFaultText(fault, format)}</p>` : nothing}
      ${
        shown
          ? linkView(shown, payment, this.#link, format)
          : html`<button type="button" class="plain" aria-disabled=${!!awaited} @click=${() => this.#link.show(id)}>${texts.showLink}</button>`
      }
    </section>`;
  }
}

/** Whether a guest can still pay it. */
function isPayable({ type, kind, status }: Payment): boolean {
  return type === 'checkout_session' && kind === 'payment' && ['open', 'pending'].includes(status);
}

/** Detail of `desk-change`. */
export interface DeskChangeDetail {
  /** `cs_…` or `ch_…`. */
  payment: string;
}

declare global {
  interface HTMLElementTagNameMap {
    'payment-details': PaymentDetails;
  }
}
