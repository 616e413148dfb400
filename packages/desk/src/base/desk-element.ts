/** What the three elements share: how they are set up, their language, their connection, and what they say of it. */
import type { MoneyJson } from '@innkeep/core/values';
import { formatMoney } from '@innkeep/widgets/localization/format';
import { tokens } from '@innkeep/widgets/styles/tokens';
import {
  type CSSResultGroup,
  html,
  LitElement,
  nothing,
  type PropertyDeclarations,
  type PropertyValues,
  type TemplateResult,
} from 'lit';
import { DeskConnection } from '../controllers/desk-connection.ts';
import { LocalizeController } from '../localization/localize-controller.ts';
import type { Messages } from '../localization/messages.ts';
import { deskStyles } from '../styles/desk.styles.ts';
import { paymentsStyles } from '../styles/payments.styles.ts';
import { faultText } from '../views/fault-text.ts';
import { type Format, fill } from '../views/format.ts';

/**
 * Base of every element of the desk.
 *
 * @prop {Promise<boolean>} updateComplete - Resolves when everything asked for so far is drawn.
 *
 * @csspart base - The whole element.
 *
 * @cssproperty [--pay-color-primary] - Buttons, links, focus ring.
 * @cssproperty [--pay-accessible-color-on-color-primary] - Text on a button.
 * @cssproperty [--pay-color-background] - The ground.
 * @cssproperty [--pay-color-text] - Text.
 * @cssproperty [--pay-color-text-secondary] - Explanations.
 * @cssproperty [--pay-color-border] - Lines.
 * @cssproperty [--pay-color-success] - Paid.
 * @cssproperty [--pay-color-danger] - Declined, failed, refused.
 * @cssproperty [--pay-color-warning] - What needs a person, the test badge.
 * @cssproperty [--pay-border-radius=14px] - Corners.
 * @cssproperty [--pay-focus-outline] - Outline of what has the focus.
 * @cssproperty [--pay-spacing-unit=4px] - All distances are multiples of it.
 * @cssproperty [--pay-font-family=inherit] - Typeface.
 * @cssproperty [--pay-font-size-base=1rem] - Size of the text.
 * @cssproperty [--pay-font-weight-medium=600] - Weight of titles and amounts.
 */
export abstract class DeskElement extends LitElement {
  static override readonly styles: CSSResultGroup = [tokens, deskStyles, paymentsStyles];
  static override readonly properties: PropertyDeclarations = {
    endpoint: {},
    locale: {},
    theme: { useDefault: true },
    getClientSecret: { attribute: false },
    messages: { attribute: false },
    connection: { attribute: false },
  };

  /** Address of the payment proxy. */
  declare endpoint: string | undefined;
  /** Language of the texts (BCP 47); without it the nearest `lang` attribute, then the browser's. */
  declare locale: string | undefined;
  /** Colors: `auto` follows the page's `color-scheme`, `system` the person's system; or always light or dark. */
  declare theme: 'auto' | 'light' | 'dark' | 'system';
  /**
   * Asked for the secret of a desk session, `ds_…`, and for the next one when it has ended. Without it the cookie of the proxy's own page
   * is used. There is no attribute for it.
   */
  declare getClientSecret: (() => Promise<string>) | undefined;
  /** Texts of the page's own, over those of the language. */
  declare messages: Partial<Messages> | undefined;
  /** The connection of the desk that this element is a part of. @internal */
  declare connection: DeskConnection | undefined;

  protected readonly language: LocalizeController = new LocalizeController(this);
  /** Read out politely, when it changes. */
  protected announcement = '';
  #own: DeskConnection | undefined;
  #unsubscribe: (() => void) | undefined;
  #turn: string | undefined;

  constructor() {
    super();
    this.theme = 'auto';
  }

  /** The connection in use. @internal */
  get link(): DeskConnection | undefined {
    return this.connection ?? this.#own;
  }

  /** Reads everything again. */
  reload(): void {
    this.link?.retry();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#listen();
    // Whoever comes back may have missed something, the first answer as well.
    if (this.hasUpdated && this.link) this.changed(new Set(['*']));
  }

  // A move in the DOM disconnects and connects in one task: to the controllers it is no leaving.
  override disconnectedCallback(): void {
    queueMicrotask(() => {
      if (this.isConnected) return;
      super.disconnectedCallback();
      this.#listen();
    });
  }

  /** Says to the page what was done here. */
  protected dispatch(name: string, detail: object): void {
    /** @internal */
    this.dispatchEvent(new CustomEvent(name, { bubbles: true, composed: true, detail }));
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    const { endpoint, getClientSecret } = this;
    const isOther =
      this.#own?.isOver ||
      changed.has('connection') ||
      changed.has('endpoint') ||
      // A function written into a template is a new one each time, and no reason to begin anew.
      (changed.has('getClientSecret') && !changed.get('getClientSecret') === !!getClientSecret);
    if (!isOther) return;
    const { isOver, drafts } = this.#own ?? {};
    // What is no address leads nowhere, and the connection says so.
    let url: Pick<URL, 'href' | 'origin'> = { href: '', origin: location.origin };
    try {
      url = new URL(`${endpoint}`, location.href);
    } catch {}
    // Before a script has set the function, only the proxy's own page has a way to say who it is.
    const canSpeak = endpoint && (getClientSecret || url.origin === location.origin);
    this.#own =
      canSpeak && !this.connection
        ? new DeskConnection({
            endpoint: url.href,
            getClientSecret: getClientSecret && (async () => (await this.getClientSecret?.()) ?? ''),
          })
        : undefined;
    if (isOver && this.#own) this.#own.before = drafts;
    this.#listen();
    if (this.link) this.connected();
  }

  /** There is a connection, or another one. */
  protected abstract connected(): void;

  /** Something changed at the proxy: the ids of it, or `*`. */
  protected abstract changed(ids: ReadonlySet<string>): void;

  #listen(): void {
    this.#unsubscribe?.();
    this.#unsubscribe = this.isConnected
      ? this.link?.subscribe((ids) => {
          if (ids.size > 0) this.changed(ids);
          this.requestUpdate();
        })
      : undefined;
  }

  // A form that goes on takes the focus along: to its first field, to what is wrong, or to what it says. One that ends returns it.
  protected override updated(_changed: PropertyValues): void {
    const form = this.renderRoot.querySelector<HTMLElement>('.action');
    const turn = form?.dataset.turn;
    if (turn === this.#turn) return;
    this.#turn = turn;
    const target =
      form?.querySelector<HTMLElement>('[aria-invalid], .message') ??
      form?.querySelector<HTMLElement>('input, select, button');
    (target ?? this.renderRoot.querySelector<HTMLElement>('[data-home]'))?.focus();
  }

  // What goes while it has the focus leaves it to what has come in its place, or to where one begins; a line that is now another
  // payment's, to that of its own.
  protected override update(changed: PropertyValues): void {
    // What somebody can focus on here is HTML.
    const had = (this.renderRoot as ShadowRoot).activeElement as HTMLElement | null;
    const payment = had?.dataset.payment;
    super.update(changed);
    if (!had || (had.dataset.payment === payment && had.isConnected)) return;
    had.blur();
    (had.closest('ul') ?? this.renderRoot)
      .querySelector<HTMLElement>(`[data-payment="${payment}"]`)
      ?.focus({ preventScroll: true });
    void this.#passFocus();
  }

  async #passFocus(): Promise<void> {
    // First whoever knows better: what is drawn now, and what that has asked for.
    await this.updateComplete;
    await this.updateComplete;
    if (document.activeElement === document.body)
      (
        this.renderRoot.querySelector<HTMLElement>('.pay-link input') ??
        this.renderRoot.querySelector<HTMLElement>('[data-home], payments-list')
      )?.focus();
  }

  /** How things are written in this language, at this hotel. */
  protected get format(): Format {
    const { tag, messages: texts } = this.language;
    const timeZone = this.link?.desk?.property.timeZone;
    return {
      texts,
      locale: tag,
      money: (money: MoneyJson) => formatMoney(money, tag),
      time: (instant: string) => new Date(instant).toLocaleString(tag, { timeZone, timeStyle: 'short' }),
      dateTime: (instant: string) =>
        new Date(instant).toLocaleString(tag, { timeZone, dateStyle: 'medium', timeStyle: 'short' }),
      day: (day: string) =>
        new Date(`${day}T12:00:00Z`).toLocaleString(tag, {
          timeZone: 'UTC',
          weekday: 'short',
          day: 'numeric',
          month: 'long',
          year: 'numeric',
        }),
    };
  }

  protected override render(): TemplateResult {
    const { tag, dir } = this.language;
    // A browser that translates the page moves texts out of Lit's reach: what they say would never change again.
    return html`<div class="base ${this.theme}" part="base" lang=${tag} dir=${dir} translate="no">${this.content(this.format)}</div>
      <p class="live" role="status" lang=${tag} translate="no">${this.announcement}</p>`;
  }

  /** What is inside. */
  protected abstract content(format: Format): TemplateResult;

  /** What is wrong with the connection, and the way on. A part of a desk leaves it to the desk. */
  protected connectionView(format: Format): TemplateResult | typeof nothing {
    const { link } = this;
    const begun = [...(link?.before ?? [])];
    if (begun[0] && begun.every(([, { step }]) => step === 'edit'))
      return html`<p class="notice bad" role="alert">${format.texts.begunAnew}</p>`;
    if (!link?.fault) return nothing;
    const { title, action } = faultText(link.fault, format);
    const since = link.freshAt
      ? fill(format.texts.asOf, { time: format.time(new Date(link.freshAt).toISOString()) })
      : '';
    return html`<div class="notice bad" role="alert">
      <p>${title} ${since}</p>
      <button type="button" class="plain" @click=${link.retry}>${action}</button>
    </div>`;
  }
}
