/** A payment link: to copy, to mail, and as a QR code for a guest who stands there. */
import type { Payment, PaymentLink } from '@innkeep/core/contract';
import { html, nothing, type TemplateResult } from 'lit';
import type { LinkController } from '../controllers/link-controller.ts';
import { type Format, fill } from './format.ts';

/** What a link is for. */
export type Requested = Pick<Payment, 'amount' | 'reference'>;

/** The link with its buttons. */
export function linkView(
  { url, qrUrl, expiresAt }: PaymentLink,
  { amount: money, reference }: Requested,
  link: LinkController,
  format: Format,
): TemplateResult {
  const { texts } = format;
  const amount = money ? format.money(money) : '';
  const words = { amount, reference: reference ?? '', hotel: link.hotel, url };
  const mail = (text: string): string => encodeURIComponent(fill(text, words));
  return html`<div class="pay-link">
    <label class="field"><span class="name">${texts.link}</span><input readonly dir="ltr" .value=${url} @focus=${(event: Event) => (event.target as HTMLInputElement).select()} /></label>
    <p class="hint">${amount ? html`<bdi>${amount}</bdi> · ` : nothing}${fill(texts.payableUntil, { time: format.dateTime(expiresAt) })}</p>
    <div class="buttons">
      <button type="button" class="primary" @click=${link.copy}>${texts.copy}</button>
      <a class="plain" href=${`mailto:?subject=${mail(texts.mailSubject)}&body=${mail(texts.mailText)}`}>${texts.mail}</a>
      <button type="button" class="plain" aria-expanded=${link.hasQr} @click=${link.toggleQr}>${texts.qr}</button>
    </div>
    <p class="hint" role="status">${link.isCopied ? texts.copied : link.isCopied === false ? texts.copyByHand : ''}</p>
    ${link.hasQr ? html`<img class="qr" src=${qrUrl} width="200" height="200" alt=${texts.qrAlt} referrerpolicy="no-referrer" />` : nothing}
  </div>`;
}
