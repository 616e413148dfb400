/**
 * What the three elements share: their properties, methods and the one card they are drawn as.
 */

import type { CheckoutView } from '@innkeep/core/checkout';
import { CheckoutController, type CheckoutHost } from '../controllers/checkout-controller.ts';
import type { Presentation } from '../controllers/hosted-page.ts';
import { returnedSessionId } from '../controllers/session-memory.ts';
import { formatMoney, formatPlural } from '../localization/format.ts';
import { LocalizeController, type LocalizedHost } from '../localization/localize-controller.ts';
import type { Messages } from '../localization/messages.ts';
import type { PayState } from '../state/pay-state.ts';
import { widgetSheet } from '../styles/widget-sheet.ts';
import { html, nothing, type TemplateResult } from '../templates/lit.ts';
import { icon } from '../views/icon.ts';
import { receiptView } from '../views/receipt-view.ts';
import { type StatusText, statusText } from '../views/status-text.ts';
import { ViewElement } from './view-element.ts';

const PROPERTIES = ['endpoint', 'clientSecret', 'presentation', 'locale', 'theme', 'getClientSecret', 'messages'];
const DEFAULTS: Readonly<Record<string, string>> = { presentation: 'auto', theme: 'auto' };

/**
 * Base of every element. Subclasses say what their button is for.
 *
 * @attr {string} endpoint - Address of the payment proxy.
 * @attr {string} client-secret - Client secret of the session, from the hotel's server. Never written back.
 * @attr {'auto' | 'redirect' | 'tab'} [presentation=auto] - How the hosted page opens: `auto` leaves in the same tab and opens a new one from inside a frame.
 * @attr {string} locale - Language of the texts (BCP 47); without it the nearest `lang`, then the browser's.
 * @attr {'auto' | 'light' | 'dark'} [theme=auto] - Colors: the system's, or always light or dark.
 * @attr {'idle' | 'opening' | 'waiting' | 'succeeded' | 'failed' | 'canceled' | 'expired' | 'unknown' | 'error'} state - What the element shows; written by it.
 *
 * @slot - A link to pay by, shown while there is no JavaScript.
 * @slot header - Above everything else.
 * @slot footer - Below everything else.
 * @slot label - In place of the button's text.
 *
 * @csspart base - The card.
 * @csspart skeleton - Stands in for the content until it is known.
 * @csspart summary - Hotel, amount and description.
 * @csspart hotel - Name of the hotel.
 * @csspart badge - Says that this is a test.
 * @csspart amount - What is to be paid.
 * @csspart description - What it is for.
 * @csspart status - News about the payment.
 * @csspart icon - Picture of the status.
 * @csspart spinner - Turns while something is under way.
 * @csspart title - The status in a few words.
 * @csspart hint - What that means for the guest.
 * @csspart receipt - What was charged.
 * @csspart row - A line of the receipt.
 * @csspart total - The line with the total.
 * @csspart action - Button or link with its notes.
 * @csspart button - The one button that starts.
 * @csspart link - Opens the hosted page once more.
 * @csspart notes - Below the button.
 * @csspart surcharge-notice - Says that a surcharge may be added.
 * @csspart time-left - The last minutes to start.
 * @csspart live - Read out by screen readers, not seen.
 *
 * @cssproperty [--pay-color-primary] - Button, links, focus ring.
 * @cssproperty [--pay-accessible-color-on-color-primary] - Text on the button.
 * @cssproperty [--pay-color-background] - The card.
 * @cssproperty [--pay-color-text] - Text.
 * @cssproperty [--pay-color-text-secondary] - Explanations.
 * @cssproperty [--pay-color-border] - Lines.
 * @cssproperty [--pay-color-success] - Payment complete.
 * @cssproperty [--pay-color-danger] - Failed, error.
 * @cssproperty [--pay-color-warning] - Canceled, expired, unknown, the test badge.
 * @cssproperty [--pay-border-radius=14px] - Corners of the card.
 * @cssproperty [--pay-button-border-radius] - Corners of the button; follows the card's.
 * @cssproperty [--pay-box-shadow] - Shadow of the card.
 * @cssproperty [--pay-focus-outline] - Outline of what has the focus.
 * @cssproperty [--pay-spacing-unit=4px] - All distances are multiples of it.
 * @cssproperty [--pay-font-family=inherit] - Typeface.
 * @cssproperty [--pay-font-size-base=1rem] - Size of the text.
 * @cssproperty [--pay-font-weight-medium=600] - Weight of titles, amount and button.
 *
 * @fires {CustomEvent<PayEventDetail>} pay-ready - The session is known to be open. Once per session.
 * @fires {CustomEvent<PayEventDetail>} pay-beforeopen - The hosted page is about to open; `preventDefault()` stops it. Synchronous, inside the click.
 * @fires {CustomEvent<PayStateChangeDetail>} pay-statechange - The state has changed.
 * @fires {CustomEvent<PayEventDetail>} pay-completed - Paid, or the card is saved; verified by the proxy.
 * @fires {CustomEvent<PayEventDetail>} pay-failed - Definitely not paid.
 * @fires {CustomEvent<PayEventDetail>} pay-canceled - The guest turned back.
 * @fires {CustomEvent<PayEventDetail>} pay-expired - The time is over; a late answer may still follow.
 * @fires {CustomEvent<PayEventDetail>} pay-unknown - Money may have moved; the hotel will check. Not a failure.
 * @fires {CustomEvent<PayErrorDetail>} pay-error - The machinery failed, which says nothing about the payment.
 */
export abstract class CheckoutElement extends ViewElement implements CheckoutHost, LocalizedHost {
  static readonly observedAttributes: readonly string[] = [
    'endpoint',
    'client-secret',
    'presentation',
    'locale',
    'theme',
  ];

  /** Address of the payment proxy. */
  declare endpoint: string | undefined;
  /** Client secret of the session, from the hotel's server. Never written back to an attribute. */
  declare clientSecret: string | undefined;
  /** How the hosted page opens. `auto` leaves in the same tab, and opens a new one from inside a frame. */
  declare presentation: Presentation;
  /** Language of the texts; without it the nearest `lang` attribute, then the browser's. */
  declare locale: string | undefined;
  /** Colors: those of the system, or always light or dark. */
  declare theme: 'auto' | 'light' | 'dark';
  /** Asked for a client secret inside the click, when there is none or the last session has ended. */
  declare getClientSecret: (() => Promise<string>) | undefined;
  /** Texts of the site's own, over those of the language. */
  declare messages: Partial<Messages> | undefined;

  protected readonly flow: CheckoutController = new CheckoutController(this);
  protected readonly language: LocalizeController = new LocalizeController(this);
  readonly #values: Record<string, unknown> = {};
  #announcement = '';

  constructor() {
    super(widgetSheet());
    // What a framework set before the element was defined hides the accessors until it is set again.
    for (const name of PROPERTIES as (keyof this)[]) {
      if (!Object.hasOwn(this, name)) continue;
      const value = this[name];
      delete this[name];
      this[name] = value;
    }
  }

  static {
    for (const name of PROPERTIES) {
      Object.defineProperty(CheckoutElement.prototype, name, {
        get(this: CheckoutElement) {
          return this.#values[name] ?? DEFAULTS[name];
        },
        set(this: CheckoutElement, value: unknown) {
          this.#values[name] = value;
          this.requestUpdate();
        },
      });
    }
  }

  /** True for an element that reports and never starts. */
  get isStatusOnly(): boolean {
    return false;
  }

  /** What the element shows now; reflected in the attribute. */
  get state(): PayState {
    return this.flow.state;
  }

  /** The session as the proxy last described it, `null` before the first answer. */
  get checkout(): CheckoutView | null {
    return this.flow.checkout;
  }

  /** Opens the hosted page; call it inside a click. Resolves with the state reached. Safe to call twice. */
  start(): Promise<PayState> {
    return this.flow.start();
  }

  /** Looks at the session now. Resolves with the state found. */
  resume(): Promise<PayState> {
    return this.flow.resume();
  }

  /** Stops waiting on this page. The session is not touched. */
  cancel(): void {
    this.flow.cancel();
  }

  /** Back to the beginning, unless the outcome is `unknown`. */
  reset(): void {
    this.flow.reset();
  }

  /** Whether this page was reached by returning from the hosted page of this element's session. */
  hasReturned(): boolean {
    const id = returnedSessionId();
    return !!id && (this.clientSecret || id).startsWith(id);
  }

  /** Label of the button that starts. */
  protected abstract startLabel(texts: Messages): string;

  openingText(): string {
    return this.language.messages.opening;
  }

  connectedCallback(): void {
    this.language.connect();
    this.flow.connect();
    this.showState();
    this.requestUpdate();
  }

  disconnectedCallback(): void {
    this.language.disconnect();
    this.flow.disconnect();
  }

  attributeChangedCallback(name: string, _before: string | null, value: string | null): void {
    Object.assign(this, { [name === 'client-secret' ? 'clientSecret' : name]: value });
  }

  /** Writes the state to the attribute, at once: styles and listeners see the same state. */
  showState(): void {
    this.setAttribute('state', this.state);
  }

  protected override draw(): void {
    this.language.update();
    super.draw();
    this.flow.bind();
  }

  protected override render(): TemplateResult {
    const { flow, language, state } = this;
    const texts = language.messages;
    const status = statusText(state, flow, texts) ?? this.idleStatus(texts);
    const isLoading = flow.isLoading || language.isLoading;
    // Empty until something happens: a page that has just loaded has nothing to interrupt with.
    if (state !== 'idle' && !isLoading) this.#announcement = [status?.title, status?.hint || ''].join('. ');
    return html`<div class="base ${state} ${this.theme}" lang=${language.tag} dir=${language.dir}>
        <slot name="header"></slot>
        ${isLoading ? skeleton : this.#content(texts, status)}
        <slot name="footer"></slot>
      </div>
      <p class="live" role="status" lang=${language.tag}>${this.#announcement}</p>`;
  }

  /** What an idle element says; only those without a button say anything. */
  protected idleStatus(_texts: Messages): StatusText | undefined {
    return undefined;
  }

  #content(texts: Messages, status: StatusText | undefined): TemplateResult {
    const { checkout } = this.flow;
    return html`${checkout ? this.#summary(checkout, texts) : nothing}
      ${
        // While the page opens the button itself says so: nothing moves under the guest's finger.
        status && this.state !== 'opening'
          ? html`<div class="status" tabindex="-1">
              <span class="icon">${status.icon ? icon(status.icon) : (status.sign ?? spinner)}</span>
              <div>
                <p class="title">${status.title}</p>
                ${status.hint ? html`<p class="hint">${status.hint}</p>` : nothing}
              </div>
            </div>`
          : nothing
      }
      ${checkout && this.state === 'succeeded' ? receiptView(checkout, texts, this.language.tag) : nothing}
      ${this.#action(texts)}`;
  }

  #summary(checkout: CheckoutView, texts: Messages): TemplateResult {
    const { hotelName, livemode, amount, description, reference, receipt } = checkout;
    const details = [description, receipt ? '' : reference].filter(Boolean).join(' · ');
    return html`<div class="summary">
      <p class="hotel">
        <bdi>${hotelName}</bdi>${livemode ? nothing : html`<span class="badge">${texts.test}</span>`}
      </p>
      ${amount && !receipt ? html`<p class="amount">${formatMoney(amount, this.language.tag)}</p>` : nothing}
      ${details ? html`<p class="description"><bdi>${details}</bdi></p>` : nothing}
    </div>`;
  }

  #action(texts: Messages): TemplateResult | typeof nothing {
    const { flow, state } = this;
    const { viewUrl, checkout, countdown } = flow;
    if (state === 'waiting') {
      return html`<div class="action">
        ${
          viewUrl
            ? html`<a class="link" href=${viewUrl} target=${flow.isInTab ? '_blank' : '_self'} rel="noreferrer">${texts.openPage}</a>`
            : html`<button class="link" type="button" @click=${() => flow.reopen()}>${texts.openPage}</button>`
        }
      </div>`;
    }
    const isOpening = state === 'opening';
    if (!isOpening && !flow.canStart && !flow.canRetry) return nothing;
    const isFirst = state === 'idle' || isOpening;
    return html`<div class="action">
        <button class="button" type="button" aria-disabled=${isOpening} @click=${() => flow.act()}>
          ${isOpening ? spinner : isFirst ? icon('lock') : nothing}
          <slot name="label">${isOpening ? texts.opening : isFirst ? this.startLabel(texts) : state === 'error' ? texts.retry : texts.again}</slot>
        </button>
        ${
          isFirst
            ? html`<div class="notes">
                ${checkout?.surcharge ? html`<p class="surcharge-notice">${texts.surchargeNotice}</p>` : nothing}
                ${countdown ? html`<p class="time-left">${formatPlural(texts.minutesLeft, countdown, this.language.tag)}</p>` : nothing}
                <p>${texts.secure}</p>
              </div>`
            : nothing
        }
      </div>`;
  }
}

const spinner: TemplateResult = html`<span class="spinner"></span>`;
const skeleton: TemplateResult = html`<div class="summary skeleton" aria-hidden="true">
    <i></i><i class="amount"></i><i></i>
  </div>
  <div class="action skeleton" aria-hidden="true"><i class="button"></i><i></i></div>`;
