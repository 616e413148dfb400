/**
 * What the three elements share: their properties, methods and the one card they are drawn as.
 */

import type { CheckoutView } from '@innkeep/core/checkout';
import {
  type CSSResultGroup,
  html,
  LitElement,
  nothing,
  type PropertyDeclarations,
  type PropertyValues,
  type TemplateResult,
} from '#lit';
import { CheckoutController } from '../controllers/checkout-controller.ts';
import type { CheckoutHost } from '../controllers/checkout-host.ts';
import { returnedSessionId } from '../controllers/session-memory.ts';
import { formatMoney, formatPlural } from '../localization/format.ts';
import { LocalizeController, type LocalizedHost } from '../localization/localize-controller.ts';
import type { Messages } from '../localization/messages.ts';
import { checkAttributes } from '../misuse/misuse.ts';
import type { PayState } from '../state/pay-state.ts';
import { tokens } from '../styles/tokens.styles.ts';
import { widgetStyles } from '../styles/widget.styles.ts';
import { brandMark } from '../views/brand-mark.ts';
import { icon } from '../views/icon.ts';
import { receiptView } from '../views/receipt-view.ts';
import { type StatusText, statusText } from '../views/status-text.ts';

/**
 * Base of every element. Subclasses say what their button is for.
 *
 * @prop {Promise<boolean>} updateComplete - Resolves when everything asked for so far is drawn.
 * @attr {boolean} defer-hydration - Rendered on a server: the element does nothing until a script has added its listeners and takes this attribute away.
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
 * @csspart continue - Link or button to the site's next step.
 * @csspart brands - Brands of cards that the hotel accepts.
 * @csspart brand - The mark of one.
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
 * @fires {CustomEvent<PayEventDetail>} pay-failed - An attempt ended without money: declined, or failed. The session is open for the next one.
 * @fires {CustomEvent<PayEventDetail>} pay-canceled - The guest canceled an attempt. The session is open for the next one.
 * @fires {CustomEvent<PayEventDetail>} pay-expired - The session has expired; a late answer may still follow.
 * @fires {CustomEvent<PayEventDetail>} pay-unknown - Money may have moved; the hotel will check. Not a failure.
 * @fires {CustomEvent<PayEventDetail>} pay-continue - The guest goes on to the site's next step; `preventDefault()` keeps a link from being followed.
 * @fires {CustomEvent<PayErrorDetail>} pay-error - A technical failure, which says nothing about the payment.
 */
export abstract class CheckoutElement extends LitElement implements CheckoutHost, LocalizedHost {
  static override readonly styles: CSSResultGroup = [tokens, widgetStyles];
  static override readonly properties: PropertyDeclarations = {
    endpoint: {},
    // A template may have put blanks around it.
    clientSecret: { attribute: 'client-secret', converter: (text: string | null) => text?.trim() },
    presentation: { useDefault: true },
    noRetry: { type: Boolean, attribute: 'no-retry' },
    locale: {},
    theme: { useDefault: true },
    continueHref: { attribute: 'continue-href' },
    continueLabel: { attribute: 'continue-label' },
    getClientSecret: { attribute: false },
    messages: { attribute: false },
  };

  /** Address of the payment proxy. */
  declare endpoint: string | undefined;
  /** Client secret of the session, from the hotel's server. Never written back to an attribute. */
  declare clientSecret: string | undefined;
  /** How the hosted page opens. `auto` leaves in the same tab, and opens a new one from inside a frame. */
  declare presentation: 'auto' | 'redirect' | 'tab';
  /** Offers no further attempt after one that was declined, canceled or failed: the site goes on by itself. */
  declare noRetry: boolean;
  /** Language of the texts (BCP 47); without it the nearest `lang` attribute, then the browser's. */
  declare locale: string | undefined;
  /** Colors: `auto` follows the page's `color-scheme`, `system` the guest's system; or always light or dark. */
  declare theme: 'auto' | 'light' | 'dark' | 'system';
  /** Where the guest goes on after an outcome: shown as a link. */
  declare continueHref: string | undefined;
  /** Text of that link; without an address it makes a button that only sends `pay-continue`. */
  declare continueLabel: string | undefined;
  /** Asked for a client secret inside the click, when there is none or the session has expired. */
  declare getClientSecret: (() => Promise<string>) | undefined;
  /** Texts of the site's own, over those of the language. */
  declare messages: Partial<Messages> | undefined;

  protected readonly language: LocalizeController = new LocalizeController(this);
  protected readonly flow: CheckoutController = new CheckoutController(this, this.language);
  #isPresent = false;

  constructor() {
    super();
    this.presentation = 'auto';
    this.noRetry = false;
    this.theme = 'auto';
  }

  /** True for an element that reports, and begins no first attempt. @internal */
  readonly isStatusOnly: boolean = false;

  /** What the element shows now; reflected in the attribute, once it shows anything. */
  get state(): PayState {
    return this.flow.state;
  }

  /** The session as the proxy last described it, `null` before the first answer. */
  get checkout(): CheckoutView | null {
    return this.flow.checkout;
  }

  /** Opens the hosted page; call it inside a click. Resolves with the state reached. Safe to call twice. */
  start(): Promise<PayState> {
    // What was set before the element was defined becomes its properties with the first update.
    if (!this.hasUpdated) this.performUpdate();
    return this.flow.start();
  }

  /** Looks at the session; resolves with the state found. */
  resume(): Promise<PayState> {
    return this.flow.resume();
  }

  /** Stops waiting here; the session is not touched. */
  cancel(): void {
    this.flow.cancel();
  }

  /** Back to the beginning while waiting, or with `getClientSecret` after a final session; otherwise looks again. */
  reset(): void {
    this.flow.reset();
  }

  /** Whether this page was reached by returning from the hosted page of this element's session. */
  hasReturned(): boolean {
    const id = returnedSessionId();
    return !!id && (this.clientSecret || id).includes(id);
  }

  /** Label of the button that starts. */
  protected startLabel(texts: Messages): string {
    const { kind, amount } = this.checkout ?? {};
    if (kind === 'card') return texts.saveCard;
    return amount ? texts.pay.replace('{amount}', formatMoney(amount, this.language.tag)) : texts.payNow;
  }

  static override get observedAttributes(): string[] {
    // biome-ignore lint/complexity/noThisInStatic: Lit answers for the class that it is asked through.
    return [...super.observedAttributes, 'defer-hydration'];
  }

  override attributeChangedCallback(name: string, from: string | null, to: string | null): void {
    super.attributeChangedCallback(name, from, to);
    if (name === 'defer-hydration' && this.isConnected) this.connectedCallback();
  }

  // A move in the DOM disconnects and connects in one task: to the controllers only arrivals and departures count.
  override connectedCallback(): void {
    if (this.hasAttribute('defer-hydration')) return;
    this.requestUpdate();
    if (this.#isPresent) return;
    this.#isPresent = true;
    super.connectedCallback();
  }

  override disconnectedCallback(): void {
    queueMicrotask(() => {
      if (this.isConnected || !this.#isPresent) return;
      this.#isPresent = false;
      super.disconnectedCallback();
    });
  }

  protected override firstUpdated(): void {
    // A class knows its own statics.
    checkAttributes(this, (this.constructor as typeof CheckoutElement).observedAttributes);
  }

  protected override update(changed: PropertyValues): void {
    const hadFocus = this.shadowRoot?.activeElement;
    super.update(changed);
    // The focused control may be gone with its state: focus then moves to the message, or to the button where there is none.
    if (hadFocus && !this.shadowRoot?.activeElement)
      this.shadowRoot?.querySelector<HTMLElement>('[tabindex],.button')?.focus();
  }

  protected override render(): TemplateResult {
    const { flow, language, state } = this;
    const texts = language.messages;
    const news = statusText(state, flow, texts);
    const isLoading = flow.isLoading || language.isLoading;
    // Empty until something happens: a page that has just loaded has nothing to interrupt with. What fails again is told again.
    const announcement = news && !isLoading && !flow.isRetrying ? [news.title, news.hint || ''].join('. ') : '';
    // A browser that translates the page moves texts out of Lit's reach: what they say would never change again.
    return html`<div class="base ${state} ${this.theme}" part="base" lang=${language.tag} dir=${language.dir} translate="no">
        <slot name="header"></slot>
        ${isLoading ? skeleton : this.#content(texts, news ?? this.idleStatus(texts))}
        <slot name="footer"></slot>
      </div>
      <p class="live" part="live" role="status" lang=${language.tag} translate="no">${announcement}</p>`;
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
          ? html`<div class="status" part="status" tabindex="-1">
              <span class="icon" part="icon">${status.icon ? icon(status.icon) : (status.sign ?? spinner)}</span>
              <div>
                <p class="title" part="title">${status.title}</p>
                ${status.hint ? html`<p class="hint" part="hint">${status.hint}</p>` : nothing}
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
    return html`<div class="summary" part="summary">
      <p class="hotel" part="hotel">
        <bdi>${hotelName}</bdi>${livemode ? nothing : html`<span class="badge" part="badge">${texts.test}</span>`}
      </p>
      ${amount && !receipt ? html`<p class="amount" part="amount">${formatMoney(amount, this.language.tag)}</p>` : nothing}
      ${details ? html`<p class="description" part="description"><bdi>${details}</bdi></p>` : nothing}
    </div>`;
  }

  #action(texts: Messages): TemplateResult | typeof nothing {
    const { flow, state } = this;
    const { checkout } = flow;
    if (state === 'waiting') {
      // Whoever may have paid is offered nothing that looks like paying again.
      if (checkout?.returned || (flow.isRemembered && this.hasReturned())) return nothing;
      const { viewUrl, isInTab } = flow.page;
      return html`<div class="action" part="action">
        ${
          viewUrl
            ? html`<a class="link" part="link" href=${viewUrl} target=${isInTab ? '_blank' : '_self'} rel="noreferrer">${texts.openPage}</a>`
            : html`<button class="link" part="link" type="button" @click=${() => flow.reopen()}>${texts.openPage}</button>`
        }
      </div>`;
    }
    const isOpening = state === 'opening';
    if (!isOpening && !flow.canStart && !flow.canRetry) return this.#next(texts, 'button');
    const isFirst = state === 'idle' || isOpening;
    const isBusy = isOpening || flow.isRetrying;
    const { countdown } = flow.polling;
    return html`<div class="action" part="action">
        <button class="button" part="button" type="button" aria-disabled=${isBusy} @click=${() => flow.act()}>
          ${isBusy ? spinner : isFirst ? icon('lock') : nothing}
          <slot name="label">${isOpening ? texts.opening : isFirst ? this.startLabel(texts) : texts.retry}</slot>
        </button>
        ${
          isFirst
            ? html`<div class="notes" part="notes">
                ${
                  checkout?.acceptedBrands?.length
                    ? html`<p class="brands" part="brands">${checkout.acceptedBrands.map(brandMark)}</p>`
                    : nothing
                }
                ${checkout?.surcharge ? html`<p class="surcharge-notice" part="surcharge-notice">${texts.surchargeNotice}</p>` : nothing}
                ${countdown ? html`<p class="time-left" part="time-left">${formatPlural(texts.minutesLeft, countdown, this.language.tag)}</p>` : nothing}
                <p>${texts.secure}</p>
              </div>`
            : this.#next(texts, 'link')
        }
      </div>`;
  }

  /** The way on that the site has set, once there is an outcome. */
  #next(texts: Messages, look: 'button' | 'link'): TemplateResult | typeof nothing {
    const { continueHref, continueLabel, flow, state } = this;
    // Of addresses of the site's own, only those that lead to a page.
    const url = continueHref && URL.canParse(continueHref, this.baseURI) && new URL(continueHref, this.baseURI);
    const href = url && /^https?:$/.test(url.protocol) ? url.href : '';
    if (state === 'idle' || state === 'opening' || !(href || continueLabel)) return nothing;
    const label = continueLabel || texts.next;
    const go = (event: Event): void => {
      if (!flow.continue()) event.preventDefault();
    };
    return href
      ? html`<a class=${look} part="continue" href=${href} @click=${go}>${label}</a>`
      : html`<button class=${look} part="continue" type="button" @click=${go}>${label}</button>`;
  }
}

const spinner: TemplateResult = html`<span class="spinner" part="spinner"></span>`;
const skeleton: TemplateResult = html`<div class="summary skeleton" part="summary skeleton" aria-hidden="true">
    <i></i><i class="amount"></i><i></i>
  </div>
  <div class="action skeleton" part="action skeleton" aria-hidden="true"><i class="button"></i><i></i></div>`;
