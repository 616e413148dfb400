/** The page of a payment link and the page after the payment: one document, made on the server, no script. */
import type { CheckoutView, MoneyJson } from '@innkeep/core/checkout/contract';
import { Money } from '@innkeep/core/values';
import { escapeHtml } from './escape-html.ts';
import type { Language } from './language.ts';
import type { Messages } from './messages.ts';
import { STYLE_PATH } from './page-style.ts';

/** What a page shows. */
export interface CheckoutPage {
  readonly view: CheckoutView;
  readonly language: Language;
  readonly messages: Messages;
  /** Address of the form that starts or continues; absent on the result page, and when no try can follow. */
  readonly payAction?: string;
  /** Address of the QR code; absent where nobody scans. */
  readonly qrSource?: string;
  /** A failed start, said above everything else. */
  readonly notice?: string;
}

/** Seconds after which a page that waits loads itself again. */
const REFRESH_SECONDS = 3;

/** The whole document. */
export function checkoutPage(page: CheckoutPage): string {
  const { view, language, messages: t, notice } = page;
  const isTryOver = page.payAction !== undefined && view.status === 'expired';
  const shown = isTryOver ? 'pending' : view.status;
  const heading = (view.kind === 'card' ? t.cardHeading[shown] : undefined) ?? t.heading[shown];
  const isWaiting = view.status === 'pending' || (view.status === 'unknown' && page.payAction === undefined);
  const canClose = page.payAction === undefined && view.status !== 'pending';
  return htmlDocument({
    language,
    title: `${heading} · ${view.hotelName}`,
    ...(isWaiting ? { refreshSeconds: REFRESH_SECONDS } : {}),
    body: [
      `<p class="hotel">${escapeHtml(view.hotelName)}</p>`,
      `<h1>${escapeHtml(heading)}</h1>`,
      view.livemode ? '' : `<p class="mode">${escapeHtml(t.testMode)}</p>`,
      notice === undefined ? '' : `<p role="alert">${escapeHtml(notice)}</p>`,
      `<p role="status">${escapeHtml(isTryOver ? t.tryExpired : t.text[view.status])}</p>`,
      details(view, t, language),
      view.surcharge && view.receipt === null ? `<p class="note">${escapeHtml(t.surchargeNote)}</p>` : '',
      form(page, t),
      canClose ? `<p class="note">${escapeHtml(t.close)}</p>` : '',
      page.qrSource === undefined || view.status !== 'open'
        ? ''
        : `<figure><img src="${escapeHtml(page.qrSource)}" alt="" width="176" height="176"><figcaption>${escapeHtml(t.scan)}</figcaption></figure>`,
    ].join(''),
  });
}

/** A page that only says something, for addresses without a session and for failures. */
export function messagePage(language: Language, t: Messages, message: 'notFound' | 'unavailable'): string {
  const text = message === 'notFound' ? t.notFoundText : t.unavailableText;
  return htmlDocument({
    language,
    title: t[message],
    body: `<h1>${escapeHtml(t[message])}</h1><p>${escapeHtml(text)}</p>`,
  });
}

function htmlDocument(page: { language: Language; title: string; body: string; refreshSeconds?: number }): string {
  const refresh =
    page.refreshSeconds === undefined ? '' : `<meta http-equiv="refresh" content="${page.refreshSeconds}">`;
  return (
    `<!doctype html><html lang="${page.language}"><head><meta charset="utf-8">` +
    `<meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex">` +
    `<meta name="referrer" content="no-referrer">${refresh}<title>${escapeHtml(page.title)}</title>` +
    // Without one, every browser asks for /favicon.ico and logs that there is none.
    `<link rel="icon" href="data:,"><link rel="stylesheet" href="${STYLE_PATH}"></head><body><main>${page.body}</main></body></html>`
  );
}

function form(page: CheckoutPage, t: Messages): string {
  const label = buttonLabel(page.view, t);
  if (page.payAction === undefined || label === undefined) return '';
  return `<form method="post" action="${escapeHtml(page.payAction)}"><button>${escapeHtml(label)}</button></form>`;
}

function buttonLabel(view: CheckoutView, t: Messages): string | undefined {
  switch (view.status) {
    case 'open':
      return view.kind === 'card' ? t.saveCard : t.pay;
    case 'pending':
      return t.continuePaying;
    case 'failed':
    case 'canceled':
    case 'expired':
      return t.tryAgain;
    default:
      return undefined;
  }
}

function details(view: CheckoutView, t: Messages, language: Language): string {
  const { receipt } = view;
  const rows: string[] = [];
  const add = (label: string, value: string, isSum = false): void => {
    rows.push(`<div${isSum ? ' class="sum"' : ''}><dt>${escapeHtml(label)}</dt><dd>${escapeHtml(value)}</dd></div>`);
  };
  const surcharge = receipt?.surcharge ?? null;
  const amount = receipt?.base ?? view.amount;
  if (amount !== null) add(t.amount, formatMoney(amount, language), surcharge === null);
  if (surcharge !== null) add(`${t.surcharge} (${surcharge.percent} %)`, formatMoney(surcharge.amount, language));
  if (surcharge !== null && receipt?.total != null) add(t.total, formatMoney(receipt.total, language), true);
  if (receipt?.maskedCard != null) add(t.card, receipt.maskedCard);
  add(t.reference, view.reference);
  const description = view.description === null ? '' : `<p>${escapeHtml(view.description)}</p>`;
  return `${description}<dl>${rows.join('')}</dl>`;
}

/** The digits come from our own currency table; Intl only arranges them. */
function formatMoney(amount: MoneyJson, language: Language): string {
  const money = Money.fromJSON(amount);
  const format = new Intl.NumberFormat(language, {
    style: 'currency',
    currency: money.currency,
    minimumFractionDigits: money.exponent,
    maximumFractionDigits: money.exponent,
  });
  // A decimal string keeps every digit; the type does not know yet that format takes one.
  return format.format(money.toDecimal() as unknown as number);
}
