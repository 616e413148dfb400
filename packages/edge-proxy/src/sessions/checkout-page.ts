/** The page of a payment link and the page after the payment: one document, made on the server, no script. */
import type { CheckoutView, MoneyJson } from '@innkeep/core/contract';
import { Money } from '@innkeep/core/values';
import { html } from 'hono/html';
import type { Messages, Shown } from './messages.ts';
import { STYLE_PATH } from './page-style.ts';

/** A document, or a part of one, in which every text is escaped. */
export type Page = ReturnType<typeof html>;

/** What a page shows. */
export interface CheckoutPage {
  readonly view: CheckoutView;
  /** Language and region of the guest. */
  readonly locale: string;
  readonly messages: Messages;
  /** Address of the form that starts or continues; absent when nothing can be started from here. */
  readonly payAction?: string;
  /** Where a page that waits loads itself from; absent: its own address. */
  readonly waitAddress?: string;
  /** Address of the QR code; absent where nobody scans. */
  readonly qrSource?: string;
  /** A failed start, said above everything else. */
  readonly notice?: string;
}

/** Seconds after which a page that waits loads itself again: later where the focus may be on its button. */
const REFRESH_SECONDS = 3;
const REFRESH_WITH_BUTTON_SECONDS = 10;

/** The whole document. */
export function checkoutPage(page: CheckoutPage): Page {
  const { view, locale, messages: t, notice, qrSource } = page;
  const shown = shownAs(view);
  const byStatus = (view.kind === 'card' ? t.cardHeading[shown] : undefined) ?? t.heading[shown];
  const heading = shown === 'failed' && view.error?.code === 'declined' ? t.declined : byStatus;
  const button = form(page, t);
  // A page that loads itself again takes the focus from its button, and says everything once more. Who comes back waits.
  const isStillOpen = view.status === 'expired' && !view.final;
  const isPending = view.status === 'pending' && (button === undefined || page.waitAddress !== undefined);
  const isWaiting = isStillOpen || isPending;
  const shortest = button === undefined ? REFRESH_SECONDS : REFRESH_WITH_BUTTON_SECONDS;
  const seconds = Math.max(shortest, (view.nextPollMs ?? 0) / 1_000);
  // Nobody enters a card from a page without a button: that of an older attempt, or after the last one that there can be.
  const says = shown === 'open' && button === undefined ? 'expired' : shown;
  const byKind = (view.kind === 'card' ? t.textForCard[says] : undefined) ?? t.text[says];
  const whileWaiting = isStillOpen && (view.kind === 'card' ? t.text.pending : t.alreadyPaid);
  const text = whileWaiting || (shown === 'pending' && !isWaiting ? t.text.open : byKind);
  const canClose = page.payAction === undefined && !isStillOpen && view.status !== 'pending';
  const body = html`<p class="hotel"><bdi>${view.hotelName}</bdi></p><h1>${heading}</h1>${
    !view.livemode && html`<p class="mode">${t.testMode}</p>`
  }${notice !== undefined && html`<p role="alert">${notice}</p>`}<p role="status">${text}</p>${details(view, t, locale)}${
    // Whoever can pay nothing here is not to see one before paying.
    view.surcharge && button !== undefined && html`<p class="note">${t.surchargeNote}</p>`
  }${button}${canClose && html`<p class="note">${t.close}</p>`}${
    qrSource !== undefined &&
    shown === 'open' &&
    html`<figure><img src="${qrSource}" alt="" width="176" height="176"><figcaption>${view.kind === 'card' ? t.cardScan : t.scan}</figcaption></figure>`
  }`;
  const title = `${heading} · ${view.hotelName}`;
  const from = page.waitAddress === undefined ? '' : `; url=${page.waitAddress}`;
  return htmlDocument({ locale, title, body, ...(isWaiting ? { refresh: `${seconds}${from}` } : {}) });
}

/**
 * A page that only says something, for addresses without a session and for failures.
 * @param refreshSeconds when it tries again by itself; absent where the guest decides
 */
export function messagePage(
  { locale, messages: t }: Pick<CheckoutPage, 'locale' | 'messages'>,
  message: 'notFound' | 'refused',
  refreshSeconds?: number,
): Page {
  const [heading, text] = message === 'notFound' ? [t.notFound, t.notFoundText] : [t.unavailable, t.refusedText];
  const body = html`<h1>${heading}</h1><p role="status">${text}${refreshSeconds !== undefined && ` ${t.text.pending}`}</p>`;
  const refresh = refreshSeconds === undefined ? {} : { refresh: String(refreshSeconds) };
  return htmlDocument({ locale, title: heading, body, ...refresh });
}

function htmlDocument(page: { locale: string; title: string; body: Page; refresh?: string }): Page {
  const refresh = page.refresh !== undefined && html`<meta http-equiv="refresh" content="${page.refresh}">`;
  // Without an icon, every browser asks for /favicon.ico and logs that there is none.
  return html`<!doctype html><html lang="${page.locale}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex"><meta name="referrer" content="no-referrer">${refresh}<title>${page.title}</title><link rel="icon" href="data:,"><link rel="stylesheet" href="${STYLE_PATH}"></head><body><main>${page.body}</main></body></html>`;
}

function shownAs({ status, error }: CheckoutView): Shown {
  if (status !== 'open' || error === null) return status;
  return error.code === 'canceled_by_guest' ? 'canceled' : 'failed';
}

function form(page: CheckoutPage, t: Messages): Page | undefined {
  const label = buttonLabel(page.view, t);
  if (page.payAction === undefined || label === undefined) return undefined;
  // The form has no field: its address names the terms that this page shows.
  return html`<form method="post" action="${page.payAction}?terms=${page.view.terms}"><button>${label}</button></form>`;
}

function buttonLabel(view: CheckoutView, t: Messages): string | undefined {
  // Whoever may have paid is offered nothing that looks like paying again.
  if (view.status === 'pending') return view.returned ? undefined : t.continuePaying;
  if (view.status !== 'open') return undefined;
  if (view.error !== null) return t.tryAgain;
  return view.kind === 'card' ? t.saveCard : t.pay;
}

function details(view: CheckoutView, t: Messages, locale: string): Page {
  const { receipt } = view;
  const rows: Page[] = [];
  const add = (label: string, value: string | Page, isSum = false): void => {
    rows.push(html`<div${isSum && html` class="sum"`}><dt>${label}</dt><dd>${value}</dd></div>`);
  };
  const surcharge = receipt?.surcharge ?? null;
  const amount = receipt?.base ?? view.amount;
  if (amount !== null) add(t.amount, formatMoney(amount, locale), surcharge === null);
  if (surcharge !== null)
    add(
      // Not every record says how many per cent it was.
      surcharge.percent === 0 ? t.surcharge : `${t.surcharge} (${formatPercent(surcharge.percent, locale)})`,
      formatMoney(surcharge.amount, locale),
    );
  if (surcharge !== null && receipt?.total != null) add(t.total, formatMoney(receipt.total, locale), true);
  if (receipt?.maskedCard != null) add(t.card, receipt.maskedCard);
  if (view.reference !== '') add(t.reference, html`<bdi>${view.reference}</bdi>`);
  return html`${view.description !== null && html`<p><bdi>${view.description}</bdi></p>`}<dl>${rows}</dl>`;
}

function formatPercent(percent: number, locale: string): string {
  return (percent / 100).toLocaleString(locale, { style: 'percent', maximumFractionDigits: 2 });
}

/** The digits come from our own currency table; Intl only arranges them. */
function formatMoney(amount: MoneyJson, locale: string): string {
  const money = Money.fromJSON(amount);
  const format = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency: money.currency,
    minimumFractionDigits: money.exponent,
    maximumFractionDigits: money.exponent,
  });
  // A decimal string keeps every digit; the type does not know yet that format takes one.
  return format.format(money.toDecimal() as unknown as number);
}
