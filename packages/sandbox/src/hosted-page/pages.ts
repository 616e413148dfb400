/** The hosted pages, as functions from what is known to HTML. */
import { html } from 'hono/html';
import type { Surcharge } from '../bookkeeping/hosted-outcome.ts';
import type { HostedRequest } from '../domain/ledger.ts';
import { toDisplay } from '../wire/amount.ts';
import { type CardFormView, cardForm, simulatorTools } from './card-form.ts';
import { layOut, type Markup } from './layout.ts';

const CHECK = html`<svg class="state good" viewBox="0 0 48 48" aria-hidden="true"><circle cx="24" cy="24" r="21"/><path d="M15 24.5l6.5 6.5L34 18"/></svg>`;
const CROSS = html`<svg class="state bad" viewBox="0 0 48 48" aria-hidden="true"><circle cx="24" cy="24" r="21"/><path d="M17 17l14 14M31 17L17 31"/></svg>`;

/** Card entry, for a payment or to store a card. */
export function entryPage(
  assets: string,
  page: {
    readonly hosted: HostedRequest;
    readonly baseMinor: bigint;
    readonly form: Pick<CardFormView, 'action' | 'values' | 'errors'>;
  },
): string {
  const { hosted, baseMinor, form } = page;
  const { payment } = hosted.terms;
  const title = payment === undefined ? 'Save your card' : 'Pay your booking';
  const sum = payment === undefined ? undefined : toDisplay(baseMinor, payment.currency);
  const submitLabel = sum === undefined ? 'Save card' : `Pay ${sum}`;
  const view: CardFormView = { ...form, submitLabel, isPayment: payment !== undefined };
  const hint =
    payment?.hasSurchargeFeature === true
      ? html`<p class="hint">Some cards carry a surcharge. You will see it before you pay.</p>`
      : undefined;
  const content = html`<div class="card">
<h1>${title}</h1>
${payment === undefined ? html`<p class="lead">Your card guarantees the booking. Nothing is charged now.</p>` : undefined}
<div class="summary">${sum === undefined ? undefined : html`<p class="sum">${sum}</p>`}
<dl>${termsOf(hosted)}</dl>${hint}</div>
${cardForm(view)}
</div>
${simulatorTools(view)}`;
  return layOut({ assets, title, content });
}

/** The surcharge, before anything is charged. */
export function surchargePage(
  assets: string,
  page: {
    readonly hosted: HostedRequest;
    readonly baseMinor: bigint;
    readonly surcharge: Surcharge;
    readonly action: string;
    /** What the guest confirms on this page. */
    readonly offer: string;
  },
): string {
  const { hosted, baseMinor, surcharge, action, offer } = page;
  const currency = hosted.terms.payment?.currency ?? 'EUR';
  const show = (minor: bigint): string => toDisplay(minor, currency);
  const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 2 });
  const total = show(baseMinor + surcharge.minor);
  const content = html`<div class="card">
<h1>Confirm the surcharge</h1>
<p class="lead">This card carries a surcharge. Nothing has been charged yet.</p>
<dl class="rows">
<dt>Amount</dt><dd>${show(baseMinor)}</dd>
<dt>Surcharge (${percent.format(surcharge.percent / 100)})</dt><dd>${show(surcharge.minor)}</dd>
<dt class="total">Total</dt><dd class="total">${total}</dd>
</dl>
<dl>${rowIf('Card number', hosted.offer?.card.cardNo ?? '')}</dl>
<form class="actions" method="post" action="${action}">
<input type="hidden" name="offer" value="${offer}">
<button class="primary" type="submit" name="action" value="confirm">Pay ${total}</button>
<button class="quiet" type="submit" name="action" value="another-card">Use another card</button>
<button class="quiet" type="submit" name="action" value="cancel">Cancel and go back</button>
</form>
</div>`;
  return layOut({ assets, title: 'Confirm the surcharge', content });
}

/** The result of a request that nothing can change any more. */
export function outcomePage(assets: string, hosted: HostedRequest): string {
  const { payment, callbackAbortUrl, callbackSuccessUrl } = hosted.terms;
  const isPayment = payment !== undefined;
  const hasFailed = hosted.errorText !== undefined;
  const doneTitle = isPayment ? 'Payment complete' : 'Card saved';
  const title = hasFailed ? (isPayment ? 'Nothing was charged' : 'No card was saved') : doneTitle;
  const doneLead = html`${isPayment ? 'This payment has already been made. You will not be charged again.' : 'This card has already been saved.'}`;
  const failedLead = html`This request has ended: <strong>${hosted.errorText}</strong>.`;
  const content = html`<div class="card">
${hasFailed ? CROSS : CHECK}
<h1>${title}</h1>
<p class="lead">${hasFailed ? failedLead : doneLead}</p>
<div class="summary"><dl>${termsOf(hosted)}</dl></div>
<a class="button primary" href="${hasFailed ? callbackAbortUrl : callbackSuccessUrl}">Back to the hotel</a>
</div>`;
  return layOut({ assets, title, content });
}

/** An address that leads nowhere. */
export function unknownPage(assets: string): string {
  const lead = 'This payment address is unknown. Please start again from the hotel’s page.';
  const content = html`<div class="card"><h1>Page not found</h1><p class="lead">${lead}</p></div>`;
  return layOut({ assets, title: 'Page not found', content });
}

/** What a guest sees when the page itself fails after the charge. */
export function brokenPage(assets: string): string {
  const lead = 'We cannot show the result. Please do not pay again: ask the hotel first.';
  const content = html`<div class="card">${CROSS}<h1>Something went wrong</h1><p class="lead">${lead}</p></div>`;
  return layOut({ assets, title: 'Something went wrong', content });
}

function termsOf({ terms }: HostedRequest): readonly Markup[] {
  const reference = terms.payment?.resNo ?? terms.cardInfoRefID;
  const description = terms.payment?.description ?? '';
  return [
    html`<dt>To</dt><dd>Hotel ${terms.hotelID}</dd>`,
    ...rowIf('Booking', reference),
    ...rowIf('For', description),
  ];
}

function rowIf(name: string, value: string): readonly Markup[] {
  return value === '' ? [] : [html`<dt>${name}</dt><dd>${value}</dd>`];
}
