/** The hosted pages, as functions from what is known to HTML. */
import { html } from 'hono/html';
import type { Surcharge } from '../bookkeeping/hosted-outcome.ts';
import type { HostedRequest } from '../domain/ledger.ts';
import { toDisplay } from '../wire/amount.ts';
import { type CardFormView, cardForm, simulatorTools } from './card-form.ts';
import { layOut, type Markup } from './layout.ts';
import { type Language, textsIn } from './texts.ts';

/** What every page needs to know. */
export interface PageFrame {
  readonly language: Language;
  readonly assets: string;
  readonly otherLanguageUrl: string;
}

const CHECK = html`<svg class="state good" viewBox="0 0 48 48" aria-hidden="true"><circle cx="24" cy="24" r="21"/><path d="M15 24.5l6.5 6.5L34 18"/></svg>`;
const CROSS = html`<svg class="state bad" viewBox="0 0 48 48" aria-hidden="true"><circle cx="24" cy="24" r="21"/><path d="M17 17l14 14M31 17L17 31"/></svg>`;

/** Card entry, for a payment or to store a card. */
export function entryPage(
  frame: PageFrame,
  {
    hosted,
    baseMinor,
    form,
  }: {
    readonly hosted: HostedRequest;
    readonly baseMinor: bigint;
    readonly form: Pick<CardFormView, 'action' | 'values' | 'errors'>;
  },
): string {
  const texts = textsIn(frame.language);
  const { payment } = hosted.terms;
  const title = payment === undefined ? texts.tokenTitle : texts.paymentTitle;
  const sum = payment === undefined ? undefined : toDisplay(baseMinor, payment.currency, frame.language);
  const submitLabel = sum === undefined ? texts.store : texts.pay(sum);
  const view: CardFormView = { ...form, texts, submitLabel, isPayment: payment !== undefined };
  const hint = payment?.hasSurchargeFeature === true ? html`<p class="hint">${texts.surchargeNotice}</p>` : undefined;
  const content = html`<div class="card">
<h1>${title}</h1>
${payment === undefined ? html`<p class="lead">${texts.tokenLead}</p>` : undefined}
<div class="summary">${sum === undefined ? undefined : html`<p class="sum">${sum}</p>`}
<dl>${termsOf(hosted, frame.language)}</dl>${hint}</div>
${cardForm(view)}
</div>
${simulatorTools(view)}`;
  return layOut({ ...frame, title, content });
}

/** The surcharge, before anything is charged. */
export function surchargePage(
  frame: PageFrame,
  {
    hosted,
    baseMinor,
    surcharge,
    action,
  }: {
    readonly hosted: HostedRequest;
    readonly baseMinor: bigint;
    readonly surcharge: Surcharge;
    readonly action: string;
  },
): string {
  const texts = textsIn(frame.language);
  const currency = hosted.terms.payment?.currency ?? 'EUR';
  const show = (minor: bigint): string => toDisplay(minor, currency, frame.language);
  const percent = new Intl.NumberFormat(frame.language, { style: 'percent', maximumFractionDigits: 2 });
  const total = show(baseMinor + surcharge.minor);
  const content = html`<div class="card">
<h1>${texts.confirmTitle}</h1>
<p class="lead">${texts.confirmLead}</p>
<dl class="rows">
<dt>${texts.amount}</dt><dd>${show(baseMinor)}</dd>
<dt>${texts.surcharge} (${percent.format(surcharge.percent / 100)})</dt><dd>${show(surcharge.minor)}</dd>
<dt class="total">${texts.total}</dt><dd class="total">${total}</dd>
</dl>
<dl>${rowIf(texts.cardNumber, hosted.offer?.card.cardNo ?? '')}</dl>
<form class="actions" method="post" action="${action}">
<button class="primary" type="submit" name="action" value="confirm">${texts.pay(total)}</button>
<button class="quiet" type="submit" name="action" value="another-card">${texts.otherCard}</button>
<button class="quiet" type="submit" name="action" value="cancel">${texts.cancel}</button>
</form>
</div>`;
  return layOut({ ...frame, title: texts.confirmTitle, content });
}

/** What became of a request that nothing can change any more. */
export function outcomePage(frame: PageFrame, hosted: HostedRequest): string {
  const texts = textsIn(frame.language);
  const { payment, callbackAbortUrl, callbackSuccessUrl } = hosted.terms;
  const isPayment = payment !== undefined;
  const hasFailed = hosted.errorText !== undefined;
  const doneTitle = isPayment ? texts.doneTitle : texts.tokenDoneTitle;
  const title = hasFailed ? (isPayment ? texts.failedTitle : texts.tokenFailedTitle) : doneTitle;
  const doneLead = html`${isPayment ? texts.doneLead : texts.tokenDoneLead}`;
  const failedLead = html`${texts.failedLead} <strong lang="en">${hosted.errorText}</strong>.`;
  const content = html`<div class="card">
${hasFailed ? CROSS : CHECK}
<h1>${title}</h1>
<p class="lead">${hasFailed ? failedLead : doneLead}</p>
<div class="summary"><dl>${termsOf(hosted, frame.language)}</dl></div>
<a class="button primary" href="${hasFailed ? callbackAbortUrl : callbackSuccessUrl}">${texts.backToHotel}</a>
</div>`;
  return layOut({ ...frame, title, content });
}

/** An address that leads nowhere. */
export function unknownPage({ language, assets }: PageFrame): string {
  const { unknownTitle: title, unknownLead } = textsIn(language);
  const content = html`<div class="card"><h1>${title}</h1><p class="lead">${unknownLead}</p></div>`;
  return layOut({ language, assets, title, content });
}

/** What a guest sees when the page itself fails after the charge. */
export function brokenPage({ language, assets }: PageFrame): string {
  const { brokenTitle: title, brokenLead } = textsIn(language);
  const content = html`<div class="card">${CROSS}<h1>${title}</h1><p class="lead">${brokenLead}</p></div>`;
  return layOut({ language, assets, title, content });
}

function termsOf({ terms }: HostedRequest, language: Language): readonly Markup[] {
  const texts = textsIn(language);
  const reference = terms.payment?.resNo ?? terms.cardInfoRefID;
  const description = terms.payment?.description ?? '';
  return [
    html`<dt>${texts.recipient}</dt><dd>${texts.hotel} ${terms.hotelID}</dd>`,
    ...rowIf(texts.reference, reference),
    ...rowIf(texts.purpose, description),
  ];
}

function rowIf(name: string, value: string): readonly Markup[] {
  return value === '' ? [] : [html`<dt>${name}</dt><dd>${value}</dd>`];
}
